#!/usr/bin/env python3
"""How the words of text agree with those of treebanks (Universal Dependencies, .conllu files).

    cmake --build build --target cut_words
    bench/segmentation.py FILE.conllu ... [--program build/bench/cut_words] [--tokens auto] [--differences 10]

Words of the treebank are its surface words without punctuation and symbols; a word is found if a word of the import
has the same span. Columns: words of the treebank, precision, recall and F1; F1 of the cuts between words; and two
shares of the treebank's words: those that fit, because they are words of the import, or are made of whole ones, or are
parts of one that is made of whole words of the treebank (the two sides differ in how much a word holds), and those
that cross a word of the import (one side is wrong).

The last two columns are of words of one kind. Places are left out where only the rules differ by which the two sides cut:
the import joins words that the tree of the sentence joins, too (only one of them has its head outside, or all are
function words of the same head), or it cuts a word into parts that are words of the treebank in other places, at least one of them of two or more characters. All other
differences count as errors: words joined that the tree does not join, fragments, crossing cuts. "kept" is the share of
the treebank's words that are left, "F1 of one kind" the F1 of exact words among them.
"""
import argparse
import collections
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FUNCTION = {"ADP", "AUX", "CCONJ", "PART", "SCONJ"}


def sentences(path):
    """Yield (text, [(form, part of speech, {number: (head, part of speech)})]) of each sentence, with surface words instead of syntactic
    ones."""
    text, words, last = None, [], 0
    for line in path.read_text(encoding="utf-8").splitlines() + [""]:
        if line.startswith("# text ="):
            text = line[8:].lstrip()
        elif not line:
            if words and text is not None:
                yield text, words
            text, words, last = None, [], 0
        elif not line.startswith("#"):
            number, form, _, part, _, _, head = line.split("\t")[:7]
            if "-" in number:
                last = int(number.split("-")[1])
                words.append((form, "X", {}))
            elif "." not in number and int(number) > last:
                words.append((form, part, {number: (head, part)}))
            elif "." not in number:
                words[-1][2][number] = head, part


def spans(text, words):
    """Return the spans of the words in bytes, without punctuation, and the heads of each; None if the text does not have
    the words."""
    found, at = {}, 0
    for form, part, heads in words:
        start = text.find(form, at)
        if start < 0:
            return None
        at = start + len(form)
        if part not in ("PUNCT", "SYM") and any(c.isalnum() for c in form):
            found[len(text[:start].encode()), len(text[:at].encode())] = heads
    return found


def cut(program, tokens, texts):
    """Return the spans of the words that the import finds in each text."""
    done = subprocess.run([program, tokens], input="".join(text + "\n" for text in texts), capture_output=True,
                          text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr.strip())
    return [[tuple(map(int, span.split("-"))) for span in line.split()] for line in done.stdout.split("\n")[:-1]]


def fit(word, gold, ours):
    """Return whether a word fits ("same", "fits"), crosses a word of the import, or is not covered by words."""
    touching = [span for span in ours if span[0] < word[1] and span[1] > word[0]]
    if word in touching:
        return "same"
    if not touching:
        return "missing"
    if touching[0][0] == word[0] and touching[-1][1] == word[1]:
        return "fits"
    if len(touching) == 1 and touching[0][0] <= word[0] and touching[0][1] >= word[1]:
        inside = [span for span in gold if span[0] < touching[0][1] and span[1] > touching[0][0]]
        return "fits" if (inside[0][0], inside[-1][1]) == touching[0] else "crosses"
    return "crosses"


def groups(gold, ours):
    """Yield the words of both sides between the places where both cut."""
    spans_of = sorted([(span, 0) for span in gold] + [(span, 1) for span in ours])
    group, end = ([], []), 0
    for span, side in spans_of:
        if span[0] >= end and (group[0] or group[1]):
            yield group
            group = ([], [])
        group[side].append(span)
        end = max(end, span[1])
    if group[0] or group[1]:
        yield group


