"""Files of HTML, XML, TEI and Markdown are read as such, with their titles, authors and dates as fields."""
import json
import zipfile

import pytest

PAGE = ("<!DOCTYPE html><html lang='en'><head><title>Page {0}</title><meta name='author' content='Anna Bert'>"
        "<meta name='date' content='1901-02-0{0}'><script>var hidden = 1;</script></head><body><nav>menu entry</nav>"
        "<h1>Ships</h1><p>the ship left the har<b>bour</b> at night<br>lamp</p></body></html>")
TEI = ("<?xml version='1.0'?>\n<teiCorpus xmlns='http://www.tei-c.org/ns/1.0'>{0}</teiCorpus>",
       "<TEI xml:id='{0}'><teiHeader><fileDesc><titleStmt><title>Letter {0}</title><author>Carla</author></titleStmt>"
       "<sourceDesc><bibl><date when='1843'/><pubPlace>Kiel</pubPlace></bibl></sourceDesc></fileDesc></teiHeader>"
       "<text><body><p>dear brother the sea was cal-<lb/>mer than ever</p></body></text></TEI>")
NOTES = "---\ntitle: Notes\nauthor: [Dora, Emil]\nlabel: green\n---\n# Gardens\n\nthe [rose](http://x.org/y) grew\n\n```\ncode\n```\n"


@pytest.fixture(autouse=True)
def built_with_libxml2(ezlda, tmp_path):
    (tmp_path / "probe.html").write_text("<p>some words")
    missing = "this build has no libxml2" in ezlda("info", tmp_path / "probe.html").stderr
    (tmp_path / "probe.html").unlink()
    if missing:
        pytest.skip("no libxml2")


@pytest.fixture(name="files")
def make_files(tmp_path):
    folder = tmp_path / "files"
    (folder / "sub").mkdir(parents=True)
    for i in (1, 2):
        (folder / f"{i}.html").write_text(PAGE.format(i))
    (folder / "3.xml").write_text(TEI[0].format(TEI[1].format("a") + TEI[1].format("b")))
    (folder / "sub" / "4.md").write_text(NOTES)
    (folder / "sub" / "5.txt").write_text("plain words of <b>prose</b>\n")
    return folder


def contents(ezlda, folder, *arguments, **keywords):
    """The rows of the documents' fields, all words, and the notes."""
    result = ezlda("import", *arguments, "--stopwords", "none", "-o", folder / "c.ezc", cwd=folder, **keywords)
    assert result.status == 0, result
    train = ezlda("train", folder / "c.ezc", "-k", 2, "-i", 1, "--device", "cpu", "-q", "-o", folder / "m.ezm")
    assert train.status == 0, train
    assert ezlda("export", folder / "m.ezm", "--to", "csv", "--corpus", folder / "c.ezc", "-o", folder / "out").status == 0
    rows = [row.split(",") for row in (folder / "out" / "doc_fields.csv").read_text().splitlines()]
    table = json.loads(ezlda("topics", folder / "m.ezm", "--words", 1000, "--json").stdout)
    words = {word for topic in table["topics"] for word in map(lambda w: w["word"], topic["words"])}
    return rows, words, result.stderr


def test_a_folder_of_everything(ezlda, tmp_path, files):
    rows, words, notes = contents(ezlda, tmp_path, "files", "--keep-fields", "title,author,date,place,language")
    assert rows == [
        ["doc", "name", "tokens", "label", "title", "author", "date", "place", "language"],
        ["0", "1.html", "9", "", "Page 1", "Anna Bert", "1901-02-01", "", "en"],
        ["1", "2.html", "9", "", "Page 2", "Anna Bert", "1901-02-02", "", "en"],
        ["2", "3.xml#1", "8", "", "Letter a", "Carla", "1843", "Kiel", ""],
        ["3", "3.xml#2", "8", "", "Letter b", "Carla", "1843", "Kiel", ""],
        ["4", "sub/4.md", "4", "sub", "Notes", "Dora; Emil", "", "", ""],
        ["5", "sub/5.txt", "4", "sub", "", "", "", "", ""]]
    assert {"ships", "harbour", "lamp", "calmer", "gardens", "rose", "grew", "plain", "prose"} <= words
    assert not words & {"menu", "entry", "hidden", "page", "bert", "letter", "carla", "code", "http", "html", "har", "cal"}
    assert notes.count("files read as: ") == 1
    assert "files read as: 2 HTML, 1 TEI (2 documents), 1 Markdown, 1 plain text (--keep-markup reads" in notes


def test_an_archive_of_everything(ezlda, tmp_path, files):
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in files.rglob("*.*"):
            archive.write(path, path.relative_to(files))
    folder = contents(ezlda, tmp_path, "files", "--keep-fields", "title")
    archive = contents(ezlda, tmp_path, "a.zip", "--keep-fields", "title")
    assert archive[:2] == folder[:2] and "2 HTML, 1 TEI (2 documents), 1 Markdown" in archive[2]


