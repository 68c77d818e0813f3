"""A model of one topic, in which there is nothing to sample. It has those methods of a model that the estimator
calls, and shows its topic as a model does."""
from __future__ import annotations

import copy
from typing import Any, Callable, Sequence

import numpy as np

from .counts import Counts
from .model import Scored, Topic, frame_of_topics


class OneTopic:
    """All tokens in one topic: p(word) is the word's smoothed frequency."""

    n_topics = 1

    def __init__(self, counts: Counts, alpha: float, beta: float, words: Sequence[str] | None = None) -> None:
        tokens = np.bincount(counts.indices, weights=counts.data, minlength=counts.words)
        self.words = list(map(str, range(counts.words))) if words is None else list(words)
        self._tokens = tokens.astype(np.int64)
        self._components = (tokens + beta)[np.newaxis, :]
        self.alpha = np.array([alpha])
        self.beta = beta
        self.history = np.empty(0)
        self.info = {"iterations": 1}
        self.llpt = float(-np.log2(self.perplexity(counts)))

    def updated(self, counts: Counts, decay: float, more: Sequence[str] = ()) -> OneTopic:
        """Return the model with more documents, ``decay`` of each count of the past, and more words."""
        past = np.zeros(counts.words)
        past[:len(self._tokens)] = np.rint(decay * self._tokens)
        seen = np.flatnonzero(past)
        both = Counts(2, counts.words, np.array([0, len(seen), len(seen) + len(counts.indices)]),
                      np.concatenate([seen, counts.indices]), np.concatenate([past[seen], counts.data]))
        return OneTopic(both, float(self.alpha[0]), self.beta, [*self.words, *more])

    def _cached(self, name: str, make: Callable[[], Any]) -> Any:
        return make()

    def components(self) -> np.ndarray:
        return self._components

    def topic_word(self) -> np.ndarray:
        """Return p(word) as an array of one row."""
        return np.asarray(self._components / self._components.sum())

    def with_words(self, words: Sequence[str]) -> OneTopic:
        """Return this model with other words."""
        named = copy.copy(self)
        named.words = list(words)
        return named

    def top_words(self, topic: int = 0, n: int = 10) -> list[Scored]:
        """Return the most frequent words, at most ``n``. Raises ValueError for another topic than 0."""
        if topic != 0:
            raise ValueError(f"topic is {topic}; the model has one topic, 0")
        p, order = self.topic_word()[0], np.argsort(-self._tokens, kind="stable")[:n]
        return [Scored(int(i), self.words[i], int(self._tokens[i]), float(p[i]), float(p[i]))
                for i in order if self._tokens[i] > 0]

    def topics(self, words: int = 10) -> list[Topic]:
        """Return the topic with its top words."""
        names = tuple(word.name for word in self.top_words(0, words))
        return [Topic(0, int(self._tokens.sum()), 1.0, float(self.alpha[0]), names)]

    def topics_frame(self, words: int = 10) -> Any:
        """Return `topics` as a DataFrame. Raises ImportError without pandas."""
        return frame_of_topics(self.topics(words))

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
