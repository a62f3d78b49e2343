#!/bin/sh
# SPDX-License-Identifier: MIT
# murphi.sh [MODEL...]: Tideline against Rumur, in one run on one machine, as a table in Markdown on standard output.
#
# Both search exactly, without symmetry reduction and without deadlock detection. Seconds are those of the search alone;
# compiling is a column of its own. Bytes per state are the largest resident size divided by the states.
# Without arguments: the models of $TIDELINE_CORPUS (default: ../shared/corpus) whose oracle says that there are more
# than BENCH_STATES_MIN (100,000) states without symmetry. BENCH_TIMEOUT (600) limits each run, in seconds.
set -eu
root="$(cd "$(dirname "$0")/../.." && pwd)"
program="${TIDELINE:-$root/build/release/tideline}"
corpus="${TIDELINE_CORPUS:-$root/../shared/corpus}/murphi"
limit="${BENCH_TIMEOUT:-600}"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
export TIDELINE_CACHE="$work/cache"

# The models to measure, one per line.
models() {
  if [ $# -gt 0 ]; then
    printf '%s\n' "$@"
  elif [ -r "$corpus/oracle.tsv" ]; then
    awk -F '\t' -v min="${BENCH_STATES_MIN:-100000}" -v dir="$corpus" '
      NR > 1 && $2 == "off" && $5 > min && !seen[$1]++ { print $5, dir "/" $1 }' "$corpus/oracle.tsv" |
      sort -n | cut -d ' ' -f 2-
  else
    echo "murphi.sh: no models: name some, or set TIDELINE_CORPUS" >&2
    exit 2
  fi
}

# field NAME FILE: a number of our JSON.
field() { sed -n "s/^  \"$1\": \([^,]*\),\{0,1\}\$/\1/p" "$2"; }

# ours MODEL THREADS: seconds, states, bytes, compile seconds; "-" where there is no answer.
ours() {
  rm -f "$work/ours.json"
  timeout "$limit" "$program" check "$1" --engine native --symmetry off --threads "$2" --deadlock off --quiet \
    --json "$work/ours.json" >"$work/ours.log" 2>&1 || true
  if [ -s "$work/ours.json" ] && grep -q '"verdict": "holds"' "$work/ours.json"; then
    echo "$(field seconds "$work/ours.json") $(field states "$work/ours.json")" \
      "$(field peak_rss_bytes "$work/ours.json") $(field compile_seconds "$work/ours.json")"
  else
    echo "- - - -"
  fi
}

now() { date +%s.%N; }

# rumur_build MODEL THREADS: the verifier and its compile seconds, "-" if Rumur refuses the model.
rumur_build() {
  begin="$(now)"
  if timeout "$limit" rumur --symmetry-reduction off --deadlock-detection off --threads "$2" --output "$work/rumur.c" \
    "$1" >"$work/rumur.log" 2>&1 &&
    timeout "$limit" cc -std=c11 -O3 -march=native -mcx16 -o "$work/rumur" "$work/rumur.c" -lpthread -latomic \
      >>"$work/rumur.log" 2>&1; then
    echo "$begin $(now)" | awk '{ printf "%.1f", $2 - $1 }'
  else
    echo "-"
  fi
}

# rumur_run: seconds and bytes of the verifier built last.
rumur_run() {
  if timeout "$limit" /usr/bin/time -f '%e %M' -o "$work/rumur.time" "$work/rumur" >"$work/rumur.out" 2>&1; then
    tail -n 1 "$work/rumur.time" | awk '{ print $1, $2 * 1024 }'
  else
    echo "- -"
  fi
}

# Sets the shell variables of one row from the words of the two tools.
row() {
  awk -v model="$1" -v ours1="$2" -v ours2="$3" -v build="$4" -v rumur1="$5" -v rumur2="$6" '
    function num(x, format) { return x == "-" || x == "" ? "-" : sprintf(format, x) }
    function ratio(a, b) { return a == "-" || b == "-" || b == 0 ? "-" : sprintf("%.1f", a / b) }
    function per(a, b) { return a == "-" || b == "-" || b == 0 ? "-" : sprintf("%.1f", a / b) }
    BEGIN {
      split(ours1, a, " "); split(ours2, b, " "); split(rumur1, c, " "); split(rumur2, d, " ")
      rate = a[1] == "-" || a[1] == 0 ? "-" : sprintf("%.2f", a[2] / a[1] / 1e6)
      printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", model, num(a[2], "%d"),
        num(a[1], "%.2f"), rate, num(c[1], "%.2f"), ratio(c[1], a[1]), num(b[1], "%.2f"), num(d[1], "%.2f"),
        ratio(d[1], b[1]), per(a[3], a[2]), per(c[2], a[2]), num(a[4], "%.1f"), build
    }'
}

# CMurphi is not to be had as a package. The oracle has CPU seconds of CMurphi and of Rumur from one machine: CMurphi's
# are scaled by what Rumur takes here over what it took there (geometric mean over the models that both ran).
cmurphi() {
  awk -F '\t' -v rows="$work/rows" '
    BEGIN { while ((getline line < rows) > 0) { split(line, w, " "); ours[w[1]] = w[2]; here[w[1]] = w[3] } }
    NR > 1 && $2 == "off" && $1 in ours && !seen[$1]++ {
      if ($9 > 0) cm[$1] = $9
      if ($11 > 1 && here[$1] != "-") { sum += log(here[$1] / $11); n++ }
    }
    END {
      if (!n) exit
      factor = exp(sum / n)
      printf "\nCMurphi 5.4.9, CPU seconds of the oracle times %.2f", factor
      printf " (%d models that Rumur ran here and there):\n\n", n
      print "| model | s | CMurphi s, scaled | ratio |"
      print "|---|--:|--:|--:|"
      for (m in cm) if (ours[m] != "-" && ours[m] > 0) {
        printf "| %s | %.2f | %.2f | %.1f |\n", m, ours[m], cm[m] * factor, cm[m] * factor / ours[m]
        total += log(cm[m] * factor / ours[m]); k++
      }
      if (k) printf "| geometric mean | | | %.1f |\n", exp(total / k)
    }' "$corpus/oracle.tsv"
}

echo "Machine: $(nproc) cores, $(awk '/^model name/ { sub(/.*: /, ""); print; exit }' /proc/cpuinfo)."
echo "$("$program" --version), $(rumur --version 2>&1 | head -n 1)."
echo
echo "| model | states | s | M states/s | Rumur s | ratio | s, 2 threads | Rumur s, 2 threads | ratio | bytes/state |" \
  "Rumur bytes/state | compile s | Rumur compile s |"
echo "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
models "$@" | while read -r model; do
  ours1="$(ours "$model" 1)"
  ours2="$(ours "$model" 2)"
  rumur1="- -"
  rumur2="- -"
  build="$(rumur_build "$model" 1)"
  if [ "$build" != "-" ]; then
    rumur1="$(rumur_run)"
    [ "$(rumur_build "$model" 2)" = "-" ] || rumur2="$(rumur_run)"
  fi
  row "$(basename "$model" .m)" "$ours1" "$ours2" "$build" "$rumur1" "$rumur2"
  echo "$(basename "$model") ${ours1%% *} ${rumur1%% *}" >>"$work/rows"
done
[ -r "$corpus/oracle.tsv" ] && [ -s "$work/rows" ] && cmurphi
