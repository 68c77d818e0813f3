"""The other trainers: what they are given, how their sampling is timed, how their topics are read.

Each gets a Corpus and Settings and returns Sampled: seconds of sampling after each iteration (tomotopy: after each
five), without preparation, scoring or writing, and how good its last state is. bench/README.md says where a
tool is looked for and how it must have been built."""

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path

from bench_tools import HERE, BenchError, run, say

ITERATION = re.compile(r"^Iteration \d+, ([0-9.]+) s")
MALLET_ITERATION = re.compile(r"^[0-9]+m?s *$")
MALLET_LOGGING = """handlers=java.util.logging.ConsoleHandler
.level=INFO
cc.mallet.topics.level=FINE
java.util.logging.ConsoleHandler.level=FINE
java.util.logging.ConsoleHandler.formatter=java.util.logging.SimpleFormatter
java.util.logging.SimpleFormatter.format=%5$s%n
"""


@dataclass
class Sampled:
    seconds: list
    cpu_seconds: float
    peak_rss_bytes: int
    llpt: float = None
    perplexity: float = None
    points: list = field(default_factory=list)  # [iteration, seconds, llpt, perplexity] if there are several
    priors: tuple = None  # sum of alpha, and beta, if they were fitted
    scored: tuple = None  # the files of counts and alpha (None: as given) behind the perplexity


class SeparateRuns:
    """A tool whose states in between cannot be had: each point is a run of its own, the last one counts."""

    def train_points(self, points, with_llpt):
        runs = [self.train(n, with_llpt) for n in points]
        runs[-1].points = [[n, run.seconds[-1], run.llpt, run.perplexity] for n, run in zip(points, runs)]
        return runs[-1]


class WarpLda(SeparateRuns):
    """WarpLDA; the binary must have been built without its own scoring."""

    name = "WarpLDA"

    def __init__(self, corpus, settings, binary, formatter):
        self.corpus, self.settings, self.binary = corpus, settings, binary
        self.prefix = corpus.folder / "warplda"
        if not Path(f"{self.prefix}.bin.u.idx").exists():
            run([formatter, "--input", corpus.folder / "train.txt", "--prefix", self.prefix, "--skip", 2])

    @staticmethod
    def find():
        binary, formatter = os.environ.get("WARPLDA"), os.environ.get("WARPLDA_FORMAT")
        if binary and formatter:
            return binary, formatter
        say("WarpLDA skipped: set WARPLDA and WARPLDA_FORMAT to its two programs")
        return None

    def train(self, iterations, with_llpt=True):
        s = self.settings
        done = run([self.binary, "--prefix", self.prefix, "--k", s.topics, "--alpha", s.alpha_sum, "--beta", s.beta,
                    "--niter", iterations, "--writeinfo=false"],
                   {"OMP_NUM_THREADS": str(s.threads)})
        seconds = [float(m.group(1)) for m in map(ITERATION.match, done.lines) if m]
        if len(seconds) != iterations:
            raise BenchError(f"{self.binary}: times of {len(seconds)} iterations, expected {iterations}")
        result = Sampled(list(accumulate(seconds)), done.cpu_seconds, done.peak_rss_bytes)
        if with_llpt:
            result.llpt = self.corpus.llpt(f"{self.prefix}.z.estimate", s)
        if self.corpus.held_out:
            result.perplexity = self.corpus.perplexity(self.topic_counts(), s)
        return result

    def topic_counts(self):
        """Its model's rows "distinct<TAB>topic:count ..." follow its own vocabulary."""
        rows = [""] * self.corpus.words
        with open(f"{self.prefix}.vocab", encoding="utf-8") as names, \
                open(f"{self.prefix}.model", encoding="ascii") as lines:
            next(lines)
            for name, line in zip(names, lines):
                rows[int(name[1:]) - 1] = line.split("\t", 1)[1].strip()
        return write_counts(self.corpus.folder / "warplda.counts", rows, self.settings)


def mallet_seconds(done):
    """Iterations end with a line of their time; its likelihood, every tenth, comes after that line and does not count."""
    seconds, total, last = [], 0.0, None
    for stamp, line in zip(done.stamps, done.lines):
        if MALLET_ITERATION.match(line):
            first = float(line.strip().rstrip("ms")) / (1000 if "ms" in line else 1)
            total += first if last is None else stamp - last
            seconds.append(total)
        if seconds:
            last = stamp
    return seconds


