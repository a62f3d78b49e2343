#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# sweep.py [INSTANCE...]: Tables 3 and 4 of Evangelista and Kristensen, SPIN 2012, on the BEEM instances of Table 3,
# with measures found by `--progress auto:LEVEL` for each of BENCH_LEVELS (1,2,3,4,5,6; one that an earlier level found
# too is left out). For every pair of instance and measure: `sweep`, `disk-sweep` with the paper's queue (--queue
# array-heap), and, where disk-sweep needs at most a fifth of sweep's states in RAM (the paper's selection), `partition`
# and `disk-bfs` with --memory 32M and as many states in RAM as disk-sweep had. BENCH_TIMEOUT (300 s) for one run, for
# those two at most three times disk-sweep's time and 20 s: a search that does not end counts with the time and state
# I/Os that it had then, which favours it; BENCH_OTHERS_FACTOR (3) is how many times. BENCH_OTHERS= (empty) leaves them
# away. BENCH_QUEUE: other options for disk-sweep's queue, such as "--queue budget --queue-states 10000".
#
# No search is saved in between: that would sort persistent states to disk every ten seconds, after which fewer are in
# RAM, so that peaks would depend on the machine's speed. One thread; deadlocks are not looked for; times are those of
# the searches. Each row shows the paper's numbers for the instance beside ours; its measures are not known, only their
# levels' bounds.
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CORPUS = Path(os.environ.get("TIDELINE_CORPUS", ROOT / ".." / "shared" / "corpus")) / "dve"
PROGRAM = os.environ.get("TIDELINE", str(ROOT / "build" / "release" / "tideline"))
TIMEOUT = os.environ.get("BENCH_TIMEOUT", "300")
LEVELS = os.environ.get("BENCH_LEVELS", "1,2,3,4,5,6").split(",")
QUEUE = os.environ.get("BENCH_QUEUE", "--queue array-heap").split()
FACTOR = float(os.environ.get("BENCH_OTHERS_FACTOR", "3"))
OTHERS = [s for s in os.environ.get("BENCH_OTHERS", "partition,disk-bfs").split(",") if s]
# States, peak states in RAM, revisit factor, shares of regress, forward and stationary edges: Table 3.
PAPER = {
    "bakery.6": (11845035, 30119, 1.305, 11.3, 51.0, 37.6), "bopdp.7": (15236725, 32244, 2.566, 1.0, 37.6, 61.4),
    "brp.4": (12068447, 43892, 1.122, 1.1, 40.3, 58.6), "cambridge.6": (3354295, 39392, 12.360, 3.5, 39.8, 56.7),
    "elevator2.3": (7667712, 30811, 1.172, 0.3, 88.4, 11.2), "extinction.7": (20769427, 85764, 1.215, 1.8, 35.3, 62.9),
    "firewire_link.5": (18553032, 128620, 1.000, 0.0, 6.9, 93.1),
    "firewire_tree.5": (3807023, 22837, 1.000, 0.2, 80.8, 19.0),
    "iprotocol.6": (41387484, 89480, 1.724, 3.8, 22.8, 73.5),
    "leader_election.5": (4803952, 32400, 1.000, 0.5, 53.5, 46.0),
    "needham.4": (6525019, 30420, 1.000, 0.0, 30.5, 69.5),
    "peterson.4": (1119560, 38338, 5.286, 1.8, 46.7, 51.5),
    "pgm_protocol.10": (29679589, 25142, 1.324, 2.5, 55.7, 41.8), "plc.4": (3763999, 2447, 1.043, 1.1, 11.3, 87.5),
    "rether.6": (5919694, 31599, 1.496, 5.5, 47.4, 47.1), "synapse.7": (10198141, 203448, 1.333, 11.2, 66.9, 21.9),
}


