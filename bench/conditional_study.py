#!/usr/bin/env python3
"""Compares conditionals by the perplexity of held-out documents: the tables of bench/notes/conditional.md.

Every cell is a corpus, a number of topics, priors, a start, a number of iterations, a rule (see conditional.c) and a seed,
which also draws the split. A random tenth of the documents is held out; heldout.c scores the topics of the last iteration and
those summed over ten. Results are lines of JSON in the work folder; a cell that is there is not run again.
"""

import argparse
import itertools
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCES = {"split": ["split.c"], "heldout": ["heldout.c"],
           "conditional": ["conditional.c", "conditional_gibbs.c", "conditional_priors.c"]}


def build(work):
    """Compiles the programs into the work folder."""
    for name, sources in SOURCES.items():
        fast = ["-ffast-math"] if name == "heldout" else []
        subprocess.run([os.environ.get("CC", "cc"), "-O3", "-march=native", "-fopenmp", *fast, "-o", work / name,
                        *(HERE / source for source in sources), "-lm"], check=True)


def split(work, uci, docs, seed):
    """A corpus split by a seed, once; returns its folder."""
    folder = work / f"{uci.stem}-{docs or 'all'}-{seed}"
    if not (folder / "done").exists():
        folder.mkdir(exist_ok=True)
        subprocess.run([work / "split", uci, folder, str(seed), "10", *([str(docs)] if docs else [])], check=True)
        (folder / "done").touch()
    return folder


def score(work, folder, out, kind):
    """Document-completion perplexity of one file of topics."""
    done = subprocess.run([work / "heldout", f"{out}.{kind}", folder / "observed.uci", folder / "scored.uci", f"{out}.alpha"],
                          check=True, capture_output=True, text=True)
    return float(done.stdout)


def run_cell(work, cell, folder):
    """Trains and scores one cell."""
    out, begin = work / "model", time.monotonic()
    done = subprocess.run([work / "conditional", folder / "train.uci", out, cell["rule"], str(cell["topics"]),
                           str(cell["iterations"]), str(cell["seed"]), cell["priors"], cell["start"]],
                          check=True, capture_output=True, text=True)
    alpha, beta = map(float, done.stdout.split())
    return {**cell, "seconds": round(time.monotonic() - begin, 1), "alpha": alpha, "beta": beta,
            "last": score(work, folder, out, "last"), "mean": score(work, folder, out, "mean")}


def parse():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("uci", nargs="+", type=Path, help="corpora in UCI format")
    parser.add_argument("--work", type=Path, default=Path("build/conditional"), help="folder for programs, splits and results")
    parser.add_argument("--docs", type=int, default=0, help="use that many documents of each corpus (default: all)")
    parser.add_argument("-i", "--iterations", type=int, default=500)
    for name, default in (("topics", "10,50,200"), ("priors", "fitted,fixed"), ("rules", "d,dwn,gibbs"), ("starts", "keyword"),
                          ("seeds", "1,2")):
        parser.add_argument(f"--{name}", default=default, type=lambda text: text.split(","))
    return parser.parse_args()


def main():
    """Runs the cells of the command line that have no result yet."""
    args = parse()
    args.work.mkdir(parents=True, exist_ok=True)
    if not all((args.work / name).exists() for name in SOURCES):
        build(args.work)
    results = args.work / "results.jsonl"
    known = [json.loads(line) for line in results.read_text(encoding="ascii").splitlines()] if results.exists() else []
    for seed, uci, topics, priors, start, rule in itertools.product(args.seeds, args.uci, args.topics, args.priors, args.starts,
                                                                   args.rules):
        cell = {"corpus": uci.stem, "docs": args.docs, "topics": int(topics), "priors": priors, "start": start, "rule": rule,
                "iterations": args.iterations, "seed": int(seed)}
        if any(cell.items() <= found.items() for found in known):
            continue
        found = run_cell(args.work, cell, split(args.work, uci, args.docs, seed))
        print(json.dumps(found), flush=True)
        with results.open("a", encoding="ascii") as file:
            print(json.dumps(found), file=file)
    return 0


if __name__ == "__main__":
    if not shutil.which(os.environ.get("CC", "cc")):
        sys.exit("a C compiler is needed")
    sys.exit(main())
