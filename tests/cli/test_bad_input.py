"""Bad inputs of every kind: one clear line, status 1, no file left behind."""
import bz2
import gzip
import lzma
import os
import resource
import tempfile
from pathlib import Path

import pytest


def uci(docs=2, words=3, pairs=3, triples="1 1 2\n1 3 1\n2 2 4\n"):
    return f"{docs}\n{words}\n{pairs}\n{triples}".encode()


MM = b"%%MatrixMarket matrix coordinate integer general\n"

BAD = {
    "uci-fewer-pairs": ("docword.txt", uci(pairs=4), "docword.txt"),
    "uci-more-pairs": ("docword.txt", uci(pairs=2), "docword.txt:"),
    "uci-word-out-of-range": ("docword.txt", uci(triples="1 1 2\n1 4 1\n2 2 4\n"), "docword.txt:5"),
    "uci-doc-out-of-range": ("docword.txt", uci(triples="1 1 2\n1 3 1\n3 2 4\n"), "docword.txt:6"),
    "uci-word-zero": ("docword.txt", uci(triples="1 0 2\n1 3 1\n2 2 4\n"), "docword.txt:4"),
    "uci-negative-count": ("docword.txt", uci(triples="1 1 -2\n1 3 1\n2 2 4\n"), "docword.txt:4"),
    "uci-nan-count": ("docword.txt", uci(triples="1 1 nan\n1 3 1\n2 2 4\n"), "docword.txt:4"),
    "uci-huge-count": ("docword.txt", uci(triples="1 1 99999999999999999999\n1 3 1\n2 2 4\n"), "docword.txt:4"),
    "uci-half-a-line": ("docword.txt", uci(triples="1 1 2\n1 3 1\n2 2"), "docword.txt:6"),
    "uci-huge-header": ("docword.txt", uci(docs=10**30), "docword.txt:1"),
    "mm-fewer-pairs": ("corpus.mm", MM + b"2 3 3\n1 1 2\n", "corpus.mm"),
    "mm-word-out-of-range": ("corpus.mm", MM + b"2 3 1\n1 4 2\n", "corpus.mm:3"),
    "mm-nan": ("corpus.mm", MM.replace(b"integer", b"real") + b"2 3 1\n1 1 nan\n", "corpus.mm:3"),
    "mm-negative": ("corpus.mm", MM + b"2 3 1\n1 1 -1\n", "corpus.mm:3"),
    "mm-complex": ("corpus.mm", MM.replace(b"integer", b"complex") + b"2 3 1\n1 1 1 1\n", "corpus.mm:1"),
    "ldac-wrong-count": ("corpus.ldac", b"2 0:1 1:1\n3 0:1 1:1\n", "corpus.ldac:2"),
    "ldac-negative-id": ("corpus.ldac", b"2 0:1 1:1\n1 -1:1\n", "corpus.ldac:2"),
    "ldac-negative-count": ("corpus.ldac", b"2 0:1 1:1\n1 1:-1\n", "corpus.ldac:2"),
    "text-not-utf8": ("corpus.txt", b"fine words here\nbroken \x81\x8d\x8f words\n", "corpus.txt:2"),
    "jsonl-truncated": ("corpus.jsonl", b'{"text": "fine words"}\n{"text": "broken', "corpus.jsonl:2"),
    "jsonl-no-field": ("corpus.jsonl", b'{"body": "fine words"}\n', "text"),
    "csv-no-column": ("corpus.csv", b"id,body\n1,fine words\n", "text"),
    "empty-file": ("corpus.txt", b"", "corpus.txt"),
    "gzip-truncated": ("corpus.txt.gz", gzip.compress(b"fine words here\n" * 1000)[:-20], "corpus.txt.gz"),
    "xz-truncated": ("corpus.txt.xz", lzma.compress(b"fine words here\n" * 1000)[:-20], "corpus.txt.xz"),
    "text-hdf5": ("cells.h5ad", b"\x89HDF\r\n\x1a\n" + bytes(600), ["cells.h5ad", "HDF5", "ezlda.tl"]),
    "text-numpy": ("x.npy", b"\x93NUMPY\x01\x00v\x00" + bytes(100), ["x.npy", "NumPy", "from_matrix"]),
    "text-zip": ("x.npz", b"PK\x03\x04" + bytes(100), ["x.npz", "ZIP"]),
    "text-parquet": ("x.parquet", b"PAR1\x15\x04" + bytes(100), ["x.parquet", "Parquet"]),
    "text-pdf": ("x.pdf", b"%PDF-1.4\nfine words\n", ["x.pdf", "PDF", "pdftotext"]),
    "text-bzip2": ("x.txt.bz2", bz2.compress(b"fine words here\n"), ["x.txt.bz2", "bzcat"]),
    "gzip-damaged": ("corpus.txt.gz", gzip.compress(os.urandom(5000))[:3000] + b"\0" * 2000, "corpus.txt.gz"),
}
FORMATS = {"uci": "uci", "mm": "mm", "ldac": "ldac", "text": "text", "jsonl": "jsonl", "csv": "csv", "empty": "text",
           "gzip": "text", "xz": "text"}


