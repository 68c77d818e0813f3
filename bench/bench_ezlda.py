"""ezlda as the benchmark runs it."""

import json
from dataclasses import dataclass

from bench_tools import BenchError, run


@dataclass
class Training:
    """One training: seconds of sampling and LLPT after each iteration (None where not scored)."""

    seconds: list
    llpt: list
    cpu_seconds: float
    peak_rss_bytes: int


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
        self.packed = corpus.folder / "train.ezc"
        if not self.packed.exists():
            run([binary, "import", corpus.folder / "train.uci", "--vocab", corpus.folder / "words.txt",
                 "-o", self.packed])

    def train(self, iterations, estimator="leave-one-out", start="keyword", eval_every=0, topics=None, threads=None):
        log, model = self.corpus.folder / "ezlda.log", self.model
        settings = self.settings
        topics = topics or settings.topics
        done = run([self.binary, "train", self.packed, "-k", topics, "-o", model, "-i", iterations,
                    "--seed", settings.seed, "--alpha", f"sum:{settings.alpha_sum:g}", "--beta", settings.beta,
                    "--estimator", estimator, "--start", start, "--device", "cpu",
                    "--threads", threads or settings.threads, "--eval-every", eval_every, "--log", log, "--quiet"])
        seconds, llpt = read_log(log)
        if len(seconds) != iterations:
            raise BenchError(f"{log}: {len(seconds)} iterations where {iterations} were asked for")
        return Training(seconds, llpt, done.cpu_seconds, done.peak_rss_bytes)

    @property
    def model(self):
        return self.corpus.folder / "ezlda.ezm"

    def perplexity(self, method="em"):
        """Of the model trained last."""
        counts = self.corpus.folder / "ezlda.counts"
        run([self.corpus.programs / "export", "counts", self.model, self.corpus.words, counts])
        return self.corpus.perplexity(counts, self.settings, method)
