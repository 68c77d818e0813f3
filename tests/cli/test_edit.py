"""ezlda edit: every output obeys the edits, and they can be undone."""
import json
from xml.etree import ElementTree

import pytest

from report_page import data_of, unpack


@pytest.fixture
def edited(ezlda, model, tmp_path):
    path = tmp_path / "edited.ezm"
    path.write_bytes(model.read_bytes())

    def edit(*operations, status=0):
        result = ezlda("edit", path, *operations)
        assert result.status == status, result
        return path

    edit.path = path
    return edit


def tokens_of(ezlda, model):
    return {t["topic"]: t["tokens"] for t in json.loads(ezlda("topics", model, "--json").stdout)["topics"]}


def test_operations_are_listed_and_undone(ezlda, edited, model):
    edited("rename 2 Supreme Court", 'rename 1  "Music, loud"  ', "hide 0", "group 1,2 Things")
    assert ezlda("edit", edited.path, "--list").stdout.splitlines() == [
        "rename 2 Supreme Court", "rename 1 Music, loud", "hide 0", "group 1,2 Things"]
    for left in 3, 2, 1, 0:
        edited("--undo")
        assert len(ezlda("edit", edited.path, "--list").stdout.splitlines()) == left
    assert edited.path.read_bytes() == model.read_bytes()
    result = ezlda("edit", edited.path, "--undo")
    assert result.status == 1 and "no edit to undo" in result.stderr


def test_names_are_everywhere(ezlda, edited, articles, tmp_path):
    path = edited("rename 1 Fish & boats", "group 1,2 Nature")
    assert "Fish & boats (Nature)" in ezlda("topics", path).stdout
    assert "topic 1, Fish & boats (Nature):" in ezlda("topics", path, "--topic", 1).stdout
    topics = json.loads(ezlda("topics", path, "--json").stdout)["topics"]
    assert [(t.get("name"), t.get("group")) for t in topics] == [(None, None), ("Fish & boats", "Nature"), (None, "Nature"),
                                                                  (None, None)]
    table = [line.split("\t") for line in ezlda("topics", path, "--tsv").stdout.splitlines()]
    assert table[0][6:] == ["name", "group"] and {tuple(r[6:]) for r in table if r[0] == "1"} == {("Fish & boats", "Nature")}
    assert "Fish & boats (" in ezlda("docs", path).stdout and "topic 1, Fish & boats" in ezlda("docs", path, "--topic", 1).stdout
    assert '"name": "Fish & boats"' in ezlda("docs", path, "--json").stdout
    ezlda("infer", path, articles, "-o", tmp_path / "t.tsv", "-q")
    lines = (tmp_path / "t.tsv").read_text().splitlines()
    assert lines[0] == "doc\tname\ttopic\tshare\ttopic_name"
    assert all((line.split("\t")[4] == "Fish & boats") == (line.split("\t")[2] == "1") for line in lines[1:])
    ezlda("export", path, "--to", "csv", "-o", tmp_path / "csv", "-q")
    rows = (tmp_path / "csv" / "topics.csv").read_text().splitlines()
    assert rows[0].endswith(",name,group") and rows[2].endswith(",Fish & boats,Nature") and rows[1].endswith(",,")
    ezlda("report", path, "-o", tmp_path / "r.html", "-q")
    topics = data_of(tmp_path / "r.html")["topics"]
    assert topics["edited"][1] == {"name": "Fish & boats", "group": "Nature"} and topics["hidden"] == []


def test_hidden_topics_are_in_no_list(ezlda, edited, articles, tmp_path):
    path = edited("hide 1,2")
    assert set(tokens_of(ezlda, path)) == {0, 3}
    assert "topic 1:" in ezlda("topics", path, "--topic", 1).stdout  # asked for by number
    shown = json.loads(ezlda("docs", path, "--json").stdout)["documents"]
    assert {t["topic"] for d in shown for t in d["topics"]} <= {0, 3}
    ezlda("infer", path, articles, "-o", tmp_path / "t.tsv", "-q")
    assert {line.split("\t")[2] for line in (tmp_path / "t.tsv").read_text().splitlines()[1:]} <= {"0", "3"}
    ezlda("infer", path, articles, "-o", tmp_path / "all.tsv", "--to", "tsv", "-q")
    assert (tmp_path / "all.tsv").read_text().splitlines()[0].count("\ttopic") == 4
    for to, name in ("csv", "csv/topics.csv"), ("mallet-keys", "mallet-keys"):
        ezlda("export", path, "--to", to, "-o", tmp_path / to, "-q")
        rows = (tmp_path / name).read_text().splitlines()
        assert [row[0] for row in rows if row[0].isdigit()] == ["0", "3"]
    ezlda("report", path, articles, "-o", tmp_path / "r.html", "-q")
    assert data_of(tmp_path / "r.html")["topics"]["hidden"] == [1, 2]
    ezlda("report", path, "--svg", tmp_path / "svg", "-q", "-o", tmp_path / "s.html")


