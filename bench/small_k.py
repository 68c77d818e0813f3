#!/usr/bin/env python3
"""The CPU trainer at small K against tomotopy, and against another build, in turns.

    bench/small_k.py build/ezlda [OTHER/ezlda] --uci docword.20news.txt --python VENV/bin/python [--topics 20,50,100]

VENV is an environment with tomotopy; `export uci` (bench/export.c) writes a corpus of `ezlda synth` as UCI text. Every
program trains with two threads and AVX2 (--simd), fixed priors or, with --fit, fitted ones. The table has millions of
tokens per second of wall time and per second of processor time, medians of --rounds, and the ratios to tomotopy.
"""
import argparse
import json
import os
import tempfile
from pathlib import Path

from bench_tools import median, run

TOMOTOPY = """
import json, resource, sys, time, tomotopy
path, topics, threads, iterations, fit = sys.argv[1], *map(int, sys.argv[2:])
model = tomotopy.LDAModel(k=topics, alpha=50 / topics, eta=0.01, seed=1)
model.optim_interval, model.burn_in = 10 if fit else 0, 0
docs = {}
with open(path, encoding="ascii") as lines:
    for number, line in enumerate(lines):
        if number >= 3:
            doc, word, count = line.split()
            docs.setdefault(doc, []).extend([word] * int(count))
for doc in docs.values():
    model.add_doc(doc)
model.train(2, workers=threads)
used = lambda: sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
wall, cpu = time.monotonic(), used()
model.train(iterations, workers=threads)
print(json.dumps([model.num_words * iterations / 1e6 / x for x in (time.monotonic() - wall, used() - cpu)]))
"""


def tomotopy(args, topics):
    command = [args.python, "-W", "ignore", "-c", TOMOTOPY, args.uci, topics, args.threads, args.iterations, int(args.fit)]
    return json.loads(run(command, env={"TOMOTOPY_ISA": args.simd}).lines[-1])


def ezlda(args, program, corpus, folder, topics):
    """Speeds of the iterations after the first: two runs, so that reading and writing do not count."""
    def once(iterations):
        summary = folder / "summary.json"
        fit = ["--optimize-interval", 10, "--optimize-burn-in", 0] if args.fit else []
        done = run([program, "train", corpus, "-k", topics, "-i", iterations, "--threads", args.threads, "--device", "cpu",
                    "--eval-every", 0, "--quiet", "--summary", summary, "-o", folder / "model.ezm", *fit],
                   env={"EZLDA_SIMD": args.simd})
        result = json.loads(summary.read_text())
        return result["tokens"] / 1e6, result["seconds_sampling"], done.cpu_seconds

    _, wall, cpu = once(1)
    tokens, wall_all, cpu_all = once(args.iterations + 1)
    return [tokens * args.iterations / (wall_all - wall), tokens * args.iterations / (cpu_all - cpu)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ezlda", nargs="+", type=Path)
    parser.add_argument("--uci", type=Path, required=True)
    parser.add_argument("--python", type=Path, required=True)
    parser.add_argument("--topics", default="20,50,100,200,1000")
    parser.add_argument("--simd", default="avx2")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--iterations", type=int, default=15)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--fit", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        corpus = folder / "corpus.ezc"
        run([args.ezlda[0], "import", args.uci, "-o", corpus, "--quiet"])
        print("| K | program | wall | processor | ratio, wall | ratio, processor |\n| --- | --- | --- | --- | --- | --- |")
        for topics in args.topics.split(","):
            speeds = {"tomotopy": []} | {str(program): [] for program in args.ezlda}
            for _ in range(args.rounds):
                speeds["tomotopy"].append(tomotopy(args, topics))
                for program in args.ezlda:
                    speeds[str(program)].append(ezlda(args, program, corpus, folder, topics))
            for program, runs in speeds.items():
                ratios = [median([a[i] / b[i] for a, b in zip(runs, speeds["tomotopy"])]) for i in (0, 1)]
                values = [median([one[i] for one in runs]) for i in (0, 1)]
                print(f"| {topics} | {program} | " + " | ".join(f"{x:.2f}" for x in values + ratios) + " |", flush=True)
        print(f"\nload average {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
