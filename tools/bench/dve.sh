#!/bin/sh
# SPDX-License-Identifier: MIT
# dve.sh [INSTANCE...]: see dve.py.
exec python3 "$(dirname "$0")/dve.py" "$@"
