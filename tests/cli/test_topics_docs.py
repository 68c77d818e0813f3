"""ezlda topics and ezlda docs: table, TSV and JSON agree, the figures are right, no control character reaches the
terminal."""
import json
import math
import re

import pytest
from conftest import HOSTILE_NAMES, THEMES

ESCAPES = {"\\n": "\n", "\\t": "\t", "\\r": "\r", "\\\\": "\\"}


def unescape(field):
    """Undoes the escapes of a TSV field."""
    pattern = r"\\u\{([0-9a-f]+)\}|\\x([0-9a-f]{2})|\\[ntr\\]"
    return re.sub(pattern, lambda m: chr(int(m[1] or m[2], 16)) if m[1] or m[2] else ESCAPES[m[0]], field)


def tsv(ezlda, *arguments):
    lines = ezlda(*arguments, "--tsv").stdout.split("\n")
    assert lines.pop() == ""
    names = lines[0].split("\t")
    rows = [dict(zip(names, line.split("\t"))) for line in lines[1:]]
    assert all(len(row) == len(names) for row in rows)
    return rows


def as_json(ezlda, *arguments):
    result = ezlda(*arguments, "--json")
    assert result.status == 0 and not result.stderr
    return json.loads(result.stdout)


ORDERS = [[], ["--by", "relevance"], ["--lambda", "0.3"], ["--by", "lift"]]


@pytest.mark.parametrize("order", ORDERS)
def test_topics_in_three_forms(ezlda, model, order):
    whole = as_json(ezlda, "topics", model, "-n", 5, *order)["topics"]
    assert [topic["topic"] for topic in whole] == [0, 1, 2, 3]
    rows = tsv(ezlda, "topics", model, "-n", 5, *order)
    flat = [(t["topic"], i + 1, w) for t in whole for i, w in enumerate(t["words"])]
    assert len(rows) == len(flat)
    for row, (topic, rank, word) in zip(rows, flat):
        assert (int(row["topic"]), int(row["rank"]), unescape(row["word"])) == (topic, rank, word["word"])
        assert int(row["tokens"]) == word["tokens"]
        assert math.isclose(float(row["probability"]), word["probability"], rel_tol=1e-8)
        assert math.isclose(float(row["score"]), word["score"], rel_tol=1e-8, abs_tol=1e-8)
    table = ezlda("topics", model, "-n", 5, *order).stdout.splitlines()
    for line, topic in zip(table[1:], whole):
        number, share, percent, tokens, *words = line.split()
        assert (int(number), percent, int(tokens.replace(",", ""))) == (topic["topic"], "%", topic["tokens"])
        assert abs(float(share) - 100 * topic["share"]) < 0.006
        assert words == [w["word"] for w in topic["words"]]


def test_topic_figures(ezlda, model):
    """p = (count + beta) / (tokens + V*beta); a word's lift is p / p(word)."""
    info = as_json(ezlda, "info", model)
    topics = as_json(ezlda, "topics", model, "-n", 1000)["topics"]
    assert sum(t["tokens"] for t in topics) == info["tokens"] and math.isclose(sum(t["share"] for t in topics), 1)
    total = {}
    for topic in topics:
        assert sum(w["tokens"] for w in topic["words"]) == topic["tokens"]
        scores = [w["probability"] for w in topic["words"]]
        assert scores == sorted(scores, reverse=True)
        for word in topic["words"]:
            total[word["word"]] = total.get(word["word"], 0) + word["tokens"]
            expected = (word["tokens"] + info["beta"]) / (topic["tokens"] + info["words"] * info["beta"])
            assert math.isclose(word["probability"], expected, rel_tol=1e-6)
    for topic in as_json(ezlda, "topics", model, "-n", 1000, "--by", "lift")["topics"]:
        for word in topic["words"]:
            lift = word["probability"] * info["tokens"] / total[word["word"]]
            assert math.isclose(word["score"], lift, rel_tol=1e-6)


def test_topics_are_the_themes(ezlda, model):
    """Each theme is the words of one topic or of several, never mixed."""
    for topic in as_json(ezlda, "topics", model, "-n", 4)["topics"]:
        words = {w["word"] for w in topic["words"] if w["tokens"] > 10}
        assert any(words <= set(theme) for theme in THEMES), words


def test_sorted_by_share(ezlda, model):
    tokens = [t["tokens"] for t in as_json(ezlda, "topics", model, "--sort", "share")["topics"]]
    assert tokens == sorted(tokens, reverse=True)


def test_one_topic_in_detail(ezlda, model):
    topic = as_json(ezlda, "topics", model, "--topic", 2, "-n", 3)["topics"][0]
    lines = ezlda("topics", model, "--topic", 2, "-n", 3).stdout.splitlines()
    assert lines[0].startswith(f"topic 2: {topic['tokens']:,} tokens")
    for line, word in zip(lines[2:], topic["words"]):
        name, tokens, probability = line.split()
        assert (name, int(tokens)) == (word["word"], word["tokens"])
        assert abs(float(probability) - word["probability"]) < 1e-6


