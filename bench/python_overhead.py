#!/usr/bin/env python3
"""What the Python package adds to the command: one run on the same matrix by both.

    python_overhead.py EZLDA CORPUS.ezc [-k 1000] [-i 200] [--device cpu,cuda] [--rounds 3] [--counts int32,int64]

The command reads the corpus file and writes a model. In Python, the matrix is in memory as SciPy's CSR before the clock
starts, and the clock stops when `fit` returns; what it took beyond training itself is the overhead. Both are processes
of their own, in turns, and the hashes must be equal. Memory of a process is the peak of its resident set; of Python's,
what it had before `fit` (the packages and the matrix itself) is subtracted, and from the command's that of a command
without a corpus. A copy of topics is two bytes per token."""

import argparse
import contextlib
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PRIORS = (0.05, 0.01)


def peak_of(command):
    """Runs it: what it printed, wall seconds, processor seconds, peak bytes."""
    start = time.monotonic()
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, text=True)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(map(str, command))}: status {status}")
    return output, time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def by_command(options, device, folder):
    model = Path(folder) / "model.ezm"
    _, wall, processor, peak = peak_of(
        [options.ezlda, "train", options.corpus, "-k", options.topics, "-i", options.iterations, "--alpha", PRIORS[0],
         "--beta", PRIORS[1], "--seed", 1, "--device", device, "--quiet", "-o", model])
    found = json.loads(peak_of([options.ezlda, "info", model, "--json"])[0])
    _, _, _, nothing = peak_of([options.ezlda, "--version"])
    return {"wall": wall, "processor": processor, "memory": peak - nothing,
            "hash": re.search(r"[0-9a-f]{16}", str(found["topics_hash"]))[0], "sampling": found["seconds_sampling"]}


def by_python(options, device, counts):
    return json.loads(peak_of([sys.executable, __file__, "fit", options.corpus, options.topics, options.iterations,
                               device, counts])[0])


def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def fit(corpus, topics, iterations, device, counts):
    """Inside a process of its own: the fit, measured."""
    import resource

    import ezlda
    matrix = ezlda.Corpus.read(corpus).to_csr()
    matrix.data = matrix.data.astype(counts)
    estimator = ezlda.LatentDirichletAllocation(int(topics), doc_topic_prior=PRIORS[0], topic_word_prior=PRIORS[1],
                                                max_iter=int(iterations), random_state=1, device=device)
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")  # resets the peak
    before, usage, start = resident(), resource.getrusage(resource.RUSAGE_SELF), time.monotonic()
    estimator.fit(matrix)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_SELF)
    peak = int(re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())[1]) * 1024
    info = estimator.model_.info
    print(json.dumps({
        "wall": wall, "processor": after.ru_utime + after.ru_stime - usage.ru_utime - usage.ru_stime,
        "memory": peak - before, "hash": estimator.model_.topics_hash, "sampling": info["seconds_sampling"],
        "around": info["seconds_tokens"] + info["seconds_setup"] + info["seconds_open"], "tokens": info["tokens"],
        "docs": info["docs"], "words": info["words"]}))


def compare(options, device, counts, folder):
    rounds = [(by_command(options, device, folder), by_python(options, device, counts)) for _ in range(options.rounds)]
    if len({run["hash"] for pair in rounds for run in pair}) != 1:
        sys.exit("the hashes differ: " + str([run["hash"] for pair in rounds for run in pair]))

    def middle(value):
        return statistics.median(value(*pair) for pair in rounds)
    tokens = rounds[0][1]["tokens"]
    extra = middle(lambda c, p: p["memory"] - c["memory"])
    return [device, counts, f"{middle(lambda c, p: c['wall']):.2f}", f"{middle(lambda c, p: p['wall']):.2f}",
            f"{100 * middle(lambda c, p: p['wall'] / c['wall'] - 1):+.1f} %",
            f"{middle(lambda c, p: p['wall'] - p['sampling'] - p['around']):.2f}",
            f"{middle(lambda c, p: c['processor']):.1f}", f"{middle(lambda c, p: p['processor']):.1f}",
            f"{middle(lambda c, p: c['memory']) / 1e6:,.0f}", f"{middle(lambda c, p: p['memory']) / 1e6:,.0f}",
            f"{extra / (2 * tokens):+.2f}"]


def main():
    if sys.argv[1:2] == ["fit"]:
        return fit(*sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ezlda")
    parser.add_argument("corpus")
    parser.add_argument("-k", dest="topics", type=int, default=1000)
    parser.add_argument("-i", dest="iterations", type=int, default=200)
    parser.add_argument("--device", default="cpu,cuda")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--counts", default="int32,int64")
    options = parser.parse_args()
    print("| device | counts | command s | fit s | difference | fit beyond training s | processor s, command | fit | "
          "memory MB, command | fit | difference, copies of topics |\n" + "| --- " * 11 + "|", flush=True)
    with tempfile.TemporaryDirectory(prefix="ezlda-") as folder:
        for device in options.device.split(","):
            for counts in options.counts.split(","):
                print("| " + " | ".join(compare(options, device, counts, folder)) + " |", flush=True)
    return None


if __name__ == "__main__":
    sys.exit(main())
