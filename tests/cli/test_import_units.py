"""What one document is (a file, a line, a stretch cut by --split), which files are read, and warnings of probable mistakes."""
import json
import zipfile

import pytest

LETTER = "Dear {0},\n\nthe ship left in the night and nobody of us saw\nthe lamp go out over the water.\n\nYours\n"
REVIEWS = "".join(f"Great phone number {i}, would buy again\n" for i in range(300))


def read(ezlda, *arguments, **keywords):
    """Documents and tokens, and the notes."""
    result = ezlda("info", *arguments, "--stopwords", "none", "--json", **keywords)
    assert result.status == 0, result
    facts = json.loads(result.stdout)
    return facts["documents"], facts["tokens"], result.stderr


def names(ezlda, tmp_path, *arguments):
    """Names and labels of the documents."""
    run = {"cwd": tmp_path}
    assert ezlda("import", *arguments, "--stopwords", "none", "-q", "-o", "c.ezc", **run).status == 0
    assert ezlda("train", "c.ezc", "-k", 2, "-i", 1, "--device", "cpu", "-q", "-o", "m.ezm", **run).status == 0
    assert ezlda("export", "m.ezm", "--to", "csv", "--corpus", "c.ezc", "-o", "out", **run).status == 0
    rows = [row.split(",") for row in (tmp_path / "out" / "doc_fields.csv").read_text().splitlines()[1:]]
    return [row[1::2] for row in rows]


def letters(folder, n=5):
    folder.mkdir()
    for i in range(n):
        (folder / f"{i}.txt").write_text(LETTER.format("Anna Bert Carla Dora Emil".split()[i]))
    return sorted(folder.iterdir())


