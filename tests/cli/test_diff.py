"""ezlda diff: planted topics are found again, what came and went is named, the three forms agree."""
import csv
import io
import json
import random
import re

import pytest

THEMES = {name: [f"{name}{letter}" for letter in "abcdefghijkl"] for name in ["sea", "law", "art", "war", "tax"]}
COMMON = ["and", "with", "from"]
ALL_WORDS = ["--stopwords", "none", "--min-docs", 1, "--max-docs-share", 1]


def write_texts(path, themes):
    """Documents of one or two themes each, one per line."""
    draw = random.Random(1)
    with open(path, "w", encoding="utf-8") as file:
        for _ in range(400):
            chosen = draw.sample(themes, draw.choice([1, 2]))
            words = [draw.choice(THEMES[draw.choice(chosen)]) if draw.random() < 0.95 else draw.choice(COMMON)
                     for _ in range(40)]
            file.write(" ".join(words) + "\n")


@pytest.fixture(scope="module")
def train(ezlda, device, tmp_path_factory):
    folder = tmp_path_factory.mktemp("diff")

    def make(themes, k, seed):
        text = folder / f"{'-'.join(themes)}.txt"
        path = folder / f"{'-'.join(themes)}.{k}.{seed}.ezm"
        if not text.exists():
            write_texts(text, themes)
        if not path.exists():
            result = ezlda("train", text, *ALL_WORDS, "-k", k, "-i", 80, "--alpha", 0.1, "--seed", seed,
                           "--device", device, "--threads", 1, "-o", path, "-q")
            assert result.status == 0, result
        return path

    return make


FOUR, CHANGED = ["sea", "law", "art", "war"], ["law", "art", "war", "tax"]


@pytest.fixture(scope="module")
def diff(ezlda):
    def run(*arguments):
        result = ezlda("diff", *arguments)
        assert (result.status, result.stderr) == (0, ""), result
        return result.stdout

    return run


def theme(words):
    """The theme of all words, apart from common ones."""
    names = {word[:3] for word in words if word not in COMMON}
    assert len(names) == 1, words
    return names.pop()


def test_planted_topics_are_found_again_between_seeds(train, diff):
    found = json.loads(diff(train(FOUR, 4, 1), train(FOUR, 4, 2), "--json"))
    assert found["counts"] == {"drifted": 0, "kept": 4, "vanished": 0, "appeared": 0}
    assert {theme(pair["a"]["words"]) for pair in found["kept"]} == set(FOUR)
    for pair in found["kept"]:
        assert theme(pair["a"]["words"]) == theme(pair["b"]["words"])
        assert 0.95 < pair["similarity"] <= 1
    assert found["mean_similarity"] == pytest.approx(sum(p["similarity"] for p in found["kept"]) / 4)
    for side in "ab":
        assert sorted(pair[side]["topic"] for pair in found["kept"]) == [*range(4)]


def test_a_model_is_itself(train, diff, model, ezlda):
    for path, k in [(train(FOUR, 4, 1), 4), (train(FOUR, 9, 1), 9), (model, 4)]:
        found = json.loads(diff(path, path, "--json", "--threshold", 1, "--drift", 1))
        assert found["mean_similarity"] == 1
        assert [p["a"]["topic"] for p in found["kept"]] == [p["b"]["topic"] for p in found["kept"]] == [*range(k)]
        assert all(p["similarity"] == 1 and p["jaccard"] == 1 and p["came_in"] == p["fell_out"] == []
                   for p in found["kept"])
    shown = diff(model, model, "--sort", "number").splitlines()
    assert shown[0] == "4 topics in A, 4 in B: 4 matched (4 kept, 0 drifted) with a mean similarity of 1.00; " \
                       "0 vanished, 0 appeared"
    topics = ezlda("topics", model).stdout.splitlines()[1:]
    assert [line.split("  ")[-1] for line in shown[-4:]] == [line.split("  ")[-1] for line in topics]


