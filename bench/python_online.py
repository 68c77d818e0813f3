#!/usr/bin/env python3
"""Measures LatentDirichletAllocation.partial_fit: batches of documents one after the other, by what share of the past is
kept (decay) and how often new documents are sampled (partial_iter), beside one fit of all documents and scikit-learn's
partial_fit. Held-out documents are scored by one scorer: EM on one half of a document, perplexity of the other.

    bench/python_online.py docword.20news.txt -k 50 --first 500 --batch 500"""
import argparse
import math
import time

import numpy as np
import scipy.sparse as sp

import ezlda


def uci(path):
    with open(path, encoding="utf-8") as file:
        docs, words, _ = (int(next(file)) for _ in range(3))
    d, w, n = np.loadtxt(path, skiprows=3, dtype=np.int64, unpack=True)
    return sp.csr_matrix((n.astype(np.int32), (d - 1, w - 1)), shape=(docs, words))


def halves(held):
    draw = np.random.RandomState(1)
    first = held.copy()
    first.data = draw.binomial(held.data, 0.5).astype(np.int32)
    return first, held - first


def perplexity(components, alpha, given, asked, rounds=50):
    """Of the second halves, with theta by EM (MAP with alpha) from the first ones."""
    phi = components / components.sum(axis=1, keepdims=True)
    first, second = given.tocoo(), asked.tocoo()
    p = phi.T[first.col]
    theta = np.full((given.shape[0], len(phi)), 1 / len(phi))
    for _ in range(rounds):
        q = theta[first.row] * p
        q *= (first.data / np.maximum(q.sum(axis=1), 1e-300))[:, None]
        n = sp.csr_matrix((np.ones(len(q)), (first.row, np.arange(len(q)))), shape=(len(theta), len(q))) @ q + alpha
        theta = n / n.sum(axis=1, keepdims=True)
    found = np.einsum("ij,ij->i", theta[second.row], phi.T[second.col])
    return math.exp(-(second.data * np.log(np.maximum(found, 1e-300))).sum() / second.data.sum())


def batches(matrix, first, size):
    yield matrix[:first]
    for start in range(first, matrix.shape[0], size):
        yield matrix[start:start + size]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("corpus", help="UCI text")
    parser.add_argument("-k", type=int, default=50)
    parser.add_argument("--first", type=int, default=500, help="documents of the first call")
    parser.add_argument("--batch", type=int, default=500)
    parser.add_argument("--docs", type=int, default=8000)
    parser.add_argument("--decay", default="1,0.95,0.9,0.8,0.7")
    parser.add_argument("--partial-iter", default="20")
    parser.add_argument("--sklearn", action="store_true")
    parser.add_argument("--whole", action="store_true", help="one fit of all documents")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    matrix = uci(args.corpus)
    matrix = matrix[np.random.RandomState(args.seed).permutation(matrix.shape[0])][:args.docs + 1000]
    train, (given, asked) = matrix[:args.docs], halves(matrix[args.docs:])

    def show(name, lda, seconds):
        alpha = np.asarray(lda.doc_topic_prior_)
        print(f"{name:28} {seconds:7.1f} s  {perplexity(lda.components_, alpha, given, asked):7.0f}", flush=True)

    if args.whole:
        began = time.process_time()
        lda = ezlda.LatentDirichletAllocation(args.k, random_state=1, device="cpu").fit(train)
        show("fit of all", lda, time.process_time() - began)
    for decay in map(float, args.decay.split(",") if args.decay else ()):
        for passes in map(int, args.partial_iter.split(",")):
            lda = ezlda.LatentDirichletAllocation(args.k, random_state=1, device="cpu", decay=decay,
                                                  partial_iter=passes)
            began = time.process_time()
            for i, part in enumerate(batches(train, args.first, args.batch)):
                lda.partial_fit(part)
                if i == 0:
                    show("the first call", lda, time.process_time() - began)
            show(f"decay {decay:g}, {passes} passes", lda, time.process_time() - began)
    if args.sklearn:
        from sklearn.decomposition import LatentDirichletAllocation
        lda = LatentDirichletAllocation(args.k, random_state=1, total_samples=args.docs, n_jobs=1)
        began = time.process_time()
        for part in batches(train, args.first, args.batch):
            lda.partial_fit(part)
        show("scikit-learn", lda, time.process_time() - began)


if __name__ == "__main__":
    main()
