#!/usr/bin/env python3
"""Makes a table of lemmas for `ezlda import --lemmas LANGUAGE` from the dictionaries of the Python package simplemma.

    pip install simplemma
    scripts/lemma_table.py en [-o FILE]

Without -o the table is written to lemmas/LANGUAGE.tsv.gz in the folder where ezlda looks for it (EZLDA_DATA, else
XDG_DATA_HOME/ezlda, else ~/.local/share/ezlda). Lines are form<TAB>lemma in UTF-8. Dictionaries distinguish capitals and
ezlda does not: of two entries that differ by them, the table keeps that of the form in lower case, but in German and
Luxembourgish that of the noun. The data of simplemma has the licenses of its sources, so ezLDA does not ship tables.
"""
import argparse
import gzip
import os
import sys
from pathlib import Path

NOUNS_HAVE_CAPITALS = {"de", "lb"}


def folder():
    if os.environ.get("EZLDA_DATA"):
        return Path(os.environ["EZLDA_DATA"])
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "ezlda"


def entries(dictionary, language):
    """Lines of the table, one per form in lower case."""
    first = str.isupper if language in NOUNS_HAVE_CAPITALS else str.islower
    chosen = {}
    for form, lemma in sorted(dictionary.items(), key=lambda entry: (not first(entry[0][:1]), entry)):
        if form and lemma and not set("\t\n\r") & set(form + lemma):
            chosen.setdefault(form.lower(), lemma.lower())
    return (f"{form}\t{lemma}\n" for form, lemma in sorted(chosen.items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", help="a code of simplemma: en, de, fr, ...")
    parser.add_argument("-o", dest="output", type=Path, metavar="FILE")
    options = parser.parse_args()
    try:
        from simplemma.strategies.dictionaries.dictionary_factory import DefaultDictionaryFactory
    except ImportError:
        sys.exit("lemma_table.py: the package simplemma is not installed: pip install simplemma")
    try:
        dictionary = DefaultDictionaryFactory().get_dictionary(options.language)
    except ValueError as error:
        sys.exit(f"lemma_table.py: {error}")
    path = options.output or folder() / "lemmas" / f"{options.language}.tsv.gz"
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(entries(dictionary, options.language)).encode()
    path.write_bytes(gzip.compress(text, mtime=0) if path.suffix == ".gz" else text)
    print(f"{path}: {text.count(b'%c' % 10):,} forms")


if __name__ == "__main__":
    main()
