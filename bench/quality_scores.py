"""How bench/quality scores a model: the same code for every tool.

Perplexity is that of bench/heldout.c; NPMI is gensim's c_npmi with whole documents as windows, as in `ezlda eval`; the
words of a topic are its ten most probable ones; the topic of a document is its largest."""

import numpy

from bench_tools import run

WORDS = 10
EPSILON = 1e-12  # of gensim, for words that never occur together


def write_phi(path, phi):
    """As heldout.c reads it: "phi V K", then K 32-bit floats for each word."""
    with open(path, "wb") as out:
        out.write(f"phi {phi.shape[1]} {phi.shape[0]}\n".encode("ascii"))
        numpy.ascontiguousarray(phi.T, dtype="<f4").tofile(out)


def perplexities(programs, folder, phi, alpha, out):
    """By EM, the figure of the table, and by Gibbs sampling, which checks the order."""
    write_phi(out / "phi", phi)
    (out / "alpha").write_text("".join(f"{a:.9g}\n" for a in alpha), encoding="ascii")
    files = [out / "phi", folder / "observed.uci", folder / "scored.uci", out / "alpha"]
    return {name: float(run([programs / "heldout", *files, method]).text())
            for name, method in (("perplexity", "em"), ("perplexity_gibbs", "gibbs"))}


def top_words(phi):
    return numpy.argsort(-phi, axis=1, kind="stable")[:, :WORDS]


def npmi(tops, bags):
    """The mean over topics of the mean over pairs of words."""
    words = numpy.unique(tops)
    place = numpy.searchsorted(words, tops)
    has = (bags[:, words] > 0).astype(numpy.float64)
    together = numpy.asarray((has.T @ has).todense()) / bags.shape[0]
    single = numpy.diag(together)
    scores = numpy.log((together + EPSILON) / numpy.outer(single, single)) / -numpy.log(together + EPSILON)
    upper = numpy.triu_indices(tops.shape[1], 1)
    return float(numpy.mean([scores[numpy.ix_(row, row)][upper].mean() for row in place]))


def diversity(tops):
    return len(numpy.unique(tops)) / tops.size


def best_f1(found, labels):
    """P1: the mean over labels of the best F1 of any topic."""
    scores = []
    for label in numpy.unique(labels):
        right = numpy.bincount(found[labels == label], minlength=found.max() + 1)
        scores.append((2 * right / (numpy.bincount(found) + (labels == label).sum())).max())
    return float(numpy.mean(scores))


def agreement(theta, labels):
    from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score
    found = theta.argmax(axis=1)
    return {"P1": best_f1(found, labels), "ARI": float(adjusted_rand_score(labels, found)),
            "NMI": float(normalized_mutual_info_score(labels, found))}


def score(programs, folder, bags, phi, alpha, theta, out):
    tops = top_words(phi)
    scores = {"npmi": npmi(tops, bags), "diversity": diversity(tops)}
    if (folder / "scored.uci").exists():
        scores |= perplexities(programs, folder, phi, alpha, out)
    if (folder / "labels.npy").exists():
        scores |= agreement(theta, numpy.load(folder / "labels.npy"))
    return scores
