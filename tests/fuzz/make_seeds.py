#!/usr/bin/env python3
"""Makes the seeds of the fuzz targets: tests/fuzz/make_seeds.py EZLDA (the command). Needs the command zstd.

Inputs that once failed lie beside the seeds under names of their own (found-*.bin) and stay.
"""
import gzip
import io
import lzma
import struct
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "corpus"
UCI = "3\n4\n5\n1 1 2\n1 2 1\n2 2 3\n2 3 1\n3 4 2\n"
STATE = ("#doc source pos typeindex type topic\n#alpha : 0.5 0.5 \n#beta : 0.01\n"
         "0 one 0 0 river 0\n0 one 1 1 boat 1\n1 two 0 0 river 0\n1 two 1 2 choir 1\n")
TEXT = "the river and the boats of 1984\nRivers, boats: l'été Straße ﬁne\n\nriver boat river boat choir sang\n"

TEXTS = {
    "uci": {"ordered": UCI, "unordered": "2\n2\n3\n2 1 1\n1 2 4\n2 1 9\n", "empty": "0\n0\n0\n"},
    "mm": {"integer": "%%MatrixMarket matrix coordinate integer general\n% note\n2 3 3\n1 1 2\n1 3 1\n2 2 5\n",
           "real": "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1.0\n2 2 2e0\n",
           "pattern": "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 1\n2 2\n"},
    "cells": {"genes": "%%MatrixMarket matrix coordinate integer general\n3 2 3\n1 1 2\n3 1 1\n2 2 5\n\1"
                       "E1\tSox2\tGene Expression\nE2\tSox2\nE3\n\1AAC-1\nAAG-1\n",
              "regions": "%%MatrixMarket matrix coordinate integer general\n2 3 2\n1 1 2\n2 3 1\n\1"
                         "# peaks\nchr1\t10\t20\nchr2\t5\t9\n\1AAC\nAAG\nAAT\n\t\1"},
    "ldac": {"two": "2 0:1 3:2\n1 2:7\n0\n"},
    "svmlight": {"two": "1 1:2 4:1 # first\n-1 qid:3 2:1.0\n# nothing\n0\n"},
    "mallet": {"three": "a en the river and the boat\nb de Fluss und Boot\nc\tx\tchoir sang\n"},
    "text": {"lines": TEXT},
    "csv": {"quoted": 'id,text,label\n1,"the river, the ""boat""\nand more",x\n2,choir sang,y\n',
            "other": "text;name\r\nriver boat;one\r\n"},
    "tsv": {"two": "id\ttext\tlabel\n1\tthe river\tx\n2\tchoir sang\ty\n"},
    "jsonl": {"two": '{"id": "a", "text": "river \\u00e9t\\ud83d\\ude00 boat", "label": null}\n'
                     '{"x": [1, {"y": 2e3}], "text": "choir sang", "name": true}\n'},
    "json": {"two": '[{"id": "a", "text": ["river", "boat"], "a": {"b": "x"}},\n {"x": [{"y": [1]}], "text": "c\\"]}"} ]\n',
             "none": "[]\n"},
    "recognised": {"uci": UCI, "state": STATE, "text": TEXT, "json": '{"text": "river boat"}\n',
                   "ldac": "2 0:1 3:2\n", "csv": "id,text\n1,river\n"},
    "vocabulary": {"words": "river\nboat\nchoir\nsang\n", "dictionary": "0\triver\t3\n2\tchoir\t1\n1\tboat\t2\n3\tsang\t1\n"},
    "stopwords": {"words": "the\nand\nÉtÉ\nan\n"},
    "lemmas": {"file": "\0houses\thouse\nH\u00e4user\tHaus\nran\trun\nnew york\tx\n", "list": "\1haus h\u00e4user\nhouse houses\nrun ran\n"},
    "edits": {"all": "rename 7 Supreme Court\nmerge 3,9\nhide 4\ngroup 1,5,8 Politics\nwords 7 +appeal -river\n",
              "chain": "merge 1,2\nmerge 3,1\nrename 3 A \"b\"\nhide 3\n"},
    "formula": {"spline": "share ~ s(year, 4) + party*region", "plain": "~ factor(year):party + `two words`"},
    "segmentation": {"cut": "\0我们用Python研究机器学习。東京タワーへ ภาษาไทย ភាសាខ្មែរ မြန်မာ ພາສາລາວ",
                     "letters": "\x10ΛΟΓΟΣ İstanbul DIŞ Straße צה\"ל об'єкт col·lecció كِتـَاب हिन्दी 한국어",
                     "pairs": "\x41\x12\x05\x12\x06\x09\x01\x03\x07\x10\x21", "units": "\x64New York\x1fcity\x1f \x1f"},
    "markup": {"tags": "a<br />b <a href='http://x.org/y'>c</a>&amp;nbsp;&#233; &lt;p&gt; joe@x.org <!-- d --><script>e</script>",
               "code": "begin 644 x\n" + 2 * ("M" + 15 * "8F%R" + "\n") + "end\n" + 3 * "VGhlIHF1aWNrIGJyb3du1" + "\n",
               "key": "-----BEGIN PGP SIGNATURE-----\nabc\n-----END PGP SIGNATURE-----\n"},
    "encoding": {"utf8": "1café naïve\n", "jis": "1\x1b$B%F\x1b(B\n", "nul": "1a\0b\0\n\0"},
    "page_html": {"page": "<!DOCTYPE html><html lang=de><head><meta charset=utf-8><title>Die K\u00fcste</title><meta name=author "
                          "content='A B'><style>p{}</style><script>if (a<b) c</script></head><body><nav>x</nav><h1>One</h1>"
                          "<p>a<br>b&eacute;&#233;<b>c</b>d<pre>x\ny</pre><table><tr><td>1<td>2</table><!-- z --></body>",
                  "broken": "<p><b>a<i>b</b>c</i></p></div><ul><li>x<li>y<select><option>z</select><svg><title>t</title></svg>"},
    "page_xml": {"record": "<?xml version='1.0' encoding='utf-8'?><docs xml:lang='en'><doc a='1'><title>One</title><p>some <b>t</b>ext"
                           "</p><![CDATA[a < b]]></doc><?pi x?><!-- y --></docs>",
                 "bomb": "<!DOCTYPE a [<!ENTITY b 'xyz'><!ENTITY c '&b;&b;'><!ENTITY d SYSTEM 'file:///etc/passwd'><!ENTITY % e "
                         "SYSTEM 'f'>%e;<!ATTLIST a f CDATA 'g' h (i|j) 'i'>]><a k='&b;&eacute;'>&b;&c;&d;&eacute;&nope;&lt;</a>"},
    "page_tei": {"two": "<teiCorpus xmlns='http://www.tei-c.org/ns/1.0'><TEI xml:id='a' xml:lang='de'><teiHeader><fileDesc><titleStmt>"
                        "<title>T</title><author><forename>A</forename> B</author></titleStmt><publicationStmt><date>1999</date>"
                        "<pubPlace>C</pubPlace></publicationStmt><sourceDesc><bibl><date when='1843'/></bibl></sourceDesc></fileDesc>"
                        "</teiHeader><text><front/><body><p>Schif-<lb/>fahrt Was<lb break='no'/>ser<note type='editorial'>x</note>"
                        "<choice><sic>a</sic><corr>b</corr></choice><app><lem>c</lem><rdg>d</rdg></app></p></body></text></TEI>"
                        "<TEI><text><body><l>x</l></body></text></TEI></teiCorpus>"},
    "page_markdown": {"yaml": "---\ntitle: 'T'\ntags: [a, \"b\"]\nauthor:\n  - name: A\n---\n# One\n\na **b**c [d](e 'f') ![g][h] `i`\n\n"
                              "```x\ncode\n```\n\n    code\n\n* item\n[h]: http://x.org\nTwo\n===\n[^1]: note\n",
                      "toml": "+++\ntitle = \"T\"\n+++\ntext\n", "percent": "% T\n% A\n% 1999\n\ntext\n"},
    "mallet_state": {"two": STATE},
    "seeds": {"topics": "river, boat # water\n2: choir\tsang\n\nwords\n", "phrases": '\ufeff0: "New York" "#1"\n\nwords\n'},
    "alpha": {"five": "0.1 0.2\n3e-1 4 5\n"},
    "query": {"all": 'river OR "boat harbour" -law (court* AND topic:1>20%) topic:0<0.5 year:-3..1990 day:1999..2001-01',
              "fields": 'place:york place:="New York" place:="" day:2001 NAME:b year:1990 of'},
    "request": {"find": "GET /api/find?query=a+b%20%c3%a9&sort=-year HTTP/1.1\r\nHost: 127.0.0.1\r\nA: b\r\n\r\n",
                "head": "HEAD /?query=%00 HTTP/1.0\r\nhost: localhost:80\r\n\r\n", "post": "POST / HTTP/1.1\r\n\r\n"},
    "options": {"import": "\0docs.txt\n--min-docs\n2\n-o\nx.ezc\n--max-docs=0.5",
                "train": "\1c.ezc\n-k\n100\n-i100\n-o\nm.ezm\n--alpha\nsum:5\n--quiet\n--device\ncpu",
                "sweep": "\2c.ezc\n--topics\n5,10-20\n--\n-x", "topics": "\6m.ezm\n--topics\n3,7-9\n--by\nlift",
                "synth": "\x0b-o\nc.ezc\n--docs\n1e3\n--seed\n18446744073709551615"},
}


