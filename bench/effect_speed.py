#!/usr/bin/env python3
"""Processor time of an effect: documents of 100 tokens, 100 topics, 20 samples, scaled to a million documents.

    build/python/bin/python bench/effect_speed.py --docs 100000
"""
import argparse
import random
import resource

import ezlda


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--docs", type=int, default=100_000)
    parser.add_argument("--topics", type=int, default=100)
    options = parser.parse_args()
    draw = random.Random(1)
    fields = {"party": [draw.choice(["centre", "left", "right"]) for _ in range(options.docs)],
              "year": [str(draw.randrange(2000, 2020)) for _ in range(options.docs)]}
    corpus = ezlda.Corpus.synth(docs=options.docs, words=20000, mean_length=100, topics=options.topics)
    corpus = corpus._with_fields(fields, ezlda._calls.context())
    model = ezlda.train(corpus, options.topics, iterations=30, progress=False)
    before = resource.getrusage(resource.RUSAGE_SELF)
    model.effect(corpus, "s(year) + party", topics=[0])
    after = resource.getrusage(resource.RUSAGE_SELF)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{options.docs} documents: {seconds:.0f} processor seconds, peak {after.ru_maxrss / 1e6:.2f} GB; a million documents on "
          f"two cores: {seconds * 1e6 / options.docs / 2 / 60:.1f} minutes")


if __name__ == "__main__":
    main()
