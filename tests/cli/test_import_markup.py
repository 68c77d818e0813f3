"""Markup, links and encoded data are removed from text by default, and reported in one note."""
import binascii
import hashlib
import json
import random

import pytest

REVIEW = "A fine film.<br /><br />See http://www.example.org/x?y=1 &amp; www.imdb.com&nbsp;now, or mail joe@example.org <3"
JUNK = {"br", "nbsp", "amp", "http", "www", "org", "com", "imdb", "example", "joe", "href"}


def words_of(ezlda, path, tmp_path, *options):
    """The words of a corpus, by the topics of a model."""
    result = ezlda("train", path, "-k", 2, "-i", 1, "-o", tmp_path / "m.ezm", "--device", "cpu", "--min-length", 1,
                   "--stopwords", "none", *options)
    assert result.status == 0, result
    table = ezlda("topics", tmp_path / "m.ezm", "--words", 1000, "--json")
    return set(_words(json.loads(table.stdout))), result.stderr


def _words(value):
    if isinstance(value, dict):
        if isinstance(value.get("word"), str):
            yield value["word"]
        for inner in value.values():
            yield from _words(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from [inner] if isinstance(inner, str) else _words(inner)


@pytest.mark.parametrize("form", ["lines", "records"])
def test_reviews_with_markup(ezlda, tmp_path, form):
    path = tmp_path / f"reviews.{'txt' if form == 'lines' else 'jsonl'}"
    line = REVIEW if form == "lines" else json.dumps({"text": REVIEW})
    path.write_text((line + "\n") * 3)
    words, notes = words_of(ezlda, path, tmp_path)
    assert {"fine", "film", "mail", "now", "see"} <= words and not words & JUNK, words
    assert "markup: removed from 3 of 3 documents: 6 tags" in notes and "6 URLs" in notes, notes
    assert "3 e-mail addresses" in notes and notes.count("markup:") == 1
    words, notes = words_of(ezlda, path, tmp_path, "--keep-markup")
    assert {"br", "nbsp", "http", "www"} <= words and "markup:" not in notes


def test_uuencoded_junk(ezlda, tmp_path):
    draw = random.Random(1)
    rows = [binascii.b2a_uu(draw.randbytes(45)).decode() for _ in range(40)]
    mail = "Here is the picture\n" + "".join(rows) + "and more prose after it\n"
    (tmp_path / "mails").mkdir()
    (tmp_path / "mails" / "1.txt").write_text(mail)
    words, notes = words_of(ezlda, tmp_path / "mails", tmp_path)
    assert words == {"here", "is", "the", "picture", "and", "more", "prose", "after", "it"}
    assert "40 lines of encoded data" in notes


def test_counts_do_not_depend_on_threads(ezlda, tmp_path):
    path = tmp_path / "many.txt"
    path.write_text("".join(f"word{'s' * (i % 7)} <b>x</b> {REVIEW} number {i}\n" for i in range(20000)))
    notes = [ezlda("info", path, "--threads", n).stderr for n in (1, 2, 5)]
    assert "markup: removed from 20000 of 20000" in notes[0] and notes[0] == notes[1] == notes[2]


def test_new_text_is_read_as_the_model(ezlda, tmp_path):
    path = tmp_path / "t.txt"
    path.write_text((REVIEW + "\n") * 3)
    for option in ([], ["--keep-markup"]):
        assert ezlda("import", path, *option, "-o", tmp_path / "a.ezc").status == 0
        like = ezlda("import", path, "--like", tmp_path / "a.ezc", "-o", tmp_path / "b.ezc")
        assert like.status == 0 and ("markup: removed" in like.stderr) == (not option), like.stderr
        one, two = (json.loads(ezlda("info", tmp_path / name, "--json").stdout)["hash"] for name in ("a.ezc", "b.ezc"))
        assert one == two


def test_bags_have_no_markup(fails, corpus):
    fails(2, "has no text to cut into words", "info", corpus, "--keep-markup")


def test_rows_of_code_as_documents(ezlda, tmp_path):
    """A uuencoded file in a file with one document per line: each row is a document."""
    rows = [binascii.b2a_uu(hashlib.sha384(str(i).encode()).digest()[:45]).decode().rstrip("\n") for i in range(30)]
    shout = "M" + "Y SHIP HAS LEFT THE HARBOUR AND THE LAMP IS LIT IN THE TOWER"
    assert len(shout) == 61 == len(rows[0])
    (tmp_path / "a.txt").write_text("\n".join(rows + [shout] * 3 + ["the ship and the lamp"] * 20) + "\n")
    result = ezlda("import", tmp_path / "a.txt", "--stopwords", "en", "--min-docs", 1, "-o", tmp_path / "a.ezc")
    assert "30 lines of encoded data" in result.stderr
    assert " 6 words" in result.stdout, result
