#!/bin/sh
# SPDX-License-Identifier: MIT
# threads.sh [MODEL...]: see threads.py.
exec python3 "$(dirname "$0")/threads.py" "$@"
