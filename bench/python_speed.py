#!/usr/bin/env python3
"""Seconds to equal held-out perplexity: ezlda's Python package, scikit-learn, gensim, tomotopy and lda.

    python_speed.py prepare docword.20news.txt -o 20news.npz
    python_speed.py prepare docword.arxiv.txt -o arxiv.npz --docs 50000
    python_speed.py run 20news.npz arxiv.npz -o results [-k 100,1000] [--limits 150,400] [--jobs 8] [--call 470]
    python_speed.py table results

A cell is a corpus, a number of topics and a tool. It runs in a process of its own on `--threads` processors, until its
topics are as good as the target, or for the limit of its number of topics. Cells run side by side, ezlda's first; what
is done is kept in the folder of results, and a call starts no cell that would not end within `--call` seconds: call it
again until nothing is left. bench/notes/python.md says what is compared."""

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import python_corpora as corpora
from python_tools import TOOLS, Done, Watch

WITHIN = 1.02  # the target: so close to ezlda's perplexity after its last iteration
GRACE = 45  # seconds for loading and scoring, beside the limit


def cell_path(folder, corpus, topics, tool):
    return Path(folder) / f"{corpus}.{topics}.{tool.replace(' ', '-')}.json"


def read(path):
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def target(folder, corpus, topics):
    """The perplexity to reach, or None while ezlda is at work."""
    mine = read(cell_path(folder, corpus, topics, "ezlda"))
    return mine["points"][-1][2] * WITHIN if mine else None


# ---- one cell -------------------------------------------------------------------------------------------------------

def run_cell(path, settings):
    """Inside the process of a cell: points (steps, seconds, perplexity) go to `path`.part as they are found."""
    s = json.loads(settings)
    matrices = corpora.load(s["file"])
    part = Path(f"{path}.part")
    points = []

    def tell(steps, seconds, perplexity):
        points.append([steps, round(seconds, 4), round(perplexity, 3)])
        part.write_text(json.dumps({**s, "points": points}), encoding="utf-8")
        goal = None if s["tool"] == "ezlda" else target(Path(path).parent, s["corpus"], s["topics"])
        return goal is not None and perplexity <= goal
    watch = Watch(corpora.Scorer(matrices, s["alpha"]).perplexity, s["limit"], tell)
    try:
        TOOLS[s["tool"]](matrices["train"], s, watch)
    except Done:
        pass
    part.rename(path)


class Cell:
    """A cell at work."""

    def __init__(self, path, settings, processors):
        self.path, self.processors, self.start = path, processors, time.monotonic()
        self.end = self.start + settings["limit"] + GRACE
        threads = str(settings["threads"] if settings["tool"] == "ezlda" else 1)
        environment = {**os.environ, "OMP_NUM_THREADS": threads, "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
        with open(f"{path}.log", "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-W", "ignore", __file__, "cell", str(path), json.dumps(settings)], stdout=log,
                stderr=log, env=environment, start_new_session=True,
                preexec_fn=lambda: os.sched_setaffinity(0, processors))

    def ended(self):
        """Whether it is over; one that does not end is stopped, and what it had counts as all it could do."""
        late = time.monotonic() > self.end
        if self.process.poll() is None and not late:
            return False
        try:
            os.killpg(self.process.pid, signal.SIGKILL)  # helpers of the tool, too
        except ProcessLookupError:
            pass
        self.process.wait()
        part = Path(f"{self.path}.part")
        if late and part.exists():
            part.rename(self.path)
        return True


def run(options):
    folder = Path(options.output)
    folder.mkdir(parents=True, exist_ok=True)
    start, free, at_work = time.monotonic(), processor_groups(options), []
    waiting = [cell for cell in cells(options) if not cell_path(folder, *cell[1:4]).exists()]
    while waiting or at_work:
        for cell in [c for c in at_work if c.ended()]:
            at_work.remove(cell)
            free.append(cell.processors)
            print(f"{time.monotonic() - start:5.0f} s  {cell.path.stem}: " + result_line(cell.path), flush=True)
        left = options.call - (time.monotonic() - start)
        fits = [c for c in waiting if c[4] + GRACE <= left]
        while free and fits:
            file, corpus, topics, tool, limit = fits.pop(0)
            waiting.remove((file, corpus, topics, tool, limit))
            settings = {"file": file, "corpus": corpus, "topics": topics, "tool": tool, "limit": limit,
                        "alpha": options.alpha_sum / topics, "beta": options.beta, "threads": options.threads,
                        "seed": options.seed, "device": options.device}
            at_work.append(Cell(cell_path(folder, corpus, topics, tool), settings, free.pop()))
        if not at_work:
            break
        time.sleep(0.2)
    print(f"{len(waiting)} cells are left" if waiting else "all cells are done")
    table(options)


