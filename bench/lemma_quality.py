#!/usr/bin/env python3
"""Whether lemmas or stems make better topics than whole words: coherence, and forms of one word in one topic.

    bench/lemma_quality.py EZLDA TEXT LANGUAGE TABLE [-k 40] [-i 100] [--seeds 3]

TEXT is any input of `ezlda import`, TABLE a file of `scripts/lemma_table.py`, LANGUAGE a Snowball stemmer. For whole words,
stems and lemmas, one line:

- npmi: of the first ten words of each topic, in whole documents, counted in the corpus with the same terms.
- repeats: of the first ten words of each topic, the share whose lemma another of them has, too.

Both are the mean over topics and seeds; +- is the standard deviation over seeds.
"""
import argparse
import collections
import gzip
import json
import pathlib
import statistics
import subprocess
import tempfile

WAYS = {"words": [], "stems": ["--stemmer"], "lemmas": ["--lemmas"]}


def run(*command):
    return subprocess.run([str(c) for c in command], check=True, capture_output=True, text=True).stdout


def lemmas_of(path):
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as lines:
        return dict(line.rstrip("\n").split("\t") for line in lines)


def repeats(ezlda, model, lemmas):
    topics = collections.defaultdict(list)
    for row in run(ezlda, "topics", model, "--tsv", "-n", 10).splitlines()[1:]:
        topic, _, word = row.split("\t")[:3]
        topics[topic].append(lemmas.get(word, word))
    return statistics.mean(sum(words.count(w) > 1 for w in words) / len(words) for words in topics.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ezlda")
    parser.add_argument("text")
    parser.add_argument("language")
    parser.add_argument("table", type=pathlib.Path)
    parser.add_argument("-k", type=int, default=40)
    parser.add_argument("-i", type=int, default=100)
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    lemmas = lemmas_of(options.table)
    with tempfile.TemporaryDirectory() as folder:
        corpus, model = pathlib.Path(folder) / "c.ezc", pathlib.Path(folder) / "m.ezm"
        for way, arguments in WAYS.items():
            value = {"stems": [options.language], "lemmas": [options.table]}.get(way, [])
            run(options.ezlda, "import", options.text, *arguments, *value, "-o", corpus)
            facts = json.loads(run(options.ezlda, "info", corpus, "--json"))
            scores, shares = [], []
            for seed in range(1, options.seeds + 1):
                run(options.ezlda, "train", corpus, "-k", options.k, "-i", options.i, "--seed", seed, "-q", "-o", model)
                found = json.loads(run(options.ezlda, "eval", model, corpus, "--measures", "coherence", "-n", 10, "--json"))
                scores.append(found["coherence"]["npmi"])
                shares.append(repeats(options.ezlda, model, lemmas))
            print(f"{way}: {facts['words']:,} words, {facts['tokens']:,} tokens, npmi {statistics.mean(scores):.3f} "
                  f"+- {statistics.stdev(scores):.3f}, repeats {100 * statistics.mean(shares):.1f} %", flush=True)


if __name__ == "__main__":
    main()
