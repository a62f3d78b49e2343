#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# dve.py [INSTANCE...]: Tideline on BEEM beside the figures of Helena and LTSmin in the oracle of the corpus (CPU
# seconds and megabytes of one thread, from another, loaded machine: read them as ratios and allow 30%). Without words:
# every instance for which LTSmin has figures. One thread, each table, medians of BENCH_RUNS (3) rounds, every instance
# once per round. CPU seconds are those of the whole process, without the compiler's, which are a column of their own
# (the cache is empty at first). Memory is the peak of the resident set.
#
# Aims: states per CPU second at least twice those of the better peer, none slower; bytes per state at most an eighth of
# LTSmin's plain table, and with the tree at most those of its Cleary tree.
import csv
import json
import math
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CORPUS = Path(os.environ.get("TIDELINE_CORPUS", ROOT / ".." / "shared" / "corpus")) / "dve"
PROGRAM = os.environ.get("TIDELINE", str(ROOT / "build" / "release" / "tideline"))
ROUNDS = int(os.environ.get("BENCH_RUNS", 3))


def number(text):
    return float(text) if text else None


def instances(names):
    with open(CORPUS / "oracle.tsv", encoding="utf-8") as table:
        rows = list(csv.DictReader(table, delimiter="\t"))
    if names:
        return [row for row in rows if row["instance"] in names]
    return [row for row in rows if row["ltsmin_table_cpu_s"]]


def run(row, cache, *options):
    """CPU seconds of the process and its report."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([PROGRAM, "check", str(CORPUS / (row["instance"] + ".dve")), "--deadlock", "off", "--engine",
                           "native", "--quiet", "--json", "-", *options], env={**os.environ, "TIDELINE_CACHE": cache},
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"dve.py: {row['instance']}: status {done.returncode}: {done.stderr.decode()}")
    report = json.loads(done.stdout)
    if report["states"] != int(row["states"]) or report["edges"] != int(row["edges"]):
        sys.exit(f"dve.py: {row['instance']}: {report['states']} states, {report['edges']} edges; not the oracle's")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, report


def cell(value, form=".2f"):
    return "-" if value is None else format(value, form)


def line(row, compile_seconds, plain, tree):
    states = int(row["states"])
    peers = [number(row[name]) for name in ("helena_cpu_s", "ltsmin_table_cpu_s", "ltsmin_cleary_cpu_s")]
    best = min(peer for peer in peers[:2] if peer is not None)
    seconds = statistics.median(cpu for cpu, _ in plain)
    bytes_plain = statistics.median(report["peak_rss_bytes"] for _, report in plain) / states
    bytes_tree = statistics.median(report["peak_rss_bytes"] for _, report in tree) / states
    ltsmin = number(row["ltsmin_table_mb"]) * 1e6 / states
    cleary = number(row["ltsmin_cleary_mb"])
    cleary = cleary and cleary * 1e6 / states
    print(f"| {row['instance']} | {states:,} | {plain[0][1]['state_bits']} | {compile_seconds:.1f} | {seconds:.2f} | "
          f"{states / seconds / 1e6:.2f} | {cell(peers[0])} | {cell(peers[1])} | {best / seconds:.1f} | "
          f"{bytes_plain:.1f} | {ltsmin:.1f} | {ltsmin / bytes_plain:.1f} | "
          f"{statistics.median(cpu for cpu, _ in tree):.2f} | {bytes_tree:.1f} | {cell(cleary, '.1f')} |", flush=True)
    return best / seconds


def main(names):
    rows = instances(names)
    print("| instance | states | bits | compile s | CPU s | M states/CPU s | Helena CPU s | LTSmin CPU s | ratio | "
          "bytes/state | LTSmin bytes/state | ratio | tree CPU s | tree bytes/state | Cleary bytes/state |")
    print("|---|" + "--:|" * 14)
    with tempfile.TemporaryDirectory() as cache:
        compile_seconds = {row["instance"]: run(row, cache)[1]["compile_seconds"] for row in rows}
        runs = {row["instance"]: ([], []) for row in rows}
        for _ in range(ROUNDS):
            for row in rows:
                plain, tree = runs[row["instance"]]
                plain.append(run(row, cache, "--table", "plain"))
                tree.append(run(row, cache, "--table", "tree"))
    ratios = [line(row, compile_seconds[row["instance"]], *runs[row["instance"]]) for row in rows]
    print(f"\nGeometric mean of the ratio to the better peer: {math.exp(statistics.mean(map(math.log, ratios))):.1f}")


if __name__ == "__main__":
    main(sys.argv[1:])
