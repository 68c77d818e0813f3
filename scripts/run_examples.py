#!/usr/bin/env python3
"""Runs the examples of pages in docs/ and shows where their output has changed.

    scripts/run_examples.py --ezlda build/ezlda --folder FOLDER docs/guide.md docs/training.md ...

The commands after "$ " are run in order in FOLDER, which has the files of the guide (scripts/guide_files.py). Every line
that a page shows below a command must be in the output, in the same order; "..." stands for any lines. Prints each line
that is not there, and the line of the output that is most like it. Exit status 1 if there are any.
"""
import argparse
import difflib
import os
import subprocess
import sys
from pathlib import Path


def examples(page):
    """Yields line number, command and shown lines of each command in the indented blocks of a page."""
    number = command = None
    shown = []
    for i, line in enumerate(page.read_text(encoding="utf-8").splitlines() + [""], 1):
        block = line.startswith("    ") or not line.strip()
        if command is not None and (line.startswith("    $ ") or not block):
            yield number, command, shown
            command = None
        if line.startswith("    $ "):
            number, command, shown = i, line[6:], []
        elif command is not None and line.strip():
            shown.append((i, line[4:]))
    if command is not None:
        yield number, command, shown


def missing(shown, output):
    """Yields the shown lines that the output does not have after the ones before, and the line most like each."""
    at = 0
    for number, line in shown:
        if line.strip() == "...":
            continue
        fits = [i for i in range(at, len(output))
                if output[i] == line or line.endswith(" ...") and output[i].startswith(line[:-4])]
        if fits:
            at = fits[0] + 1
        else:
            near = difflib.get_close_matches(line, output, 1, 0.3)
            yield number, line, near[0] if near else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ezlda", default="build/ezlda", type=Path)
    parser.add_argument("--folder", required=True, type=Path)
    parser.add_argument("pages", nargs="+", type=Path)
    options = parser.parse_args()
    environment = {**os.environ, "PATH": f"{options.ezlda.resolve().parent}:{os.environ['PATH']}", "COLUMNS": "200"}
    wrong = 0
    for page in options.pages:
        for number, command, shown in examples(page):
            done = subprocess.run(["bash", "-c", command], cwd=options.folder, env=environment, text=True,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            lost = list(missing(shown, [line.rstrip() for line in done.stdout.splitlines()]))
            if lost or done.returncode:
                print(f"{page}:{number}: $ {command}" + (f"   (exit status {done.returncode})" if done.returncode else ""))
                if done.returncode:
                    print("    " + "\n    ".join(done.stdout.splitlines()[-3:]))
            for at, line, near in lost:
                print(f"{page}:{at}\n  - {line}\n  + {near}")
            wrong += len(lost) + (done.returncode != 0)
            sys.stdout.flush()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
