"""A model of one topic, in which there is nothing to sample. It has those methods of a model that the estimator
calls."""
from __future__ import annotations

from typing import Any, Callable

import numpy as np

from .counts import Counts


class OneTopic:
    """All tokens in one topic: p(word) is the word's smoothed frequency."""

    n_topics = 1

    def __init__(self, counts: Counts, alpha: float, beta: float) -> None:
        tokens = np.bincount(counts.indices, weights=counts.data, minlength=counts.words)
        self._components = (tokens + beta)[np.newaxis, :]
        self.alpha = np.array([alpha])
        self.beta = beta
        self.history = np.empty(0)
        self.info = {"iterations": 1}
        self.llpt = float(-np.log2(self.perplexity(counts)))

    def _cached(self, name: str, make: Callable[[], Any]) -> Any:
        return make()

    def components(self) -> np.ndarray:
        return self._components

    def infer(self, counts: Counts, dtype: Any, normalize: bool) -> np.ndarray:
        if normalize:
            return np.ones((counts.docs, 1), dtype=dtype)
        row = np.repeat(np.arange(counts.docs), np.diff(counts.indptr))
        tokens = np.bincount(row, weights=counts.data, minlength=counts.docs)
        return np.asarray(tokens + self.alpha[0], dtype=dtype)[:, np.newaxis]

    def perplexity(self, counts: Counts) -> float:
        log_p = np.log(self._components[0] / self._components.sum())
        tokens = counts.data.sum(dtype=np.float64)
        return float(np.exp(-np.dot(log_p[counts.indices], counts.data) / tokens)) if tokens else float("nan")
