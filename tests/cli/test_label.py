"""ezlda label: names by words and by answers; report --names: names that a page saved."""
import json

import pytest

from report_page import data_of


@pytest.fixture
def named(model, tmp_path):
    path = tmp_path / "named.ezm"
    path.write_bytes(model.read_bytes())
    return path


def edits(ezlda, model):
    return ezlda("edit", model, "--list").stdout.splitlines()


def test_prompts_have_what_a_name_needs(ezlda, named, tmp_path):
    ezlda("edit", named, "hide 2", "rename 1 Boats")
    assert ezlda("label", named, "--export", tmp_path / "prompts.jsonl") == ("", "", 0)
    prompts = [json.loads(line) for line in (tmp_path / "prompts.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [p["topic"] for p in prompts] == [0, 1, 3]
    topics = {t["topic"]: t for t in json.loads(ezlda("topics", named, "--json", "-n", 20).stdout)["topics"]}
    for prompt in prompts:
        topic = prompt["topic"]
        assert prompt["words"] == [w["word"] for w in topics[topic]["words"]]
        assert set(prompt["distinctive"]) <= set(prompt["words"]) or len(prompt["distinctive"]) == 20
        docs = json.loads(ezlda("docs", named, "--topic", topic, "--json", "-n", 5).stdout)["documents"]
        assert prompt["documents"] == [d["name"] for d in docs]
        assert topic not in [n["topic"] for n in prompt["neighbours"]] and 2 not in [n["topic"] for n in prompt["neighbours"]]
        assert "neighbours" in prompt["prompt"] and prompt.get("name_now") == ("Boats" if topic == 1 else None)


def test_names_by_words_differ_and_are_the_topics(ezlda, named):
    ezlda("edit", named, "rename 1 Boats")
    assert ezlda("label", named, "--auto") == (f"{named}: 4 topics named\n", "", 0)
    topics = json.loads(ezlda("topics", named, "--json", "-n", 50, "--by", "relevance", "--lambda", 0.4).stdout)["topics"]
    names = [t["name"] for t in topics]
    assert len(set(names)) == 4 and names[1] == "Boats"
    for topic in topics:
        if topic["topic"] != 1:
            words = topic["name"].split(", ")
            assert len(words) >= 2 and words == [w["word"] for w in topic["words"][:len(words)]]
    before = edits(ezlda, named)
    assert ezlda("label", named, "--auto").status == 0 and edits(ezlda, named) == before


def test_answers_are_read(ezlda, named, tmp_path):
    answers = tmp_path / "answers.jsonl"
    answers.write_text('{"topic": 3, "name": "Br\\u00fccke \\ud83d\\ude00 \\"a\\""}\n\n'
                       '{"why": [1, {"a": null, "b": "}"}, -2.5e3], "name": "Boats", "topic": 0}\n')
    assert ezlda("label", named, "--import", answers, "-q") == ("", "", 0)
    assert edits(ezlda, named) == ['rename 3 Brücke 😀 "a"', "rename 0 Boats"]


@pytest.mark.parametrize("text, message", [
    ('{"topic": 1, "name": "Courts"}\n{"topic": 3, "name": "courts"}\n', ":2: expected names that differ, found 'courts' for topics 1 and 3"),
    ('{"topic": 3, "name": "Boats"}', ":1: expected names that differ, found 'Boats' for topics 2 and 3"),
    ('{"topic": 1, "name": "A"}\n{"topic": 1, "name": "B"}\n', ":2: topic 1 has a name twice: 'A' and 'B'"),
    ('{"topic": 4, "name": "A"}', ":1: expected a topic from 0 to 3, found 4"),
    ('{"topic": 1}', ':1: expected an object {"topic": 7, "name": "Courts"}'),
    ('{"topic": "x", "name": "A"}', ":1: expected the number of a topic"),
    ('{"topic": 1, "name": 2}', ":1: expected a string"), ('{"topic": 1\n "name": "A"}', ":2: expected a comma"),
    ('{"topic": 1, "name": "\\ud800"}', ":1: expected a pair of surrogates"), ('{"topic": 1, "name": "A', ":1: expected the end"),
    ('{"topic": 1, "name": "\\q"}', ":1: expected an escape"), ('topic\tname\n1 x\n', ":2: expected a topic, a tab and a name"),
    ('topic\tname\n9\tx\n', ":2: expected a topic from 0 to 3, found 9"), ("[" * 100, ":1: expected a JSON object"),
    ('\n{"topic": 1, "name": "Courts\\nmerge 1,3"}', ":2: expected a name without control characters"),
    ('{"topic": 1, "name": "a\\u007f"}', ":1: expected a name without control characters"),
    ('1\ta\x07b\n', ":1: expected a name without control characters"),
    ('{"topic": 1, "name": " "}', ":1: expected a name for topic 1, found an empty one"), ('1\t\n', ":1: expected a topic, a tab"),
    ('\n\n3\t' + "x" * 201, ":3: expected a name of 1 to 200 bytes, found 201"),
    ('[{"topic": 1, "name": "A"}', ":1: expected the end of the array"), ('{"topic": 1, "name": "A"}\n]', ":2: expected a JSON object"),
    ('```\n{"topic": 1, "name": "A"}\n```\nDone.', ":4: expected the end of the file")])
def test_wrong_answers_are_refused(ezlda, named, tmp_path, text, message):
    ezlda("edit", named, "rename 2 Boats")
    answers = tmp_path / "answers.jsonl"
    answers.write_text(text)
    result = ezlda("label", named, "--import", answers)
    assert result.status == 1 and f"answers.jsonl{message}" in result.stderr, result
    assert edits(ezlda, named) == ["rename 2 Boats"]


@pytest.mark.parametrize("text", [
    '[{"topic": 1, "name": "A"},\n {"topic": "3", "name": "B"}]', '{"topic": 1, "name": "A"},\n{"topic": 3, "name": "B"}\n',
    '```json\n[\n{"topic": 1, "name": "A"},\n{"topic": 3, "name": "B"}\n]\n```\n',
    '```\n{"topic": 1, "name": "A"}\n{"topic": 3, "name": "B"}\n```', '\ufeff1\tA\n3\tB\n',
    '\ufeff{"topic": 1, "name": "A"}\n{"topic": 3, "name": "B"}\n'])
def test_forms_of_answers(ezlda, named, tmp_path, text):
    answers = tmp_path / "answers.jsonl"
    answers.write_text(text, encoding="utf-8")
    assert ezlda("label", named, "--import", answers).status == 0
    assert edits(ezlda, named) == ["rename 1 A", "rename 3 B"]


def test_names_can_change_hands(ezlda, named, tmp_path):
    ezlda("edit", named, "rename 1 Boats", "rename 2 Music")
    answers = tmp_path / "answers.jsonl"
    answers.write_text('{"topic": 1, "name": "Music"}\n{"topic": 2, "name": "Boats"}\n')
    assert ezlda("label", named, "--import", answers).status == 0
    assert edits(ezlda, named)[2:] == ["rename 1 Music", "rename 2 Boats"]


def test_quotes_belong_to_the_name(ezlda, named, tmp_path):
    answers = tmp_path / "answers.jsonl"
    answers.write_text(json.dumps({"topic": 1, "name": '"All" and "None"'}))
    assert ezlda("label", named, "--import", answers).status == 0
    assert ezlda("edit", named, "hide 3").status == 0
    assert json.loads(ezlda("topics", named, "--json").stdout)["topics"][1]["name"] == '"All" and "None"'


def test_merged_topics_have_no_name(ezlda, named, tmp_path):
    ezlda("edit", named, "merge 1,2")
    answers = tmp_path / "answers.jsonl"
    answers.write_text('\n{"topic": 2, "name": "A"}\n')
    result = ezlda("label", named, "--import", answers)
    assert result.status == 1 and "answers.jsonl:2: topic 2 was merged into topic 1" in result.stderr


def test_names_by_long_words_are_cut(ezlda, tmp_path):
    text, path = tmp_path / "long.txt", tmp_path / "long.ezm"
    text.write_text("".join(f"{'é' * 59}{a} {'ü' * 59}{a} {'ö' * 59}{a}\n" for a in "abcd") * 3, encoding="utf-8")
    assert ezlda("train", text, "--min-docs", 1, "--max-docs-share", 1, "--stopwords", "none", "-k", 5, "-i", 3, "-o", path,
                 "-q").status == 0
    result = ezlda("label", path, "--auto")
    assert result.status == 0, result
    names = [t.get("name") for t in json.loads(ezlda("topics", path, "--json", "--lambda", 0.4).stdout)["topics"]]
    names = [name for name in names if name]
    assert len(names) > 1 and len(set(names)) == len(names)
    assert 180 < max(len(name.encode()) for name in names) <= 200


@pytest.mark.parametrize("text", ['topic\tname\n1\tBoats & co\n3\tMusic\n',
                                  '{\n "title": "t", "topics_hash": "00", "names": {\n  "1": "Boats & co",\n  "3": "Music"\n }\n}\n'])
def test_names_of_a_page_are_shown_and_kept(ezlda, named, model, tmp_path, text):
    names = tmp_path / "names"
    names.write_text(text)
    assert ezlda("report", named, "--names", names, "-o", tmp_path / "r.html", "-q").status == 0
    shown = data_of(tmp_path / "r.html")["topics"]["edited"]
    assert [t["name"] for t in shown] == ["", "Boats & co", "", "Music"]
    assert named.read_bytes() == model.read_bytes()
    assert ezlda("label", named, "--import", names, "-o", tmp_path / "other.ezm").status == 0
    assert edits(ezlda, tmp_path / "other.ezm") == ["rename 1 Boats & co", "rename 3 Music"]


def test_misuse(fails, named, tmp_path):
    fails(2, "expected --auto, --export FILE or --import FILE", "label", named)
    fails(2, "expected --auto", "label", named, "--auto", "--import", "x")
    fails(2, "--export writes no model", "label", named, "--export", tmp_path / "p", "-o", tmp_path / "m.ezm")
    fails(1, "missing", "label", named, "--import", tmp_path / "missing")