def test_pictures_obey_edits(ezlda, edited, tmp_path):
    folder = tmp_path / "svg"
    edited("rename 1 Fish & <boats>")
    ezlda("report", edited.path, "--svg", folder, "-q")
    edited("merge 2,0", "hide 3")
    assert ezlda("report", edited.path, "--svg", folder, "-q").status == 0  # replaces one with more pictures
    assert sorted(path.name for path in folder.iterdir()) == ["map.svg", "topic-1.svg", "topic-2.svg"]
    drawn = ElementTree.parse(folder / "map.svg").getroot()
    titles = ["".join(title.itertext()) for title in drawn.iterfind(".//{*}circle/{*}title")]
    assert "1 Fish & <boats>" in titles and len(titles) == 2 and all(title[0] in "12" for title in titles)
    labels = ["".join(label.itertext()) for label in drawn.iterfind(".//{*}g/{*}text")]
    assert "1 Fish & <boats>" in labels and len(labels) == 2
    topic = ElementTree.parse(folder / "topic-1.svg").getroot()
    assert topic.find("{*}title").text == "Topic 1: Fish & <boats>"
    assert "".join(topic.find("{*}text").itertext()).startswith("Topic 1: Fish & <boats>  ")
    assert ElementTree.parse(folder / "topic-2.svg").getroot().find("{*}title").text == "Topic 2"


def test_a_merge_leaves_the_map_to_the_others(ezlda, edited, tmp_path):
    edited("merge 2,0")
    ezlda("report", edited.path, "-o", tmp_path / "r.html", "-q")
    topics = data_of(tmp_path / "r.html")["topics"]
    x = unpack("f", topics["x"])
    assert x[0] == 0 and {round(min(x), 3), round(max(x), 3)} == {-1, 1}


def test_merged_counts_are_added(ezlda, edited, model, articles, tmp_path):
    before = tokens_of(ezlda, model)
    path = edited("merge 2,0")
    after = tokens_of(ezlda, path)
    assert set(after) == {1, 2, 3} and after[2] == before[2] + before[0] and sum(after.values()) == sum(before.values())
    words = {}
    for source, topics in (model, "0,2"), (path, "2"):
        lines = ezlda("topics", source, "--tsv", "-n", 1000, "--topic", topics).stdout.splitlines()[1:]
        counts = words.setdefault(source, {})
        for line in lines:
            _, _, word, tokens, *_ = line.split("\t")
            counts[word] = counts.get(word, 0) + int(tokens)
    assert words[path] == words[model]
    shares = [sorted((t["topic"], t["tokens"]) for t in d["topics"]) for d in
              json.loads(ezlda("docs", path, "--json", "--top", 9).stdout)["documents"]]
    was = [d["topics"] for d in json.loads(ezlda("docs", model, "--json", "--top", 9).stdout)["documents"]]
    for new, old in zip(shares, was):
        merged = {}
        for t in old:
            topic = 2 if t["topic"] == 0 else t["topic"]
            merged[topic] = merged.get(topic, 0) + t["tokens"]
        assert new == sorted(merged.items())
    assert ezlda("infer", path, articles, "-o", tmp_path / "t.tsv", "-q").status == 0
    lines = (tmp_path / "t.tsv").read_text().splitlines()[1:]
    assert lines and "0" not in {line.split("\t")[2] for line in lines}
    info = [json.loads(ezlda("info", m, "--json").stdout) for m in (model, path)]
    assert abs(info[0]["alpha_sum"] - info[1]["alpha_sum"]) < 1e-5
    edited("--undo")
    assert path.read_bytes() == model.read_bytes()