def cells(options):
    """ezlda first, which sets the targets, then the longest."""
    numbers = [int(k) for k in options.topics.split(",")]
    limits = dict(zip(numbers, map(float, options.limits.split(","))))
    chosen = options.tools.split(",") if options.tools else list(TOOLS)
    return [(str(Path(file).resolve()), Path(file).stem, k, tool, limits[k])
            for tools in (["ezlda"], [t for t in TOOLS if t != "ezlda"])
            for k in sorted(numbers, reverse=True) for tool in tools if tool in chosen for file in options.files]


def processor_groups(options):
    mine = sorted(os.sched_getaffinity(0))
    groups = [set(mine[i:i + options.threads]) for i in range(0, len(mine) - options.threads + 1, options.threads)]
    return groups[:options.jobs or len(groups)]


def result_line(path):
    found = read(path)
    if not found:
        return f"failed, see {path}.log"
    steps, seconds, perplexity = found["points"][-1]
    return f"perplexity {perplexity:,.0f} after {seconds:,.1f} s ({steps} steps)"


# ---- the table ------------------------------------------------------------------------------------------------------

def time_to(points, perplexity):
    """Seconds after which a tool was as good as this, or None."""
    return min((seconds for _, seconds, found in points if found <= perplexity), default=None)


def lines_of(folder, corpus, topics):
    mine, goal = read(cell_path(folder, corpus, topics, "ezlda")), target(folder, corpus, topics)
    if not mine:
        return
    own = time_to(mine["points"], goal)
    yield [corpus, topics, "ezlda", f"{goal:,.0f}", f"{own:.2f}", "", f"{mine['points'][-1][2]:,.0f}", "", ""]
    for tool in TOOLS:
        found = read(cell_path(folder, corpus, topics, tool))
        if tool == "ezlda" or not found:
            continue
        seconds = time_to(found["points"], goal)
        reached = seconds is not None
        seconds = seconds if reached else max(found["limit"], found["points"][-1][1])
        best = min(found["points"], key=lambda point: point[2])
        equal = time_to(mine["points"], best[2])
        sign = "" if reached else "> "
        yield [corpus, topics, tool, "", f"{sign}{seconds:,.1f}", f"{sign}{seconds / own:,.0f}",
               f"{best[2]:,.0f} after {best[1]:,.1f} s", f"{equal:.2f}" if equal else "-",
               f"{best[1] / equal:,.0f}" if equal else "-"]


def table(options):
    found = sorted({tuple(path.stem.split(".")[:2]) for path in Path(options.output).glob("*.json")},
                   key=lambda pair: (pair[0], int(pair[1])))
    print("| corpus | K | tool | perplexity to reach | seconds | times ezlda's | best perplexity | ezlda's seconds to "
          "that | times ezlda's |\n" + "| --- " * 9 + "|")
    for corpus, topics in found:
        for line in lines_of(options.output, corpus, int(topics)):
            print("| " + " | ".join(map(str, line)) + " |")


def prepare(options):
    import ezlda
    counts = ezlda.Corpus.read(options.input).to_csr()
    made = corpora.prepare(counts, options.docs, options.seed)
    corpora.save(options.output, made)
    print(f"{options.output}: {made['train'].shape[0]:,} documents to learn from, {made['train'].shape[1]:,} words, "
          f"{made['train'].sum():,} tokens; {made['scored'].sum():,} tokens of {corpora.HELD_OUT} documents to score")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = parser.add_subparsers(required=True)
    one = parts.add_parser("prepare")
    one.add_argument("input")
    one.add_argument("-o", dest="output", required=True)
    one.add_argument("--docs", type=int, default=0)
    one.add_argument("--seed", type=int, default=1)
    one.set_defaults(do=prepare)
    one = parts.add_parser("run")
    one.add_argument("files", nargs="+")
    one.add_argument("-o", dest="output", required=True)
    one.add_argument("-k", dest="topics", default="100,1000")
    one.add_argument("--limits", default="150,400", help="seconds of a cell, for each number of topics")
    one.add_argument("--tools", help="some of: " + ", ".join(TOOLS))
    one.add_argument("--threads", type=int, default=2)
    one.add_argument("--jobs", type=int, default=0, help="cells side by side; 0: as many as there are processors for")
    one.add_argument("--call", type=float, default=1e9, metavar="SECONDS")
    one.add_argument("--alpha-sum", type=float, default=10)
    one.add_argument("--beta", type=float, default=0.01)
    one.add_argument("--device", default="cpu", help="of ezlda")
    one.add_argument("--seed", type=int, default=1)
    one.set_defaults(do=run)
    one = parts.add_parser("table")
    one.add_argument("output")
    one.set_defaults(do=table)
    one = parts.add_parser("cell")
    one.add_argument("path")
    one.add_argument("settings")
    one.set_defaults(do=lambda options: run_cell(options.path, options.settings))
    options = parser.parse_args()
    options.do(options)


if __name__ == "__main__":
    main()
