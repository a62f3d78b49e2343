#!/bin/sh
# SPDX-License-Identifier: MIT
# ram.sh [SECTIONS] [MODEL...]: see ram.py.
exec python3 "$(dirname "$0")/ram.py" "$@"