def sections(path):
    """A container as the list of sections that fuzz_sections.h describes."""
    data = path.read_bytes()
    table, _, count = struct.unpack_from("<QQI", data, len(data) - 64)
    out = b""
    for i in range(count):
        tag, _, offset, length, _ = struct.unpack_from("<4sIQQQ", data, table + 32 * i)
        out += tag + struct.pack("<I", length) + data[offset:offset + length]
    return out


def compressed():
    text = TEXT.encode()
    zstd = subprocess.run(["zstd", "-q", "--no-progress", "-c"], input=text, stdout=subprocess.PIPE, check=True).stdout
    gz = gzip.compress(text, mtime=0)
    # zeros: a mebibyte in some dozens of bytes
    zeros = subprocess.run(["zstd", "-q", "-19", "-c"], input=bytes(1 << 20), stdout=subprocess.PIPE, check=True).stdout
    return {"gzip": gz, "gzip_twice": gz + gz + bytes(10), "zstd": zstd, "zstd_twice": zstd + zstd, "zstd_zeros": zeros,
            "xz": lzma.compress(text), "plain": text, "gzip_stored": gzip.compress(text[:20], 0, mtime=0)}


def archives():
    """ZIP archives, with stored and deflated files and the 64-bit extension."""
    seeds = {}
    for name, method in (("stored", zipfile.ZIP_STORED), ("deflated", zipfile.ZIP_DEFLATED)):
        with io.BytesIO() as file:
            with zipfile.ZipFile(file, "w", method) as archive:
                for member in ("a.txt", "sub/", "sub/b.txt", ".hidden"):
                    archive.writestr(zipfile.ZipInfo(member), TEXT if member[-1] != "/" else "", method)
                with archive.open(zipfile.ZipInfo("c.txt"), "w", force_zip64=True) as member:
                    member.write(b"river boat\n")
                archive.comment = b"note"
            seeds[name] = file.getvalue()
    return seeds


