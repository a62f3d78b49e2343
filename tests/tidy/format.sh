#!/bin/sh
# SPDX-License-Identifier: MIT
# format.sh SOURCE_DIR: every C++ file is as clang-format would write it.
set -eu
cd "$1"
command -v clang-format >/dev/null || { echo "clang-format is missing: ./dev lint installs it" >&2; exit 1; }
find src tests \( -name '*.h' -o -name '*.cpp' \) -exec clang-format --dry-run -Werror {} + || {
  echo "to repair: ./dev format" >&2
  exit 1
}
