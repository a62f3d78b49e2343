#!/bin/sh
# SPDX-License-Identifier: MIT
# shell.sh SOURCE_DIR: the shell scripts are sound. Skipped (77) where shellcheck is not installed.
set -eu
cd "$1"
command -v shellcheck >/dev/null || { echo "shellcheck is missing: skipped"; exit 77; }
find . -path ./build -prune -o \( -name '*.sh' -o -path ./dev -o -path ./.ci/run \) -type f -exec shellcheck {} +