def test_files_that_are_named(ezlda, fails, tmp_path, files):
    rows, _, notes = contents(ezlda, tmp_path, "files/1.html", "files/sub/5.txt", "files/sub/4.md", "--keep-fields", "title")
    assert [row[1] for row in rows[1:]] == ["files/1.html", "files/sub/5.txt", "files/sub/4.md"]
    assert "read as html (HTML, one document per file)" in notes and "1 HTML, 1 Markdown, 1 plain text" in notes
    assert len(contents(ezlda, tmp_path, "files/sub/5.txt", "files/1.html")[0]) == 3
    assert "standard input: read as html" in contents(ezlda, tmp_path, "-", stdin=PAGE.format(1).encode())[2]
    (files / "t.csv").write_text("id,text\n1,words\n")
    fails(2, "is recognised as html", "info", files / "1.html", files / "t.csv")
    fails(2, "recognised as csv", "info", files / "t.csv", files / "1.html")
    lines = json.loads(ezlda("info", files / "sub" / "5.txt", files / "3.xml", "--unit", "lines", "--json").stdout)
    assert lines["documents"] == 3


def test_names_labels_and_texts_from_fields(ezlda, fails, tmp_path, files):
    rows, words, _ = contents(ezlda, tmp_path, "files", "--name-field", "title", "--label-field", "label", "--text-field",
                              "title,text")
    assert [row[1] for row in rows[1:]] == ["Page 1", "Page 2", "Letter a", "Letter b", "Notes", "sub/5.txt"]
    assert [row[3] for row in rows[1:]] == ["", "", "", "", "green", ""] and {"page", "letter", "harbour"} <= words
    _, words, _ = contents(ezlda, tmp_path, "files", "--exclude", "*.txt", "--text-field", "author")
    assert words == {"anna", "bert", "carla", "dora", "emil"}
    fails(1, ['no record has a field "tite"; the fields are: author, date,', "title"], "info", files, "--keep-fields",
          "tite", "-q")
    fails(1, 'no record has a field "nome"', "info", files, "--name-field", "nome", "-q")
    fails(2, "has no named fields", "info", files / "sub" / "5.txt", "--keep-fields", "title", "-q")


def test_markup_that_is_kept(ezlda, tmp_path, files):
    rows, words, notes = contents(ezlda, tmp_path, "files", "--keep-markup")
    assert len(rows) == 6 and {"html", "script", "menu"} <= words and "files read as:" not in notes
    assert len(contents(ezlda, tmp_path, "files/1.html", "--format", "text")[0]) == 2
    _, words, notes = contents(ezlda, tmp_path, "files/1.html", "--unit", "files", "--keep-markup")
    assert "nav" in words and "read as text" in notes


def test_a_format_for_all_files(ezlda, fails, tmp_path):
    (tmp_path / "a.txt").write_text("<p>one<nav>menu</nav>two")
    (tmp_path / "b.txt").write_text(TEI[0].format(TEI[1].format("a")))
    assert contents(ezlda, tmp_path, "a.txt", "--format", "html")[1] == {"one", "two"}
    rows, words, _ = contents(ezlda, tmp_path, "b.txt", "--format", "xml", "--keep-fields", "place")
    assert rows[1][3:] == ["Kiel"] and "calmer" in words and "carla" not in words
    (tmp_path / "c.txt").write_text("# A heading here\n\nsome *w*ords\n")
    assert contents(ezlda, tmp_path, "c.txt", "--format", "markdown", "--keep-fields", "title")[0][1][3] == "A heading here"
    fails(1, ["a.txt:1: expected well-formed XML", "--keep-markup"], "info", tmp_path / "a.txt", "--format", "xml", "-q")


@pytest.mark.parametrize("encoding, declared", [
    ("iso-8859-1", "iso-8859-1"), ("iso-8859-2", "iso-8859-2"), ("utf-8", "iso-8859-1"), ("windows-1252", "utf-8"),
    ("utf-16", "utf-16"), ("shift_jis", "shift_jis"), ("iso-8859-1", "koi8-r"), ("utf-8-sig", "utf-8")])
def test_encodings(ezlda, tmp_path, encoding, declared):
    sign, text = ("北海道", "北海道と東京の天気") if "jis" in encoding else ("müller", "müller und söhne aus köln")
    if declared == "iso-8859-2":
        sign, text = "łódź", "łódź i gdańsk"
    for name, page in (("a.html", f"<html><meta charset={declared}><title>x</title><p>{text}</p>"),
                       ("b.xml", f"<?xml version='1.0' encoding='{declared}'?><doc>{text}</doc>")):
        (tmp_path / name).write_bytes(page.encode(encoding))
        _, words, _ = contents(ezlda, tmp_path, name, "--tokens", "auto", "--min-length", 1)
        if declared != "koi8-r":  # nothing can tell which of two byte encodings is the wrong one
            assert sign in words, words
    (tmp_path / "a.html").write_bytes(f"<meta charset=utf-8><p>{text}".encode(encoding))
    assert sign in contents(ezlda, tmp_path, "a.html", "--encoding", encoding.replace("-sig", ""), "--min-length", 1)[1]


