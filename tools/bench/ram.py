#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# ram.py [SECTIONS] [MODEL...]: Tideline beside Rumur, CMurphi and SPIN on one machine, searches in RAM. The tables go
# to standard output and build/bench/ram.md, a plot of the speed-ups to build/bench/ram.svg; both files are written anew
# after every run, so that a benchmark that is broken off leaves what it has.
#
#   a  without symmetry: one thread, two threads, Rumur, CMurphi
#   b  with symmetry: states per CPU second, beside CMurphi
#   c  the visited set: --table plain, --table tree, --compact 40
#   d  SPIN on models/promela, one Murphi rule = one Promela step
#
# SECTIONS are letters (default: abcd), MODEL parts of names (default: all). Everything is exact but --compact, and
# without deadlock detection. Runs are interleaved: every tool once on every model, then all over again, BENCH_RUNS (3)
# times; the figures are medians. peers.py says what exactly is timed. BENCH_TIMEOUT (600) limits each run, in seconds.
#
# CMurphi is not to be had as a package. The oracle of the corpus has CPU seconds of CMurphi and of Rumur from one
# machine: CMurphi's are scaled by what Rumur takes here over what it took there (geometric mean over the models that it
# ran here and that took more than a second there; as murphi.sh does it). Wall-clock seconds of Rumur are taken where
# ours are (a), CPU seconds where ours are (b).
#
# Models: TIDELINE_CORPUS (default: ../shared/corpus). Without a corpus a and c take models/murphi with the settings of
# models/README.md, and b is left out. TIDELINE is the program (default: build/release/tideline).
import csv
import math
import os
import re
import shutil
import sys
import tempfile
import xml.etree.ElementTree
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

sys.dont_write_bytecode = True
import bars  # noqa: E402
from peers import Model, Run, Tools, median_run, number_in, with_constants  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
CORPUS = Path(os.environ.get("TIDELINE_CORPUS", ROOT / ".." / "shared" / "corpus")) / "murphi"
OUTPUT = ROOT / "build" / "bench"
LIMIT = float(os.environ.get("BENCH_TIMEOUT", 600))
ROUNDS = int(os.environ.get("BENCH_RUNS", 3))

LARGE, HUGE, GIANT = 100_000, 1_000_000, 60_000_000  # states
SYMMETRIC = ["n_peterson-9", "mcslock1-6", "newlist6-7", "sci-3.1.1.2.1", "ns-1.1.3.2.10", "ldash-1.4.1.false"]
OWN = [("msi_directory", "NODES=4 VALUES=3", 1608972), ("ricart_agrawala", "N=4", 2869657),
       ("two_phase_commit", "N=4 CRASHES=2", 1650608), ("hanoi", "DISCS=13", 1594323)]
# Name, constants, states, and a depth that suffices for SPIN's stack.
PROMELA = [("mcs_lock", "N=6", 8777632, 3_000_000), ("bakery", "N=4", 531187, 100_000),
           ("ricart_agrawala", "N=4", 2869657, 10_000), ("two_phase_commit", "N=4 CRASHES=2", 1650608, 10_000)]
SPIN = {"SPIN": ["-DNOREDUCE"], "SPIN, collapse": ["-DNOREDUCE", "-DCOLLAPSE"],
        "SPIN, breadth-first": ["-DNOREDUCE", "-DBFS"], "SPIN, partial order": []}
TABLES = {"plain": ["--table", "plain"], "tree": ["--table", "tree"], "compact 40": ["--compact", "40"]}


@dataclass
class Job:
    section: str
    model: Model
    tool: str
    run: Callable


class Results:
    """All runs, by section, model and tool."""

    def __init__(self):
        self.runs = defaultdict(list)

    def add(self, job):
        runs = self.runs[job.section, job.model.name, job.tool]
        if None not in runs:  # what failed once is not tried again
            runs.append(job.run())
        return runs[-1]

    def get(self, section, model, tool):
        return median_run(self.runs.get((section, model.name, tool)))


# --- figures and tables ---


def ratio(a, b):
    return a / b if a is not None and b else None


def of(run, member):
    return getattr(run, member) if run else None


def geometric_mean(values):
    logs = [math.log(value) for value in values if value]
    return math.exp(sum(logs) / len(logs)) if logs else None


