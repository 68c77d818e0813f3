#!/usr/bin/env python3
"""Processor seconds to the held-out perplexity of tomotopy and pyrmallet after 1,000 iterations, all priors fitted.

    bench/time_to_quality.py build/ezlda --uci docword.kos.txt --python VENV/bin/python [-k 50] [--rivals tomotopy,pyrmallet]

VENV has NumPy, SciPy, tomotopy and pyrmallet. A tenth of the documents is held out and their tokens are halved at random; the topics of all tools
are scored by one EM (Scorer of python_corpora.py) under the tool's own alpha. Each row is a run of its own on one thread. Seconds
are those of the process: for ezlda with reading and writing, for the others of training alone."""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ITERATIONS = 1000


def read(path):
    import numpy as np
    from scipy import sparse
    with open(path, encoding="ascii") as lines:
        shape = [int(next(lines)) for _ in range(3)]
        cells = np.loadtxt(lines, dtype=np.int64)
    return sparse.csr_matrix((cells[:, 2], (cells[:, 0] - 1, cells[:, 1] - 1)), shape[:2])


def write(counts, path):
    cells = counts.tocoo()
    with open(path, "w", encoding="ascii") as out:
        out.write(f"{counts.shape[0]}\n{counts.shape[1]}\n{counts.nnz}\n")
        out.writelines(f"{d + 1} {w + 1} {n}\n" for d, w, n in zip(cells.row, cells.col, cells.data))


def train_tomotopy(counts, topics):
    import time
    import numpy as np
    import tomotopy
    model = tomotopy.LDAModel(k=topics, seed=1)
    model.burn_in = 0
    for d in range(counts.shape[0]):
        part = slice(counts.indptr[d], counts.indptr[d + 1])
        model.add_doc([str(w) for w, n in zip(counts.indices[part], counts.data[part]) for _ in range(n)])
    begin = time.process_time()
    model.train(ITERATIONS, workers=1)
    seconds = time.process_time() - begin
    phi = np.zeros((topics, counts.shape[1]))
    phi[:, [int(word) for word in model.used_vocabs]] = [model.get_topic_word_dist(k) for k in range(topics)]
    return seconds, phi, np.array(model.alpha)


def train_pyrmallet(counts, topics):
    import time
    import numpy as np
    from pyrmallet import LatentDirichletAllocation
    model = LatentDirichletAllocation(topics, random_state=1, max_iter=ITERATIONS, optimize_interval=10)
    names = ["zq" + str(w).translate(str.maketrans("0123456789", "abcdefghij")) for w in range(counts.shape[1])]  # its words are letters
    texts = [" ".join(f"{names[w]} " * n for w, n in zip(counts.indices[a:b], counts.data[a:b]))
             for a, b in zip(counts.indptr, counts.indptr[1:])]
    begin = time.process_time()
    model.fit(texts)
    seconds, phi = time.process_time() - begin, np.zeros((topics, counts.shape[1]))
    phi[:, [names.index(word) for word in model.feature_names_in_]] = model.components_
    return seconds, phi, np.array(model._model.alpha)


def train_ezlda(program, folder, topics, iterations):
    import numpy as np
    import resource
    used = lambda: sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    before = used()
    model, arrays = folder / "model.ezm", folder / "model.npz"
    subprocess.run([program, "train", folder / "train.ezc", "-k", str(topics), "-i", str(iterations), "--threads", "1", "--device", "cpu",
                    "--eval-every", "0", "--quiet", "-o", model], check=True)
    seconds = used() - before
    subprocess.run([program, "export", model, "--to", "npz", "--quiet", "-o", arrays], check=True)
    z = np.load(arrays)
    phi = np.zeros(z["topic_word_shape"])
    for k in range(topics):
        part = slice(z["topic_word_indptr"][k], z["topic_word_indptr"][k + 1])
        phi[k, z["topic_word_indices"][part]] = z["topic_word_data"][part]
    place = {str(word): i for i, word in enumerate(z["vocab"])}
    order = [place[word] for word in (folder / "words.txt").read_text(encoding="ascii").split()]
    return seconds, (phi + z["beta"])[:, order], z["alpha"]


def inside(given):
    """The part that needs NumPy, in the environment of --python."""
    import numpy as np
    from scipy import sparse
    from python_corpora import Scorer, halves
    counts = read(given.uci)
    random = np.random.RandomState(0)
    order = random.permutation(counts.shape[0])
    held = counts.shape[0] // 10
    train = sparse.csr_matrix(counts[order[held:]])
    known = np.flatnonzero(np.asarray(train.sum(axis=0)).ravel())  # words without a token in training score nothing
    train, rest = sparse.csr_matrix(train[:, known]), sparse.csr_matrix(counts[order[:held]][:, known])
    observed, scored = halves(rest, random)
    parts = {"observed": observed, "scored": scored}

    def show(tool, n, made):
        seconds, phi, alpha = made
        print(json.dumps({"tool": tool, "topics": given.topics, "iterations": n, "seconds": round(seconds, 2),
                          "perplexity": round(Scorer(parts, alpha).perplexity(phi), 1)}), flush=True)

    with tempfile.TemporaryDirectory(prefix="quality.") as name:
        folder = Path(name)
        write(train, folder / "train.uci")
        (folder / "words.txt").write_text("".join(f"w{v}\n" for v in range(len(known))), encoding="ascii")
        subprocess.run([given.ezlda, "import", folder / "train.uci", "--vocab", folder / "words.txt", "--quiet", "-o", folder / "train.ezc"],
                       check=True)
        for n in given.grid:
            show("ezlda", n, train_ezlda(given.ezlda, folder, given.topics, n))
        for rival in given.rivals.split(","):
            show(rival, ITERATIONS, {"tomotopy": train_tomotopy, "pyrmallet": train_pyrmallet}[rival](train, given.topics))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ezlda", type=Path)
    parser.add_argument("--uci", type=Path, required=True)
    parser.add_argument("--python", type=Path)
    parser.add_argument("-k", "--topics", type=int, default=50)
    parser.add_argument("--grid", type=lambda text: [int(n) for n in text.split(",")], default="50,100,200,400",
                        help="iterations of ezlda's runs")
    parser.add_argument("--rivals", default="tomotopy,pyrmallet")
    given = parser.parse_args()
    if given.python:
        at = sys.argv.index("--python")
        words = sys.argv[1:at] + sys.argv[at + 2:]
        sys.exit(subprocess.run([given.python, "-W", "ignore", __file__, *words], check=False).returncode)
    inside(given)


if __name__ == "__main__":
    main()
