#!/bin/sh
# SPDX-License-Identifier: MIT
# The sweep-line method on BEEM, with measures that were found automatically, beside the SPIN 2012 paper's tables.
set -eu
exec python3 "$(dirname "$0")/sweep.py" "$@"
