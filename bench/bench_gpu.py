#!/usr/bin/env python3
"""Speed, memory and bits of ezlda's CUDA trainer, against the bars it has to meet: see bench/README.md.

Prints the bars and the figures behind them as Markdown; the same, and all figures as JSON, go to the results folder.
Ends with status 1 if a run failed or a hash differed; a missed bar is shown but is not an error.
"""

import argparse
import os
import shlex
import shutil
import signal
import sys
import tempfile
from pathlib import Path

import bench_gpu_hashes
import bench_gpu_parts
from bench_gpu_run import Bench
from bench_gpu_tables import Report, markdown
from bench_tools import BenchError, machine, run, say

PARTS = {"hashes": bench_gpu_hashes.hashes, "speed": bench_gpu_parts.speed, "wide": bench_gpu_parts.wide,
         "synth": bench_gpu_parts.synth, "memory": bench_gpu_parts.memory, "whole": bench_gpu_parts.whole,
         "switches": bench_gpu_parts.switches}


def names(text):
    return [part for part in text.split(",") if part]


def parts(text):
    for part in names(text):
        if part not in PARTS:
            raise argparse.ArgumentTypeError(f"'{part}' is not one of {', '.join(PARTS)}")
    return names(text)


def sizes(text):
    """NAME or NAME=ITERATIONS, separated by commas."""
    found = {name: int(count or 0) for name, _, count in (part.partition("=") for part in names(text))}
    unknown = [name for name in found if name not in bench_gpu_parts.PAPER_SIZES]
    if unknown:
        raise argparse.ArgumentTypeError(f"'{unknown[0]}' is not one of {', '.join(bench_gpu_parts.PAPER_SIZES)}")
    return found


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ezlda", type=Path, help="the command")
    parser.add_argument("--corpora", type=Path, default=Path("corpora"),
                        help="folder with NAME.ezc (or .ezc.xz), NAME.uci or docword.NAME.txt [corpora]")
    parser.add_argument("--parts", type=parts, default=list(PARTS),
                        help=f"what to measure, in this order [{','.join(PARTS)}]")
    parser.add_argument("--out", type=Path, help="folder for the results [bench/results beside the command]")
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / f"ezlda-bench-{os.getuid()}",
                        help="folder for synthetic corpora, which are used again, and models [in the temporary folder]")
    parser.add_argument("--quick", action="store_true", help="small corpora, few iterations: to try the script out")
    parser.add_argument("--repeats", type=int, help="runs of each case of speed and whole, in turns [3; quick: 1]")
    parser.add_argument("--big", type=names, help="corpora to take times on [rnews,arxiv; quick: kos,20news]")
    parser.add_argument("--estimators", type=names, default="leave-one-out,esca", help="[leave-one-out,esca]")
    parser.add_argument("--synth", type=sizes, default="NYTimes,PubMed,UMBC",
                        help="sizes of the part synth, NAME=ITERATIONS [NYTimes=100,PubMed=60,UMBC=20]")
    parser.add_argument("--chunked", type=shlex.split, default=[], metavar="OPTIONS",
                        help="options of ezlda train for a second run in the part memory, one that needs less")
    parser.add_argument("--full", action="store_true", help="hashes: combine every g with all other switches")
    parser.add_argument("--train", type=shlex.split, default=[], metavar="OPTIONS",
                        help="more options of ezlda train for every run")
    parser.add_argument("--device", default="cuda", help="[cuda]")
    parser.add_argument("--timeout", type=float, default=300, help="seconds a run may take [300]")
    parser.add_argument("--limit", type=float, help="seconds after which no run begins or continues")
    args = parser.parse_args()
    args.ezlda = args.ezlda.resolve()
    args.out = args.out or args.ezlda.parent / "bench" / "results"
    args.big = args.big or (["kos", "20news"] if args.quick else ["rnews", "arxiv"])
    args.repeats = args.repeats or (1 if args.quick else 3)
    return args


def setting(args):
    gpu = None
    if shutil.which("nvidia-smi"):
        try:
            gpu = run(["nvidia-smi", "--query-gpu=name,driver_version,memory.total", "--format=csv,noheader"],
                      timeout=30).text().strip()
        except BenchError as error:
            say(str(error))
    version = run([args.ezlda, "version"], timeout=30).text().strip().removeprefix("ezlda ")
    return machine() | {"gpu": gpu, "version": version, "device": args.device, "quick": args.quick,
                        "repeats": args.repeats, "command": sys.argv}


def measure(bench):
    answered = []
    with bench.attempt(f"a first training on {bench.args.device}"):
        bench.train(bench.synth("tiny", 200, 500, 20), 8, 1)
        answered.append(True)
    for part in bench.args.parts if answered else ():
        with bench.attempt(part) as wanted:
            if wanted:
                PARTS[part](bench)


def main():
    args = arguments()
    # What was measured until then is printed.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        report = Report(args.out, setting(args), judged=args.device.startswith("cuda") and not args.quick)
        bench = Bench(args, report)
    except BenchError as error:
        sys.exit(f"bench-gpu: {error}")
    try:
        measure(bench)
    except (KeyboardInterrupt, SystemExit):
        report.fail("all parts", "interrupted")
    shutil.rmtree(bench.scratch, ignore_errors=True)
    report.save()
    print(markdown(report), flush=True)
    return bool(report.failures)


sys.exit(main())
