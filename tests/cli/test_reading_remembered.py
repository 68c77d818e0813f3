"""A model keeps how its text was read: fields, unit, split, chosen files. infer, eval and report need no options."""
import json

import pytest

WORDS = [["sea", "ship", "lamp", "rock", "wave"], ["garden", "wall", "rose", "tree", "soil"]]
LETTERS = "abcdefghij"


def sentence(i):
    rare = "q" + "".join(LETTERS[int(digit)] for digit in str(i))
    return " ".join(["the " + WORDS[i % 2][(i + j) % 5] for j in range(20)] + ["and", rare])


@pytest.fixture(name="table")
def make_table(tmp_path):
    rows = [f'{i},short,"{sentence(i)}",20{10 + i % 9}\n' for i in range(40)]
    (tmp_path / "reviews.csv").write_text("Number,Title,Review Text,year\n" + "".join(rows))
    return tmp_path / "reviews.csv"


def train(ezlda, folder, *arguments):
    result = ezlda("train", *arguments, "-k", 2, "-i", 5, "--device", "cpu", "-o", folder / "m.ezm")
    assert result.status == 0, result
    return folder / "m.ezm", result.stderr


def infer(ezlda, folder, model, *inputs, **keywords):
    """The names of the documents, and the notes."""
    result = ezlda("infer", model, *inputs, "--to", "tsv", "-o", folder / "t.tsv", "--device", "cpu", **keywords)
    assert result.status == 0, result
    return [row.split("\t")[1] for row in (folder / "t.tsv").read_text().splitlines()[1:]], result.stderr


def test_fields_of_a_table(ezlda, tmp_path, table):
    model, notes = train(ezlda, tmp_path, table, "--name-field", "Number", "--keep-fields", "year", "--min-docs", 3)
    assert 'reviews.csv: the text is in the field "Review Text"; --text-field names another' in notes
    assert infer(ezlda, tmp_path, model, table)[0] == [str(i) for i in range(40)]
    assert 'text from "Review Text"' in ezlda("info", model).stdout
    report = ezlda("report", model, table, "-o", tmp_path / "r.html")
    assert report.status == 0 and "year" in (tmp_path / "r.html").read_text()
    scores = json.loads(ezlda("eval", model, table, "--measures", "llpt", "--json").stdout)
    assert scores["training_corpus"]
    records = tmp_path / "new.jsonl"
    records.write_text(json.dumps({"Review Text": sentence(1), "Number": "x1"}) + "\n")
    names, notes = infer(ezlda, tmp_path, model, records)
    assert names == ["x1"] and 'no field "year", which was kept before' in notes


def test_other_fields(ezlda, fails, tmp_path, table):
    model, _ = train(ezlda, tmp_path, table)
    other = tmp_path / "other.csv"
    other.write_text(table.read_text().replace("Review Text", "Comment"))
    names, notes = infer(ezlda, tmp_path, model, other)
    assert len(names) == 40 and "LLPT" in ezlda("infer", model, other, "-o", tmp_path / "t", "--device", "cpu").stdout
    assert 'no field "Review Text", which was the text before; the fields are: Number, Title, Comment, year' in notes
    assert 'the text is in the field "Comment"' in notes
    fails(1, 'no column "Review Text"', "infer", model, other, "--text-field", "Review Text", "-o", tmp_path / "t", "-q")
    lines = tmp_path / "lines.txt"
    lines.write_text(sentence(1) + "\n" + sentence(2) + "\n")
    assert infer(ezlda, tmp_path, model, lines)[0] == ["1", "2"]


def test_unit_and_split(ezlda, tmp_path):
    (tmp_path / "x").mkdir()
    for i in range(6):
        (tmp_path / "x" / f"{i}.txt").write_text("\n\n".join(sentence(i + j) for j in range(3)) + "\n")
    (tmp_path / "x" / "no.md").write_text("other words\n")
    model, _ = train(ezlda, tmp_path, tmp_path / "x", "--include", "*.txt")
    assert infer(ezlda, tmp_path, model, tmp_path / "x" / "0.txt")[0] == ["0.txt"]
    assert len(infer(ezlda, tmp_path, model, tmp_path / "x")[0]) == 6
    assert len(infer(ezlda, tmp_path, model, tmp_path / "x" / "0.txt", "--unit", "lines")[0]) == 5
    model, _ = train(ezlda, tmp_path, tmp_path / "x", "--include", "*.txt", "--split", "blank")
    names, _ = infer(ezlda, tmp_path, model, tmp_path / "x" / "0.txt")
    assert names == ["0.txt#1", "0.txt#2", "0.txt#3"]
    assert "split at empty lines" in ezlda("info", model).stdout