def cells():
    """Descriptions of HDF5 files, as fuzz_hdf5.c reads them: a layout, then arrays and names."""
    data, indices, starts = bytes([0, 3, 2, 1, 5]), bytes([0, 3, 0, 1, 1]), bytes([0, 3, 0, 2, 3])
    names = bytes([0, 2]) + b"AB\0\0CD\0\0"
    frames = bytes([1]) + names + bytes([1]) + names
    return {"csr": bytes([0, 1, 2, 2, 0]) + data + indices + starts + frames + bytes([0]),
            "dense": bytes([1, 0, 2, 2, 1, 0, 2, 3]) + frames + bytes([0]),
            "ranger": bytes([2]) + data + indices + starts + bytes([0, 2, 2, 2]) + names + names + names,
            "old": bytes([3]) + data + indices + starts + bytes([0, 2, 2, 2]) + names + names + names}


def encoded():
    """Text behind a byte that chooses its encoding, as fuzz_stream.c lists them."""
    names = ["utf-16", "latin1", "windows-1252", "shift_jis", "big5", "iso-2022-jp", "utf-7", "utf-32"]
    texts = {"latin1": "l'été à Köln\n", "windows-1252": "“prix” 5 €\n", "shift_jis": "日本語\n", "big5": "中文\n",
             "iso-2022-jp": "ab 日本 cd\n"}
    seeds = {name: bytes([i]) + texts.get(name, "déjà 日本\r\nvu\n").encode(name) for i, name in enumerate(names)}
    return {**seeds, "gzip": bytes([0]) + gzip.compress("zwölf\n".encode("utf-16"), mtime=0)}


