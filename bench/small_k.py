#!/usr/bin/env python3
"""The CPU trainer at small K against tomotopy, pyrmallet (one thread) and another build, in turns.

    bench/small_k.py build/ezlda [OTHER/ezlda] --python VENV/bin/python [--uci docword.20news.txt] [--topics 20,50,100]

VENV is an environment with tomotopy, and with pyrmallet for --pyrmallet. Without --uci the corpus is drawn: 30,000
reviews of 100 tokens. Every program trains with two threads and AVX2 (--simd), and with alpha = 50/K and beta = 0.01
or, with --fit, the priors that it fits, after --warm-up iterations. The table has millions of tokens per second of wall time and per
second of processor time, medians of --rounds, and the ratios to tomotopy.
"""
import argparse
import json
import os
import tempfile
from pathlib import Path

from bench_tools import compile_programs, median, run

TOMOTOPY = """
import json, resource, sys, time, tomotopy
path, topics, threads, iterations, fit, warm_up = sys.argv[1], *map(int, sys.argv[2:])
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
model.train(warm_up, workers=threads)
used = lambda: sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
wall, cpu = time.monotonic(), used()
model.train(iterations, workers=threads)
print(json.dumps([model.num_words * iterations / 1e6 / x for x in (time.monotonic() - wall, used() - cpu)]))
"""


PYRMALLET = """
import json, resource, sys, time, pyrmallet
path, topics, threads, iterations, fit, warm_up = sys.argv[1], *map(int, sys.argv[2:])
letters = str.maketrans("0123456789", "abcdefghij")  # its words are letters
with open(path, encoding="ascii") as lines:
    texts = [[] for _ in range([int(next(lines)) for _ in range(3)][0])]
    for doc, word, count in map(str.split, lines):
        texts[int(doc) - 1].extend(["zq" + word.translate(letters)] * int(count))
seen = {}
def look(iteration, *_):
    seen[iteration] = time.monotonic(), sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
step = max(warm_up, iterations)
model = pyrmallet.LatentDirichletAllocation(topics, 50.0, 0.01, 2 * step, 1, callback=look, callback_interval=step, burn_in=0,
                                            optimize_interval=10 if fit else 0, num_samples=1, sample_interval=1)
model.fit([" ".join(words) for words in texts if words])
first, last = seen[step], seen[2 * step]
print(json.dumps([sum(map(len, texts)) * step / 1e6 / (b - a) for a, b in zip(first, last)]))
"""


def reviews(program, folder):
    packed, uci = folder / "reviews.ezc", folder / "docword.reviews.txt"
    run([program, "synth", "-o", packed, "--docs", 30000, "--words", 20000, "--length", 100, "--topics", 50, "--quiet"])
    run([compile_programs(program.parent, folder) / "export", "uci", packed, uci])
    return uci


def other(args, program, topics):
    command = [args.python, "-W", "ignore", "-c", program, args.uci, topics, args.threads, args.iterations, int(args.fit), args.warm_up]
    return json.loads(run(command, env={"TOMOTOPY_ISA": args.simd}).lines[-1])


def ezlda(args, program, corpus, folder, topics):
    """Speeds of the iterations after the warm-up: two runs, so that reading and writing do not count."""
    def once(iterations):
        summary = folder / "summary.json"
        priors = [] if args.fit else ["--fixed-priors", "--alpha", 50 / int(topics), "--beta", 0.01]
        done = run([program, "train", corpus, "-k", topics, "-i", iterations, "--threads", args.threads, "--device", "cpu",
                    "--eval-every", 0, "--quiet", "--summary", summary, "-o", folder / "model.ezm", *priors],
                   env={"EZLDA_SIMD": args.simd})
        result = json.loads(summary.read_text())
        return result["tokens"] / 1e6, result["seconds_sampling"], done.cpu_seconds

    _, wall, cpu = once(args.warm_up)
    tokens, wall_all, cpu_all = once(args.warm_up + args.iterations)
    return [tokens * args.iterations / (wall_all - wall), tokens * args.iterations / (cpu_all - cpu)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ezlda", nargs="+", type=Path)
    parser.add_argument("--uci", type=Path, help="corpus, a UCI docword file [synthetic reviews]")
    parser.add_argument("--python", type=Path, required=True)
    parser.add_argument("--topics", default="20,50,100,200,1000")
    parser.add_argument("--simd", default="avx2")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--iterations", type=int, default=15)
    parser.add_argument("--warm-up", type=int, default=2)
    parser.add_argument("--pyrmallet", action="store_true")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--fit", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        corpus = folder / "corpus.ezc"
        args.uci = args.uci or reviews(args.ezlda[0], folder)
        run([args.ezlda[0], "import", args.uci, "-o", corpus, "--quiet"])
        print("| K | program | wall | processor | ratio, wall | ratio, processor |\n| --- | --- | --- | --- | --- | --- |")
        for topics in args.topics.split(","):
            others = {"tomotopy": TOMOTOPY} | ({"pyrmallet": PYRMALLET} if args.pyrmallet else {})
            speeds = {name: [] for name in others} | {str(program): [] for program in args.ezlda}
            for _ in range(args.rounds):
                for name, program in others.items():
                    speeds[name].append(other(args, program, topics))
                for program in args.ezlda:
                    speeds[str(program)].append(ezlda(args, program, corpus, folder, topics))
            for program, runs in speeds.items():
                ratios = [median([a[i] / b[i] for a, b in zip(runs, speeds["tomotopy"])]) for i in (0, 1)]
                values = [median([one[i] for one in runs]) for i in (0, 1)]
                print(f"| {topics} | {program} | " + " | ".join(f"{x:.2f}" for x in values + ratios) + " |", flush=True)
        print(f"\nload average {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
