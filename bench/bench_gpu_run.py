"""ezlda on a device, as the GPU benchmark runs it: runs, corpora, and the switches that the command knows."""

import contextlib
import gzip
import json
import lzma
import re
import shutil
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from bench_tools import BenchError, run, say

PACKED = {".xz": lzma.open, ".gz": gzip.open}
SWITCHES = ("--sampler", "--g", "--w-format", "--balance")
NUMBERS = {"--g": range(1, 9)}  # values of the switches that take a number


@dataclass
class Trained:
    """A finished training."""

    summary: dict
    seconds: list  # of each iteration, without the start and the scores
    start_seconds: float
    wall_seconds: float

    def rate(self, first=0, end=None):
        """M tokens a second, in iterations first + 1 to end."""
        part = self.seconds[first:end]
        return self.summary["tokens"] * len(part) / max(sum(part), 1e-9) / 1e6

    def rate_with_start(self):
        return self.summary["tokens"] * len(self.seconds) / (self.start_seconds + sum(self.seconds)) / 1e6

    def scores(self):
        """LLPT after how many iterations and seconds."""
        return self.summary["llpt"]


def read_iterations(path):
    """Seconds of each iteration, and of the start before them, from a log."""
    entries = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    if not entries:
        raise BenchError(f"{path}: no iteration in the log")
    seconds = [entry["iteration_seconds"] for entry in entries]
    return seconds, max(entries[0]["seconds"] - seconds[0], 0.0)


def known_switches(ezlda):
    """The options of ezlda train that change only the time, with their values, as its help names them."""
    text = run([ezlda, "help", "--markdown"]).text()
    section = text.partition("\n## ezlda train\n")[2].partition("\n## ")[0]
    speed = section.partition("\nSpeed")[2].partition("\nReports")[0]
    named = re.findall(r"^\| (?:-\w, )?(--[\w-]+) \S+ \|.*\bone of ([\w, -]+) \[([\w-]+)\] \|$", speed, re.M)
    found = {option: sorted(values.split(", "), key=lambda value, first=default: value != first)
             for option, values, default in named if option != "--device"}
    found |= {option: [None, *values] for option, values in NUMBERS.items() if f"{option} N |" in speed}
    return found


class Bench:
    """What all parts share: how to run, what was skipped and what failed."""

    def __init__(self, args, report):
        self.args, self.report = args, report
        self.end = time.monotonic() + args.limit if args.limit else None
        args.work.mkdir(parents=True, exist_ok=True)
        self.scratch = Path(tempfile.mkdtemp(prefix="scratch-", dir=args.work))
        self.switches = known_switches(args.ezlda)
        for option in SWITCHES:
            if option not in self.switches:
                report.skip(f"{option}: not an option of this binary")

    def timeout(self):
        left = self.end - time.monotonic() if self.end else self.args.timeout
        return max(min(self.args.timeout, left), 1)

    @contextlib.contextmanager
    def attempt(self, what):
        """A failure inside is recorded, and the benchmark continues."""
        try:
            if self.end and time.monotonic() > self.end:
                self.report.skip(f"{what}: the limit of {self.args.limit:g} seconds was reached")
                yield False
            else:
                say(what)
                yield True
        except BenchError as error:
            self.report.fail(what, str(error))
        self.report.save()

    def train(self, corpus, topics, iterations, *options, eval_every=0):
        """Trains on the device; eval_every None leaves the command's default."""
        model, log, summary = (self.scratch / name for name in ("model.ezm", "log.jsonl", "summary.json"))
        command = [self.args.ezlda, "train", corpus, "-k", topics, "-i", iterations, "-o", model, "--quiet",
                   "--fixed-priors", "--device", self.args.device, "--log", log, "--summary", summary, *self.args.train, *options]
        if eval_every is not None:
            command += ["--eval-every", eval_every]
        begin = time.monotonic()
        run(command, timeout=self.timeout())
        wall = time.monotonic() - begin
        model.unlink(missing_ok=True)
        seconds, start = read_iterations(log)
        return Trained(json.loads(summary.read_text(encoding="utf-8")), seconds, start, wall)

    def corpus(self, name):
        """NAME.ezc of the corpora's folder, or made from what is there; None if there is nothing."""
        folder, made = self.args.corpora, self.args.work / f"{name}.ezc"
        if (folder / f"{name}.ezc").exists():
            return folder / f"{name}.ezc"
        endings = ("", ".xz", ".gz", ".zst")
        names = [f"{name}.ezc.xz", f"{name}.ezc.gz"]
        names += [stem + ending for stem in (f"{name}.uci", f"docword.{name}.txt") for ending in endings]
        source = next((folder / found for found in names if (folder / found).exists()), None)
        if not source:
            self.report.skip(f"{name}: no {name}.ezc, {name}.uci or docword.{name}.txt in {folder}")
            return None
        if not made.exists() or made.stat().st_mtime < source.stat().st_mtime:
            self.make(source, made)
        return made

    def make(self, source, made):
        if not source.name.endswith((".ezc.xz", ".ezc.gz")):
            run([self.args.ezlda, "import", source, "-o", made, "--quiet"], timeout=self.timeout())
            return
        part = made.with_suffix(".part")
        with PACKED[source.suffix](source) as packed, open(part, "wb") as out:
            shutil.copyfileobj(packed, out, 1 << 20)
        part.replace(made)

    def synth(self, name, docs, words, length, *options):
        """A corpus drawn by ezlda synth; one of the same recipe that is already there is used again."""
        recipe = "-".join(map(str, (docs, words, length, *options))).replace("---", "-")
        path = self.args.work / f"{name}-{recipe}.ezc"
        if not path.exists():
            say(f"drawing {path}")
            run([self.args.ezlda, "synth", "-o", path, "--docs", docs, "--words", words, "--length", length, "--quiet",
                 *options], timeout=self.timeout())
        return path
