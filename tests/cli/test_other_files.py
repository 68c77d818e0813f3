"""Files that ezlda does not read are named with the command or the line of Python to use, and misplaced files with their place."""
import gzip
import io
import pickle
import sqlite3
import tarfile
import zipfile

import pytest


def sqlite(path):
    with sqlite3.connect(path) as database:
        database.execute("create table texts(text)")


def packed(path, name):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", "<x/>")
        archive.writestr(name, "<x/>")


def tar(path):
    with tarfile.open(path, "w:gz") as archive:
        archive.addfile(tarfile.TarInfo("a.txt"), io.BytesIO())


OTHERS = {
    "a.parquet": (lambda p: p.write_bytes(b"PAR1\x15\x04\x15\x10" + bytes(40)), 'ezlda.Corpus.from_arrow("FILE", text=COLUMN)'),
    "a.arrow": (lambda p: p.write_bytes(b"ARROW1" + bytes(40)), 'ezlda.Corpus.from_arrow("FILE", text=COLUMN)'),
    "a.pkl": (lambda p: p.write_bytes(pickle.dumps({"text": ["a"]})), "ezlda.Corpus.from_frame(pandas.read_pickle(FILE), text=COLUMN)"),
    "a.sqlite": (sqlite, "ezlda.Corpus.from_frame(pandas.read_sql(QUERY, sqlite3.connect(FILE)), text=COLUMN)"),
    "a.docx": (lambda p: packed(p, "word/document.xml"), "ezlda.Corpus.from_texts(p.text for p in docx.Document(FILE).paragraphs)"),
    "a.xlsx": (lambda p: packed(p, "xl/workbook.xml"), "ezlda.Corpus.from_frame(pandas.read_excel(FILE), text=COLUMN)"),
    "a.pdf": (lambda p: p.write_bytes(b"%PDF-1.4\n"), "page.extract_text() for page in pypdf.PdfReader(FILE).pages"),
    "a.rtf": (lambda p: p.write_text("{\\rtf1 hello}"), "pandoc FILE -t plain"),
    "a.tar.gz": (tar, "a tar archive: extract it and give the folder"),
    "a.rds": (lambda p: p.write_bytes(gzip.compress(b"X\n\0\0\0\3" + bytes(20))), "write.csv"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_files_of_other_programs(fails, tmp_path, name):
    make, advice = OTHERS[name]
    make(tmp_path / name)
    fails(1, advice, "import", tmp_path / name, "-o", tmp_path / "a.ezc", "-q")


def test_an_address(fails, tmp_path):
    fails(1, "found an address: download it first", "import", "https://example.org/a.txt", "-o", tmp_path / "a.ezc", "-q")


def test_text_where_a_model_belongs(fails, model, tmp_path):
    (tmp_path / "a.txt").write_text("some words\n")
    fails(1, ["a.txt: expected a model (.ezm), found other content", "ezlda train makes models"], "topics", tmp_path / "a.txt")
    for command in (["infer", "-o", tmp_path / "t"], ["report", "-o", tmp_path / "r.html"], ["eval"]):
        fails(1, f"(the model comes first: ezlda {command[0]} ", command[0], tmp_path / "a.txt", model, *command[1:])


def test_what_a_table_or_numbers_need(fails, tmp_path):
    (tmp_path / "a.csv").write_text("id,a,b\n1,x,y\n")
    fails(1, "the columns are: id, a, b (--text-field NAME names the text)", "import", tmp_path / "a.csv", "-o", tmp_path / "c")
    (tmp_path / "n.txt").write_text("1 2 3\n4 5 6\n")
    fails(1, "--keep-numbers allows digits in words", "import", tmp_path / "n.txt", "-o", tmp_path / "c", "-q")


def test_the_device_is_named_once(ezlda, model, tmp_path):
    (tmp_path / "a.txt").write_text("some words here\nother words there\n" * 20)
    assert ezlda("train", tmp_path / "a.txt", "-k", 2, "-i", 5, "-o", tmp_path / "m.ezm").status == 0
    notes = ezlda("eval", tmp_path / "m.ezm", tmp_path / "a.txt").stderr.splitlines()
    assert len([line for line in notes if line.startswith("device: ")]) == 1