@pytest.mark.parametrize("case", BAD)
def test_bad_corpus(fails, tmp_path, case):
    name, content, words = BAD[case]
    (tmp_path / name).write_bytes(content)
    format_name = FORMATS[case.split("-")[0]]
    for command in (["import"], ["train", "-k", 3]):
        fails(1, words, *command, tmp_path / name, "--format", format_name, "-o", tmp_path / "out")


def test_damaged_corpus_file(fails, corpus, tmp_path):
    whole = corpus.read_bytes()
    damaged = tmp_path / "damaged.ezc"
    for cut in (0, 1, 7, 8, 63, len(whole) // 2, len(whole) - 1):
        damaged.write_bytes(whole[:cut])
        fails(1, "damaged.ezc", "train", damaged, "--format", "ezc", "-k", 3, "-o", tmp_path / "m")
    for at in range(0, len(whole), len(whole) // 23):
        damaged.write_bytes(whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1:])
        fails(1, "damaged.ezc", "info", damaged, "--format", "ezc")


def test_damaged_model_file(fails, model, tmp_path):
    whole = model.read_bytes()
    damaged = tmp_path / "damaged.ezm"
    for cut in (0, 1, 7, 8, 63, len(whole) // 2, len(whole) - 1):
        damaged.write_bytes(whole[:cut])
        fails(1, "damaged.ezm", "topics", damaged)
        if cut >= 8:
            fails(1, "damaged.ezm", "info", damaged)
    for at in range(0, len(whole), len(whole) // 23):
        damaged.write_bytes(whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1:])
        fails(1, "damaged.ezm", "docs", damaged)


def test_missing_files(fails, tmp_path):
    missing = tmp_path / "missing"
    fails(1, ["missing", "No such file"], "import", missing, "-o", tmp_path / "c")
    fails(1, ["missing", "No such file"], "train", missing, "-k", 3, "-o", tmp_path / "m")
    for command in ("topics", "docs", "info"):
        fails(1, ["missing", "No such file"], command, missing)


def test_a_directory_where_a_file_belongs(fails, corpus, tmp_path):
    for command in ("topics", "docs"):
        fails(1, "directory", command, tmp_path)
    fails(1, "directory", "import", corpus, "-o", tmp_path)
    fails(1, "directory", "train", corpus, "-k", 3, "-o", tmp_path)
    fails(1, "directory", "train", corpus, "-k", 3, "-o", f"{tmp_path}/new/")
    fails(1, "directory", "train", corpus, "-k", 3, "-o", tmp_path / "m", "--log", tmp_path)
    fails(1, "directory", "train", corpus, "-k", 3, "-o", tmp_path / "m", "--summary", tmp_path)
    fails(1, "directory", "train", corpus, "-k", 3, "-o", tmp_path / "m", "--alpha", tmp_path)


def test_a_model_where_a_corpus_belongs(fails, model, corpus, tmp_path):
    fails(1, model.name, "train", model, "-k", 3, "-o", tmp_path / "m")
    fails(1, corpus.name, "topics", corpus)


@pytest.mark.parametrize("option", ["-o", "--log", "--summary"])
def test_no_place_to_write(fails, corpus, tmp_path, option):
    """The error comes before anything is read: the corpus named here does not exist."""
    (tmp_path / "file").write_text("")
    arguments = ["train", tmp_path / "missing.ezc", "-k", 3, "-o", tmp_path / "m"]
    fails(1, ["file/x", "not a directory"], *arguments, option, tmp_path / "file" / "x")
    fails(1, ["nowhere/x", "No such file"], *arguments, option, tmp_path / "nowhere" / "x")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_no_permission(fails, corpus, tmp_path):
    (tmp_path / "closed").mkdir(mode=0o500)
    fails(1, "Permission denied", "train", corpus, "-k", 3, "-o", tmp_path / "closed" / "m")
    secret = tmp_path / "secret.ezc"
    secret.write_bytes(corpus.read_bytes())
    secret.chmod(0)
    fails(1, "Permission denied", "train", secret, "-k", 3, "-o", tmp_path / "m")


def test_inputs_are_not_overwritten(fails, corpus, tmp_path):
    copy = tmp_path / "copy.ezc"
    copy.write_bytes(corpus.read_bytes())
    fails(2, "is also an input", "train", copy, "-k", 3, "-o", copy)
    fails(2, "is also an input", "import", corpus, copy, "-o", copy)
    fails(2, "same file", "train", corpus, "-k", 3, "-o", tmp_path / "x", "--log", tmp_path / "x")
    assert copy.read_bytes() == corpus.read_bytes()


def test_full_disk(fails, corpus, tmp_path):
    """/dev/full is a disk without room; a limit on file sizes fails in the middle of a file."""
    fails(1, "/dev/full", "import", corpus, "-o", "/dev/full", "-q")
    fails(1, "/dev/full", "train", corpus, "-k", 3, "-i", 2, "-o", "/dev/full", "-q")

    def small_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))

    fails(1, "out.ezm", "train", corpus, "-k", 3, "-i", 2, "-o", tmp_path / "out.ezm", "-q", "--patience", "0s",
          preexec_fn=small_files)
    fails(1, "out.ezc", "import", corpus, "-o", tmp_path / "out.ezc", "-q", preexec_fn=small_files)
    fails(1, "out.ezc", "synth", "-o", tmp_path / "out.ezc", "-q", preexec_fn=small_files)


