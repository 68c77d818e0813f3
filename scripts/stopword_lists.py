#!/usr/bin/env python3
"""Makes the lists of stop words in src/corpus/text/stopwords/stopwords_*.c from public lists, by one rule for all languages.

A word is in the list of a language if one of these holds:

- Snowball's list has it, and a treebank does not tag it as a noun or proper noun in most places.
- spaCy's list has it, and so does stopwords-iso or stop-words, and a treebank shows that it is not a content word: it
  is there, and in most places not as a noun or proper noun, nor as a verb or adjective that is rarer than 1 in 1,000
  words. A word that is not in the treebank has at most 5 letters or is in all three collections. A language without a
  treebank has no such test.
- One of the three collections has it, and a treebank tags it as a function word (ADP AUX CCONJ DET PART PRON SCONJ) in
  most places, at least three in all.
- scripts/stopword_extra.txt has it: words that the sources lack or disagree on, and fragments that the tokeniser leaves
  at an apostrophe. With a minus before it, a word is in no list.

The tokeniser splits at apostrophes, so "don't" gives "don" and "t". Words are in NFKC, folded, without a space or a
hyphen.

    python3 -m venv /tmp/lists && /tmp/lists/bin/pip install --no-deps spacy stopwordsiso stop-words
    scripts/stopword_lists.py --packages /tmp/lists/lib/python3*/site-packages --snowball DIR --treebanks DIR

--snowball: the files algorithms/LANGUAGE/stop.txt of Snowball's website as LANGUAGE.txt. --treebanks: files of
Universal Dependencies, CODE_*.conllu; a language without one has no test for content words. The result is formatted by
clang-format. Versions of the lists as committed: spaCy 3.8, stopwords-iso 0.7, stop-words 2025.11, Snowball of 2026,
Universal Dependencies 2.x.
"""

import argparse
import json
import re
import subprocess
import textwrap
import unicodedata
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXTRA = ROOT / "scripts" / "stopword_extra.txt"
APOSTROPHES = "'\u2019\u02bc`\u2018"
HIDDEN = "\u00ad\u200c\u200d\u2060\ufeff"
NOUNS = {"NOUN", "PROPN", "X", "SYM"}
FUNCTION = {"ADP", "AUX", "CCONJ", "DET", "PART", "PRON", "SCONJ"}
RARE = 1e-3
LEAST_SEEN = 3  # occurrences that make a function word
UNSEEN_LETTERS = 5
NO_LETTERS = {"zh", "ja", "ko", "th", "vi"}  # the length of a word says nothing there

# File: what it holds, then code -> name and other names.
FILES = {
    "germanic": ("Germanic languages", [
        ("en", "english", ""), ("de", "german", "deutsch"), ("nl", "dutch", ""), ("sv", "swedish", ""),
        ("da", "danish", ""), ("no", "norwegian", "nb nn bokmal"), ("af", "afrikaans", "")]),
    "romance": ("Romance languages and Latin", [
        ("fr", "french", ""), ("es", "spanish", "castilian"), ("it", "italian", ""),
        ("pt", "portuguese", "brazilian"), ("ro", "romanian", "mo moldovan"), ("ca", "catalan", "valencian"),
        ("la", "latin", "")]),
    "slavic": ("Slavic languages", [
        ("ru", "russian", ""), ("uk", "ukrainian", ""), ("bg", "bulgarian", ""), ("pl", "polish", ""),
        ("cs", "czech", "cz"), ("sk", "slovak", ""), ("sl", "slovenian", "slovene"), ("hr", "croatian", "bs bosnian")]),
    "europe": ("other languages of Europe", [
        ("fi", "finnish", ""), ("et", "estonian", ""), ("hu", "hungarian", ""), ("lv", "latvian", ""),
        ("lt", "lithuanian", ""), ("el", "greek", "gr"), ("ga", "irish", ""), ("eu", "basque", ""),
        ("hy", "armenian", ""), ("tr", "turkish", "")]),
    "asia": ("languages of western and southern Asia", [
        ("ar", "arabic", ""), ("he", "hebrew", "iw"), ("fa", "persian", "farsi"), ("ur", "urdu", ""),
        ("hi", "hindi", ""), ("bn", "bengali", "bangla"), ("mr", "marathi", ""), ("gu", "gujarati", ""),
]),
    "pacific": ("languages of eastern Asia and Africa", [
        ("zh", "chinese", "zho cmn mandarin"), ("ja", "japanese", ""), ("ko", "korean", ""), ("th", "thai", ""),
        ("vi", "vietnamese", ""), ("id", "indonesian", "ms malay malaysian"),
        ("tl", "tagalog", "fil filipino"), ("yo", "yoruba", "")]),
}
OTHER_CODES = {"no": {"spacy": "nb"}}


def letters(text):
    return all(unicodedata.category(c)[0] in "LM" for c in text) and unicodedata.category(text[0])[0] == "L"


