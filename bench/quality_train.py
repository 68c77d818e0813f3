#!/usr/bin/env python3
"""One run of bench/quality in a process of its own: trains, scores, and prints the scores as a line of JSON.

    quality_train.py TOOL SETTING FOLDER TOPICS SEED LIMIT EZLDA PROGRAMS

A run that would take more than LIMIT processor seconds is given up after twenty; the line then has "would_take"."""

import json
import logging
import subprocess
import sys
import tempfile
from importlib import metadata
from pathlib import Path

import quality_corpora as corpora
import quality_scores
from quality_tools import RUNS, Clock, Job, TooSlow


def version(tool, program):
    """MALLET does not say its own."""
    if tool == "ezlda":
        return subprocess.run([program, "version"], check=True, capture_output=True, text=True).stdout.split()[-1]
    return metadata.version(tool) if tool != "MALLET" else ""


def main():
    tool, setting, folder, topics, seed, limit, program, programs = sys.argv[1:]
    logging.disable(logging.WARNING)  # gensim's remarks on convergence
    folder = Path(folder)
    bags = corpora.load(folder)
    with tempfile.TemporaryDirectory(prefix="quality.") as name:
        out = Path(name)
        job = Job(folder, bags, int(topics), int(seed), Clock(float(limit)), out, Path(program))
        try:
            made = RUNS[tool, setting](job)
            seconds = job.clock.seconds()
            assert made.phi.shape == (job.topics, bags.shape[1]) and made.theta.shape == (bags.shape[0], job.topics)
            row = quality_scores.score(Path(programs), folder, bags, made.phi, made.alpha, made.theta, out)
            row |= {"alpha_sum": float(made.alpha.sum()), "iterations": int(made.iterations), "seconds": seconds}
        except TooSlow as slow:
            row = {"would_take": slow.args[0]}
    row = {key: value if isinstance(value, int) else float(f"{value:.6g}") for key, value in row.items()}
    print(json.dumps(row | {"version": version(tool, program)}))


main()
