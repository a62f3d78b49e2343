#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# threads.py [MODEL...]: what a second thread gains, beside what the machine has to give. Each MODEL is a file and, in
# the same word, options: "n_peterson-6.m --symmetry off"; names without a slash are looked for in the corpus. Without
# words: the Murphi models above a million states. "above-3M" and "above-20M" are the DVE instances of the oracle with
# 3 to 20 and with 20 to 60 million states.
#
# Three things take turns, BENCH_RUNS (3) times: a search with one thread, one with two, and two searches with one
# thread each, at the same time. Two searches share caches, memory channels and whatever else runs on the machine, but
# nothing of the program: 2 * one / pair is what a program that scales perfectly would gain at that hour. The figures
# are medians of the search's own seconds; "of least times" is the gain of the fastest run with two threads over the
# fastest with one, which what else happens on the machine disturbs less. BENCH_PAIRS=0 leaves the pair away.
#
# Before each run BENCH_WARM (1024) MiB are touched and freed: a virtual machine gives free memory back to its host, and
# to get it again costs more than to clear it, the more so when two cores ask at once.
import csv
import json
import mmap
import os
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CORPUS = Path(os.environ.get("TIDELINE_CORPUS", ROOT / ".." / "shared" / "corpus"))
PROGRAM = os.environ.get("TIDELINE", str(ROOT / "build" / "release" / "tideline"))
ROUNDS = int(os.environ.get("BENCH_RUNS", 3))
WARM_BYTES = int(os.environ.get("BENCH_WARM", 1024)) << 20
PAIRS = os.environ.get("BENCH_PAIRS", "1") != "0"
MODELS = ["ldash-1.3.1.false.m --symmetry off", "mcslock2-3.m --symmetry off", "n_peterson-6.m --symmetry off",
          "ns-1.1.3.2.10.m --symmetry off", "mcslock1-5.m --symmetry off", "ns-1.1.3.2.10.m", "sci-3.1.1.2.1.m",
          "newlist6-7.m", "n_peterson-9.m", "ldash-1.4.1.false.m", "mcslock1-6.m"]

CLASSES = {"above-3M": (3_000_000, 20_000_000), "above-20M": (20_000_000, 60_000_000)}


def instances(least, most):
    with open(CORPUS / "dve" / "oracle.tsv", encoding="utf-8") as oracle:
        rows = csv.DictReader(oracle, delimiter="\t")
        return [row["instance"] + ".dve" for row in rows if least < int(row["states"]) <= most]


def warm():
    if WARM_BYTES == 0:
        return
    with mmap.mmap(-1, WARM_BYTES) as pages:
        for at in range(0, WARM_BYTES, mmap.PAGESIZE):
            pages[at] = 1


def path_of(name):
    return name if "/" in name else str(CORPUS / ("dve" if name.endswith(".dve") else "murphi") / name)


def start(words, threads):
    command = [PROGRAM, "check", path_of(words[0]), *words[1:], "--deadlock", "off", "--engine", "native", "--quiet",
               "--threads", str(threads), "--json", "-"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def seconds(process):
    output, _ = process.communicate()
    if process.returncode != 0:
        sys.exit(f"threads.py: {' '.join(process.args)} ended with status {process.returncode}")
    return json.loads(output)["seconds"]


def measure(words):
    one, two, pair = [], [], []
    for _ in range(ROUNDS):
        warm()
        one.append(seconds(start(words, 1)))
        warm()
        two.append(seconds(start(words, 2)))
        if PAIRS:
            warm()
            pair.append(max(seconds(process) for process in [start(words, 1), start(words, 1)]))
    medians = [statistics.median(times) if times else None for times in (one, two, pair)]
    return *medians, min(one) / min(two)


def main(models):
    print("| model | s | s, 2 threads | gain | of least times |" + " two processes | gain / two processes |" * PAIRS)
    print("|---|--:|--:|--:|--:|" + "--:|--:|" * PAIRS)
    gains, least_gains = [], []
    models = [name for word in models for name in (instances(*CLASSES[word]) if word in CLASSES else [word])]
    for model in models or MODELS:
        one, two, pair, least = measure(model.split())
        beside = f" {2 * one / pair:.2f} | {pair / two / 2:.2f} |" if PAIRS else ""
        print(f"| {model} | {one:.2f} | {two:.2f} | {one / two:.2f} | {least:.2f} |{beside}", flush=True)
        gains.append(one / two)
        least_gains.append(least)
    means = " | ".join(f"{statistics.geometric_mean(some):.2f}" for some in (gains, least_gains))
    print(f"| geometric mean | | | {means} |" + " | |" * PAIRS)


if __name__ == "__main__":
    main(sys.argv[1:])