def test_letters_are_documents(ezlda, tmp_path):
    paths = letters(tmp_path / "letters")
    documents, tokens, notes = read(ezlda, *paths)
    assert documents == 5 and "5 files, one document each; --unit lines reads one document per line" in notes
    assert (documents, tokens) == read(ezlda, tmp_path / "letters")[:2]
    assert read(ezlda, *paths, "--unit", "lines")[0] == 30
    assert names(ezlda, tmp_path, "letters/0.txt", "letters/1.txt") == [["letters/0.txt", "letters"],
                                                                       ["letters/1.txt", "letters"]]
    assert read(ezlda, paths[0])[0] == 6
    assert read(ezlda, paths[0], "--unit", "files")[:2] == (1, tokens // 5)


def test_lists_of_reviews_are_lines(ezlda, tmp_path):
    for i in (1, 2):
        (tmp_path / f"reviews-{i}.txt").write_text(REVIEWS)
    paths = sorted(tmp_path.iterdir())
    documents, _, notes = read(ezlda, *paths)
    assert documents == 600 and "2 files, one document per line; --unit files reads one document per file" in notes
    assert read(ezlda, *paths, "--unit", "files")[0] == 2
    assert read(ezlda, *paths, "--format", "text")[0] == 600


def test_a_book_is_split(ezlda, fails, tmp_path):
    book = tmp_path / "book.txt"
    book.write_text("\n\n".join("word " * 40 + f"\nand {i}" for i in range(10)) + "\n")
    assert read(ezlda, book, "--split", "blank")[:2] == (10, 410)
    documents, tokens, notes = read(ezlda, book, "--split", 100)
    assert (documents, tokens) == (4, 410) and "read as one text; --unit lines reads" in notes
    assert names(ezlda, tmp_path, "book.txt", "--split", "200") == [["book.txt#1"], ["book.txt#2"]]
    assert read(ezlda, book, "--split", 30, "--unit", "lines")[0] == 29  # empty lines are documents, 40 words are one
    assert read(ezlda, "-", "--split", "blank", stdin=book.read_bytes())[:2] == (10, 410)
    table = tmp_path / "t.csv"
    table.write_text("id,label,text\na,x," + "word " * 10 + "\nb,y,one\n")
    assert names(ezlda, tmp_path, "t.csv", "--split", "5") == [["a#1", "x"], ["a#2", "x"], ["b", "y"]]
    fails(2, 'expected a number of words or "blank", found "0"', "info", book, "--split", "0")
    (tmp_path / "c.ldac").write_text("1 0:2\n")
    fails(2, "no text to split", "info", tmp_path / "c.ldac", "--split", "5")
    fails(2, "decides itself what a document is", "info", table, "--unit", "lines")


def test_files_are_chosen(ezlda, fails, tmp_path):
    letters(tmp_path / "x")
    (tmp_path / "x" / "drafts").mkdir()
    (tmp_path / "x" / "drafts" / "0.txt").write_text("draft words\n")
    (tmp_path / "x" / "readme.md").write_text("other words\n")
    assert read(ezlda, tmp_path / "x")[0] == 7
    assert read(ezlda, tmp_path / "x", "--include", "*.txt")[0] == 6
    documents, _, notes = read(ezlda, tmp_path / "x", "--include", "*.txt", "--exclude", "drafts,0.*")
    assert documents == 4 and "3 files are not read" in notes
    fails(1, "no documents: --include or --exclude leaves no file", "info", tmp_path / "x", "--include", "*.doc")
    fails(2, "no files to include", "info", tmp_path / "x" / "0.txt", "--include", "*.txt")


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_an_archive_is_a_folder(ezlda, fails, tmp_path, method):
    paths = letters(tmp_path / "x")
    with zipfile.ZipFile(tmp_path / "a.zip", "w", method) as archive:
        for i, path in enumerate(paths):
            archive.writestr(f"sub/{i}.txt" if i else "/../0.txt", path.read_bytes())
        archive.writestr("__MACOSX/sub/._1.txt", b"\x00\x05")
        archive.writestr(".hidden", "no")
        archive.writestr("empty/", "")
    documents, tokens, notes = read(ezlda, tmp_path / "a.zip")
    assert (documents, tokens) == read(ezlda, tmp_path / "x")[:2] and "a ZIP archive, one document per file" in notes
    assert names(ezlda, tmp_path, "a.zip")[0] == ["../0.txt", ""]
    assert names(ezlda, tmp_path, "a.zip")[1] == ["sub/1.txt", "sub"]
    assert read(ezlda, tmp_path / "a.zip", "--exclude", "sub")[0] == 1
    assert read(ezlda, tmp_path / "a.zip", tmp_path / "x")[0] == 10
    whole = (tmp_path / "a.zip").read_bytes()
    for n in (10, 100, len(whole) - 30):
        (tmp_path / "cut.zip").write_bytes(whole[:n])
        fails(1, ["cut.zip", "the ZIP archive is damaged"], "info", tmp_path / "cut.zip")
    (tmp_path / "cut.zip").write_bytes(whole.replace(whole[60:64], b"\xff\xff\xff\xff", 1))
    fails(1, ["cut.zip/", "damaged"], "info", tmp_path / "cut.zip")


def test_archives_that_are_not_read(ezlda, fails, tmp_path):
    for name, member, words in [("x.docx", "[Content_Types].xml", "Office"), ("x.npz", "data.npy", "scipy.sparse.load_npz"),
                                ("x.epub", "mimetype", "e-book")]:
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            archive.writestr(member, "x")
        fails(1, [name, words], "info", tmp_path / name)
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.txt", bytes(100 << 20))
    fails(1, "unpacks to more than 250 times its size", "info", tmp_path / "bomb.zip")


def test_probable_mistakes_are_reported(ezlda, tmp_path):
    text = tmp_path / "t.txt"
    text.write_text("many words " * 10)
    assert "the corpus is a single document: --split WORDS" in read(ezlda, text)[2]
    text.write_text("".join(f"word{chr(97 + i)}\n" for i in range(20)))
    assert "20 of 20 documents have at most one word" in read(ezlda, text)[2]
    text.write_text("some words here\n" * 100 + "some words " * 10000)
    assert "one document has 20000 of all 20300 tokens" in read(ezlda, text)[2]
    text.write_text("some words here\n" * 100)
    assert "document" not in read(ezlda, text)[2].replace("one document per line", "")


def test_old_line_ends(ezlda, tmp_path):
    for name, content in [("t.txt", "some words\rmore words here\r"), ("t.csv", 'id,text\r1,some words\r2,"more\rwords here"\r')]:
        (tmp_path / name).write_bytes(content.encode())
        documents, tokens, notes = read(ezlda, tmp_path / name)
        assert (documents, tokens) == (2, 5) and "lines end in CR" in notes
    (tmp_path / "t.txt").write_bytes(b"one\rtwo words\nmore\n")
    assert read(ezlda, tmp_path / "t.txt")[0] == 2