def run(instance, search, *options, limit=TIMEOUT):
    command = [PROGRAM, "check", str(CORPUS / f"{instance}.dve"), "--deadlock", "off", "--engine", "native", "--quiet",
               "--search", search, "--json", "-", "--time-limit", str(limit), "--checkpoint", "86400", *options]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 3):
        sys.exit(f"sweep.py: {' '.join(command)} ended with status {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)


def measure_of(instance, level):
    command = [PROGRAM, "progress", str(CORPUS / f"{instance}.dve"), "--level", level, "--json", "-"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    if done.returncode != 0:
        return None
    found = json.loads(done.stdout)["measures"]
    return json.dumps(found[0]["components"]) if found else None


def state_ios(report):
    return report["io"]["state_reads"] + report["io"]["state_writes"]


def row(instance, level, ram, disk, others):
    paper = PAPER[instance]
    edges = disk["edges"]
    shares = [100 * disk["sweep"][f"{kind}_edges"] / edges for kind in ("regress", "forward", "stationary")]
    unfinished = "" if disk["verdict"] == "holds" and ram["verdict"] == "holds" else " (stopped)"
    cells = [instance, level, f"{disk['sweep']['sweeps']}{unfinished}", f"{disk['sweep']['largest_layer']:,}",
             f"{ram['peak_states']:,}", f"{disk['peak_states']:,}", f"{paper[1]:,}",
             f"{ram['peak_states'] / disk['peak_states']:.1f}", f"{disk['visited'] / paper[0]:.3f}", f"{paper[2]:.3f}",
             " / ".join(f"{x:.1f}" for x in shares), " / ".join(f"{x:.1f}" for x in paper[3:]),
             f"{ram['seconds']:.1f}", f"{disk['seconds'] / ram['seconds']:.2f}", f"{state_ios(disk) / paper[0]:.2f}"]
    for search in ("partition", "disk-bfs"):
        other = others.get(search)
        mark = "" if other is None or other["verdict"] == "holds" else "> "
        cells.append("" if other is None else f"{mark}{other['seconds'] / disk['seconds']:.1f}")
        cells.append("" if other is None else f"{mark}{state_ios(other) / max(1, state_ios(disk)):.1f}")
    return "| " + " | ".join(cells) + " |"


def measure(instance, pairs):
    seen = set()
    for level in LEVELS:
        found = measure_of(instance, level)
        if found is None or found in seen:
            continue
        seen.add(found)
        auto = ("--progress", f"auto:{level}")
        ram = run(instance, "sweep", *auto)
        disk = run(instance, "disk-sweep", *QUEUE, *auto)
        ended = ram["verdict"] == disk["verdict"] == "holds"
        selected = ended and disk["peak_states"] * 5 <= ram["peak_states"]
        others = {}
        for search in OTHERS if selected else []:
            limit = min(float(TIMEOUT), max(20, FACTOR * disk["seconds"]))
            others[search] = run(instance, search, "--recent-states", str(disk["peak_states"]), "--memory", "32M",
                                 limit=limit)
        pairs.append((instance, ram, disk, others, selected))
        print(row(instance, level, ram, disk, others), flush=True)


def summary(pairs):
    selected = [p for p in pairs if p[4]]
    best = {}
    for instance, _, disk, _, _ in pairs:
        if disk["verdict"] == "holds":
            best[instance] = min(best.get(instance, disk["peak_states"]), disk["peak_states"])
    below = sum(1 for instance, peak in best.items() if peak <= PAPER[instance][1])
    print(f"\n{len(pairs)} pairs of instance and measure, {len(selected)} of them selected (disk-sweep needs at most a "
          f"fifth of sweep's states). Peak at most the paper's on {below} of {len(best)} instances.\n")
    if not selected:
        return
    mean = statistics.mean
    print("| selected pairs, to disk-sweep | sweep | partition | disk-bfs | paper: sweep | partition | disk-bfs |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    ratios = {"time": [mean(r["seconds"] / d["seconds"] for _, r, d, _, _ in selected)], "state I/Os": [0.0]}
    for search in ("partition", "disk-bfs"):
        both = [(d, o[search]) for _, _, d, o, _ in selected if search in o]
        ratios["time"].append(mean([o["seconds"] / d["seconds"] for d, o in both] or [0]))
        ratios["state I/Os"].append(mean([state_ios(o) / max(1, state_ios(d)) for d, o in both] or [0]))
    print("| time | " + " | ".join(f"{x:.2f}" for x in ratios["time"]) + " | 0.40 | 1.88 | 8.29 |")
    print("| state I/Os | " + " | ".join(f"{x:.2f}" for x in ratios["state I/Os"]) + " | 0.00 | 9.27 | 217.50 |")
    peak = mean(r["peak_states"] / d["peak_states"] for _, r, d, _, _ in selected)
    print(f"| peak states | {peak:.2f} | 1 | 1 | 27.74 | 1 | 1 |")
    slower = mean(d["seconds"] / r["seconds"] for _, r, d, _, _ in selected)
    print(f"\nMean time of disk-sweep over that of sweep: {slower:.2f}.")


def main(instances):
    print("| instance | level | sweeps | largest layer | peak, sweep | peak, disk-sweep | paper's peak | reduction | "
          "revisits | paper's | regress / forward / stationary % | paper's | sweep, s | disk-sweep / sweep | "
          "I/Os per state | partition: time | I/Os | disk-bfs: time | I/Os |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|---|--:|--:|--:|--:|--:|--:|--:|")
    pairs = []
    for instance in instances or PAPER:
        if not (CORPUS / f"{instance}.dve").exists():
            print(f"| {instance} | not in the corpus |")
            continue
        measure(instance, pairs)
    summary(pairs)


main(sys.argv[1:])
