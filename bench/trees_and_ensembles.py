"""Measures trees and ensembles: held-out perplexity of cuts against trained models, agreement with labels, time.

    trees_and_ensembles.py cuts FINE.ezm TRAIN.ezc HELD.ezc K=MODEL.ezm ... [--refine N,N]
        perplexity of the cut of FINE at each K, plain and refined, over that of the model trained with K
    trees_and_ensembles.py labels LABELS CORPUS.ezc MODEL.ezm ...
        NMI and P1 of each model against the labels, a line per document: by D, and by inference

The command is EZLDA_BIN, or build/ezlda."""
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

EZLDA = os.environ.get("EZLDA_BIN", str(Path(__file__).resolve().parent.parent / "build" / "ezlda"))


def run(*arguments):
    done = subprocess.run([EZLDA, *map(str, arguments), "--threads", "1"], stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def perplexity(model, held):
    return json.loads(run("eval", model, held, "-m", "completion", "--json", "-q"))["completion"]["perplexity"]


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def cuts(fine, train, held, trained, refinements):
    print("topics\ttrained\tcut\t" + "\t".join(f"refined {n}" for n in refinements) + "\tseconds of the cut")
    with tempfile.TemporaryDirectory() as folder:
        cut = Path(folder) / "cut.ezm"
        for topics, model in trained:
            best = perplexity(model, held)
            before = processor_time()
            run("tree", fine, "--cut", topics, "-o", cut, "-q")
            seconds = processor_time() - before
            row = [perplexity(cut, held)]
            for n in refinements:
                run("tree", fine, "--cut", topics, "--refine", n, "--corpus", train, "-o", cut, "-q")
                row.append(perplexity(cut, held))
            print(f"{topics}\t{best:.0f}\t" + "\t".join(f"{p:.0f} ({100 * (p / best - 1):+.1f} %)" for p in row)
                  + f"\t{seconds:.1f}", flush=True)


def nmi(found, labels):
    n = len(found)

    def entropy(counts):
        return -sum(c / n * math.log(c / n) for c in counts.values())
    a, b, both = Counter(found), Counter(labels), Counter(zip(found, labels))
    shared = sum(c / n * math.log(c * n / (a[x] * b[y])) for (x, y), c in both.items())
    return 2 * shared / ((entropy(a) + entropy(b)) or 1)


def best_f1(found, labels):
    """The mean over labels of the best F1 of any topic."""
    a, b, both = Counter(found), Counter(labels), Counter(zip(found, labels))
    return sum(max(2 * both[x, y] / (a[x] + b[y]) for x in a) for y in b) / len(b)


def largest(path):
    """The largest topic of each document in MALLET's doc-topics."""
    rows = ([float(x) for x in line.split("\t")[2:]] for line in Path(path).read_text(encoding="utf-8").splitlines())
    return [max(range(len(row)), key=row.__getitem__) for row in rows]


def labels(path, corpus, models):
    true = Path(path).read_text(encoding="utf-8").split("\n")
    true = true[:-1] if true[-1] == "" else true
    print("model\tNMI by D\tP1 by D\tNMI inferred\tP1 inferred")
    for model in models:
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "topics"
            row = []
            for command in (["export", model, "--to", "mallet-doc-topics"], ["infer", model, corpus, "--to", "mallet"]):
                run(*command, "-o", out, "-q")
                found = largest(out)
                row += [nmi(found, true), best_f1(found, true)]
            print(model + "\t" + "\t".join(f"{x:.4f}" for x in row), flush=True)


def main(arguments):
    refinements = [100]
    if "--refine" in arguments:
        at = arguments.index("--refine")
        refinements = [int(n) for n in arguments[at + 1].split(",") if n]
        arguments = arguments[:at] + arguments[at + 2:]
    if len(arguments) >= 5 and arguments[0] == "cuts":
        return cuts(*arguments[1:4], [(int(k), m) for k, _, m in (a.partition("=") for a in arguments[4:])], refinements)
    if len(arguments) >= 4 and arguments[0] == "labels":
        return labels(arguments[1], arguments[2], arguments[3:])
    sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