def test_full_disk_under_a_report_still_leaves_the_model(ezlda, corpus, tmp_path):
    for option in ("--log", "--summary"):
        out = tmp_path / f"model{option}"
        result = ezlda("train", corpus, "-k", 3, "-i", 2, "-o", out, option, "/dev/full", "-q")
        assert result.status == 1 and result.stderr.startswith("ezlda: /dev/full: cannot write")
        assert result.stderr.endswith(": No space left on device\n") and result.stderr.count("\n") == 1, result.stderr
        assert ezlda("info", out).status == 0


def test_standard_output_that_fails(ezlda, binary, model):
    with open("/dev/full", "w") as full:
        result = ezlda("docs", model, stdout=full)
    assert result.status == 1 and result.stderr == "ezlda: standard output: cannot write: No space left on device\n"
    read_end, write_end = os.pipe()
    os.close(read_end)
    result = ezlda("docs", model, stdout=write_end)
    os.close(write_end)
    assert result.status == 1 and result.stderr == ""
    result = ezlda("docs", model, preexec_fn=lambda: os.close(1))
    assert result.status == 1 and "standard output" in result.stderr


def test_standard_output_that_fails_early(ezlda, tmp_path):
    """More is printed than one write holds; the error names the reason of the first write that failed."""
    assert ezlda("synth", "-o", tmp_path / "c.ezc", "--docs", 5000, "--words", 100, "--length", 5, "-q").status == 0
    assert ezlda("train", tmp_path / "c.ezc", "-k", 3, "-i", 1, "-q", "-o", tmp_path / "m.ezm").status == 0
    for option in ("--tsv", "--json"):
        with open("/dev/full", "w") as full:
            result = ezlda("docs", tmp_path / "m.ezm", option, stdout=full)
        assert (result.status, result.stderr) == (1, "ezlda: standard output: cannot write: No space left on device\n")


def test_training_survives_a_reader_that_goes_away(ezlda, corpus, tmp_path):
    read_end, write_end = os.pipe()
    os.close(read_end)
    result = ezlda("train", corpus, "-k", 3, "-i", 2, "-o", tmp_path / "m", stdout=write_end)
    os.close(write_end)
    assert result.status == 1
    assert ezlda("info", tmp_path / "m").status == 0


def test_closed_standard_streams_do_not_leak_into_files(ezlda, corpus, tmp_path):
    result = ezlda("train", corpus, "-k", 3, "-i", 2, "-o", tmp_path / "m", "--log", tmp_path / "log",
                   preexec_fn=lambda: os.close(1))
    assert result.status == 1 and "standard output" in result.stderr
    assert ezlda("info", tmp_path / "m").status == 0
    assert all(line.startswith("{") for line in (tmp_path / "log").read_text().splitlines())


def test_alpha_file(fails, ezlda, corpus, tmp_path):
    alpha = tmp_path / "alpha.txt"
    train = ["train", corpus, "-k", 3, "-i", 2, "-q", "--alpha", alpha, "-o", tmp_path / "m.ezm"]
    for content, words in [("0.1 0.2", "expected 3 numbers (--topics), found 2"), ("1 2 3 4", "found more"),
                           ("1 2 x", "number 3: expected a number above 0, found 'x'"), ("1 0 1", "number 2"),
                           ("", "found 0")]:
        alpha.write_text(content)
        fails(1, ["alpha.txt", words], *train)
    for content in ("0.1 0.2\n0.3\n", "\ufeff0.1 0.2\n0.3\n", "\ufeff\n0.1 0.2\n0.3\n"):
        alpha.write_text(content, encoding="utf-8")
        assert ezlda(*train) == ("", "", 0)
    alpha.write_bytes(bytes(99))
    fails(1, "number 1: expected a number above 0", *train)


def test_a_file_in_shared_memory_is_replaced(ezlda, corpus, tmp_path):
    """Only files such as /dev/stdout are written without a temporary file."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        summary = Path(folder) / "s.json"
        for _ in range(2):
            assert ezlda("train", corpus, "-k", 3, "-i", 2, "-q", "--device", "cpu", "-o", tmp_path / "m.ezm", "--summary",
                         summary).status == 0
        assert summary.read_text().count("topics_hash") == 1