def fold(word):
    word = unicodedata.normalize("NFKC", word).casefold()
    return unicodedata.normalize("NFKC", word.translate({ord(c): None for c in HIDDEN}))


def forms(words):
    """The words as the tokeniser leaves them: folded, split at apostrophes."""
    found = set()
    for word in words:
        parts = [p for p in re.split(f"[{APOSTROPHES}]", fold(word.strip())) if p]
        if parts and all(letters(p) for p in parts):
            found.update(parts)
    return found


class Sources:
    def __init__(self, packages, snowball, treebanks):
        self.packages, self.snowball_dir, self.treebanks = packages, snowball, treebanks
        self.iso = json.loads(next((packages / "stopwordsiso").glob("*.json")).read_text())

    def spacy(self, code):
        file = self.packages / "spacy" / "lang" / OTHER_CODES.get(code, {}).get("spacy", code) / "stop_words.py"
        space = {}
        if file.exists():
            exec(file.read_text(), space)
        return forms(space.get("STOP_WORDS", ()))

    def stop_words(self, name):
        file = self.packages / "stop_words" / "stop-words" / f"{name}.txt"
        return forms(file.read_text().split("\n")) if file.exists() else set()

    def snowball(self, name):
        file = self.snowball_dir / f"{name}.txt"
        lines = file.read_text().splitlines() if file.exists() else []
        return forms(word for line in lines for word in line.split("|")[0].split())

    def treebank(self, code):
        """Words of a treebank that are nouns in most places, that are content words, and that are function words; all
        words."""
        tags, total = defaultdict(Counter), 0
        for file in sorted(self.treebanks.glob(f"{code}_*.conllu")):
            for line in file.read_text().splitlines():
                cells = line.split("\t")
                if len(cells) > 3 and cells[0].split("-")[0].isdigit():
                    for part in forms([cells[1]]):
                        tags[part][cells[3]] += 1
                        total += 1
        nouns, contents, function = set(), set(), set()
        for word, count in tags.items():
            content = NOUNS if sum(count.values()) >= RARE * total else NOUNS | {"VERB", "ADJ"}
            if sum(count[t] for t in content) * 2 > sum(count.values()):
                contents.add(word)
            if sum(count[t] for t in NOUNS) * 2 > sum(count.values()):
                nouns.add(word)
            if sum(count.values()) >= LEAST_SEEN and sum(count[t] for t in FUNCTION) * 2 > sum(count.values()):
                function.add(word)
        return nouns, contents, function, set(tags)


def extra():
    """Words of stopword_extra.txt by language: to add, to remove."""
    add, remove = defaultdict(set), defaultdict(set)
    for line in EXTRA.read_text().splitlines():
        if line and not line.startswith("#"):
            code, words = line.split(":", 1)
            for word in words.split():
                (remove if word[0] == "-" else add)[code].add(word.lstrip("-"))
    return add, remove


def list_of(sources, code, name, add, remove):
    spacy, iso = sources.spacy(code), forms(sources.iso.get(code, ()))
    stop_words = sources.stop_words(name)
    nouns, contents, function, seen = sources.treebank(code)
    sure = iso & stop_words
    if code not in NO_LETTERS:
        sure |= {word for word in spacy if len(word) <= UNSEEN_LETTERS}
    agreed = spacy & (iso | stop_words) - contents
    if seen:
        agreed &= seen | sure
    agreed |= (spacy | iso | stop_words) & function
    return (agreed | sources.snowball(name) - nouns | add[code]) - remove[code]


def c_list(code, name, aliases, words):
    text = "\n".join(f'     "{line} "' for line in textwrap.wrap(" ".join(sorted(words)), 88))
    return f'    {{"{code}", "{name}", "{aliases}",\n{text[:-2]}"}},\n'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packages", type=Path, required=True)
    parser.add_argument("--snowball", type=Path, required=True)
    parser.add_argument("--treebanks", type=Path, required=True)
    parser.add_argument("--to", type=Path, default=ROOT / "src" / "corpus" / "text" / "stopwords")
    args = parser.parse_args()
    sources = Sources(args.packages, args.snowball, args.treebanks)
    add, remove = extra()
    for family, (what, languages) in FILES.items():
        body = ""
        for code, name, aliases in languages:
            words = list_of(sources, code, name, add, remove)
            print(code, len(words))
            body += c_list(code, name, aliases, words)
        path = args.to / f"stopwords_{family}.c"
        path.write_text(
            f"/* Stop words of {what}, as the tokeniser splits them. Written by scripts/stopword_lists.py, which\n"
            " * names its sources; do not edit. */\n"
            '#include "corpus/text/stopwords/stopwords.h"\n\n'
            f"const ez_stop_list ez_stop_{family}[{len(languages)}] = {{\n{body}}};\n")
        subprocess.run(["clang-format", "-i", str(path)], check=True)


if __name__ == "__main__":
    main()
