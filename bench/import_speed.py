#!/usr/bin/env python3
"""Makes three texts of this machine's files, and compares the import speed of two builds of the command with them.

    bench/import_speed.py --make DIR [--megabytes 100]
    bench/import_speed.py DIR NEW OLD [--runs 5] [-- OPTIONS of the new one]

The texts are `prose.txt` (paragraphs of which 95 % are letters and spaces, without marks), `markup.txt` (all paragraphs) and
`python.txt` (Python sources), one paragraph or line per document, of /usr/share/doc, manual pages and /usr/share/perl, in
random order and repeated up to the size. Runs alternate between the builds; the figure is the median of user time with
one thread. The last column is the speed of the new build relative to the old one.
"""
import argparse
import gzip
import random
import resource
import statistics
import subprocess
import sys
from pathlib import Path


def texts(folders, endings):
    for folder in folders:
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file() and not path.is_symlink() and (not endings or path.suffix in endings):
                try:
                    data = gzip.open(path).read() if path.suffix == ".gz" else path.read_bytes()
                    yield data.decode("utf-8")
                except (UnicodeDecodeError, OSError, EOFError):
                    pass


def is_prose(paragraph):
    letters = sum(c.isalpha() or c == " " for c in paragraph)
    return letters >= 0.95 * len(paragraph) and not set(paragraph) & set("<>&@/\\")


def write(path, documents, size):
    random.Random(1).shuffle(documents)
    used = sum(len(d) + 1 for d in documents)
    with open(path, "wb") as out:
        while out.tell() < size:
            left = size - out.tell()
            for document in documents:
                out.write(document + b"\n")
                left -= len(document) + 1
                if left <= 0:
                    break
    print(f"{path}: {len(documents)} documents, {used / 1e6:.1f} MB, repeated to {size / 1e6:.0f} MB")


def make(folder, size):
    folder.mkdir(parents=True, exist_ok=True)
    paragraphs = set()
    for text in texts(["/usr/share/doc", "/usr/share/man/man1", "/usr/share/perl"], None):
        paragraphs.update(" ".join(p.split()) for p in text.split("\n\n"))
    paragraphs = sorted(p for p in paragraphs if len(p) >= 40 and "\0" not in p)
    write(folder / "prose.txt", [p.encode() for p in paragraphs if is_prose(p)], size)
    write(folder / "markup.txt", [p.encode() for p in paragraphs], size)
    lines = {line.strip() for text in texts(["/usr/lib/python3"], {".py"}) for line in text.split("\n")}
    write(folder / "python.txt", sorted(s.encode() for s in lines if len(s) >= 10 and "\0" not in s and "\r" not in s), size)


def user_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def compare(folder, builds, runs, options):
    for path in sorted(folder.glob("*.txt")):
        seconds = [[], []]
        for _ in range(runs):
            for i, build in enumerate(builds):
                command = [build, "import", str(path), "-o", f"{folder}/out-{i}.ezc", "--threads", "1", "--format", "text", "-q"]
                seconds[i].append(user_seconds(command + (options if i == 0 else [])))
        new, old = map(statistics.median, seconds)
        print(f"{path.name:12} new {new:.3f} s ({min(seconds[0]):.3f}-{max(seconds[0]):.3f})  "
              f"old {old:.3f} s ({min(seconds[1]):.3f}-{max(seconds[1]):.3f})  {old / new:.3f}", flush=True)


def main():
    arguments = sys.argv[1:]
    options = arguments[arguments.index("--") + 1:] if "--" in arguments else []
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--make", action="store_true")
    parser.add_argument("--megabytes", type=int, default=100)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("folder", type=Path)
    parser.add_argument("builds", nargs="*")
    given = parser.parse_args(arguments[:len(arguments) - len(options) - 1] if "--" in arguments else arguments)
    if given.make:
        make(given.folder, given.megabytes * 1000 * 1000)
    elif len(given.builds) == 2:
        compare(given.folder, given.builds, given.runs, options)
    else:
        parser.error("name two builds of the command")


if __name__ == "__main__":
    main()