def cell(value, form=".2f"):
    """A number as text, "-" for None; whole numbers with commas."""
    if isinstance(value, str):
        return value
    return "-" if value is None else format(round(value) if form == "," else value, form)


def row(values, forms):
    return "| " + " | ".join(cell(value, form) for value, form in zip(values, forms)) + " |"


def table(columns, rows, means=()):
    """columns: pairs of a title and a format, None for text; means: titles of columns with a geometric mean below."""
    forms = [form or "" for _, form in columns]
    lines = [row([title for title, _ in columns], forms),
             "|" + "|".join("--:" if form else "---" for _, form in columns) + "|"]
    lines += [row(values, forms) for values in rows]
    if means and len(rows) > 1:
        last = [geometric_mean([values[i] for values in rows]) if title in means else ""
                for i, (title, _) in enumerate(columns)]
        lines.append(row(["geometric mean", *last[1:]], forms))
    return "\n".join(lines)


def named(what, names):
    return f"- {what}: {', '.join(names) if names else 'none'}."


def scaled_by(factor):
    return [f"- CMurphi 5.4.9: CPU seconds of the oracle times {factor:.2f}."] if factor else []


# --- models ---


def oracle():
    """The rows of the corpus without deadlock detection, [] without a corpus."""
    try:
        with open(CORPUS / "oracle.tsv", newline="") as file:
            return [line for line in csv.DictReader(file, delimiter="\t") if line["deadlock"] == "off"]
    except FileNotFoundError:
        return []


def number(text):
    return float(text) if text else None


def corpus_models(kind, least=0, most=math.inf, names=None):
    """Models of the oracle with symmetry = kind, by number of states."""
    lines = [line for line in oracle() if line["symmetry"] == kind and line["states"]
             and least < int(line["states"]) <= most and (names is None or Path(line["file"]).stem in names)]
    return [Model(Path(line["file"]).stem, CORPUS / line["file"], (), "off" if kind == "off" else "on",
                  int(line["states"]), number(line["cmurphi_cpu_s"]), number(line["rumur_cpu_s"]))
            for line in sorted(lines, key=lambda line: int(line["states"]))]


def own_models():
    return [Model(name, ROOT / "models/murphi" / f"{name}.m", tuple(defines.split()), "off", states)
            for name, defines, states in OWN]


def rumur_estimate(model):
    """CPU seconds of Rumur there; from CMurphi's and their usual ratio where the oracle has no figure of Rumur."""
    if model.rumur_cpu or not model.cmurphi_cpu:
        return model.rumur_cpu or 0
    both = [m for m in corpus_models("off", LARGE) if m.rumur_cpu and m.cmurphi_cpu]
    return model.cmurphi_cpu * (geometric_mean([m.rumur_cpu / m.cmurphi_cpu for m in both]) or 1)


def calibration_models():
    """Models that tell how fast this machine is: quick ones that Rumur ran for the oracle, too."""
    return [m for m in corpus_models("off", LARGE) if 1 < (m.rumur_cpu or 0) < 10]


def machine_factor(results, member):
    """What Rumur takes here over what it took for the oracle; None if there is nothing to compare."""
    models = [m for m in corpus_models("off", LARGE) if m.rumur_cpu and m.rumur_cpu > 1]
    return geometric_mean([ratio(of(results.get("a", m, "Rumur"), member), m.rumur_cpu) for m in models])


# --- a: without symmetry ---


def models_a(tools):
    return corpus_models("off", LARGE) or own_models()


def jobs_a(tools, models):
    for model in models:
        yield Job("a", model, "1", lambda m=model: tools.tideline(m))
        yield Job("a", model, "2", lambda m=model: tools.tideline(m, threads=2))
        if rumur_estimate(model) <= LIMIT:
            yield Job("a", model, "Rumur", lambda m=model: tools.rumur(m))


