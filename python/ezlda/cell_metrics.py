"""Measures of models of single cells, as pycisTopic reports them: of a model by number of topics, and of each topic."""
from __future__ import annotations

from typing import Any

import numpy as np

from . import _calls
from .model import Model

WORDS = 20  #: top regions or genes of a topic whose coherence is measured
BEST = 5  #: most coherent topics whose mean is the coherence of a model
TINY = 1e-12


def arun_2010(topic_word: np.ndarray, doc_topic: np.ndarray, doc_tokens: np.ndarray) -> float:
    """Return the divergence of Arun et al. (2010): the symmetric Kullback-Leibler divergence between the singular values
    of the topics and the topics' tokens, both normalised and descending. Lower is better."""
    values = np.linalg.svd(topic_word, compute_uv=False)
    tokens = -np.sort(-(doc_tokens.astype(np.float64) @ doc_topic))[:len(values)]
    a, b = values / values.sum(), tokens / tokens.sum()
    return float(np.sum((a - b) * np.log(np.maximum(a, TINY) / np.maximum(b, TINY))))


def cao_juan_2009(topic_word: np.ndarray) -> float:
    """Return the density of Cao, Juan et al. (2009): the mean cosine of two topics. Lower is better."""
    unit = topic_word / np.linalg.norm(topic_word, axis=1, keepdims=True)
    k = len(unit)
    return float((np.sum(unit.sum(axis=0) ** 2) - k) / (k * (k - 1)))


def mimno_2011(topic_word: np.ndarray, counts: Any, words: int = WORDS) -> np.ndarray:
    """Return the coherence of each topic by Mimno et al. (2011): the mean over pairs of its top words of
    log((cells with both + 1e-12) / cells with the more frequent one in the topic). Higher is better."""
    words = min(words, topic_word.shape[1])
    top = np.argsort(-topic_word, axis=1, kind="stable")[:, :words]
    used, place = np.unique(top, return_inverse=True)
    present = counts.tocsc()[:, used].astype(bool).astype(np.float64)
    together = np.asarray((present.T @ present).todense())
    found = np.empty(len(top))
    later, first = np.tril_indices(words, -1)
    for k, row in enumerate(place.reshape(top.shape)):
        alone = together[row[first], row[first]]
        ratio = (together[row[later], row[first]] + TINY) / np.maximum(alone, TINY)
        found[k] = np.mean(np.log(ratio)) if words > 1 else np.nan
    return found


def best_mean(coherence: np.ndarray) -> float:
    """Return the mean of the five most coherent topics, which is the coherence of a model in pycisTopic."""
    return float(np.mean(np.sort(coherence)[-BEST:]))


def loglikelihood(model: Model) -> float:
    """Return log p(words, topics) of the last iteration (Griffiths and Steyvers, 2004), in natural logarithms. Higher is
    better."""
    gammaln = _calls.needs("scipy.special", "ezlda.tl").gammaln
    words, cells, alpha, beta = model.counts("words"), model.counts("docs"), model.alpha, model.beta
    sums = np.asarray(words.sum(axis=0), dtype=np.float64).ravel()
    of_words = np.sum(gammaln(words.data + beta) - gammaln(beta))
    of_topics = np.sum(gammaln(beta * words.shape[0]) - gammaln(sums + beta * words.shape[0]))
    prior = alpha[cells.indices]
    of_cells = np.sum(gammaln(cells.data + prior) - gammaln(prior))
    lengths = np.asarray(cells.sum(axis=1), dtype=np.float64).ravel()
    of_lengths = np.sum(gammaln(alpha.sum()) - gammaln(lengths + alpha.sum()))
    return float(of_words + of_topics + of_cells + of_lengths)


def gini(values: np.ndarray) -> float:
    """Return the Gini index of values from 0: 0 if all are equal, near 1 if one has everything."""
    ordered = np.sort(np.asarray(values, dtype=np.float64))
    n, total = len(ordered), ordered.sum()
    return float(np.sum((2 * np.arange(1, n + 1) - n - 1) * ordered) / (n * total)) if total > 0 else 0.0


def of_model(model: Model, counts: Any) -> tuple[dict[str, float], dict[str, np.ndarray]]:
    """Return the measures of a model and those of its topics. ``counts`` are the cells that it was trained on."""
    topic_word, doc_topic, tokens = model.topic_word(), model.doc_topic(), model.doc_tokens
    coherence = mimno_2011(topic_word, counts)
    share = tokens.astype(np.float64) @ doc_topic
    measures = {"loglikelihood": loglikelihood(model), "arun_2010": arun_2010(topic_word, doc_topic, tokens),
                "cao_juan_2009": cao_juan_2009(topic_word), "mimno_2011": best_mean(coherence)}
    topics = {"assignments": model.topic_tokens.astype(np.int64), "marginal": share / max(share.sum(), TINY),
              "mimno_2011": coherence, "gini": np.array([gini(column) for column in doc_topic.T])}
    return measures, topics