def test_lists_of_words(ezlda, edited, tmp_path):
    def words(model, topic, n=5):
        return [w["word"] for w in json.loads(ezlda("topics", model, "--json", "-n", n).stdout)["topics"][topic]["words"]]

    first, second, *rest = words(edited.path, 1, 6)
    other = next(w for k in (0, 2, 3) for w in words(edited.path, k) if w not in words(edited.path, 1, 100))
    path = edited(f"words 1 -{first} +{rest[2]} +{other}")
    assert words(path, 1) == [rest[2], other, second, rest[0], rest[1]]
    ezlda("report", path, "-o", tmp_path / "r.html", "-q")
    data = data_of(tmp_path / "r.html")
    assert [data["vocabulary"]["text"][w] for w in data["topics"]["edited"][1]["first"]] == [rest[2], other]
    path = edited(f"words 1 +{first} -{other}")  # the last word on a word counts
    assert words(path, 1, 3) == [rest[2], first, second]


def test_an_update_keeps_them(ezlda, edited, articles, tmp_path):
    path = edited("rename 1 Boats", "merge 2,0", "hide 3")
    out = tmp_path / "updated.ezm"
    assert ezlda("update", path, articles, "-o", out, "-i", 3, "-q").status == 0
    assert ezlda("edit", out, "--list").stdout.splitlines() == ["rename 1 Boats", "# merged 2,0", "hide 3"]
    (tmp_path / "list").write_text(ezlda("edit", out, "--list").stdout)
    assert ezlda("edit", out, "--file", tmp_path / "list").status == 0
    assert ezlda("edit", out, "--undo").status == ezlda("edit", out, "--undo").status == 0
    assert set(tokens_of(ezlda, out)) == {1, 2}
    assert sum(tokens_of(ezlda, edited("--undo")).values()) * 2 == json.loads(ezlda("info", out, "--json").stdout)["tokens"]
    assert ezlda("edit", out, "--undo").status == 0
    result = ezlda("edit", out, "--undo")
    assert result.status == 2 and "cannot be undone" in result.stderr


def test_files_of_operations(ezlda, edited, tmp_path):
    edits = tmp_path / "edits.txt"
    edits.write_text("\ufeff# by hand\n\nrename 1 Boats\r\n  hide 2\n", encoding="utf-8")
    edited("--file", edits, "rename 0 Rest")
    assert ezlda("edit", edited.path, "--list").stdout == "rename 1 Boats\nhide 2\nrename 0 Rest\n"
    other = tmp_path / "other.ezm"
    edited("--undo", "-o", other)
    assert ezlda("edit", other, "--list").stdout == "rename 1 Boats\nhide 2\n"
    assert ezlda("edit", edited.path, "--list").stdout.count("\n") == 3


@pytest.mark.parametrize("operation, words", [
    ("rename 4 x", "ezlda: 'rename 4 x': expected topics from 0 to 3"), ("rename 1", "expected a name of 1 to 200 bytes"),
    ("rename 1,2 x", "rename: expected one topic, found 2"), ("merge 3", "two or more topics"),
    ("merge 3,3", "topic 3 occurs twice"), ("hide 1 2", "expected the end of the line, found '2'"),
    ("hide 1,", "separated by commas, found '1,'"), ("split 1", "expected rename, merge, hide, group or words"),
    ("merged 1,2", "expected rename, merge, hide, group or words, found 'merged'"),
    ("words 1 fish", "expected +WORD or -WORD"), ("words 1 +quixotic", "does not have the word 'quixotic'"),
    ("words 1", "expected +WORD or -WORD"), ("rename 1 a\x07b", "without control characters"),
    ("rename 1 x\nmerge 1,2", "expected one operation per argument, found a newline in 'rename 1 x"), ("rename 1 " + "x" * 201, "found 201")])
def test_wrong_operations(ezlda, edited, model, operation, words):
    result = ezlda("edit", edited.path, operation)
    assert result.status == 2 and words in result.stderr, result
    assert edited.path.read_bytes() == model.read_bytes()


def test_a_topic_has_at_most_100_first_words(ezlda, tmp_path):
    words = [f"x{a}{b}" for a in "abcdefghij" for b in "abcdefghijk"][:101]
    text, path = tmp_path / "words.txt", tmp_path / "words.ezm"
    text.write_text((" ".join(words) + "\n") * 4, encoding="utf-8")
    assert ezlda("train", text, "--min-docs", 1, "--max-docs-share", 1, "-k", 2, "-i", 2, "-o", path, "-q").status == 0
    assert ezlda("edit", path, "words 0 " + " ".join("+" + w for w in words[:100]), "words 0 +" + words[0]).status == 0
    result = ezlda("edit", path, "words 0 +" + words[100])
    assert result.status == 2 and "expected at most 100 words with + for topic 0" in result.stderr
    assert ezlda("edit", path, "words 0 -" + words[0], "words 0 +" + words[100]).status == 0


