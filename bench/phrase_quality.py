#!/usr/bin/env python3
"""Whether joining phrases makes better topics: held-out likelihood, coherence and agreement with labels.

    bench/phrase_quality.py EZLDA TEXT [-k 50] [-i 200] [--seeds 3] [--phrases none,0.3,0.5,0.7] [-- IMPORT OPTIONS]

TEXT is JSON Lines ("text", perhaps "label") or text with one document per line, perhaps with a tab and a label after it. Every
tenth document is held out, fewer of a large corpus. For each setting of --phrases, one line:

- nats: -log p(held-out documents) by left-to-right, per word of the text without phrases. A phrase is one token that stands
  for several words, so the sum over tokens is divided by the number of words, which is the same for all settings. A word
  that the model does not know costs log(training tokens) in every setting.
- npmi: of the first ten words of each topic, in whole documents of the raw text. A phrase is in a document if its words are
  neighbours there. Pairs of words that share a part or are the parts of a phrase (new, york) do not count in any setting: they
  would reward a model for listing both halves.
- nmi: mutual information of each document's largest topic with its label, divided by the mean of both entropies.
"""
import argparse
import collections
import itertools
import json
import math
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile


def documents(path):
    for line in path.read_text(encoding="utf-8").splitlines():
        if path.suffix == ".jsonl":
            record = json.loads(line)
            yield record["text"], record.get("label", "")
        else:
            text, _, label = line.partition("\t")
            yield text, label


def run(*command):
    return subprocess.run([str(c) for c in command], check=True, capture_output=True, text=True).stdout


def write(path, docs):
    path.write_text("".join(json.dumps({"text": text, "label": label}) + "\n" for text, label in docs), encoding="utf-8")
    return path


class Reference:
    """Which documents contain a word or a phrase."""

    def __init__(self, docs):
        self.docs = [" " + " ".join(re.findall(r"\w+", text.lower())) + " " for text, _ in docs]
        self.of_word = collections.defaultdict(set)
        for i, text in enumerate(self.docs):
            for word in text.split():
                self.of_word[word].add(i)

    def having(self, word):
        if word not in self.of_word:
            parts = word.split("_")
            both = set.intersection(*(self.of_word.get(part, set()) for part in parts))
            self.of_word[word] = {i for i in both if f" {' '.join(parts)} " in self.docs[i]}
        return self.of_word[word]

    def npmi(self, v, w):
        a, b = self.having(v), self.having(w)
        n, both = len(self.docs), len(a & b)
        if not both:
            return -1.0
        return math.log(both * n / (len(a) * len(b))) / -math.log(both / n) if both < n else 0.0


def coherence(topics, reference, phrases):
    scores = []
    for words in topics:
        pairs = [(v, w) for v, w in itertools.combinations(words, 2) if reference.having(v) and reference.having(w)
                 and not set(v.split("_")) & set(w.split("_")) and f"{v} {w}" not in phrases and f"{w} {v}" not in phrases]
        if pairs:
            scores.append(statistics.mean(reference.npmi(v, w) for v, w in pairs))
    return statistics.mean(scores)


def agreement(pairs):
    """Normalised mutual information of topics and labels."""
    n, both = len(pairs), collections.Counter(pairs)
    left, right = collections.Counter(a for a, _ in pairs), collections.Counter(b for _, b in pairs)
    information = sum(c / n * math.log(c * n / (left[a] * right[b])) for (a, b), c in both.items())
    entropy = [-sum(c / n * math.log(c / n) for c in counts.values()) for counts in (left, right)]
    return information / (sum(entropy) / 2) if sum(entropy) else 0.0


def phrase_list(corpus):
    data = corpus.read_bytes()
    at = data.find(b"phrases=")
    return set(data[at + 8:data.index(b"\0", at)].decode().split("\n")) if at >= 0 else set()


def measure(args, folder, setting, words, reference, phrases, labels):
    corpus, model = folder / f"{setting}.ezc", folder / "model.ezm"
    results = collections.defaultdict(list)
    tokens = json.loads(run(args.ezlda, "info", corpus, "--json"))["tokens"]
    for seed in range(1, args.seeds + 1):
        run(args.ezlda, "train", corpus, "-k", args.topics, "-i", args.iterations, "--seed", seed, "--device", "cpu", "-q", "-o", model)
        scores = json.loads(run(args.ezlda, "eval", model, folder / "test.jsonl", "--measures", "left-to-right", "--docs", 0,
                                "--json", "-q"))
        unknown = scores["unknown_tokens"] * math.log(words["train"])
        results["nats"].append((unknown - scores["left_to_right"]["log_likelihood"]) / words["test"])
        tops = collections.defaultdict(list)
        for line in run(args.ezlda, "topics", model, "-n", 10, "--tsv").splitlines()[1:]:
            fields = line.split("\t")
            tops[fields[0]].append(fields[2])
        results["npmi"].append(coherence(tops.values(), reference, phrases))
        if any(labels):
            top = [d["topics"][0]["topic"] if d["topics"] else -1
                   for d in json.loads(run(args.ezlda, "docs", model, "--json", "--top", 1))["documents"]]
            results["nmi"].append(agreement([(t, label) for t, label in zip(top, labels, strict=True) if label]))
    return tokens, results


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("ezlda")
    parser.add_argument("text", type=pathlib.Path)
    parser.add_argument("-k", "--topics", type=int, default=50)
    parser.add_argument("-i", "--iterations", type=int, default=200)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--phrases", default="none,0.3,0.5,0.7")
    arguments = sys.argv[1:]
    extra = arguments[arguments.index("--") + 1:] if "--" in arguments else []
    args = parser.parse_args(arguments[:arguments.index("--")] if "--" in arguments else arguments)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        docs = list(documents(args.text))
        step = max(10, len(docs) // 300)
        train = write(folder / "train.jsonl", [d for i, d in enumerate(docs) if i % step])
        test = write(folder / "test.jsonl", [d for i, d in enumerate(docs) if i % step == 0])
        settings, words = args.phrases.split(","), {}
        for setting in {*settings, "none"}:
            run(args.ezlda, "import", train, "--phrases", setting, *extra, "-q", "-o", folder / f"{setting}.ezc")
        run(args.ezlda, "import", test, "--like", folder / "none.ezc", "-q", "-o", folder / "test.ezc")
        for part, corpus in (("train", "none"), ("test", "test")):
            words[part] = json.loads(run(args.ezlda, "info", folder / f"{corpus}.ezc", "--json"))["tokens"]
        phrases = set().union(*(phrase_list(folder / f"{setting}.ezc") for setting in settings))
        reference, labels = Reference(docs), [label for i, (_, label) in enumerate(docs) if i % step]
        print("phrases  tokens    nats    +-      npmi    +-      nmi     +-", flush=True)
        for setting in settings:
            tokens, results = measure(args, folder, setting, words, reference, phrases, labels)
            columns = [f"{statistics.mean(v):7.4f} {statistics.stdev(v) if len(v) > 1 else 0:7.4f}" for v in results.values()]
            print(f"{setting:8} {tokens:9}", *columns, flush=True)


if __name__ == "__main__":
    main()
