"""--lemmas: words become their dictionary forms, and new text finds the same words without options."""
import gzip
import importlib.util
import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
TABLE = "Houses\thouse\nhousing\thouse\r\nran\trun\n\nrunning\trun\nmice\tmouse\nsaw\tsee\nsaw\tsaw\ndon't\tdo\n"
TEXT = "houses house HOUSING mice\nran running houses saw\nrun run mice see\n"


@pytest.fixture(name="table")
def make_table(tmp_path):
    (tmp_path / "t.tsv").write_text(TABLE)
    return tmp_path / "t.tsv"


def corpus(ezlda, path, text, *arguments, **keywords):
    path.with_suffix(".txt").write_text(text)
    result = ezlda("import", path.with_suffix(".txt"), *arguments, "-o", path, **keywords)
    assert result.status == 0, result
    return result.stderr


def trained(ezlda, source, model, *arguments):
    result = ezlda("train", source, "-k", 2, "-i", 5, "--device", "cpu", "-o", model, *arguments)
    assert result.status == 0, result
    return result.stderr


def vocabulary(ezlda, model):
    return {row.split("\t")[2] for row in ezlda("topics", model, "--tsv", "-n", 100).stdout.splitlines()[1:]}


def test_forms_become_lemmas(ezlda, tmp_path, table):
    notes = corpus(ezlda, tmp_path / "a.ezc", TEXT, "--lemmas", table, "--stopwords", "none")
    assert "lemmas: 9 words became 4" in notes
    assert "words of 2 letters and more, lemmas" in ezlda("info", tmp_path / "a.ezc").stdout
    trained(ezlda, tmp_path / "a.ezc", tmp_path / "a.ezm")
    assert vocabulary(ezlda, tmp_path / "a.ezm") == {"house", "mouse", "run", "see"}
    assert "tokens           12" in ezlda("info", tmp_path / "a.ezc").stdout


def test_new_text_needs_no_option(ezlda, tmp_path, table):
    corpus(ezlda, tmp_path / "a.ezc", TEXT, "--lemmas", table, "--stopwords", "none")
    trained(ezlda, tmp_path / "a.ezc", tmp_path / "a.ezm")
    table.unlink()
    (tmp_path / "n.txt").write_text("Running mice\nhousing saw\n")
    result = ezlda("infer", tmp_path / "a.ezm", tmp_path / "n.txt", "-o", tmp_path / "n.tsv", "--device", "cpu")
    assert result.status == 0 and "not in the model: 0 words, 0 tokens" in result.stdout, result
    notes = corpus(ezlda, tmp_path / "b.ezc", TEXT, "--like", tmp_path / "a.ezc")
    assert "lemmas: 9 words became 4" in notes
    notes = corpus(ezlda, tmp_path / "c.ezc", TEXT, "--like", tmp_path / "a.ezc", "--lemmas", "none")
    assert "became" not in notes
    notes = corpus(ezlda, tmp_path / "d.ezc", TEXT, "--like", tmp_path / "a.ezc", "--stemmer", "english")
    assert "stems: 9 words" in notes and "lemmas" not in notes


def test_seed_words_are_lemmatised(ezlda, tmp_path, table):
    corpus(ezlda, tmp_path / "a.ezc", TEXT, "--lemmas", table, "--stopwords", "none")
    (tmp_path / "seeds.txt").write_text("mice\nran\n")
    notes = trained(ezlda, tmp_path / "a.ezc", tmp_path / "a.ezm", "--seeds", tmp_path / "seeds.txt")
    assert "not in the vocabulary" not in notes and "no topic" not in notes


def test_joined_corpora_keep_all_lemmas(ezlda, tmp_path, table):
    corpus(ezlda, tmp_path / "a.ezc", "houses house\nhousing houses\n", "--lemmas", table, "--stopwords", "none")
    corpus(ezlda, tmp_path / "b.ezc", "mice mouse\nmouse mice\n", "--lemmas", table, "--stopwords", "none")
    result = ezlda("import", tmp_path / "a.ezc", tmp_path / "b.ezc", "-o", tmp_path / "j.ezc")
    assert result.status == 0 and "each for itself" not in result.stderr
    table.unlink()
    notes = corpus(ezlda, tmp_path / "c.ezc", "mice housing\n", "--like", tmp_path / "j.ezc")
    assert "lemmas: 2 words became 2" in notes
    trained(ezlda, tmp_path / "c.ezc", tmp_path / "c.ezm")
    assert vocabulary(ezlda, tmp_path / "c.ezm") == {"house", "mouse"}


def test_a_language_is_looked_for_in_data_folders(ezlda, fails, tmp_path, table):
    folder = tmp_path / "data" / "lemmas"
    folder.mkdir(parents=True)
    (folder / "en.tsv.gz").write_bytes(gzip.compress(table.read_bytes()))
    environment = {**os.environ, "EZLDA_DATA": str(tmp_path / "data"), "HOME": str(tmp_path)}
    for name in ("en", "english"):
        notes = corpus(ezlda, tmp_path / "a.ezc", TEXT, "--lemmas", name, "--stopwords", "none", env=environment)
        assert "lemmas: 9 words became 4" in notes
    fails(2, '"klingon" is neither a file nor a language with a table', "import", tmp_path / "a.txt", "--lemmas", "klingon",
          "-o", tmp_path / "k.ezc", "-q", env=environment)


@pytest.mark.parametrize("text, words_of_error", [
    (b"houses\thouse\nmice mouse\n", ':2: expected a form, a tab and its lemma, found "mice mouse"'),
    (b"houses\thouse\nmice\t\n", ":2: expected a form"), (b"\thouse\n", ":1: expected a form"),
    (b"a\tb\tc\n", ":1: expected a form"), (b"aa\tbb\n\xff\tcc\n", ":2: expected a form, a tab and its lemma in UTF-8"),
    (b"", "expected lines of a form"), (b"don't\tdo\n", "expected lines of a form")])
def test_damaged_tables(fails, tmp_path, text, words_of_error):
    (tmp_path / "t.tsv").write_bytes(text)
    (tmp_path / "a.txt").write_text(TEXT)
    fails(1, words_of_error, "import", tmp_path / "a.txt", "--lemmas", tmp_path / "t.tsv", "-o", tmp_path / "a.ezc", "-q")


def test_stems_and_lemmas_exclude_each_other(fails, tmp_path, table):
    (tmp_path / "a.txt").write_text(TEXT)
    fails(2, "choose one", "import", tmp_path / "a.txt", "--lemmas", table, "--stemmer", "english", "-o", tmp_path / "a.ezc")


def test_the_script_chooses_between_capitals():
    spec = importlib.util.spec_from_file_location("lemma_table", ROOT / "scripts" / "lemma_table.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    dictionary = {"Reisen": "Reise", "reisen": "reisen", "May": "May", "a\tb": "c"}
    assert list(script.entries(dictionary, "de")) == ["may\tmay\n", "reisen\treise\n"]
    assert list(script.entries(dictionary, "en")) == ["may\tmay\n", "reisen\treisen\n"]