def test_messages_name_what_the_writer_gave(ezlda, edited, tmp_path):
    edited("rename 1 Boats", "hide 2")
    edits = tmp_path / "edits.txt"
    edits.write_text("# by hand\nhide 7\n", encoding="utf-8")
    result = ezlda("edit", edited.path, "--file", edits)
    assert result.status == 2 and f"ezlda: {edits}:2: expected topics from 0 to 3" in result.stderr
    edits.write_text("# by hand\nmerge 1,3", encoding="utf-8")
    result = ezlda("edit", edited.path, "--file", edits, "hide 0", "rename 3 x")
    assert result.status == 2 and "ezlda: 'rename 3 x': topic 3 was merged into topic 1" in result.stderr


def test_a_list_is_a_file(ezlda, edited, model, tmp_path):
    edited('rename 1 ""Boats""', 'group 1,2 ""A" or "B""', 'rename 2 "Lakes"', 'rename 3 Say "no"')
    other = tmp_path / "other.ezm"
    listed = ezlda("edit", edited.path, "--list").stdout
    (tmp_path / "list").write_text(listed)
    assert ezlda("edit", model, "--file", tmp_path / "list", "-o", other).status == 0
    assert other.read_bytes() == edited.path.read_bytes() and "rename 2 Lakes\n" in listed
    assert json.loads(ezlda("topics", other, "--json").stdout)["topics"][1]["name"] == '"Boats"'


def test_one_line_says_what_was_done(ezlda, edited, tmp_path):
    assert ezlda("edit", edited.path, "hide 1", "hide 2").stdout == f"{edited.path}: 2 edits\n"
    assert ezlda("edit", edited.path, "--undo").stdout == f"{edited.path}: 1 edit\n"
    assert ezlda("edit", edited.path, "hide 3", "-q", "-o", tmp_path / "m.ezm").stdout == ""


def test_misuse(fails, edited, tmp_path):
    fails(2, "expected operations", "edit", edited.path)
    fails(2, "expected operations", "edit", edited.path, "--list", "--undo")
    fails(2, "--list writes no model", "edit", edited.path, "--list", "-o", tmp_path / "x.ezm")
    fails(1, "missing", "edit", edited.path, "--file", tmp_path / "missing")


def test_diff_leaves_hidden_topics_out(ezlda, edited, model):
    edited("merge 2,0", "hide 3")
    for pair in (model, edited.path), (edited.path, model):
        found = json.loads(ezlda("diff", *pair, "--json").stdout)
        which = "vanished" if pair[0] == model else "appeared"
        other = "appeared" if pair[0] == model else "vanished"
        pairs = [(p["a"]["topic"], p["b"]["topic"]) for p in found["kept"] + found["drifted"]]
        assert (1, 1) in pairs and len(pairs) == 2 and found["counts"][other] == 0
        assert all(p[pair.index(edited.path)] in (1, 2) for p in pairs)
        assert found["counts"][which] == 2  # shown in the other model
        assert {row["nearest"] for row in found[which]} <= {1, 2}
        assert "2 hidden" in ezlda("diff", *pair).stdout.splitlines()[0]
    itself = json.loads(ezlda("diff", edited.path, edited.path, "--json").stdout)
    assert itself["counts"] == {"drifted": 0, "kept": 2, "vanished": 0, "appeared": 0}


def test_documents_of_a_topic_that_is_hidden(ezlda, edited):
    edited("merge 2,0", "hide 3")
    assert ezlda("docs", edited.path, "--topic", 0).stdout == "topic 0: merged into 2\n"
    hidden = ezlda("docs", edited.path, "--topic", 3).stdout.splitlines()
    assert hidden[0].startswith("topic 3, hidden: ") and len(hidden) > 3
    assert ezlda("docs", edited.path, "--topic", 2).stdout.startswith("topic 2: ")
    assert json.loads(ezlda("docs", edited.path, "--topic", 0, "--json").stdout) == {"topic": 0, "documents": []}
