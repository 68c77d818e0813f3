#!/usr/bin/env python3
"""Kills runs (SIGKILL) at random times and resumes them until they end: every model must be that of a run without
interruption.

    tests/faults/kills.py EZLDA [--kills 200] [--corpus FILE] [--seed 1] [--devices cpu,reference] [--folder DIR]

Each round trains one model. Some runs are killed, the next one resumes, and the last one completes. Each run draws its
device (cpu, reference, or --devices), its threads (1, 2) and the moment of its kill: after a random time, or as soon as a
checkpoint or the model is being written. The files that are left show what a kill hit. Prints one line of JSON at the
end.
"""
import argparse
import collections
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MODEL = ["-k", "12", "-i", "40", "--optimize-interval", "7", "--optimize-burn-in", "5", "--quiet"]
SAME = ("topics_hash", "alpha_sum", "beta", "iterations")
LIMIT_S = 300
LOOK_S = 0.0002


def call(program, *arguments):
    return subprocess.run([program, *map(str, arguments)], check=True, timeout=LIMIT_S)


def outcome(summary):
    found = json.loads(summary.read_text())
    return {key: found[key] for key in SAME} | {"llpt": [(entry[0], entry[2]) for entry in found["llpt"]]}


class Round:
    """One model in one folder."""

    def __init__(self, program, corpus, folder, draw, devices):
        self.program, self.corpus, self.folder, self.draw, self.devices = program, corpus, folder, draw, devices
        self.checkpoints = folder / "checkpoints"

    def command(self):
        threads, device = self.draw.choice([1, 2]), self.draw.choice(self.devices)
        return list(map(str, [
            self.program, "train", self.corpus, *MODEL, "--device", device, "--threads", threads, "--checkpoint",
            self.checkpoints, "--every", f"{self.draw.choice([1, 1, 3])}it", "--resume", "-o", self.folder / "m.ezm",
            "--summary", self.folder / "s.json"]))

    def temporaries(self, pattern):
        where = self.checkpoints if pattern.endswith("ezk") else self.folder
        return set(where.glob(f"{pattern}.*.tmp"))

    def moment(self, longest):
        """Which event to wait for, and how long after it to kill."""
        kind = self.draw.choice(["any time", "any time", "soon", "checkpoint", "checkpoint", "model"])
        if kind == "checkpoint":
            return "checkpoint-*.ezk", self.draw.choice([0, self.draw.uniform(0, 0.003)])
        if kind == "model":
            return "m.ezm", self.draw.choice([0, self.draw.uniform(0, 0.001)])
        return None, self.draw.uniform(0, longest if kind == "any time" else longest / 20)

    def wait_for(self, process, pattern, later):
        """Waits for a new temporary file: of the model, or the `later`-th one of a checkpoint."""
        before, seen = self.temporaries(pattern), set()
        while process.poll() is None:
            seen |= self.temporaries(pattern) - before
            if len(seen) > later:
                return
            time.sleep(LOOK_S)

    def kill(self, longest):
        """What the kill hit; None if the run had ended before."""
        pattern, after = self.moment(longest)
        left = self.temporaries("checkpoint-*.ezk"), self.temporaries("m.ezm")
        process = subprocess.Popen(self.command(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if pattern:
            self.wait_for(process, pattern, self.draw.randrange(6) if pattern != "m.ezm" else 0)
        try:
            _, errors = process.communicate(timeout=after)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            _, errors = process.communicate()
        if process.returncode == 0:
            return None
        assert process.returncode == -signal.SIGKILL, (process.returncode, errors)
        if self.temporaries("m.ezm") - left[1]:
            return "while the model was written"
        if self.temporaries("checkpoint-*.ezk") - left[0]:
            return "while a checkpoint was written"
        if (self.folder / "m.ezm").exists():
            return "after the model"
        return "between checkpoints" if any(self.checkpoints.glob("*.ezk")) else "before the first checkpoint"

    def end(self):
        done = subprocess.run(self.command(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=LIMIT_S)
        assert done.returncode == 0, done.stderr.decode()
        return outcome(self.folder / "s.json")


def begin(program, folder, corpus):
    """The corpus, the right outcome, and how long a run takes."""
    if not corpus:
        corpus = folder / "c.ezc"
        call(program, "synth", "-o", corpus, "--docs", 1500, "--words", 800, "--length", 60, "--topics", 8, "-q")
    start = time.monotonic()
    call(program, "train", corpus, *MODEL, "--device", "cpu", "-o", folder / "w.ezm", "--summary", folder / "w.json")
    return corpus, outcome(folder / "w.json"), time.monotonic() - start


def run(program, folder, kills, seed=1, corpus=None, devices=("cpu", "reference")):
    """Returns how often each kind of file was hit; raises if a model is wrong."""
    draw, hit, rounds, missed = random.Random(seed), collections.Counter(), 0, 0
    corpus, right, longest = begin(program, folder, corpus)
    while sum(hit.values()) < kills:
        rounds += 1
        one = folder / f"round{rounds}"
        one.mkdir()
        training = Round(program, corpus, one, draw, devices)
        for _ in range(min(draw.randint(1, 8), kills - sum(hit.values()))):
            what = training.kill(1.5 * longest)
            hit.update([what] if what else [])
            missed += not what
        found = training.end()
        assert found == right, f"{one}: {found}\nexpected {right}"
        kept = sorted(p.name for p in training.checkpoints.iterdir())
        assert len(kept) <= 2 and all(name.endswith(".ezk") for name in kept), kept
    return {"kills": sum(hit.values()), **hit, "models": rounds, "runs that ended before": missed}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--corpus")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--devices", default="cpu,reference")
    parser.add_argument("--folder")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ezlda-kills-", dir=options.folder) as scratch:
        print(json.dumps(run(options.program, Path(scratch), options.kills, options.seed, options.corpus,
                             options.devices.split(","))))


if __name__ == "__main__":
    sys.exit(main())