class Mallet(SeparateRuns):
    name = "MALLET"

    def __init__(self, corpus, settings, classpath):
        self.corpus, self.settings = corpus, settings
        folder = corpus.folder
        self.logging = folder / "mallet.logging"
        self.logging.write_text(MALLET_LOGGING, encoding="ascii")
        self.java = ["java", "-Xmx8g", f"-Djava.util.logging.config.file={self.logging}", "-cp", classpath]
        self.input = folder / "train.mallet"
        if not self.input.exists():
            run(self.java + ["cc.mallet.classify.tui.Csv2Vectors", "--input", folder / "train.txt", "--output",
                             self.input, "--keep-sequence", "--preserve-case", "--token-regex", r"\S+"])

    @staticmethod
    def find():
        classpath = os.environ.get("MALLET_CLASSPATH")
        if classpath and shutil.which("java"):
            return (classpath,)
        say("MALLET skipped: set MALLET_CLASSPATH to its classes and jars, and have java in the path")
        return None

    def train(self, iterations, with_llpt):
        s, folder = self.settings, self.corpus.folder
        counts, state = folder / "mallet.word-topics", folder / "mallet.state.gz"
        done = run(self.java + ["cc.mallet.topics.tui.TopicTrainer", "--input", self.input, "--num-topics", s.topics,
                                "--alpha", s.alpha_sum, "--beta", s.beta, "--num-threads", s.threads,
                                "--num-iterations", iterations, "--random-seed", s.seed, "--show-topics-interval", 0,
                                "--word-topic-counts-file", counts]
                   + (["--output-state", state] if with_llpt or s.optimize_interval else [])
                   + (["--optimize-interval", s.optimize_interval, "--optimize-burn-in", s.optimize_burn_in]
                      if s.optimize_interval else []))
        seconds = mallet_seconds(done)
        if len(seconds) != iterations:
            raise BenchError(f"MALLET: times of {len(seconds)} iterations, expected {iterations}")
        result = Sampled(seconds, done.cpu_seconds, done.peak_rss_bytes)
        alpha, beta = self.fitted(state) if s.optimize_interval else (None, s.beta)
        result.scored = (self.topic_counts(counts, beta), alpha)
        result.perplexity = self.corpus.perplexity(result.scored[0], s, alpha=alpha)
        result.priors = (sum(map(float, alpha.read_text(encoding="ascii").split())), beta) if alpha else None
        if with_llpt:
            result.llpt = self.corpus.llpt(self.assignments(state), s)
        return result

    def fitted(self, path):
        """A file of alpha, and beta, from the state's second and third line: "#alpha : a1 a2 ... ", "#beta : b"."""
        out = self.corpus.folder / "mallet.alpha"
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            _, alpha, beta = (next(lines) for _ in range(3))
        out.write_text(alpha.split(":")[1].strip().replace(" ", "\n") + "\n", encoding="ascii")
        return out, float(beta.split(":")[1])

    def topic_counts(self, path, beta):
        """Lines "number name topic:count ..." in MALLET's order to lines in ours."""
        rows = [""] * self.corpus.words
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                _, name, *pairs = line.split()
                rows[int(name[1:]) - 1] = " ".join(pairs)
        return write_counts(self.corpus.folder / "mallet.counts", rows, self.settings, beta)

    def assignments(self, path):
        """The state's "doc source pos typeindex type topic" lines to a line for each document."""
        out = self.corpus.folder / "mallet.z"
        with gzip.open(path, "rt", encoding="utf-8") as lines, open(out, "w", encoding="ascii") as z:
            doc, pairs = None, []
            for line in lines:
                if line.startswith("#"):
                    continue
                parts = line.split()
                if parts[0] != doc:
                    write_document(z, pairs)
                    doc, pairs = parts[0], []
                pairs.append(f"{parts[3]}:{parts[5]}")
            write_document(z, pairs)
        return out


def write_document(z, pairs):
    if pairs:
        z.write(f"{len(pairs)} {' '.join(pairs)}\n")


def write_counts(path, rows, settings, beta=None):
    with open(path, "w", encoding="ascii") as out:
        out.write(f"{len(rows)} {settings.topics} {beta or settings.beta:.9g}\n")
        out.writelines(row + "\n" for row in rows)
    return path


class Tomotopy:
    name = "tomotopy"

    def __init__(self, corpus, settings, python):
        self.corpus, self.settings, self.python = corpus, settings, python

    @staticmethod
    def find(folder):
        """Python of a virtual environment with tomotopy, made if it is missing."""
        python = folder / "venv" / "bin" / "python"
        try:
            if not python.exists():
                say("making a virtual environment with tomotopy")
                run([sys.executable, "-m", "venv", folder / "venv"])
            if subprocess.run([python, "-c", "import tomotopy"], capture_output=True, check=False).returncode:
                run([python, "-m", "pip", "install", "--quiet", "tomotopy"])
            return (python,)
        except BenchError as error:
            say(f"tomotopy skipped: {error}")
            return None

    def train_points(self, points, with_llpt):
        s, folder = self.settings, self.corpus.folder
        done = run([self.python, "-W", "ignore", HERE / "tomotopy_train.py", folder / "train.txt", folder / "tomotopy",
                    s.topics, s.alpha, s.beta, s.threads, s.seed, self.corpus.words, int(with_llpt),
                    s.optimize_interval, s.optimize_burn_in, *points])
        curve = []
        for entry in map(json.loads, done.lines):
            n = entry["iteration"]
            alpha = f"{folder}/tomotopy.{n}.alpha" if s.optimize_interval else None
            perplexity = self.corpus.perplexity(f"{folder}/tomotopy.{n}.counts", s, alpha=alpha)
            llpt = self.corpus.llpt(f"{folder}/tomotopy.{n}.z", s) if with_llpt else None
            curve.append([n, entry["seconds"][-1], llpt, perplexity])
        return Sampled(entry["seconds"], done.cpu_seconds, done.peak_rss_bytes, curve[-1][2], curve[-1][3], curve,
                       (entry["alpha_sum"], s.beta) if s.optimize_interval else None,
                       (f"{folder}/tomotopy.{n}.counts", alpha))
