"""Corpora of bench/python_speed.py as .npz files, and the one scorer for all tools' topics.

A file holds three matrices with the same words as columns: `train`, documents to learn from; `observed` and `scored`,
the two halves of documents that nobody has seen. Every word is in `train`."""

import numpy as np
from scipy import sparse

HELD_OUT = 500  # documents
EM_STEPS = 50


def halves(counts, random):
    """Each token of the rows goes to one of two matrices."""
    first = counts.copy()
    first.data = random.binomial(counts.data, 0.5).astype(counts.dtype)
    second = counts - first
    for part in (first, second):
        part.eliminate_zeros()
    return first, second


def prepare(counts, docs, seed):
    """A random sample of `docs` documents (0: all), of which HELD_OUT are kept back."""
    random = np.random.RandomState(seed)
    order = random.permutation(counts.shape[0])[:docs or None]
    train, held = counts[order[HELD_OUT:]], counts[order[:HELD_OUT]]
    known = np.flatnonzero(np.asarray(train.sum(axis=0)).ravel())
    observed, scored = halves(sparse.csr_matrix(held[:, known]), random)
    return {"train": sparse.csr_matrix(train[:, known]), "observed": observed, "scored": scored}


def save(path, matrices):
    arrays = {}
    for name, m in matrices.items():
        m.sort_indices()
        arrays[f"{name}_rows"] = np.diff(m.indptr).astype(np.uint32)
        arrays[f"{name}_words"] = m.indices.astype(np.uint16 if m.shape[1] < 1 << 16 else np.uint32)
        arrays[f"{name}_counts"] = m.data.astype(np.uint8 if m.data.max(initial=0) < 256 else np.uint32)
    np.savez_compressed(path, words=matrices["train"].shape[1], **arrays)


def load(path):
    with np.load(path) as file:
        def matrix(name):
            starts = np.concatenate([[0], np.cumsum(file[f"{name}_rows"], dtype=np.int64)]).astype(np.int32)
            parts = (file[f"{name}_counts"].astype(np.int32), file[f"{name}_words"].astype(np.int32), starts)
            return sparse.csr_matrix(parts, shape=(len(starts) - 1, int(file["words"])))
        return {name: matrix(name) for name in ("train", "observed", "scored")}


class Scorer:
    """Perplexity of the scored halves. Topics are fixed; theta of a document is found from its observed half by EM from
    the uniform one, theta_k ~ n_k + alpha with n the expected counts."""

    def __init__(self, matrices, alpha):
        self.observed, self.scored, self.alpha = matrices["observed"], matrices["scored"], np.float32(alpha)
        self.known = np.unique(np.concatenate([self.observed.indices, self.scored.indices]))
        self.place = np.full(self.observed.shape[1], -1, dtype=np.int64)
        self.place[self.known] = np.arange(len(self.known))

    def perplexity(self, topics):
        """topics: K by words, weights that are not negative; rows are divided by their sums."""
        topics = np.asarray(topics)
        sums = topics.sum(axis=1, dtype=np.float64)
        phi = np.ascontiguousarray((topics[:, self.known] / sums[:, None]).T, dtype=np.float32)
        total, tokens = 0.0, 0
        for d in range(self.observed.shape[0]):
            theta = self.theta(phi, *row(self.observed, d))
            words, counts = row(self.scored, d)
            total += float(np.dot(counts, np.log(phi[self.place[words]] @ theta)))
            tokens += int(counts.sum())
        return float(np.exp(-total / tokens))

    def theta(self, phi, words, counts):
        p, n = phi[self.place[words]], counts.astype(np.float32)
        theta = np.full(phi.shape[1], 1 / phi.shape[1], dtype=np.float32)
        for _ in range(EM_STEPS if len(words) else 0):
            theta *= (n / (p @ theta)) @ p
            theta += self.alpha
            theta /= theta.sum()
        return theta


def row(matrix, d):
    part = slice(matrix.indptr[d], matrix.indptr[d + 1])
    return matrix.indices[part], matrix.data[part]
