"""The three settings of the experiments: corpora, numbers of topics, iterations."""

from dataclasses import dataclass

from bench_gpu_parts import PAPER_SIZES

SETS = tuple(PAPER_SIZES)  # the data sets of the paper


@dataclass
class Size:
    sets: dict            # of each data set: documents, words, mean length
    planted: int          # topics that synthetic documents are drawn from
    topics: int           # in place of the paper's 1,000
    many: int             # ... 10,000
    most: int             # ... 32,768
    iterations: int       # ... 100
    short: int            # iterations over which speeds are measured
    wide: int             # iterations with the most topics
    score_every: int
    looks: tuple          # iterations after which shares are measured
    sample: int           # tokens to measure them on; 0: all
    density: tuple        # numbers of topics
    drop: dict            # naive dropping: synthetic corpus, iterations, tokens of a real one
    repeats: int          # of the same training
    big: tuple = ()       # data sets on which less is run

    @property
    def half(self):
        """Where the paper has iteration 50."""
        return min(self.looks, key=lambda look: abs(look - self.iterations / 2))


SIZES = {
    "full": Size(
        sets={name: sizes[:3] for name, sizes in PAPER_SIZES.items()}, planted=500, topics=1000, many=10000, most=32768,
        iterations=100, short=30, wide=20, score_every=10, looks=(1, 5, 10, 20, 30, 50, 70, 100), sample=2_000_000,
        density=(100, 300, 1000, 3000, 10000), repeats=5, big=("PubMed", "UMBC"),
        drop={"docs": 40_000, "words": 30_000, "length": 90, "topics": 1000, "iterations": 110, "drop": 72, "again": 90,
              "most": 4_000_000}),
    "small": Size(
        sets={"NYTimes": (1_500, 8_000, 333.6), "PubMed": (6_000, 10_000, 90), "UMBC": (15_000, 12_000, 33.25)},
        planted=100, topics=100, many=1000, most=4096, iterations=60, short=15, wide=8, score_every=10,
        looks=(1, 5, 10, 20, 30, 45, 60), sample=100_000, density=(20, 50, 100, 200, 500, 1000), repeats=3,
        drop={"docs": 3_000, "words": 5_000, "length": 90, "topics": 100, "iterations": 60, "drop": 36, "again": 48,
              "most": 400_000}),
    "tiny": Size(
        sets={"NYTimes": (20, 300, 150), "PubMed": (60, 300, 50), "UMBC": (100, 300, 30)}, planted=8, topics=16,
        many=40, most=100, iterations=8, short=3, wide=2, score_every=4, looks=(2, 4, 8), sample=0, density=(8, 16),
        repeats=2, drop={"docs": 60, "words": 300, "length": 50, "topics": 16, "iterations": 10, "drop": 5, "again": 8,
                         "most": 10_000}),
}
