"""The corpora of bench/quality: read, sampled, cut into training and held-out documents, and written once for all tools.

A folder per corpus holds train.uci and words.txt, observed.uci and scored.uci (a random half of the tokens of every
held-out document in either), train.npz (the same bags for Python), and labels.npy if there are labels. Words are those
that occur in training documents: a held-out token of another word is not scored, because some tools drop such words.
They get names of letters only, which every tool's tokeniser keeps whole."""

from dataclasses import dataclass
from pathlib import Path

import numpy
from scipy.sparse import csr_matrix, load_npz, save_npz

from bench_tools import BenchError, say

SPLIT_SEED = 1
SHARE = 10  # one document in SHARE is held out


@dataclass(frozen=True)
class Source:
    """Where a corpus comes from; docs: a random sample of that many documents, held_out: whether some are."""

    file: str
    docs: int = 0
    held_out: bool = True


SOURCES = {
    "M10": Source("M10.tsv"), "BBC": Source("BBC_News.tsv"), "kos": Source("kos.uci"), "20news": Source("20news.uci"),
    "arxiv": Source("arxiv.uci", 20000), "rnews": Source("rnews.uci", 5000),
    "M10-whole": Source("M10.tsv", held_out=False), "BBC-whole": Source("BBC_News.tsv", held_out=False),
}


def read_uci(path):
    with open(path, encoding="ascii") as lines:
        docs, words, _ = (int(next(lines)) for _ in range(3))
        triples = numpy.loadtxt(lines, dtype=numpy.int64, ndmin=2)
    return csr_matrix((triples[:, 2], (triples[:, 0] - 1, triples[:, 1] - 1)), shape=(docs, words))


def read_labelled(path):
    """Text, partition and label, separated by tabs; words are separated by spaces and used as they are."""
    numbers, rows, columns, labels = {}, [], [], []
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        text, _, label = line.split("\t")
        for word in text.split():
            rows.append(len(labels))
            columns.append(numbers.setdefault(word, len(numbers)))
        labels.append(label)
    bags = csr_matrix((numpy.ones(len(rows), dtype=numpy.int64), (rows, columns)), shape=(len(labels), len(numbers)))
    return bags, numpy.array(labels)


def word_name(number):
    """Letters only, and at least four of them."""
    name = ""
    for _ in range(4):
        number, letter = divmod(number, 26)
        name = chr(ord("a") + letter) + name
    return "q" + name


def write_uci(path, bags):
    bags = bags.tocoo()
    order = numpy.lexsort((bags.col, bags.row))
    with open(path, "w", encoding="ascii") as out:
        out.write(f"{bags.shape[0]}\n{bags.shape[1]}\n{bags.nnz}\n")
        numpy.savetxt(out, numpy.stack([bags.row + 1, bags.col + 1, bags.data], axis=1)[order], fmt="%d")


def halves(bags, random):
    """A random half of every document's tokens, and the rest; documents of fewer than two tokens are dropped."""
    observed, scored = [], []
    for d in range(bags.shape[0]):
        row = bags[d]
        tokens = random.permutation(numpy.repeat(row.indices, row.data))
        if len(tokens) > 1:
            cut = len(tokens) - len(tokens) // 2
            observed.append(numpy.bincount(tokens[:cut], minlength=bags.shape[1]))
            scored.append(numpy.bincount(tokens[cut:], minlength=bags.shape[1]))
    return csr_matrix(numpy.array(observed)), csr_matrix(numpy.array(scored))


def cut(bags, labels, source, folder):
    random = numpy.random.default_rng(SPLIT_SEED)
    order = random.permutation(numpy.flatnonzero(numpy.asarray(bags.sum(axis=1)).ravel()))[:source.docs or None]
    held = order[:len(order) // SHARE] if source.held_out else order[:0]
    train = bags[order[len(held):]]
    words = numpy.flatnonzero(numpy.asarray(train.sum(axis=0)).ravel())
    train = train[:, words]
    train.sort_indices()
    write_uci(folder / "train.uci", train)
    (folder / "words.txt").write_text("".join(word_name(v) + "\n" for v in range(len(words))), encoding="ascii")
    if labels is not None:
        numpy.save(folder / "labels.npy", labels[order[len(held):]])
    if len(held):
        observed, scored = halves(bags[held][:, words], random)
        write_uci(folder / "observed.uci", observed)
        write_uci(folder / "scored.uci", scored)
    save_npz(folder / "train.npz", train)


def prepare(name, corpora, work):
    """The folder of a corpus, made if it is missing; train.npz is written last."""
    source, folder = SOURCES[name], work / name
    if not (folder / "train.npz").exists():
        path = corpora / source.file
        if not path.exists():
            raise BenchError(f"{path}: no such file")
        say(f"preparing {folder}")
        folder.mkdir(parents=True, exist_ok=True)
        bags, labels = read_labelled(path) if path.suffix == ".tsv" else (read_uci(path), None)
        cut(bags, labels, source, folder)
    return folder


def load(folder):
    return load_npz(folder / "train.npz")


def documents(bags):
    """Words of every document, in random order: bags have none, and samplers should not see sorted words."""
    random = numpy.random.default_rng(SPLIT_SEED)
    names = numpy.array([word_name(v) for v in range(bags.shape[1])])
    for d in range(bags.shape[0]):
        part = slice(bags.indptr[d], bags.indptr[d + 1])
        yield names[random.permutation(numpy.repeat(bags.indices[part], bags.data[part]))].tolist()
