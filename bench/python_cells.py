#!/usr/bin/env python3
"""Processor seconds to equal held-out perplexity on single cells: ezlda.tl.lda's settings and scikit-learn's LDA.

    python_cells.py cells.csv [-k 20] [--ezlda 10,20,50] [--scikit-learn 5,10,20,50] [--only TOOL]

The file has one row per cell and one column per gene, with names in the first row and column: that of celltypist's
wheel, celltypist/data/samples/sample_cell_by_gene.csv. A tenth of the cells is held out and their counts are halved at
random; all topics are scored by one EM (Scorer of python_corpora.py), under the prior of the tool. Every point is a
training run of its own, on one thread, timed from the matrix to the model."""

import argparse
import os
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from python_corpora import Scorer, halves
from scipy import sparse

GENE_IN_CELLS = 3


def read_cells(path):
    """The counts of genes that three cells or more have."""
    import pandas
    frame = pandas.read_csv(path, index_col=0)
    counts = sparse.csr_matrix(frame.to_numpy(dtype=np.int32))
    kept = np.flatnonzero(np.asarray((counts > 0).sum(axis=0)).ravel() >= GENE_IN_CELLS)
    return sparse.csr_matrix(counts[:, kept])


def split(counts, seed):
    random = np.random.RandomState(seed)
    order = random.permutation(counts.shape[0])
    held = counts.shape[0] // 10
    observed, scored = halves(sparse.csr_matrix(counts[order[:held]]), random)
    return {"train": sparse.csr_matrix(counts[order[held:]]), "observed": observed, "scored": scored}


def train_ezlda(train, topics, iterations, fitted):
    import ezlda
    priors = {"optimize_interval": 10} if fitted else {"alpha": 50 / topics, "beta": 0.1}
    model = ezlda.train(ezlda.Corpus.from_matrix(train), topics, iterations, device="cpu", threads=1, progress=False,
                        **priors)
    return model.topic_word(), np.asarray(model.alpha)


def train_scikit_learn(train, topics, iterations, fitted):
    del fitted
    from sklearn.decomposition import LatentDirichletAllocation
    model = LatentDirichletAllocation(topics, max_iter=iterations, random_state=0, n_jobs=1).fit(train)
    return model.components_, np.full(topics, 1 / topics)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cells")
    parser.add_argument("-k", "--topics", type=int, default=20)
    parser.add_argument("--ezlda", default="5,10,20,50,150", help="iterations of each run")
    parser.add_argument("--scikit-learn", default="5,10,20,50", help="iterations of each run")
    parser.add_argument("--only", choices=("fixed", "fitted", "scikit-learn"))
    parser.add_argument("--seed", type=int, default=0, help="of the cells that are held out")
    given = parser.parse_args()
    parts = split(read_cells(given.cells), given.seed)
    train = parts["train"]
    print(f"{train.shape[0]} cells, {train.shape[1]} genes, {int(train.sum()):,} counts, {train.nnz:,} pairs, "
          f"K={given.topics}")
    for tool, call, steps in (("fixed", train_ezlda, given.ezlda), ("fitted", train_ezlda, given.ezlda),
                              ("scikit-learn", train_scikit_learn, given.scikit_learn)):
        if given.only in (None, tool):
            call(train[:20], 2, 1, False)  # imports are not timed
            for n in map(int, steps.split(",")):
                begin = time.process_time()
                topics, alpha = call(train, given.topics, n, tool == "fitted")
                seconds = time.process_time() - begin
                perplexity = Scorer(parts, alpha).perplexity(topics)
                print(f"{tool:13s} {n:4d} iterations {seconds:7.2f} s  perplexity {perplexity:8.1f}", flush=True)


if __name__ == "__main__":
    main()
