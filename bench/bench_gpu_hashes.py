"""The part of the GPU benchmark that compares bits: topics hashes of the device against the CPU's."""

import itertools

import check_hashes
from bench_gpu_run import NUMBERS

TOPICS = (2, 100, 1000, 1024, 5000, 32768)
ITERATIONS = {"kos": 12}
FEW = 3
CORPORA = ("kos", "20news", "rnews", "arxiv")
SWITCH_TOPICS = {"kos": (100, 1000, 32768), "20news": (1000,)}  # those with which the switches are tried too


def synthetic(bench):
    """Documents of more than 65,535 tokens; and very short ones with very frequent words."""
    shrink = 10 if bench.args.quick else 1
    yield "long documents", bench.synth("long", 40 // shrink, 30_000, 80_000, "--topics", 50)
    yield "short documents", bench.synth("short", 200_000 // shrink, 50_000, 20, "--sigma", 1.2, "--zipf", 1.2)


def combinations(switches, turn, full):
    """Every combination of the switches that take a name. Those that take a number change with each combination and
    turn, so that over the turns a combination meets most numbers; if full, all are combined with all."""
    chosen = [option for option in switches if full or option not in NUMBERS]
    rolling = [option for option in switches if option not in chosen]
    for i, values in enumerate(itertools.product(*(switches[option] for option in chosen))):
        pairs = list(zip(chosen, values))
        pairs += [(option, switches[option][(i + turn) % len(switches[option])]) for option in rolling]
        yield [part for option, value in pairs if value is not None for part in (option, value)]


class Comparison:
    def __init__(self, bench):
        self.bench, self.turn = bench, 0
        # A device cannot be its own judge.
        self.judge = "reference" if bench.args.device == "cpu" else "cpu"

    def train(self, corpus, device, options):
        args = self.bench.args
        return check_hashes.train(args.ezlda, corpus, self.bench.scratch, [*options, "--device", device, *args.train],
                                  timeout=self.bench.timeout())

    def compare(self, name, corpus, topics, estimator, iterations):
        """One row: the CPU's hash, and how many runs of the device have it. A run that failed has not."""
        base = ["-k", topics, "-i", iterations, "--estimator", estimator]
        row = {"corpus": name, "topics": topics, "estimator": estimator, "iterations": iterations, "runs": 0,
               "equal": 0, "differ": [], "judge": self.judge, "topics_hash": None}
        what = f"hashes: {name} K={topics} {estimator}"
        with self.bench.attempt(what) as wanted:
            if not wanted:
                return
            self.bench.report.put("hashes", (name, topics, estimator), row)
            row["topics_hash"] = self.train(corpus, self.judge, base)
        for options in self.options(name, topics) if row["topics_hash"] else []:
            with self.bench.attempt(" ".join(map(str, (what, *options)))) as wanted:
                if wanted:
                    row["runs"] += 1
                    found = self.train(corpus, self.bench.args.device, base + options)
                    row["equal"] += found == row["topics_hash"]
                    if found != row["topics_hash"]:
                        row["differ"].append(" ".join(map(str, options)) or "default")
                        self.bench.report.fail(f"{what} {row['differ'][-1]}", f"{found}, not {row['topics_hash']}")

    def options(self, name, topics):
        if topics not in SWITCH_TOPICS.get(name, ()):
            return [[]]
        self.turn += 1
        step = 5 if self.bench.args.quick else 1
        return [[], *list(combinations(self.bench.switches, self.turn, self.bench.args.full))[::step]]


def hashes(bench):
    comparison, args = Comparison(bench), bench.args
    corpora = [(name, bench.corpus(name)) for name in (CORPORA[:2] if args.quick else CORPORA)]
    with bench.attempt("hashes: synthetic corpora") as wanted:
        corpora += synthetic(bench) if wanted else []
    for name, corpus in corpora:
        for topics in (2, 100) if args.quick else TOPICS:
            for estimator in args.estimators if corpus else ():
                comparison.compare(name, corpus, topics, estimator, 2 if args.quick else ITERATIONS.get(name, FEW))