def files_of(ezlda, scratch):
    """Files that the command writes itself."""
    def run(*arguments):
        subprocess.run([ezlda, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    (scratch / "docword.txt").write_text(UCI)
    (scratch / "lines.txt").write_text(TEXT)
    run("import", scratch / "docword.txt", "--format", "uci", "-o", scratch / "bags")
    run("import", scratch / "lines.txt", "--format", "text", "--keep-order", "-o", scratch / "ordered")
    (scratch / "stop").write_text("the of")
    run("import", scratch / "lines.txt", "--format", "text", "--stopwords", scratch / "stop", "--stemmer", "english",
        "--stem-below", 2, "--ngrams", 2, "--keep-numbers", "-o", scratch / "ruled")
    train = ["train", "--format", "ezc", "--threads", 1, "--device", "cpu", "--seed", 1]
    run(*train, scratch / "bags", "-k", 3, "-i", 3, "-o", scratch / "bags.m", "--checkpoint", scratch / "kept",
        "--every", "1it")
    run(*train, scratch / "ordered", "-k", 2, "-i", 3, "-o", scratch / "ordered.m", "--keep-topics")
    run(*train, scratch / "ruled", "-k", 2, "-i", 3, "-o", scratch / "ruled.m")
    corpora = {"bags": scratch / "bags", "ordered": scratch / "ordered", "ruled": scratch / "ruled"}
    models = {"bags": scratch / "bags.m", "topics": scratch / "ordered.m", "ruled": scratch / "ruled.m"}
    newest = sorted((scratch / "kept").iterdir())[-1]
    return {"corpus_file": {n: p.read_bytes() for n, p in corpora.items()},
            "model_file": {n: p.read_bytes() for n, p in models.items()},
            "corpus_sections": {n: sections(p) for n, p in corpora.items()},
            "model_sections": {n: sections(p) for n, p in models.items()},
            "checkpoint": {"newest": sections(newest), "raw": newest.read_bytes()}}


def main():
    targets = {name: {seed: text.encode() for seed, text in seeds.items()} for name, seeds in TEXTS.items()}
    targets["stream"] = compressed()
    targets["encoded"] = encoded()
    targets["zip"] = archives()
    targets["hdf5"] = cells()
    with tempfile.TemporaryDirectory(prefix="ezlda-seeds-") as scratch:
        targets.update(files_of(sys.argv[1], Path(scratch)))
    for name, seeds in targets.items():
        (FOLDER / name).mkdir(parents=True, exist_ok=True)
        for seed, content in seeds.items():
            (FOLDER / name / f"{seed}.bin").write_bytes(content)


if __name__ == "__main__":
    main()
