#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# disk.py [MODEL...]: searches on disk beside the search in RAM. M is the peak resident size of `--search bfs`; each of
# BENCH_SEARCHES (auto,disk-bfs,cloud,partition) then gets M times each of BENCH_FRACTIONS (1,0.5,0.1), at least 32
# MiB. Each MODEL is a file and, in the same word, options; names without a slash are looked for in the corpus. Without
# words: the protocols of FMCAD 2002, with symmetry, and six of BEEM. BENCH_THREADS (1), BENCH_TIMEOUT (600 s) for one
# run, BENCH_RUNS (1): medians, searches in turns.
#
# Ratios are to `bfs` in the same round: states (expansions, counting repeats), edges, seconds of the search, CPU
# seconds of the process. Bytes are those of the working directory; disk per state is the largest size of that
# directory, in which a merge has its input and its output, over the states.
import json
import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CORPUS = Path(os.environ.get("TIDELINE_CORPUS", ROOT / ".." / "shared" / "corpus"))
PROGRAM = os.environ.get("TIDELINE", str(ROOT / "build" / "release" / "tideline"))
ROUNDS = int(os.environ.get("BENCH_RUNS", 1))
THREADS = os.environ.get("BENCH_THREADS", "1")
TIMEOUT = float(os.environ.get("BENCH_TIMEOUT", 600))
SEARCHES = os.environ.get("BENCH_SEARCHES", "auto,disk-bfs,cloud,partition").split(",")
FRACTIONS = [float(x) for x in os.environ.get("BENCH_FRACTIONS", "1,0.5,0.1").split(",")]
FLOOR = 32 << 20
MODELS = ["n_peterson-9.m", "ns-1.1.3.2.10.m", "newlist6-7.m", "ldash-1.4.1.false.m", "sci-3.1.1.2.1.m", "mcslock1-6.m",
          "brp.4.dve", "bakery.6.dve", "synapse.7.dve", "anderson.6.dve", "iprotocol.6.dve", "leader_election.6.dve"]


def path_of(name):
    return name if "/" in name else str(CORPUS / ("dve" if name.endswith(".dve") else "murphi") / name)


def run(words, search, memory):
    command = [PROGRAM, "check", path_of(words[0]), *words[1:], "--deadlock", "off", "--engine", "native", "--quiet",
               "--threads", THREADS, "--search", search, "--json", "-", "--time-limit", str(TIMEOUT)]
    command += ["--memory", str(memory)] if memory else []
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 3):
        sys.exit(f"disk.py: {' '.join(command)} ended with status {done.returncode}")
    report = json.loads(done.stdout)
    report["cpu"] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return report


def mib(number):
    return f"{number / (1 << 20):.1f}"


def row(name, fraction, ram, runs):
    report = runs[-1]
    states = ram[0]["states"]
    if report["verdict"] == "unknown":
        least = report["seconds"] / ram[0]["seconds"]
        return f"| {name} | {fraction} | {report['search']} | | | > {least:.1f} | | | | | |"
    time = statistics.median(r["seconds"] / b["seconds"] for r, b in zip(runs, ram))
    cpu = statistics.median(r["cpu"] / b["cpu"] for r, b in zip(runs, ram))
    io = report["io"]
    over = "" if report["peak_rss_bytes"] <= report["memory_budget_bytes"] else " (above)"
    return (f"| {name} | {fraction} | {report['search']} | {report['visited'] / states:.3f} | "
            f"{report['edges'] / ram[0]['edges']:.3f} | {time:.2f} | {cpu:.2f} | {mib(io['bytes_read'])} | "
            f"{mib(io['bytes_written'])} | {mib(report['peak_rss_bytes'])}{over} | "
            f"{io['disk_peak_bytes'] / states:.2f} |")


def measure(model):
    words = model.split()
    name = words[0].rsplit("/")[-1].rsplit(".", 1)[0]
    first = run(words, "bfs", 0)
    peak = first["peak_rss_bytes"]
    print(f"| {name} | | bfs | 1 | 1 | {first['seconds']:.2f} s | {first['cpu']:.2f} s | | | {mib(peak)} | "
          f"{(first['state_bits'] + 7) // 8} (packed) |", flush=True)
    for fraction in FRACTIONS:
        memory = max(FLOOR, int(peak * fraction))
        ram, runs = [], {search: [] for search in SEARCHES}
        for turn in range(ROUNDS):
            ram.append(first if turn == 0 else run(words, "bfs", 0))
            for search in SEARCHES:
                runs[search].append(run(words, search, memory))
        for search in SEARCHES:
            print(row(name, fraction, ram, runs[search]), flush=True)


def main(models):
    print("| model | memory / M | search | states | edges | time | CPU | MiB read | MiB written | peak RSS, MiB | "
          "disk bytes per state |")
    print("|---|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    for model in models or MODELS:
        measure(model)


main(sys.argv[1:])
