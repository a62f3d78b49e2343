#!/bin/sh
# SPDX-License-Identifier: MIT
# disk.sh [MODEL...]: see disk.py.
exec python3 "$(dirname "$0")/disk.py" "$@"
