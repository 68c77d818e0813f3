#!/usr/bin/env python3
"""A model that is updated every day against one that is trained from scratch on everything.

    bench/living.py build/ezlda --uci docword.rnews.txt --vocab rnews.vocab --work FOLDER [--docs 20000] [--first 8000]
                    [--days 50] [--topics 100] [--update=--decay=0.98] [--scratch]

The first --docs documents are used in their order; the last tenth of them is held out. A model of the first --first
documents is updated with the rest in --days runs of documents. With --scratch, a model is also trained on all of them, by the
defaults. Both are scored on the same tokens: those of words that all of them have. FOLDER keeps the corpora and models,
so the second call trains less. The result is one line of JSON: perplexities of the held-out documents (document completion),
tokens sampled per day and in the run from scratch, and the share of topics that `ezlda diff` matches to themselves from day
to day.
"""
import argparse
import csv
import json
import shutil
import time
from pathlib import Path

from bench_tools import run


def read_uci(path, vocabulary, docs):
    words = Path(vocabulary).read_text(encoding="utf-8").split("\n")
    texts = [[] for _ in range(docs)]
    with open(path, encoding="ascii") as lines:
        for number, line in enumerate(lines):
            if number < 3:
                continue
            doc, word, count = map(int, line.split())
            if doc > docs:
                break
            texts[doc - 1] += [words[word - 1]] * count
    return texts


def frequent(texts):
    """The words that at least two documents have."""
    seen, often = set(), set()
    for text in texts:
        distinct = set(text)
        often |= distinct & seen
        seen |= distinct
    return often


def write(path, texts):
    path.write_text("".join(" ".join(text) + "\n" for text in texts), encoding="utf-8")
    return path



def train(args, name, texts):
    model, summary = args.work / f"{name}.ezm", args.work / f"{name}.json"
    if not model.exists():
        corpus = write(args.work / f"{name}.txt", texts)
        run([args.ezlda, "train", corpus, "--unit", "lines", "--tokens", "pre", "--stopwords", "none", "--min-docs", 2,
             "--max-docs-share", 1, "-k", args.topics, "-q", "--summary", summary, "-o", model])
    return model, json.loads(summary.read_text())


def score(args, model, texts):
    corpus = write(args.work / "held.txt", texts)
    done = run([args.ezlda, "eval", model, corpus, "--measures", "completion", "--json", "-q"])
    return json.loads("".join(done.lines))


def words_of(args, model):
    """The words that have a token in a model."""
    folder = args.work / "words"
    shutil.rmtree(folder, ignore_errors=True)
    run([args.ezlda, "export", model, "--to", "csv", "-o", folder, "-q"])
    with open(folder / "topic_words.csv", newline="", encoding="utf-8") as rows:
        return {row["word"] for row in csv.DictReader(rows)}


def matched(args, before, after):
    """The share of the topics of both models that are matched to themselves."""
    found = json.loads("".join(run([args.ezlda, "diff", before, after, "--json", "-q"]).lines))
    same = sum(pair["a"]["topic"] == pair["b"]["topic"] for pair in found["kept"] + found["drifted"])
    return same / args.topics


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ezlda")
    parser.add_argument("--uci", required=True)
    parser.add_argument("--vocab", required=True)
    parser.add_argument("--work", required=True, type=Path)
    for name, value in ("docs", 20000), ("first", 8000), ("days", 50), ("topics", 100):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--update", default="")
    parser.add_argument("--scratch", action="store_true")
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    texts = read_uci(args.uci, args.vocab, args.docs)
    last = args.docs - args.docs // 10
    first, stream, held = texts[:args.first], texts[args.first:last], texts[last:]
    cut = [len(stream) * day // args.days for day in range(args.days + 1)]
    days = [stream[a:b] for a, b in zip(cut, cut[1:])]

    model, _ = train(args, f"first-{args.topics}", first)
    before = model
    shares, seconds, tokens = [], [], []
    for number, day in enumerate(days):
        after, summary = args.work / f"day{number % 2}.ezm", args.work / "day.json"
        corpus = write(args.work / "day.txt", day)
        began = time.monotonic()
        run([args.ezlda, "update", model, corpus, "--unit", "lines", "-q", "-o", after, "--summary", summary,
             *args.update.split()])
        seconds.append(time.monotonic() - began)
        tokens.append(120 * json.loads(summary.read_text())["document_tokens"])  # 100, and 20 of the first inference
        shares.append(matched(args, model, after))
        model = after
    known = words_of(args, model) & words_of(args, before)
    held = [[word for word in text if word in known] for text in held]
    result = {"update": args.update, "topics": args.topics, "held_tokens": sum(map(len, held)),
              "before": score(args, before, held)["completion"]["perplexity"]}
    scored = score(args, model, held)["completion"]
    result |= {"updated": scored["perplexity"], "error": scored["standard_error"], "scored": scored["tokens"], "least_matched": min(shares),
               "mean_matched": sum(shares) / len(shares), "seconds_per_day": sum(seconds) / len(seconds),
               "tokens_per_day": sum(tokens) / len(tokens)}
    if args.scratch:
        model, summary = train(args, f"all-{args.topics}", first + stream)
        scored = score(args, model, held)["completion"]
        result |= {"scratch": scored["perplexity"], "scratch_scored": scored["tokens"],
                   "scratch_sampled": summary["tokens"] * summary["iterations"], "scratch_seconds": summary["seconds_sampling"]}
    print(json.dumps(result))


if __name__ == "__main__":
    main()
