#!/usr/bin/env python3
"""Which words a model should have: how models with rare and common words removed compare on the words that all of them have.

    build/python/bin/python bench/vocabulary.py TEXT... [--docs 1000,10000] [--settings 1:1,2:1,3:1,3:.5] [-k 20,50] [-i 200]
        [--seeds 1,2] [--common 10:.3] [--json FILE] [--NAME VALUE ...]

TEXT is a file that ezlda reads, a bag of words with its vocabulary or text; --NAME VALUE are options of ezlda.Corpus.read, such as
--stopwords none; all words are read. --docs documents of each text are drawn at random; a tenth of them is held out. A setting M:S removes the words in
fewer than M documents, or in more than the share S, of the training documents. Every setting trains on the same documents, from the
same seeds. For each setting, the mean over seeds of

- perplexity: a random half of the tokens of each held-out document is observed, with the model's own words; the other half is
  predicted, and scored on the words of --common M:S alone: p(word) = sum_k theta_k phi_k(word) / sum_k theta_k phi_k(common words).
  So all settings predict the same tokens out of the same words.
- npmi: of the first ten words of each topic, by the documents of the whole file that have them; a topic's words may be any
- spread: the share of different words among these
- nmi: of each document's label and its largest topic by inference, if there are labels; of a file with 10,000 documents or more, of
  the held-out ones
"""
import argparse
import json
import sys

import numpy as np
import scipy.sparse as sp
from sklearn.metrics import normalized_mutual_info_score

import ezlda

TOP = 10


def pairs(text):
    return [(int(m), float(s)) for m, s in (part.split(":") for part in text.split(","))]


def kept(train, least, share):
    docs = np.bincount(train.indices, minlength=train.shape[1])
    return (docs >= max(least, 1)) & (docs <= share * train.shape[0])


def halves(counts, rng):
    """Each token goes to one half or the other at random."""
    first = counts.copy()
    first.data = rng.binomial(counts.data, 0.5).astype(counts.data.dtype)
    second = counts - first
    first.eliminate_zeros()
    second.eliminate_zeros()
    return first, second.tocsr()


def perplexity(theta, phi, scored):
    """phi: topics by common words, not normalised over them."""
    scored = scored.tocoo()
    whole = theta @ phi.sum(axis=1)
    logs = np.empty(len(scored.data))
    for at in range(0, len(logs), 100_000):
        part = slice(at, at + 100_000)
        d, v = scored.row[part], scored.col[part]
        logs[part] = np.log(np.einsum("ik,ki->i", theta[d], phi[:, v]) / whole[d])
    return float(np.exp(-(logs * scored.data).sum() / scored.data.sum()))


def npmi(tops, reference):
    """Mean over topics and pairs; pairs that never meet are -1. tops: one array of columns for each topic."""
    words = np.unique(np.concatenate(tops))
    present = (reference[:, words] > 0).astype(np.float64)
    n = reference.shape[0]
    both, alone = (present.T @ present).toarray() / n, np.asarray(present.mean(axis=0)).ravel()
    scores = []
    for top in tops:
        at = np.searchsorted(words, top)
        for i in range(len(at)):
            for j in range(i):
                p = both[at[i], at[j]]
                scores.append(-1.0 if p == 0 else 1.0 if p == 1 else
                              np.log(p / (alone[at[i]] * alone[at[j]])) / -np.log(p))
    return float(np.mean(scores))


