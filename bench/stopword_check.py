#!/usr/bin/env python3
"""Counts the stop words among the top words of topics, language by language.

Trains a model of 10 topics on the text of a treebank of each language and looks up the first ten words of each topic in
a public list of stop words (stopwords-iso). A word of that list counts only if the treebank tags most of its
occurrences as a function word (ADP AUX CCONJ DET PART PRON SCONJ), since the list has content words too. The last
columns count all such words of the treebank, whether a list has them or not: the library's lists are made from public
ones with the help of treebanks, so the first count alone would be no surprise.

    bench/stopword_check.py --ezlda build/ezlda --treebanks DIR --lists stopwords-iso.json

DIR has the files of Universal Dependencies, CODE_*.conllu; ten sentences are one document. The list is in the package
stopwordsiso.
"""

import argparse
import json
import subprocess
import tempfile
import unicodedata
from collections import Counter, defaultdict
from pathlib import Path

FUNCTION = {"ADP", "AUX", "CCONJ", "DET", "PART", "PRON", "SCONJ"}
LANGUAGES = "ar bg cs da de el en es fa fi fr he hi hr hu id it lt nl no pl pt ro ru sk sl sv tr uk ur vi".split()


def fold(word):
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", word).casefold())


def read(files):
    """The sentences of treebanks, and their words tagged as function words in most places."""
    sentences, tags = [], defaultdict(Counter)
    for file in files:
        for line in file.read_text().splitlines():
            cells = line.split("\t")
            if line.startswith("# text = "):
                sentences.append(line[9:])
            elif len(cells) > 3 and cells[0].isdigit():
                tags[fold(cells[1])][cells[3]] += 1
    function = {w for w, c in tags.items() if 2 * sum(c[t] for t in FUNCTION) > sum(c.values())}
    return sentences, function


def top_words(ezlda, sentences, folder, options):
    text, corpus, model = folder / "text.txt", folder / "text.ezc", folder / "text.ezm"
    documents = [" ".join(sentences[i:i + 10]) for i in range(0, len(sentences), 10)]
    text.write_text("\n".join(documents) + "\n")
    note = subprocess.run([ezlda, "import", text, "--format", "text", "-o", corpus, *options], check=True,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True).stderr
    subprocess.run([ezlda, "train", corpus, "-k", "10", "-i", "200", "--quiet", "-o", model], check=True)
    topics = subprocess.run([ezlda, "topics", model, "--words", "10", "--json"], check=True, stdout=subprocess.PIPE,
                            text=True).stdout
    found = next((line for line in note.splitlines() if line.startswith("stop words: ")), "")
    return len(documents), [[w["word"] for w in t["words"]] for t in json.loads(topics)["topics"]], found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ezlda", required=True)
    parser.add_argument("--treebanks", type=Path, required=True)
    parser.add_argument("--lists", type=Path, required=True)
    parser.add_argument("--languages", nargs="*", default=LANGUAGES)
    parser.add_argument("options", nargs="*", help="options for import, after --")
    args = parser.parse_args()
    lists = json.loads(args.lists.read_text())
    print("| language | documents | public list | its hits in 100 top words | function words in 100 top words | which |\n"
          "| --- | --- | --- | --- | --- | --- |")
    for code in args.languages:
        sentences, function = read(sorted(args.treebanks.glob(f"{code}_*.conllu")))
        public = {fold(w) for w in lists[code]} & function
        with tempfile.TemporaryDirectory() as folder:
            documents, topics, _ = top_words(args.ezlda, sentences, Path(folder), args.options)
        words = [w for topic in topics for w in topic]
        hits, others = [w for w in words if w in public], [w for w in words if w in function]
        print(f"| {code} | {documents} | {len(public)} | {len(hits)} | {len(others)} | {' '.join(sorted(set(others)))} |",
              flush=True)


if __name__ == "__main__":
    main()
