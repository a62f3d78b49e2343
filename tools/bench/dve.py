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
TABLES = ["auto", "plain", "tree"]


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


def seconds(runs):
    return statistics.median(cpu for cpu, _ in runs)


def bytes_per_state(runs):
    return statistics.median(report["peak_rss_bytes"] / report["states"] for _, report in runs)


def per_state(row, name):
    return row[name] and number(row[name]) * 1e6 / int(row["states"]) or None


def line(row, compile_seconds, runs):
    """A row of the table, and the ratio of speeds to the better peer."""
    states = int(row["states"])
    helena, ltsmin = number(row["helena_cpu_s"]), number(row["ltsmin_table_cpu_s"])
    ratio = min(peer for peer in (helena, ltsmin) if peer is not None) / seconds(runs["auto"])
    table_bytes, cleary_bytes = per_state(row, "ltsmin_table_mb"), per_state(row, "ltsmin_cleary_mb")
    ours = bytes_per_state(runs["auto"])
    print(f"| {row['instance']} | {states:,} | {runs['auto'][0][1]['state_bits']} | {compile_seconds:.1f} | "
          f"{seconds(runs['auto']):.2f} | {states / seconds(runs['auto']) / 1e6:.2f} | {cell(helena)} | "
          f"{cell(ltsmin)} | {ratio:.1f} | {ours:.1f} | {table_bytes:.1f} | {table_bytes / ours:.1f} | "
          f"{seconds(runs['plain']):.2f} | "
          f"{bytes_per_state(runs['plain']):.1f} | {seconds(runs['tree']):.2f} | {bytes_per_state(runs['tree']):.1f} | "
          f"{cell(cleary_bytes, '.1f')} |", flush=True)
    return ratio


def main(names):
    rows = instances(names)
    print("| instance | states | bits | compile s | CPU s | M states/CPU s | Helena CPU s | LTSmin CPU s | ratio | "
          "bytes/state | LTSmin bytes/state | ratio | plain CPU s | plain bytes/state | tree CPU s | "
          "tree bytes/state | Cleary bytes/state |")
    print("|---|" + "--:|" * 16)
    with tempfile.TemporaryDirectory() as cache:
        compile_seconds = {row["instance"]: run(row, cache)[1]["compile_seconds"] for row in rows}
        runs = {row["instance"]: {table: [] for table in TABLES} for row in rows}
        for _ in range(ROUNDS):
            for row in rows:
                for table in TABLES:
                    runs[row["instance"]][table].append(run(row, cache, "--table", table))
    ratios = [line(row, compile_seconds[row["instance"]], runs[row["instance"]]) for row in rows]
    print(f"\nGeometric mean of the ratio to the better peer: {math.exp(statistics.mean(map(math.log, ratios))):.1f}")


if __name__ == "__main__":
    main(sys.argv[1:])
