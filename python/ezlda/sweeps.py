"""How many topics: models for several numbers of topics and seeds, scored and compared."""
from __future__ import annotations

import os
from typing import Any, NamedTuple, Sequence

from . import _calls, _ezlda
from .bars import make_bar
from .corpus import Corpus
from .model import Model


class Sweep(NamedTuple):
    """Scores of a sweep."""

    #: a number of topics each, means over seeds; ``to_best`` and ``to_unigram`` are the perplexity less that of the best
    #: row and of word frequencies alone, ``to_best_error`` and ``to_unigram_error`` their errors, paired by document
    rows: list[dict[str, Any]]
    runs: list[dict[str, Any]]  #: a model each
    recommended: int  #: the smallest number of topics whose ``to_best`` is at most ``to_best_error``; or 0
    best_perplexity: int
    best_npmi: int
    best_stability: int
    folder: str

    def to_frame(self) -> Any:
        """The rows as a DataFrame."""
        return _calls.needs("pandas", "Sweep.to_frame").DataFrame(self.rows).set_index("topics")

    def load(self, topics: int | None = None, seed: int | None = None) -> Model:
        """One of the models; by default of the recommended number of topics and the first seed."""
        topics = self.recommended if topics is None else topics
        seed = min(run["seed"] for run in self.runs) if seed is None else seed
        return Model.load(os.path.join(self.folder, f"k{topics}-seed{seed}.ezm"))


def sweep(corpus: Any, topics: Sequence[int], folder: str | os.PathLike[str], *, seeds: int = 1,
          held_out: float = 0.1, alpha_sum: float = 0.0, threads: int = 0, progress: bool | None = None,
          evaluation: dict[str, Any] | None = None, **options: Any) -> Sweep:
    """Trains and scores a model for every number of topics and every seed, into a folder.

    A call with a folder of an earlier one goes on where that ended. ``options`` are those of `ezlda.train`,
    ``evaluation`` those of `Model.evaluate`.
    """
    if not isinstance(corpus, Corpus):
        corpus = Corpus(corpus)
    evaluation = {**{name: options[name] for name in ("seed", "device") if name in options}, **(evaluation or {})}
    bar = make_bar(progress)
    tqdm: Any = bar._tqdm(total=len(topics) * seeds, unit="model", desc="ezlda sweep") if bar else None

    def watch(number: int, runs: int, k: int, seed: int, iteration: int, iterations: int, done: bool) -> None:
        tqdm.set_postfix_str(f"{k} topics, seed {seed}" + (f", {iteration}/{iterations}" if iterations else ""))
        tqdm.update(number - (not done) - tqdm.n)
    try:
        found = _ezlda.sweep(_calls.context(threads), corpus._handle, [int(k) for k in topics], folder,
                             seeds, held_out, alpha_sum, options, evaluation,
                             watch if tqdm is not None else None)
    finally:
        if tqdm is not None:
            tqdm.close()
    return Sweep(found["rows"], found["runs"], found["recommended"], found["best_perplexity"], found["best_npmi"],
                 found["best_stability"], _calls.text_path(folder))