def render_a(models, results):
    factor = machine_factor(results, "seconds")
    columns = [("model", None), ("states", ","), ("s", ".2f"), ("M states/s", ".2f"), ("s, 2 threads", ".2f"),
               ("gain", ".2f"), ("Rumur s", ".2f"), ("Rumur ratio", ".1f"), ("CMurphi s, scaled", ".2f"),
               ("CMurphi ratio", ".1f"), ("bytes/state", ".1f"), ("Rumur bytes/state", ".1f")]
    rows, slower, wrong, groups = [], [], [], []
    for model in models:
        one, two, rumur = (results.get("a", model, tool) for tool in ("1", "2", "Rumur"))
        seconds, states = of(one, "seconds"), of(one, "states")
        cmurphi = model.cmurphi_cpu * factor if model.cmurphi_cpu and factor else None
        peers = {"Rumur": ratio(of(rumur, "seconds"), seconds), "CMurphi, scaled": ratio(cmurphi, seconds)}
        rows.append([model.name, states, seconds, ratio(states and states / 1e6, seconds), of(two, "seconds"),
                     ratio(seconds, of(two, "seconds")), of(rumur, "seconds"), peers["Rumur"], cmurphi,
                     peers["CMurphi, scaled"], ratio(of(one, "rss_bytes"), states),
                     ratio(of(rumur, "rss_bytes"), states)])
        slower += [f"{model.name} ({peer})" for peer, value in peers.items() if value and value < 1]
        wrong += [f"{model.name} ({tool})" for tool, run in (("Tideline", one), ("two threads", two), ("Rumur", rumur))
                  if run and run.states != model.states]
        groups.append((model.name, {peer: value for peer, value in peers.items() if value}))
    lines = [table(columns, rows, ["M states/s", "gain", "Rumur ratio", "CMurphi ratio", "bytes/state",
                                   "Rumur bytes/state"]),
             "", named("Slower than a peer", slower), named("Other counts than expected", wrong)]
    return "\n".join(lines + scaled_by(factor)), groups


# --- b: with symmetry ---


def models_b(tools):
    return corpus_models("normalised", names=SYMMETRIC)


def jobs_b(tools, models):
    for model in calibration_models() if models else []:
        yield Job("a", model, "Rumur", lambda m=model: tools.rumur(m))  # only once if a is run, too
    for model in models:
        yield Job("b", model, "1", lambda m=model: tools.tideline(m))
        yield Job("b", model, "2", lambda m=model: tools.tideline(m, threads=2))


def render_b(models, results):
    if not models:
        return "Left out: there is no corpus here, or no model of it was asked for.", []
    factor = machine_factor(results, "cpu_seconds")
    columns = [("model", None), ("states", ","), ("normalised", ","), ("edges", ","), ("s", ".2f"), ("CPU s", ".2f"),
               ("states/CPU s", ","), ("s, 2 threads", ".2f"), ("gain", ".2f"), ("states/CPU s, 2 threads", ","),
               ("CMurphi states/CPU s, scaled", ","), ("ratio", ".1f")]
    rows, slower, more, groups = [], [], [], []
    for model in models:
        one, two = results.get("b", model, "1"), results.get("b", model, "2")
        rates = [ratio(of(run, "states"), of(run, "cpu_seconds")) for run in (one, two)]
        cmurphi = ratio(model.states, model.cmurphi_cpu * factor) if model.cmurphi_cpu and factor else None
        faster = ratio(rates[0], cmurphi)
        rows.append([model.name, of(one, "states"), model.states, of(one, "edges"), of(one, "seconds"),
                     of(one, "cpu_seconds"), rates[0], of(two, "seconds"),
                     ratio(of(one, "seconds"), of(two, "seconds")), rates[1], cmurphi, faster])
        slower += [model.name] if faster and faster < 1 else []
        more += [model.name] if one and one.states > model.states else []
        groups.append((f"{model.name}, sym.", {"CMurphi, scaled": faster} if faster else {}))
    lines = [table(columns, rows, ["states/CPU s", "gain", "states/CPU s, 2 threads", "CMurphi states/CPU s, scaled",
                                   "ratio"]),
             "", named("Slower than CMurphi", slower), named("More states than CMurphi's normalised ones", more)]
    return "\n".join(lines + scaled_by(factor)), groups


# --- c: the visited set ---


def models_c(tools):
    if not all(tools.knows(words[0]) for words in TABLES.values()):
        return []
    return corpus_models("off", HUGE, GIANT) + corpus_models("normalised", names=SYMMETRIC) or own_models()


def jobs_c(tools, models):
    for model in models:
        for kind, words in TABLES.items():
            yield Job("c", model, kind, lambda m=model, w=words: tools.tideline(m, w))


