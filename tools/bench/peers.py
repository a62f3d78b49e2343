# SPDX-License-Identifier: MIT
# How the benchmarks run a tool once: Tideline, Rumur, SPIN. A run that ends with an answer gives a Run, any other None.
#
# What is measured: `seconds` is wall-clock time of the search alone: for Tideline what it reports itself, for the
# verifier that Rumur or SPIN made the whole process, which does nothing else. CPU seconds (user and system) and the
# largest resident size are of the process, from GNU time, which is small (a child of Python would inherit Python's
# size). Compiling happens before the first run, is kept for the others, and is counted in `compile_seconds`.
import json
import math
import os
import re
import signal
import subprocess
import time
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from pathlib import Path
from statistics import median

RUMUR = ["rumur", "--symmetry-reduction", "off", "--deadlock-detection", "off", "--threads", "1"]
CC_RUMUR = ["cc", "-std=c11", "-O3", "-march=native", "-mcx16"]
CC_PAN = ["cc", "-w", "-O3", "-march=native", "-DNFAIR=1", "-DSAFETY", "-DMEMLIM=16000"]


@dataclass(frozen=True)
class Model:
    """A model file with values for its constants, and what the oracle knows of it (columns of oracle.tsv, or None)."""

    name: str
    path: Path
    defines: tuple = ()  # NAME=VALUE
    symmetry: str = "off"
    states: int = 0  # known before; 0: not known
    cmurphi_cpu: float = None
    rumur_cpu: float = None


@dataclass(frozen=True)
class Run:
    """One run, or the medians of several. None: the tool does not say."""

    seconds: float
    cpu_seconds: float
    rss_bytes: float
    compile_seconds: float
    states: float = None
    edges: float = None
    store_bytes: float = None


def median_run(runs):
    """Member by member; None if a run is missing."""
    if not runs or None in runs:
        return None
    columns = {f.name: [getattr(run, f.name) for run in runs] for f in fields(Run)}
    return Run(**{name: None if None in values else median(values) for name, values in columns.items()})


def number_in(pattern, text):
    """The number that `pattern` finds in a text, None if it finds none."""
    found = re.search(pattern, text, re.MULTILINE)
    return float(found.group(1).replace(",", "")) if found else None


def with_constants(text, defines):
    """Murphi source with other values for constants; Rumur has no option for it."""
    for name, value in (define.split("=", 1) for define in defines):
        text, count = re.subn(rf"^(\s*{name}\s*:)[^;]*;", rf"\g<1> {value};", text, count=1, flags=re.MULTILINE)
        if count != 1:
            raise ValueError(f"no constant {name}")
    return text


class Tools:
    """Runs the tools in the directory `work`, each run within `limit` seconds."""

    def __init__(self, program, work, limit):
        self.program, self.work, self.limit = str(program), Path(work), limit
        self.environment = dict(os.environ, TIDELINE_CACHE=str(self.work / "cache"))
        # One build for each model and setting.
        self.compile_tideline = lru_cache(maxsize=None)(self.compile_tideline)
        self.build_rumur = lru_cache(maxsize=None)(self.build_rumur)
        self.build_spin = lru_cache(maxsize=None)(self.build_spin)

    def call(self, command, cwd=None):
        """Exit status, None if the limit was reached, and output. The command's children end with it."""
        child = subprocess.Popen([str(word) for word in command], cwd=cwd, env=self.environment, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace",
                                 start_new_session=True)
        try:
            text, _ = child.communicate(timeout=self.limit)
            return child.returncode, text
        except subprocess.TimeoutExpired:
            return None, ""
        finally:
            if child.poll() is None:  # the limit, or the user broke off
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()

    def timed(self, command, compile_seconds):
        """A Run without counts, None if the limit was reached; exit status and output."""
        report = self.work / "time"
        report.unlink(missing_ok=True)
        begin = time.monotonic()
        status, text = self.call(["/usr/bin/time", "-f", "%U %S %M", "-o", report, *command])
        seconds = time.monotonic() - begin
        if status is None or not report.exists():
            return None, status, text
        user, system, kilobytes = map(float, report.read_text().split()[-3:])
        return Run(seconds, user + system, kilobytes * 1024, compile_seconds), status, text

    def check(self, model, options):
        """The command line of Tideline, and where it writes its result."""
        result = self.work / "tideline.json"
        result.unlink(missing_ok=True)
        defines = [word for define in model.defines for word in ("--define", define)]
        return [self.program, "check", model.path, *defines, "--engine", "native", "--deadlock", "off",
                "--symmetry", model.symmetry, *options, "--json", result], result

    def compile_tideline(self, model, options):
        """Fills the cache of compiled models by a run that is cut short; its compile seconds."""
        command, result = self.check(model, options)
        self.call([*command, "--time-limit", "1"])
        return json.loads(result.read_text())["compile_seconds"] if result.exists() else None

    def tideline(self, model, options=(), threads=1):
        compile_seconds = self.compile_tideline(model, tuple(options))
        command, result = self.check(model, [*options, "--threads", str(threads)])
        run, _, text = self.timed(command, compile_seconds)
        if run is None or not result.exists():
            return None
        report = json.loads(result.read_text())
        if report["verdict"] == "violated" or report["reason"] in ("memory", "time", "interrupted"):
            return None
        return replace(run, seconds=report["seconds"], states=report["states"], edges=report["edges"],
                       store_bytes=number_in(r"^ *store_bytes +([0-9,]+)", text))

    def knows(self, option):
        """Does `tideline check` have the option?"""
        return re.search(rf"^ *{option}\b", self.call([self.program, "check", "--help"])[1], re.MULTILINE) is not None

    def build_rumur(self, model):
        """The verifier and the seconds it took to make it; None where Rumur refuses the model."""
        verifier = self.work / f"rumur-{model.name}"
        source, generated = verifier.with_suffix(".m"), verifier.with_suffix(".c")
        begin = time.monotonic()
        source.write_text(with_constants(model.path.read_text(errors="replace"), model.defines))
        if self.call([*RUMUR, "--output", generated, source])[0] != 0:
            return None
        if self.call([*CC_RUMUR, "-o", verifier, generated, "-lpthread", "-latomic"])[0] != 0:
            return None
        return verifier, time.monotonic() - begin

    def rumur(self, model):
        built = self.build_rumur(model)
        if built is None:
            return None
        run, status, text = self.timed([built[0]], built[1])
        if run is None or status != 0:
            return None
        return replace(run, states=number_in(r"^\s*(\d+) states, \d+ rules fired", text))

    def build_spin(self, model, flags):
        """pan for a Promela model and the seconds it took to make it."""
        place = self.work / "-".join(["spin", model.name, *flags])
        place.mkdir()
        begin = time.monotonic()
        for command in (["spin", *("-D" + define for define in model.defines), "-a", model.path],
                        [*CC_PAN, *flags, "-o", "pan", "pan.c"]):
            if self.call(command, cwd=place)[0] != 0:
                return None
        return place / "pan", time.monotonic() - begin

    def spin(self, model, flags, depth):
        """Without a search for deadlocks (-E); the hash table fits the states. None if the depth did not suffice."""
        built = self.build_spin(model, tuple(flags))
        if built is None:
            return None
        slots = math.ceil(math.log2(max(model.states, 2**20)))
        run, status, text = self.timed([built[0], f"-m{depth}", f"-w{slots}", "-n", "-E"], built[1])
        if run is None or status != 0 or "errors: 0" not in text or "too small" in text:
            return None
        return replace(run, states=number_in(r"^ *(\d+) states, stored", text),
                       edges=number_in(r"^ *(\d+) transitions", text))
