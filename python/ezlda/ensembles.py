"""Ensembles: models with several seeds, and the model of what they agree on."""
from __future__ import annotations

from typing import Any, Sequence

from . import _calls, _ezlda
from .corpus import Corpus
from .errors import StoppedError
from .model import Model
from .training import train_until_stopped


def consensus(models: Sequence[Model], corpus: Corpus, *, threshold: float = 0.7, threads: int = 0) -> Model:
    """Return one model of several that were trained on this corpus with other seeds and ``keep_topics=True``.

    The topics of the models are matched one to one. The words of a topic of the consensus are the sums over the matched
    topics, and each token has the topic that most models give it. `Model.found` says in how many models each topic was
    found: their topics have at least the similarity ``threshold`` to that of the other models.
    """
    _calls.check_type("corpus", corpus, Corpus)
    for model in models:
        _calls.check_type("models", model, Model)
    return Model._of(_ezlda.consensus(_calls.context(threads), corpus._handle, [m._handle for m in models], threshold))


def ensemble(corpus: Any, topics: int, iterations: int | None = None, *, seeds: int = 10, seed: int = 1,
             threshold: float = 0.7, threads: int = 0, **options: Any) -> Model:
    """Train models with ``seeds`` seeds from ``seed`` on, and return their `consensus`.

    ``options`` are those of `ezlda.train`. Raises `StoppedError` after an interrupt.
    """
    if not 2 <= seeds <= 1000:
        raise ValueError(f"seeds: expected 2 to 1000, found {seeds}")
    corpus = corpus if isinstance(corpus, Corpus) else Corpus(corpus)
    members = []
    for number in range(seeds):
        member, interrupted = train_until_stopped(corpus, topics, iterations, seed=seed + number, threads=threads,
                                                  **{**options, "keep_topics": True})
        if interrupted:
            raise StoppedError(f"interrupted after {number} of {seeds} models")
        members.append(member)
    return consensus(members, corpus, threshold=threshold, threads=threads)