def render_c(models, results):
    if not models:
        return "Left out: this program has no --table and --compact, or no model was asked for.", []
    columns = [("model", None), ("symmetry", None), ("states", ",")]
    columns += [(f"{kind} {what}", ".2f") for kind in TABLES for what in ("bytes/state", "s")]
    columns += [("missed by compaction", ",")]
    rows = []
    for model in models:
        runs = {kind: results.get("c", model, kind) for kind in TABLES}
        states, compacted = of(runs["plain"], "states"), of(runs["compact 40"], "states")
        values = [model.name, model.symmetry, states]
        for run in runs.values():
            values += [ratio(of(run, "store_bytes"), of(run, "states")), of(run, "seconds")]
        rows.append(values + [states - compacted if states and compacted else None])
    return table(columns, rows, [title for title, form in columns if form == ".2f"]), []


# --- d: SPIN ---


def models_d(tools):
    return [Model(name, ROOT / "models/murphi" / f"{name}.m", tuple(defines.split()), "off", states)
            for name, defines, states, _ in PROMELA]


def promela(model):
    return Model(model.name, ROOT / "models/promela" / f"{model.name}.pml", model.defines, "off", model.states)


def jobs_d(tools, models):
    depths = {name: depth for name, _, _, depth in PROMELA}
    for model in models:
        yield Job("d", model, "Tideline", lambda m=model: tools.tideline(m))
        yield Job("d", model, "Tideline, 2 threads", lambda m=model: tools.tideline(m, threads=2))
        for tool, flags in SPIN.items():
            yield Job("d", model, tool, lambda m=model, f=flags: tools.spin(promela(m), f, depths[m.name]))


def render_d(models, results):
    columns = [("model", None), ("tool", None), ("states", ","), ("edges", ","), ("s", ".2f"), ("CPU s", ".2f"),
               ("M states/s", ".2f"), ("bytes/state", ".1f"), ("compile s", ".2f"), ("verdict s", ".2f"),
               ("time ratio", ".1f")]
    rows, wrong, groups = [], [], []
    for model in models:
        ours = results.get("d", model, "Tideline")
        for tool in ["Tideline", "Tideline, 2 threads", *SPIN]:
            run = results.get("d", model, tool)
            slowdown = ratio(of(run, "seconds"), of(ours, "seconds"))
            rows.append([" ".join([model.name, *model.defines]), tool, of(run, "states"), of(run, "edges"),
                         of(run, "seconds"), of(run, "cpu_seconds"),
                         ratio(run and run.states / 1e6, of(run, "seconds")), ratio(of(run, "rss_bytes"),
                         of(run, "states")), of(run, "compile_seconds"),
                         run and run.seconds + (run.compile_seconds or 0), slowdown])
            if tool == "SPIN":
                groups.append((f"{model.name}, Promela", {tool: slowdown} if slowdown else {}))
            if run and run.states != model.states and tool != "SPIN, partial order":
                wrong.append(f"{model.name} ({tool})")
    lines = [table(columns, rows), "", named("Other counts than expected", wrong),
             "- SPIN is depth-first unless the row says otherwise, and counts one edge more, into the start state.",
             "- Verdict s: compiling and searching. Time ratio: seconds over those of Tideline with one thread."]
    return "\n".join(lines), groups


SECTIONS = {"a": ("Without symmetry", models_a, jobs_a, render_a),
            "b": ("With symmetry", models_b, jobs_b, render_b),
            "c": ("Tables and compaction", models_c, jobs_c, render_c),
            "d": ("SPIN", models_d, jobs_d, render_d)}


# --- the whole ---


def first_line(tools, *command):
    return tools.call(command)[1].strip().split("\n")[0]


def head(tools):
    """Machine, versions, and how busy the machine was at the start."""
    cpu = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    versions = [first_line(tools, tools.program, "--version"), first_line(tools, "rumur", "--version"),
                first_line(tools, "spin", "-V"), first_line(tools, "cc", "--version")]
    return (f"Machine: {os.cpu_count()} cores, {cpu.group(1) if cpu else 'unknown'}, load {os.getloadavg()[0]:.1f} at "
            f"the start.\n{'; '.join(versions)}.\nMedians of {ROUNDS} interleaved runs; at most {LIMIT:g} s each.\n")