class Sample:
    """Documents of a text, with a tenth held out in two halves."""

    def __init__(self, corpus, n, seed, common):
        self.whole = corpus.to_csr()
        rng = np.random.default_rng(seed)
        drawn = rng.permutation(self.whole.shape[0])[:n or None]
        out = len(drawn) // 10
        self.test, self.rows = np.sort(drawn[:out]), np.sort(drawn[out:])
        self.train = self.whole[self.rows].tocsr()
        self.observed, self.scored = halves(self.whole[self.test].tocsr(), rng)
        self.common = kept(self.train, *common)
        self.labels = np.array(corpus.field("label")) if "label" in corpus.fields else None

    def score(self, setting, topics, iterations, seed):
        keep = kept(self.train, *setting)
        common = self.common & keep
        if (common != self.common).any():
            raise SystemExit(f"setting {setting} removes common words; widen --common")
        columns = np.flatnonzero(keep)
        model = ezlda.Model.train(ezlda.Corpus.from_matrix(self.train[:, columns]), topics, iterations, seed=seed, threads=1)
        phi = model.topic_word()
        theta = model.infer(self.observed[:, columns], seed=seed, threads=1)
        tops = [columns[np.argsort(-row, kind="stable")[:TOP]] for row in phi]
        result = {
            "words": int(keep.sum()),
            "tokens": self.train[:, columns].sum() / self.train.sum(),
            "perplexity": perplexity(np.asarray(theta), phi[:, common[columns]], self.scored[:, self.common]),
            "npmi": npmi(tops, self.whole),
            "spread": len(np.unique(np.concatenate(tops))) / (TOP * topics)}
        if self.labels is not None:
            rows = np.arange(self.whole.shape[0]) if self.whole.shape[0] < 10_000 else self.test
            theta = np.asarray(model.infer(self.whole[rows][:, columns], seed=seed, threads=1))
            named = self.labels[rows] != ""
            if named.any():
                result["nmi"] = normalized_mutual_info_score(self.labels[rows][named], theta.argmax(axis=1)[named])
        return result


def study(path, args, options, results):
    corpus = ezlda.Corpus.read(path, **{"min_docs": 1, "max_docs_share": 1.0, **options})
    for n in args.docs:
        if n > len(corpus) * 1.1:
            continue
        samples = {seed: Sample(corpus, n, seed, args.common) for seed in args.seeds}
        for topics in args.k:
            print(f"\n{path}: {min(n or len(corpus), len(corpus)):,} documents, K = {topics}, "
                  f"{int(next(iter(samples.values())).common.sum()):,} common words")
            print("  least : share     words  tokens  perplexity            npmi    spread  nmi")
            base = None
            for setting in args.settings:
                runs = [sample.score(setting, topics, args.iterations, seed) for seed, sample in samples.items()]
                mean = {key: np.mean([run[key] for run in runs]) for key in runs[0]}
                logs = np.array([np.log(run["perplexity"]) for run in runs])
                base = logs if base is None else base
                change = 100 * (np.exp(logs - base) - 1)
                error = change.std(ddof=1) / len(runs) ** 0.5 if len(runs) > 1 else float("nan")
                print(f"  {setting[0]:5} : {setting[1]:<5} {mean['words']:9,.0f} {mean['tokens']:7.3f} {mean['perplexity']:9,.1f} "
                      f"({change.mean():+5.2f} ± {error:.2f} %) {mean['npmi']:+.4f} {mean['spread']:.3f} {mean.get('nmi', float('nan')):.4f}",
                      flush=True)
                results.append({"text": str(path), "docs": n, "topics": topics, "setting": setting, "runs": runs})


def main():
    numbers = lambda text: [int(n) for n in text.split(",")]  # noqa: E731
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("texts", nargs="+")
    parser.add_argument("--docs", type=numbers, default=[0])
    parser.add_argument("--settings", type=pairs, default=pairs("1:1,2:1,3:1,5:1,10:1"))
    parser.add_argument("--common", type=lambda text: pairs(text)[0], default=(10, 1.0))
    parser.add_argument("-k", type=numbers, default=[20])
    parser.add_argument("-i", dest="iterations", type=int, default=200)
    parser.add_argument("--seeds", type=numbers, default=[1, 2])
    parser.add_argument("--json")
    args, rest = parser.parse_known_args()
    options = {name.removeprefix("--").replace("-", "_"): value for name, value in zip(rest[::2], rest[1::2])}
    options = {name: {"true": True}.get(value, int(value) if value.isdigit() else value) for name, value in options.items()}
    results = []
    for path in args.texts:
        study(path, args, options, results)
        if args.json:
            with open(args.json, "w", encoding="utf-8") as file:
                json.dump(results, file)


if __name__ == "__main__":
    sys.exit(main())