def of_other_kind(data, gold, ours, heads, vocabulary):
    """Return whether two sides of a group are the same text cut by other rules."""
    if not gold or not ours or (gold[0][0], gold[-1][1]) != (ours[0][0], ours[-1][1]):
        return False
    if len(ours) == 1:
        inside = {number for word in gold for number in heads[word]}
        outside = [link for word in gold for link in heads[word].values() if link[0] not in inside]
        return len(outside) == 1 or (len({head for head, _ in outside}) == 1 and all(part in FUNCTION for _, part in outside))
    parts = [data[a:b].decode() for a, b in ours]
    return len(gold) == 1 and all(part in vocabulary for part in parts) and max(map(len, parts)) > 1


class Score:
    def __init__(self, vocabulary):
        self.vocabulary, self.left, self.left_ours = vocabulary, 0, 0
        self.gold = self.ours = self.same = 0
        self.cuts = collections.Counter()
        self.fits = collections.Counter()
        self.differences, self.errors = collections.Counter(), collections.Counter()

    @staticmethod
    def show(data, words):
        return " ".join(data[a:b].decode() for a, b in words) or "-"

    def add(self, text, heads, ours):
        data, gold = text.encode(), list(heads)
        for there, here in groups(gold, ours):
            if there != here and of_other_kind(data, there, here, heads, self.vocabulary):
                self.left, self.left_ours = self.left + len(there), self.left_ours + len(here)
            elif there != here:
                self.errors[f"{self.show(data, there)} : {self.show(data, here)}"] += 1
        self.gold, self.ours = self.gold + len(gold), self.ours + len(ours)
        self.same += len(set(gold) & set(ours))
        edges = [{edge for span in side for edge in span} for side in (gold, ours)]
        self.cuts.update(gold=len(edges[0]), ours=len(edges[1]), both=len(edges[0] & edges[1]))
        for word in gold:
            self.fits[fit(word, gold, ours)] += 1
        for word in set(ours) - set(gold):
            there = [data[a:b].decode() for a, b in gold if a < word[1] and b > word[0]]
            self.differences[f"{' '.join(there) or '-'} : {data[word[0]:word[1]].decode()}"] += 1

    def row(self, name):
        precision, recall = self.same / max(self.ours, 1), self.same / max(self.gold, 1)
        both = 2 * self.same / max(self.ours + self.gold, 1)
        cuts = 2 * self.cuts["both"] / max(self.cuts["gold"] + self.cuts["ours"], 1)
        fits = (self.fits["same"] + self.fits["fits"]) / max(self.gold, 1)
        crosses = self.fits["crosses"] / max(self.gold, 1)
        kind = 2 * self.same / max(self.ours + self.gold - self.left - self.left_ours, 1)
        return f"| {name} | {self.gold:,} | {precision:.3f} | {recall:.3f} | {both:.3f} | {cuts:.3f} | {fits:.1%} | " \
               f"{crosses:.1%} | {1 - self.left / max(self.gold, 1):.1%} | {kind:.3f} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--program", default=str(ROOT / "build" / "bench" / "cut_words"))
    parser.add_argument("--tokens", default="auto")
    parser.add_argument("--differences", type=int, default=0, metavar="N",
                        help="list the N commonest words that the treebank does not have, beside its words there")
    parser.add_argument("--errors", type=int, default=0, metavar="N", help="list the N commonest places that count as errors")
    options = parser.parse_args()
    print("| treebank | words | precision | recall | F1 | F1 of cuts | fit | cross | kept | F1 of one kind |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for path in options.files:
        score = Score({form for _, words in sentences(path) for form, part, _ in words if part != "PUNCT"})
        read = [(text, spans(text, words)) for text, words in sentences(path)]
        read = [(text, gold) for text, gold in read if gold is not None]
        for (text, gold), ours in zip(read, cut(options.program, options.tokens, [text for text, _ in read])):
            score.add(text, gold, ours)
        print(score.row(path.stem), flush=True)
        for difference, count in score.errors.most_common(options.errors):
            print(f"    {count:5} {difference}")
        for difference, count in score.differences.most_common(options.differences):
            print(f"    {count:5} {difference}")


if __name__ == "__main__":
    main()
