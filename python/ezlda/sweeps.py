"""Sweeps: models with several numbers of topics and seeds, scored and compared to find out how many topics to use."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple, Sequence

from . import _calls, _ezlda
from .bars import make_bar
from .corpus import Corpus
from .model import Model
from .options import SweepOptions, lists_options
from .training import may_settle, prior_options

if TYPE_CHECKING:
    from typing import Unpack


class Sweep(NamedTuple):
    """The scores of a sweep, as `ezlda.sweep` returns them."""

    #: one dict per number of topics, with means over the seeds. ``to_best`` and ``to_unigram`` are the differences from
    #: the perplexity of the best row and of word frequencies alone; ``to_best_error`` and ``to_unigram_error`` are
    #: their standard errors, paired by document
    rows: list[dict[str, Any]]
    runs: list[dict[str, Any]]  #: one dict per model
    recommended: int  #: the smallest number of topics whose ``to_best`` is at most ``to_best_error``; or 0
    best_perplexity: int
    best_npmi: int
    best_stability: int
    folder: str

    def to_frame(self) -> Any:
        """Return the rows as a DataFrame. Raises ImportError without pandas."""
        return _calls.needs("pandas", "Sweep.to_frame").DataFrame(self.rows).set_index("topics")

    def __repr__(self) -> str:
        return (f"<ezlda.Sweep in {self.folder!r}: {', '.join(str(row['topics']) for row in self.rows)} topics; "
                f"recommended: {self.recommended or 'none'}>")

    def _repr_html_(self) -> str:
        """Return the rows as a table, for notebooks."""
        known = ("perplexity", "npmi", "stability", "diversity")
        shown = [name for name in known if self.rows and name in self.rows[0]]
        rows = "".join(f"<tr><td>{row['topics']}{' *' if row['topics'] == self.recommended else ''}</td>" + "".join(
            f"<td>{row[name]:.4g}</td>" if isinstance(row[name], (int, float)) else "<td></td>" for name in shown)
            + "</tr>" for row in self.rows)
        return (f"<p>recommended (*): {self.recommended or 'none'}</p><table><thead><tr><th>topics</th>"
                + "".join(f"<th>{name}</th>" for name in shown) + f"</tr></thead><tbody>{rows}</tbody></table>")

    def load(self, topics: int | None = None, seed: int | None = None) -> Model:
        """Load one of the models; by default the one with the recommended number of topics and the first seed.

        Raises `MissingFileError` if there is no such model.
        """
        topics = self.recommended if topics is None else topics
        seed = min(run["seed"] for run in self.runs) if seed is None else seed
        return Model.load(os.path.join(self.folder, f"k{topics}-seed{seed}.ezm"))


@lists_options(SweepOptions)
def sweep(corpus: Any, topics: Sequence[int], folder: str | os.PathLike[str], *, seeds: int = 1,
          held_out: float = 0.1, alpha_sum: float = 0.0, fixed_priors: bool = False, threads: int = 0,
          progress: bool | str | None = None, evaluation: dict[str, Any] | None = None,
          **options: Unpack[SweepOptions]) -> Sweep:
    """Train and score a model for every number of topics and every seed.

    Parameters
    ----------
    corpus : a Corpus, or anything that Corpus() accepts.
    topics : the numbers of topics, each from 2 to 65,536.
    folder : where the models and their scores are written. With the folder of an earlier sweep of the same corpus and
        options, the sweep continues where that one ended.
    seeds : number of models for each number of topics; default 1. They use consecutive seeds.
    held_out : share of the documents that is scored and not trained on; default 0.1.
    alpha_sum : sum of the prior of the documents' topics, which then stays as it is; 0 (default): as in `ezlda.train`.
    fixed_priors : as for `ezlda.train`.
    threads : number of threads; 0 (default): one per processor, or OMP_NUM_THREADS if that is set.
    progress : as for `ezlda.train`.
    evaluation : options of `Model.evaluate`, as a dict.
    options : those of `ezlda.train`.

    Returns a `Sweep`. Raises `ArgumentError` for a wrong option or a folder of another sweep.
    """
    if not isinstance(corpus, Corpus):
        corpus = Corpus(corpus)
    given = prior_options(fixed_priors, dict(options))
    evaluation = {**{name: given[name] for name in ("seed", "device") if name in given}, **(evaluation or {})}
    of = " of at most " if may_settle(given) else "/"
    bar = make_bar(progress)
    tqdm: Any = bar._tqdm(total=len(topics) * seeds, unit="model", desc="ezlda sweep") if bar else None

    def watch(number: int, runs: int, k: int, seed: int, iteration: int, iterations: int, done: bool) -> None:
        tqdm.set_postfix_str(f"{k} topics, seed {seed}" + (f", {iteration}{of}{iterations}" if iterations else ""))
        tqdm.update(number - (not done) - tqdm.n)
    try:
        found = _ezlda.sweep(_calls.context(threads), corpus._handle, [int(k) for k in topics], folder,
                             seeds, held_out, alpha_sum, given, evaluation,
                             watch if tqdm is not None else None)
    finally:
        if tqdm is not None:
            tqdm.close()
    return Sweep(found["rows"], found["runs"], found["recommended"], found["best_perplexity"], found["best_npmi"],
                 found["best_stability"], _calls.text_path(folder))