def test_joined_corpora_keep_their_rules(ezlda, tmp_path, table):
    lines = tmp_path / "lines.txt"
    lines.write_text("".join(sentence(i) + "\n" for i in range(40)))
    for source in (table, lines):
        assert ezlda("import", source, "--stopwords", "en", "-q", "-o", source.with_suffix(".ezc")).status == 0
    joined = tmp_path / "both.ezc"
    assert ezlda("import", table.with_suffix(".ezc"), lines.with_suffix(".ezc"), "-q", "-o", joined).status == 0
    assert "stop words removed" in ezlda("info", joined).stdout


@pytest.mark.parametrize("rows, words", [
    ([{"question": "where did the ship go in the night", "answer": "it went to the harbour behind the rocks"}],
     'both "answer" and "question" may be the text'),
    ([{"a": 1, "b": "x7"}], 'no record has a field "text"; the fields are: a, b')])
def test_no_clear_text(fails, tmp_path, rows, words):
    (tmp_path / "t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    fails(1, words, "info", tmp_path / "t.jsonl", "-q")


def test_the_text_is_guessed(ezlda, tmp_path):
    rows = [{"id": i, "meta": {"url": "https://example.org/a/b/c", "who": "Anna Bert"}, "doc": {"body": [sentence(i)]}}
            for i in range(5)]
    (tmp_path / "t.json").write_text(json.dumps(rows, indent=1))
    result = ezlda("info", tmp_path / "t.json", "--json")
    assert json.loads(result.stdout)["documents"] == 5 and 'the text is in the field "doc.body"' in result.stderr
    (tmp_path / "t.tsv").write_text("id\tTitel\tBeschreibung\n" + "".join(f"{i}\tein Titel hier\t{sentence(i)}\n" for i in range(9)))
    assert 'the text is in the field "Beschreibung"' in ezlda("info", tmp_path / "t.tsv").stderr


@pytest.mark.parametrize("options", [("--phrases", "auto"), ("--stemmer", "english"), ("--ngrams", "2"), ("--keep-markup",),
                                     ("--tokens", "pairs"), ("--split", "10"), ("--keep-numbers", "--stopwords", "none")],
                         ids=lambda options: options[0].strip("-"))
def test_updates_read_as_training_did(ezlda, tmp_path, options):
    records = [{"of": {"head": sentence(i), "body": f"<i>new york</i> &amp; {sentence(i + 1)} 研究机器学习 x{i % 7}"}, "key": f"k{i}"}
               for i in range(40)]
    paths = [tmp_path / "old.jsonl", tmp_path / "new.jsonl"]
    paths[0].write_text("".join(json.dumps(record) + "\n" for record in records))
    paths[1].write_text("".join(json.dumps(record) + "\n" for record in records[:8]))
    model, _ = train(ezlda, tmp_path, paths[0], "--text-field", "of.head,of.body", "--name-field", "key", "--min-docs", 1,
                     "--max-docs-share", 1, *options)
    later = tmp_path / "later.ezm"
    assert ezlda("update", model, paths[1], "-o", later, "--device", "cpu").status == 0
    for path in (model, later):
        result = ezlda("infer", path, paths[1], "-o", tmp_path / "t.tsv", "--device", "cpu")
        assert "not in the model: 0 words" in result.stdout, result
        name = (tmp_path / "t.tsv").read_text().splitlines()[1].split("\t")[1]
        assert name.startswith("k0#") if "--split" in options else name == "k0"
    report = ezlda("report", later, paths[1], "-o", tmp_path / "r.html")
    assert report.status == 0 and "text is read as before" in report.stderr, report
