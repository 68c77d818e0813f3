#!/usr/bin/env python3
"""Writes the files that docs/guide.md uses into the current folder, from the articles of `make demo`.

    scripts/guide_files.py build/demo/foldoc.jsonl

Articles of more than 40 characters count. Every twentieth is in today.txt, the others are in articles.txt and
articles.jsonl; those of them with a date are in pages.csv. grown.txt is articles.txt followed by today.txt. notes/ has
one file for each article of more than 1,500 characters.
"""
import csv
import json
import sys
from pathlib import Path


def write_lines(name, lines):
    Path(name).write_text("".join(lines), encoding="utf-8")


def main(source):
    with open(source, encoding="utf-8") as file:
        lines = [line for line in file if len(json.loads(line)["text"]) > 40]
    others = [line for i, line in enumerate(lines) if i % 20 != 7]
    texts, new = ([json.loads(line)["text"] + "\n" for line in part] for part in (others, lines[7::20]))
    write_lines("articles.jsonl", others)
    write_lines("articles.txt", texts)
    write_lines("today.txt", new)
    write_lines("grown.txt", texts + new)
    with open("pages.csv", "w", encoding="utf-8") as file:
        pages = csv.DictWriter(file, ["id", "date", "text"], extrasaction="ignore")
        pages.writeheader()
        pages.writerows(page for page in map(json.loads, others) if page["date"])
    Path("notes").mkdir(exist_ok=True)
    long = [text for text in (json.loads(line)["text"] for line in lines) if len(text) > 1500]
    for i, text in enumerate(long):
        write_lines(f"notes/{i:03}.txt", [text])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