def test_what_vanished_and_appeared(train, diff):
    old, new = train(FOUR, 4, 1), train(CHANGED, 4, 1)
    found = json.loads(diff(old, new, "--json"))
    assert found["counts"] == {"drifted": 0, "kept": 3, "vanished": 1, "appeared": 1}
    assert {theme(p["a"]["words"]) for p in found["kept"]} == {"law", "art", "war"}
    assert theme(found["vanished"][0]["a"]["words"]) == "sea"
    assert theme(found["appeared"][0]["b"]["words"]) == "tax"
    assert "b" not in found["vanished"][0] and "a" not in found["appeared"][0]
    assert found["a"]["words_only"] == found["b"]["words_only"] == 12 and found["words_common"] == 39
    text = (old.parent / "sea-law-art-war.txt").read_text().split()
    assert found["a"]["tokens_only"] == sum(word.startswith("sea") for word in text)
    shown = diff(old, new)
    assert "12 of them in A only" in shown and "12 of them in B only" in shown
    assert re.search(r"^Vanished: 1 without a partner, [123]\d\.\d % of A's tokens$", shown, re.M)
    assert re.search(r"^Appeared: 1 without a partner, [123]\d\.\d % of B's tokens$", shown, re.M)


def test_the_other_way_round_is_the_mirror_image(train, diff):
    old, new = train(FOUR, 3, 1), train(CHANGED, 6, 1)
    ahead, back = (json.loads(diff(*pair, "--json", "--sort", "number")) for pair in [(old, new), (new, old)])
    pairs = {change: sorted((p["a"]["topic"], p["b"]["topic"], p["similarity"], p["jaccard"]) for p in ahead[change])
             for change in ["kept", "drifted"]}
    assert sum(map(len, pairs.values())) >= 2
    for change in pairs:
        assert pairs[change] == sorted((p["b"]["topic"], p["a"]["topic"], p["similarity"], p["jaccard"])
                                       for p in back[change])
    for gone, come in [("vanished", "appeared"), ("appeared", "vanished")]:
        assert [(t["nearest"], t["similarity"]) for t in ahead[gone]] == \
               [(t["nearest"], t["similarity"]) for t in back[come]]
    assert len(ahead["appeared"]) - len(ahead["vanished"]) == 3


def test_figures_against_the_models_own_words(train, diff, ezlda):
    """Similarity and shared words recomputed from what `ezlda topics` prints for all words."""
    a, b = train(FOUR, 3, 1), train(CHANGED, 6, 1)
    rows = [[*csv.DictReader(io.StringIO(ezlda("topics", path, "-n", 1000, "--tsv").stdout), delimiter="\t")]
            for path in (a, b)]
    words = [{k: {r["word"]: int(r["tokens"]) for r in side if int(r["topic"]) == k} for k in range(6)}
             for side in rows]
    found = json.loads(diff(a, b, "--json", "-n", 5, "--threshold", 0, "--drift", 0))
    assert len(found["kept"]) == 3
    for pair in found["kept"]:
        p, q = words[0][pair["a"]["topic"]], words[1][pair["b"]["topic"]]
        overlap = sum((n * q.get(w, 0)) ** 0.5 for w, n in p.items()) / (sum(p.values()) * sum(q.values())) ** 0.5
        assert pair["similarity"] == pytest.approx(overlap, abs=1e-8)
        first, second = pair["a"]["words"], pair["b"]["words"]
        assert (first, second) == ([*p][:5], [*q][:5])
        assert pair["shared_words"] == len({*first} & {*second})
        assert pair["jaccard"] == pytest.approx(len({*first} & {*second}) / len({*first} | {*second}))
        assert pair["came_in"] == [w for w in second if w not in first]
        assert pair["fell_out"] == [w for w in first if w not in second]
        assert pair["a"]["tokens"] == sum(p.values())
        assert pair["a"]["share"] == pytest.approx(pair["a"]["tokens"] / 16000)