def test_docs_in_three_forms(ezlda, model):
    documents = as_json(ezlda, "docs", model)["documents"]
    assert [d["doc"] for d in documents] == list(range(120)), "every document keeps its row"
    rows = tsv(ezlda, "docs", model)
    table = ezlda("docs", model).stdout.splitlines()
    assert len(rows) == 120 and len(table) == 121
    for document, row, line in zip(documents, rows, table[1:]):
        pairs = [pair.split(":") for pair in row["topics"].split()]
        assert [int(t) for t, _ in pairs] == [t["topic"] for t in document["topics"]]
        assert all(math.isclose(float(s), t["share"], rel_tol=1e-8) for (_, s), t in zip(pairs, document["topics"]))
        assert (int(row["doc"]), unescape(row["name"]), int(row["tokens"])) == (
            document["doc"], document["name"], document["tokens"])
        shown = re.findall(r"(\d+) \((\d+) %\)", line)
        assert [int(t) for t, _ in shown] == [t["topic"] for t in document["topics"]]
        assert len(document["topics"]) <= 3
    assert documents[50]["tokens"] == 0 and documents[50]["topics"] == [] and rows[50]["topics"] == ""


def test_shares_of_a_document(ezlda, model):
    alpha = [t["alpha"] for t in as_json(ezlda, "topics", model)["topics"]]
    for document in as_json(ezlda, "docs", model, "--top", 100)["documents"]:
        assert sum(t["tokens"] for t in document["topics"]) == document["tokens"]
        shares = [t["share"] for t in document["topics"]]
        assert shares == sorted(shares, reverse=True)
        for t in document["topics"]:
            expected = (t["tokens"] + alpha[t["topic"]]) / (document["tokens"] + sum(alpha))
            assert math.isclose(t["share"], expected, rel_tol=1e-9)


def test_top_documents_of_a_topic(ezlda, model):
    documents = as_json(ezlda, "docs", model, "--top", 100)["documents"]
    for topic in range(4):
        top = as_json(ezlda, "docs", model, "--topic", topic, "-n", 7)["documents"]
        assert len(top) == 7
        share_of = {d["doc"]: t["share"] for d in documents for t in d["topics"] if t["topic"] == topic}
        for entry in top:
            if entry["tokens"]:
                assert math.isclose(entry["share"], share_of[entry["doc"]], rel_tol=1e-9)
        assert [d["share"] for d in top] == sorted((d["share"] for d in top), reverse=True)
        assert top[0]["share"] >= max(share_of.values()) * (1 - 1e-9)
        rows = tsv(ezlda, "docs", model, "--topic", topic, "-n", 7)
        assert [int(r["doc"]) for r in rows] == [d["doc"] for d in top]
        lines = ezlda("docs", model, "--topic", topic, "-n", 7).stdout.splitlines()[2:]
        assert [int(line.split()[0]) for line in lines] == [d["doc"] for d in top]


def test_one_document_by_name_and_by_number(ezlda, fails, model):
    by_name = as_json(ezlda, "docs", model, "--doc", "article 20")
    assert by_name == as_json(ezlda, "docs", model, "--doc", "#20")
    assert by_name["documents"][0]["doc"] == 20
    text = ezlda("docs", model, "--doc", "#20").stdout.splitlines()
    assert text[0].startswith("document 20, article 20: ") and text[1].split() == ["topic", "share", "tokens", "words"]
    fails(2, ["--doc", "#0 to #119", "'nobody'"], "docs", model, "--doc", "nobody")
    fails(2, ["--doc", "'#120'"], "docs", model, "--doc", "#120")


def test_documents_of_the_same_name_are_reported(ezlda, tmp_path):
    (tmp_path / "same.jsonl").write_text("".join(f'{{"id": "{name}", "text": "river water"}}\n' for name in "xyxx"))
    ezlda("train", tmp_path / "same.jsonl", "-k", 2, "-i", 2, "-q", "-o", tmp_path / "m.ezm")
    assert ezlda("docs", tmp_path / "m.ezm", "--doc", "x").stderr == \
        "3 documents are called 'x': this is #0, the next one #2\n"
    for more in (["--doc", "y"], ["--doc", "x", "-q"]):
        assert ezlda("docs", tmp_path / "m.ezm", *more).stderr == ""


def test_hostile_names(ezlda, model):
    names = [d["name"] for d in as_json(ezlda, "docs", model, "-n", len(HOSTILE_NAMES))["documents"]]
    assert names == HOSTILE_NAMES
    for form in ([], ["--tsv"], ["--topic", 0, "-n", 200], ["--doc", "#0"]):
        text = ezlda("docs", model, *form).stdout
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", text)
    table = ezlda("docs", model, "-n", len(HOSTILE_NAMES)).stdout
    for shown in ("\\x1b[31mred\\x07", "tab\\there", "line\\nbreak", "\\u{202e}gnp.exe"):
        assert shown in table


def test_columns_are_aligned_by_display_width(ezlda, model):
    """Wide characters take two columns, a combining accent none: the numbers after the names still end together."""
    lines = ezlda("docs", model, "-n", len(HOSTILE_NAMES)).stdout.splitlines()

    def columns(text):
        return sum(0 if c == "\u0301" else 2 if "\u4e00" <= c <= "\u9fff" else 1 for c in text)

    ends = {columns(line[: re.match(r".*?  +(tokens|30)\b", line).end()]) for line in lines}
    assert len(ends) == 1, lines
