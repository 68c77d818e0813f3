#!/usr/bin/env python3
"""One hash on real corpora: every way to run must give the topics of the reference backend.

    bench/check_hashes.py build/ezlda docword.kos.txt docword.20news.txt [--topics 2,100,1000,5000] [--device cuda]

For each corpus, K and estimator: 1, 2, 3 and 8 threads, the three samplers, every g, the three formats of W and every
instruction set of this machine, against --device reference. Ends with status 1 if any differs.
"""
import argparse
import json
import sys
import tempfile
from pathlib import Path

from bench_tools import BenchError, run

INSTRUCTION_SETS = ("plain", "avx2", "avx512", "neon")


def train(ezlda, corpus, folder, options, simd=None, timeout=None):
    """The topics hash of a run, or None if this machine lacks the instruction set."""
    summary = folder / "summary.json"
    command = [ezlda, "train", corpus, "-o", folder / "model.ezm", "--summary", summary, "--quiet", "--eval-every", "0",
               "--fixed-priors"]
    try:
        run(command + options, env={"EZLDA_SIMD": simd} if simd else None, timeout=timeout)
    except BenchError as error:
        if simd and "instruction set" in str(error):
            return None
        raise
    return json.loads(summary.read_text())["topics_hash"]


def variants(device):
    """Options and instruction set of each run to compare."""
    if device != "cpu":
        for sampler in ("many-branch", "three-branch", "two-branch"):
            yield ["--sampler", sampler], None
        for g in range(1, 9):
            yield ["-g", g], None
        return
    for threads in (1, 2, 3, 8):
        yield ["--threads", threads], None
    for sampler in ("many-branch", "three-branch", "two-branch"):
        for w_format in ("hybrid", "dense", "sparse"):
            yield ["--sampler", sampler, "--w-format", w_format], None
    for g in range(1, 9):
        yield ["-g", g], None
    for simd in INSTRUCTION_SETS:
        yield [], simd
        yield ["-g", 8], simd


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ezlda", type=Path)
    parser.add_argument("corpora", nargs="+", type=Path)
    parser.add_argument("--topics", default="2,100,1000,5000")
    parser.add_argument("--iterations", default=2, type=int)
    parser.add_argument("--device", default="cpu")
    args = parser.parse_args()
    runs = differ = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for source in args.corpora:
            corpus = folder / "corpus.ezc"
            run([args.ezlda, "import", source, "-o", corpus])
            for topics in map(int, args.topics.split(",")):
                for estimator in ("leave-one-out", "esca"):
                    base = ["-k", topics, "-i", args.iterations, "--estimator", estimator]
                    expected = train(args.ezlda, corpus, folder, base + ["--device", "reference"])
                    for options, simd in variants(args.device):
                        got = train(args.ezlda, corpus, folder, base + ["--device", args.device] + options, simd)
                        runs += got is not None
                        if got not in (None, expected):
                            differ += 1
                            print(f"{source.name} K={topics} {estimator} {options} {simd}: {got}, not {expected}")
                    print(f"{source.name} K={topics} {estimator}: {expected}", flush=True)
    print(f"{runs} runs, {differ} differ")
    return differ != 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BenchError as error:
        sys.exit(str(error))
