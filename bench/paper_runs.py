"""Measurements for the experiments of the paper: each is kept as a JSON file and not made twice."""

import contextlib
import csv
import json
import re
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from bench_gpu_run import Bench
from bench_tools import BenchError, run, say


class Store:
    """A folder of results: KEY.json, with keys EXPERIMENT/LABEL; and why others are missing."""

    def __init__(self, folder):
        self.folder = Path(folder)

    @property
    def missing(self):
        return self.read("missing") or {}

    def read(self, key):
        path = self.folder / f"{key}.json"
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None

    def write(self, key, data):
        path = self.folder / f"{key}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        part.write_text(json.dumps(data) + "\n", encoding="utf-8")
        part.replace(path)

    def put(self, key, data):
        self.write(key, data)
        missing = self.missing
        if missing.pop(key, None):
            self.write("missing", missing)

    def lack(self, key, why):
        self.write("missing", self.missing | {key: why})

    def all(self, experiment):
        """Results of an experiment by label."""
        return {path.stem: json.loads(path.read_text(encoding="utf-8"))
                for path in sorted((self.folder / experiment).glob("*.json"))}


@dataclass
class Data:
    """A corpus: name, how to get its file (drawn or opened on first use), and whether it is real text."""

    name: str
    path: Callable
    real: bool = False


class Remarks:
    """What Bench wants to tell: on standard error."""

    def __init__(self):
        self.skipped = []

    def skip(self, text):
        self.skipped.append(text)

    def fail(self, what, why):
        say(f"{what}: {why}")

    def save(self):
        pass


class Paper(Bench):
    """Runs what is not in the store."""

    def __init__(self, args, store, size):
        super().__init__(args, Remarks())
        self.store, self.size = store, size
        self.programs = args.programs or args.ezlda.parent / "bench"
        self.done = self.left = 0

    @property
    def gpu(self):
        return self.args.device.startswith("cuda")

    def is_big(self, data):
        """Whether the corpus is so large that less is run on it."""
        return data.name in self.size.big

    def short(self, data):
        """Iterations over which a speed is measured."""
        return max(self.size.short // 3, 2) if self.is_big(data) else self.size.short

    def measure(self, key, call):
        """call's result under a key, unless it is there already; if it fails, why."""
        if self.store.read(key) is not None:
            return
        self.left += 1
        with self.attempt(key) as wanted:
            if not wanted:
                return
            try:
                self.store.put(key, call())
                self.done += 1
                self.left -= 1
            except (BenchError, OSError, ValueError, KeyError, IndexError) as error:
                self.store.lack(key, reason(str(error) or repr(error)))
                raise BenchError(str(error)) from error

    def lack(self, key, why):
        if self.store.read(key) is None:
            self.store.lack(key, why)

    def training(self, data, topics, iterations, *options, every=0):
        """A training with its log; times of iterations without start and scores."""
        done = self.train(data.path(), topics, iterations, *options, eval_every=every)
        log = [json.loads(line) for line in (self.scratch / "log.jsonl").read_text(encoding="utf-8").splitlines()]
        summary = done.summary
        return {"corpus": data.name, "topics": topics, "options": [str(option) for option in options],
                "documents": summary["documents"], "words": summary["words"], "tokens": summary["tokens"],
                "seconds": [round(value, 6) for value in done.seconds], "rate": done.rate(),
                "late_rate": done.rate(-max(iterations // 10, 1)),
                "skipped": [round(entry["skipped"], 5) for entry in log],
                "moved": [round(entry["moved"], 5) for entry in log], "llpt": done.scores(),
                "memory_bytes": summary["device_memory_peak_bytes"], "host_bytes": summary["peak_rss_bytes"],
                "chunks": summary["chunks"], "topics_hash": summary["topics_hash"], "device": summary["device"],
                "threads": summary["threads"], "start_seconds": done.start_seconds, "wall_seconds": done.wall_seconds}

    @contextlib.contextmanager
    def launched_by(self, launcher):
        """Trainings inside are begun by another program, as mpirun."""
        script = self.scratch / "launch.sh"
        words = " ".join(shlex.quote(str(word)) for word in (*launcher, self.args.ezlda))
        script.write_text(f'#!/bin/sh\nexec {words} "$@"\n', encoding="utf-8")
        script.chmod(0o755)
        command, self.args.ezlda = self.args.ezlda, script
        try:
            yield
        finally:
            self.args.ezlda = command

    def program(self, name, data, **settings):
        """The lines of JSON that one of the bench's C programs prints."""
        command = [self.programs / name, f"corpus={data.path()}",
                   *(f"{key}={value}" for key, value in settings.items())]
        lines = run(command, timeout=self.timeout()).lines
        return [json.loads(line) for line in lines if line.startswith("{")]


def reason(text):
    """What a failed command said of itself, or its last words; without the command."""
    lines = [line.strip() for line in text.splitlines() if re.search(r"\w", line)] or ["no reason given"]
    own = [line.rpartition("ezlda: ")[2] for line in lines if "ezlda: " in line]
    said = own[0] if own else re.sub(r"^.*(?:exit status -?\d+: |(?=stopped after ))", "", lines[-1])
    return re.sub(r" \(see 'ezlda help.*$", "", said)[:300]


def profile(paper, command):
    """Kernels of a command by Nsight Compute, in order: name, nanoseconds, instructions, percent of warps active."""
    metrics = {"gpu__time_duration.sum": "ns", "smsp__inst_executed.sum": "instructions",
               "sm__warps_active.avg.pct_of_peak_sustained_active": "occupancy"}
    try:
        done = subprocess.run(["ncu", "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none",
                               "--metrics", ",".join(metrics), *map(str, command)], timeout=paper.timeout(),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BenchError(f"ncu (Nsight Compute): {error}") from error
    return read_profile(done.stdout, metrics)


def read_profile(text, metrics):
    lines = text.splitlines()
    head = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if head is None:
        raise BenchError(f"ncu (Nsight Compute): no table: {text[-300:].strip()}")
    kernels = []
    for row in csv.DictReader(lines[head:]):
        if row["ID"]:  # the line of units has none
            found = {name: float(row[key].replace(",", "")) for key, name in metrics.items() if row.get(key)}
            kernels.append({"name": row["Kernel Name"].split("(")[0], **found})
    return kernels
