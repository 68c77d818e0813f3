#!/usr/bin/env python3
"""Processor time of an effect: documents of 100 tokens, 100 topics, 20 samples, scaled to a million documents.

    bench/effect_speed.py --ezlda build/ezlda --docs 100000
"""
import argparse
import resource
import subprocess
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from effect_coverage import draw_corpus


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ezlda", default="build/ezlda")
    parser.add_argument("--folder", default="/tmp/effect-speed")
    parser.add_argument("--docs", type=int, default=100_000)
    options = parser.parse_args()
    folder = Path(options.folder)
    folder.mkdir(exist_ok=True)
    model, corpus = folder / "m.ezm", folder / "c.ezc"
    if not model.exists():
        shape = SimpleNamespace(topics=100, words=20000, beta=0.02, docs=options.docs, length=100, alpha=5)
        draw_corpus(np.random.default_rng(1), shape, folder)
        subprocess.run([options.ezlda, "import", folder / "docs.jsonl", "-o", corpus, "--keep-fields", "party,year", "--tokens",
                        "pre", "--stopwords", "none", "-q"], check=True)
        (folder / "docs.jsonl").unlink()
        subprocess.run([options.ezlda, "train", corpus, "-k", "100", "-i", "100", "-o", model, "-q"], check=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([options.ezlda, "effect", model, corpus, "--formula", "s(year) + party", "--tsv", "-q"], check=True,
                   stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{options.docs} documents: {seconds:.0f} processor seconds, {after.ru_maxrss / 1e6:.2f} GB; a million documents on two "
          f"cores: {seconds * 1e6 / options.docs / 2 / 60:.1f} minutes")


if __name__ == "__main__":
    main()