def test_the_forms_agree(train, diff):
    models = train(FOUR, 5, 1), train(CHANGED, 7, 2)
    marks = "--threshold", 0.5, "--drift", 0.98
    found, table = json.loads(diff(*models, *marks, "--json")), diff(*models, *marks, "--tsv")
    shown = diff(*models, *marks)
    rows = [*csv.DictReader(io.StringIO(table), delimiter="\t", quoting=csv.QUOTE_NONE)]
    assert len(rows) == sum(found["counts"].values()) and {r["change"] for r in rows} >= {"kept", "drifted", "appeared"}
    for row, item in zip(rows, [item for change in found["counts"] for item in found[change]]):
        assert float(row["similarity"]) == pytest.approx(item["similarity"], abs=1e-8)
        for side in "ab":
            topic = item.get(side, {"topic": "", "tokens": "", "share": "", "words": []})
            assert (row[side], row[f"tokens_{side}"]) == (str(topic["topic"]), str(topic["tokens"]))
            assert row[f"words_{side}"].split() == topic["words"]
        assert row["nearest"] == str(item.get("nearest", ""))
        assert row["shared_words"] == str(item.get("shared_words", ""))
        if "came_in" in item:
            kept = [w if w not in item["came_in"] else "+" + w for w in item["b"]["words"]]
            line = " ".join(kept + ["-" + w for w in item["fell_out"]])
        else:
            line = row["words_a"] or row["words_b"]
        figures = [row["a"] or row["b"], f"{float(row['similarity']):.3f}"]
        assert [text for text in shown.splitlines() if text.endswith("  " + line) and
                text.split()[0] == figures[0] and figures[1] in text.split()], (figures, line, shown)


def test_sorting_and_top(train, diff):
    models = train(FOUR, 5, 1), train(CHANGED, 7, 2)
    every = {order: json.loads(diff(*models, "--json", "--drift", 1, "--sort", order))
             for order in ["drift", "size", "number"]}
    drifts = [p["similarity"] for p in every["drift"]["drifted"]]
    sizes = [p["a"]["tokens"] + p["b"]["tokens"] for p in every["size"]["drifted"]]
    numbers = [p["a"]["topic"] for p in every["number"]["drifted"]]
    assert drifts == sorted(drifts) and sizes == sorted(sizes, reverse=True) and numbers == sorted(numbers)
    assert len(drifts) >= 3 and len({*map(json.dumps, every["drift"]["drifted"])} ^
                                    {*map(json.dumps, every["size"]["drifted"])}) == 0
    few = json.loads(diff(*models, "--json", "--drift", 1, "--top", 2))
    assert few["drifted"] == every["drift"]["drifted"][:2] and few["counts"] == every["drift"]["counts"]
    assert "(2 shown)" in diff(*models, "--drift", 1, "--top", 2)


def test_threads_do_not_matter(train, diff):
    models = train(FOUR, 9, 1), train(CHANGED, 7, 2)
    assert len({diff(*models, "--json", "--threads", n) for n in (1, 2, 5)}) == 1


def test_misuse(train, fails, tmp_path):
    a, b = train(FOUR, 4, 1), train(CHANGED, 4, 1)
    fails(2, "pair of models", "diff", a)
    fails(2, "unexpected argument", "diff", a, b, a)
    fails(2, "exclude each other", "diff", a, b, "--tsv", "--json")
    fails(2, ["--drift", "0.8"], "diff", a, b, "--threshold", 0.8)
    fails(2, "0 to 1", "diff", a, b, "--threshold", 1.5)
    fails(1, "none.ezm", "diff", a, tmp_path / "none.ezm")


def test_no_common_word_is_reported(train, ezlda, device, fails, tmp_path_factory):
    folder = tmp_path_factory.mktemp("other")
    (folder / "other.txt").write_text("alpha beta gamma\n" * 20)
    result = ezlda("train", folder / "other.txt", *ALL_WORDS, "-k", 2, "-i", 5, "--device", device,
                   "-o", folder / "other.ezm", "-q")
    assert result.status == 0, result
    fails(2, "the models have no word in common", "diff", train(FOUR, 4, 1), folder / "other.ezm")