def document(chosen, results, opening):
    """The Markdown and the plot."""
    parts, groups = [opening], []
    for letter, models in chosen.items():
        text, bars_of_section = SECTIONS[letter][3](models, results)
        parts.append(f"## {SECTIONS[letter][0]}\n\n{text}\n")
        groups += bars_of_section
    plot = bars.draw("Tideline, one thread: speed-up over other model checkers",
                     "times as fast (logarithmic); symmetric models: states per CPU second, others: seconds", groups)
    return "\n".join(parts), plot


def planned(tools, chosen):
    """The jobs of one round, each once."""
    jobs = {}
    for letter, models in chosen.items():
        for job in SECTIONS[letter][2](tools, models):
            jobs.setdefault((job.section, job.model.name, job.tool), job)
    return list(jobs.values())


def benchmark(tools, letters, parts):
    chosen = {letter: [model for model in SECTIONS[letter][1](tools)
                       if not parts or any(part in model.name for part in parts)] for letter in letters}
    jobs, results, opening = planned(tools, chosen), Results(), head(tools)
    OUTPUT.mkdir(parents=True, exist_ok=True)
    text, plot = document(chosen, results, opening)
    for turn in range(ROUNDS):
        for job in jobs:
            run = results.add(job)
            print(f"[ram] round {turn + 1}: {job.section} {job.model.name}, {job.tool}: "
                  f"{f'{run.seconds:.2f} s' if run else 'no answer'}", file=sys.stderr)
            text, plot = document(chosen, results, opening)
            (OUTPUT / "ram.md").write_text(text)
            (OUTPUT / "ram.svg").write_text(plot)
    print(text)


def self_test():
    """The parts that a run of the benchmark would not show to be wrong."""
    runs = [Run(s, 2 * s, 100, None, 7) for s in (3.0, 1.0, 2.0)]
    assert median_run(runs) == Run(2.0, 4.0, 100, None, 7)
    assert median_run([]) is None and median_run([runs[0], None]) is None
    assert abs(geometric_mean([2, 8, None]) - 4) < 1e-9 and geometric_mean([]) is None
    assert ratio(None, 1) is None and ratio(1, 0) is None and ratio(6, 3) == 2
    assert row(["m", 1234567.0, None, 0.125], ["", ",", ".1f", ".2f"]) == "| m | 1,234,567 | - | 0.12 |"
    lines = table([("model", None), ("x", ".1f")], [["p", 1.0], ["q", 4.0]], ["x"]).split("\n")
    assert lines == ["| model | x |", "|---|--:|", "| p | 1.0 |", "| q | 4.0 |", "| geometric mean | 2.0 |"]
    assert number_in(r"^ *store_bytes +([0-9,]+)", "a\n  store_bytes   1,024  (1 KiB)\n") == 1024
    assert with_constants("const\n  N: 3;\n  M: N;\n", ["N=5"]) == "const\n  N: 5;\n  M: N;\n"
    plot = bars.draw("a < b", "times", [("m & n", {"P": 0.5, "Q": 40.0}), ("empty", {})])
    assert len(xml.etree.ElementTree.fromstring(plot).findall("{http://www.w3.org/2000/svg}rect")) == 5
    xml.etree.ElementTree.fromstring(bars.draw("t", "x", []))


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    letters = "".join(SECTIONS)
    if arguments and re.fullmatch("[a-d]+", arguments[0]):
        letters, arguments = "".join(sorted(set(arguments[0]))), arguments[1:]
    if any(word.startswith("-") for word in arguments):
        sys.exit("usage: ram.py [SECTIONS, letters of abcd] [parts of the names of models]")
    program = Path(os.environ.get("TIDELINE", ROOT / "build" / "release" / "tideline"))
    missing = [tool for tool in (program, "/usr/bin/time", "rumur", "spin", "cc") if not shutil.which(tool)]
    if missing:
        sys.exit(f"ram.py: missing: {', '.join(map(str, missing))} (./dev bench ram sees to that)")
    with tempfile.TemporaryDirectory(prefix="tideline-bench-") as work:
        benchmark(Tools(program.resolve(), work, LIMIT), letters, arguments)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KeyboardInterrupt:
        sys.exit(130)  # build/bench has the runs so far
