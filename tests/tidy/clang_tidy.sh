#!/bin/sh
# SPDX-License-Identifier: MIT
# clang_tidy.sh SOURCE_DIR BUILD_DIR: clang-tidy finds nothing in src. A file that passed is not looked at again until
# it, a header that it includes (as the last build recorded them), or .clang-tidy changes: BUILD_DIR/tidy/HASH marks
# a pass.
set -eu
source_dir="$1"
build_dir="$2"
jobs="${JOBS:-2}"
command -v clang-tidy >/dev/null || { echo "clang-tidy is missing: ./dev lint installs it" >&2; exit 1; }
cd "$source_dir"
mkdir -p "$build_dir/tidy"
# Precompiled headers and the collector's parameter are GCC's.
sed 's/-Winvalid-pch *-include [^ ]*cmake_pch\.hxx//g; s/--param=ggc-[^ ]*//g' "$build_dir/compile_commands.json" \
  >"$build_dir/tidy/compile_commands.json"

# One line per file: its path, then the project's files it depends on.
ninja -C "$build_dir" -t deps | awk -v root="$source_dir/src/" '
  /^[^ ]/ { if (file != "") print file, deps; file = ""; deps = "" }
  /^ / { if (index($1, root) == 1) { if (file == "" && $1 ~ /\.cpp$/) file = $1; deps = deps " " $1 } }
  END { if (file != "") print file, deps }' | sort -u >"$build_dir/tidy/deps"

# Files whose hash is not marked.
true >"$build_dir/tidy/todo"
find "$source_dir/src" -name '*.cpp' | sort | while read -r file; do
  deps=$(awk -v file="$file" '$1 == file { $1 = ""; print; exit }' "$build_dir/tidy/deps")
  # shellcheck disable=SC2086 # a list of words
  hash=$(cat .clang-tidy "$file" $deps | sha256sum | cut -c1-32)
  [ -e "$build_dir/tidy/$hash" ] || echo "$hash $file $source_dir" >>"$build_dir/tidy/todo"
done

echo "clang-tidy: $(wc -l <"$build_dir/tidy/todo") files to look at"
# shellcheck disable=SC2016 # expanded by the inner shell
xargs -r -P "$jobs" -L 1 sh -c '
  if clang-tidy --quiet -p "$0/tidy" --header-filter="^$3/src/" --extra-arg=-Wno-unknown-warning-option "$2" \
    >"$0/tidy/$1.log" 2>"$0/tidy/$1.err"; then
    touch "$0/tidy/$1"
  else
    cat "$0/tidy/$1.log"; grep -v "warnings generated\|warnings treated" "$0/tidy/$1.err" >&2; exit 1
  fi' "$build_dir" <"$build_dir/tidy/todo"
