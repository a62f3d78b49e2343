#!/bin/sh
# SPDX-License-Identifier: MIT
# promela.sh SOURCE_DIR: SPIN finds as many states in models/promela as the comments there expect, which are the figures
# of the Murphi models, with and without partial order reduction. Skipped (77) where SPIN is not installed.
set -eu
command -v spin >/dev/null || { echo "spin is missing: skipped"; exit 77; }
models="$1/models/promela"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"

# states MODEL FLAGS SPIN_OPTIONS: what pan stores; empty if it finds an error.
states() {
  # shellcheck disable=SC2086 # lists of words
  spin $3 -a "$1" >spin.log && cc -w -DSAFETY $2 -o pan pan.c && ./pan -m100000 -w16 -n -E >pan.out
  grep -q 'errors: 0' pan.out && sed -n 's/^ *\([0-9]*\) states, stored.*/\1/p' pan.out
}

failed=0
for model in "$models"/*.pml; do
  sed -n 's/^ \* expect: states=\([0-9]*\)\(.*\)$/\1\2/p' "$model" >expected
  [ -s expected ] || { echo "$model: nothing is expected"; failed=1; }
  while read -r count options; do
    for flags in -DNOREDUCE ""; do
      found="$(states "$model" "$flags" "${options#options=}")" || found="no"
      echo "$(basename "$model") ${options#options=} $flags: $found states, $count expected"
      [ "$found" = "$count" ] || failed=1
    done
  done <expected
done
exit "$failed"
