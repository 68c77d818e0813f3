"""ezlda as the benchmark runs it."""

import json
import re
import time
from dataclasses import dataclass

from bench_tools import BenchError, run


@dataclass
class Training:
    """One run: seconds of sampling and LLPT after each iteration (None if not scored)."""

    seconds: list
    llpt: list
    cpu_seconds: float
    peak_rss_bytes: int


@dataclass
class Inference:
    """One inference: the whole command's seconds, by the clock and of its threads, those of sampling in it."""

    seconds: float
    cpu_seconds: float
    sampling_seconds: float
    docs: int


def read_log(path):
    seconds, llpt = [], []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            entry = json.loads(line)
            if "iteration" in entry:
                seconds.append(entry["seconds"])
                llpt.append(entry.get("llpt"))
    return seconds, llpt


class Ezlda:
    def __init__(self, binary, corpus, settings):
        self.binary, self.corpus, self.settings = binary, corpus, settings
        self.packed = self.pack("train")

    def pack(self, name):
        """A corpus file of the documents in NAME.uci."""
        folder, packed = self.corpus.folder, self.corpus.folder / f"{name}.ezc"
        if not packed.exists():
            run([self.binary, "import", folder / f"{name}.uci", "--vocab", folder / "words.txt", "-o", packed])
        return packed

    def train(self, iterations, estimator="leave-one-out", start="keyword", eval_every=0, topics=None, threads=None,
              packed=None, model=None):
        log, model = self.corpus.folder / "ezlda.log", model or self.model
        settings = self.settings
        topics = topics or settings.topics
        fit = ["--optimize-interval", settings.optimize_interval, "--optimize-burn-in", settings.optimize_burn_in]
        fixed = ["--fixed-priors", "--alpha", f"sum:{settings.alpha_sum:g}", "--beta", settings.beta]
        done = run([self.binary, "train", packed or self.packed, "-k", topics, "-o", model, "-i", iterations,
                    "--seed", settings.seed,
                    "--estimator", estimator, "--start", start, "--device", "cpu",
                    "--threads", threads or settings.threads, "--eval-every", eval_every, "--log", log, "--quiet"]
                   + (fit if settings.optimize_interval else fixed))
        seconds, llpt = read_log(log)
        if len(seconds) != iterations:
            raise BenchError(f"{log}: {len(seconds)} iterations, expected {iterations}")
        return Training(seconds, llpt, done.cpu_seconds, done.peak_rss_bytes)

    @property
    def model(self):
        return self.corpus.folder / "ezlda.ezm"

    def perplexity(self, method="em"):
        """The perplexity of the model trained last."""
        counts, alpha = self.corpus.folder / "ezlda.counts", self.corpus.folder / "ezlda.alpha"
        run([self.corpus.programs / "export", "counts", self.model, self.corpus.words, counts])
        run([self.corpus.programs / "export", "alpha", self.model, alpha])
        return self.corpus.perplexity(counts, self.settings, method, alpha)

    def priors(self):
        """Sum of alpha, and beta, of the model whose perplexity was asked for last."""
        alpha = (self.corpus.folder / "ezlda.alpha").read_text(encoding="ascii").split()
        with open(self.corpus.folder / "ezlda.counts", encoding="ascii") as lines:
            return sum(map(float, alpha)), float(next(lines).split()[2])

    def infer(self, name, iterations):
        """Topics of the documents in NAME.uci, by the model trained last."""
        begin = time.monotonic()
        done = run([self.binary, "infer", self.model, self.pack(name), "--to", "npy", "-i", iterations,
                    "-o", self.corpus.folder / "ezlda.npy", "--threads", self.settings.threads, "--device", "cpu"])
        seconds = time.monotonic() - begin
        found = re.search(r": ([0-9,]+) documents, .*, ([0-9.]+) s of sampling", done.text())
        if not found:
            raise BenchError(f"ezlda infer: no closing line with documents and seconds: {done.text()}")
        return Inference(seconds, done.cpu_seconds, float(found.group(2)), int(found.group(1).replace(",", "")))

    def completion(self, name):
        """Document completion as ezlda eval does it, on the documents in NAME.uci: perplexity and its error."""
        done = run([self.binary, "eval", self.model, self.pack(name), "--measures", "completion", "--json", "--quiet",
                    "--threads", self.settings.threads, "--device", "cpu"])
        return json.loads(done.text())["completion"]