def test_files_that_are_not_pages(ezlda, fails, tmp_path, files):
    (files / "sub" / "6.xml").write_text("<a>\n<b>cut of")
    fails(1, ["sub/6.xml:2: expected well-formed XML, found an error: ", "--exclude skips it"], "info", files, "-q")
    assert ezlda("info", files, "--exclude", "6.xml").status == 0
    assert ezlda("info", files, "--keep-markup").status == 0
    (files / "sub" / "6.xml").write_text("only words")
    assert "2 plain text" in ezlda("info", files).stderr
    (files / "sub" / "6.xml").write_bytes(b"<a>\n\0</a>")
    fails(1, ["6.xml:2: ", "NUL byte"], "info", files, "-q")
    (files / "sub" / "6.xml").write_text("")
    assert ezlda("info", files).status == 0


def test_nothing_else_is_read(ezlda, tmp_path):
    (tmp_path / "secret.txt").write_text("secretword " * 5)
    (tmp_path / "secret.dtd").write_text("<!ENTITY d 'dtdword'>")
    path = tmp_path / "a.xml"
    path.write_text(f"<!DOCTYPE a SYSTEM '{tmp_path}/secret.dtd' [<!ENTITY x SYSTEM 'file://{tmp_path}/secret.txt'>"
                    f"<!ENTITY % p SYSTEM '{tmp_path}/secret.dtd'>%p;]><a xmlns:xi='http://www.w3.org/2001/XInclude'>one &x; "
                    f"&d; <xi:include href='{tmp_path}/secret.txt' parse='text'/>two</a>")
    assert contents(ezlda, tmp_path, path)[1] == {"one", "two"}
    lol = "<!DOCTYPE a [<!ENTITY l0 'lol'>" + "".join(f"<!ENTITY l{i} '{f'&l{i - 1};' * 10}'>" for i in range(1, 12))
    path.write_text(lol + "]><a>one &l11; &l0; two</a>")
    rows, words, _ = contents(ezlda, tmp_path, path)
    assert words == {"one", "lol", "two"} and rows[1][2] == "3"


def test_pages_that_no_parser_can_take(ezlda, tmp_path):
    (tmp_path / "a.html").write_text("<!DOCTYPE html>" + "<i>" * 5000 + "deep words" + "</i>" * 5000)
    rows, words, notes = contents(ezlda, tmp_path, "a.html")
    assert words == {"deep", "words"} and "1 of the HTML and XML files are read as text without its tags" in notes
    (tmp_path / "a.xml").write_text("<a>" * 5000 + "deep" + "</a>" * 5000)
    result = ezlda("info", tmp_path / "a.xml", "-q")
    assert result.status == 1 and "a.xml:1: expected well-formed XML, found an error: Excessive depth" in result.stderr


def test_new_pages_are_read_as_the_models(ezlda, tmp_path, files):
    train = ["-k", 2, "-i", 2, "--device", "cpu", "--stopwords", "none"]
    model, like, out = tmp_path / "m.ezm", tmp_path / "l.ezc", tmp_path / "out.tsv"
    assert ezlda("train", files, *train, "--keep-fields", "title,place", "--name-field", "title", "-o", model).status == 0
    result = ezlda("infer", model, files / "1.html", files / "sub" / "5.txt", "--to", "tsv", "-o", out, "--device", "cpu")
    assert result.status == 0 and "1 HTML, 1 plain text" in result.stderr, result
    assert [row.split("\t")[1] for row in out.read_text().splitlines()[1:]] == ["Page 1", str(files / "sub" / "5.txt")]
    report = ezlda("report", model, files, "-o", tmp_path / "r.html")
    assert report.status == 0 and "place" in (tmp_path / "r.html").read_text()
    # Text that was read with its markup stays so.
    assert ezlda("import", files, "--keep-markup", "-o", like).status == 0
    assert "files read as:" not in ezlda("import", files, "--like", like, "-o", tmp_path / "x.ezc").stderr
    assert ezlda("import", files / "sub" / "5.txt", "-o", like).status == 0
    assert "files read as: 2 HTML" in ezlda("import", files, "--like", like, "-o", tmp_path / "x.ezc").stderr


def test_pages_do_not_depend_on_threads(ezlda, tmp_path):
    folder = tmp_path / "many"
    folder.mkdir()
    for i in range(200):
        text = PAGE.format(i % 7) if i % 3 else TEI[0].format(TEI[1].format(f"a{i}") * (i % 5))
        (folder / f"{i:03}.{'html' if i % 3 else 'xml'}").write_text(text)
    results = [ezlda("info", folder, "--threads", n, "--keep-fields", "title", "--json") for n in (1, 2, 5)]
    assert results[0].status == 0 and results[0] == results[1] == results[2]
    assert "files read as: 133 HTML, 67 TEI" in results[0].stderr
