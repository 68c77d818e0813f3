"""ezlda effect, trend, train --samples, docs and infer --interval: least squares, intervals that hold the truth, the same
result for any number of threads, three forms that agree, and clear errors."""
import json
import math
import random

import pytest

SAMPLING = ["--samples", 6, "--thin", 2, "--burn-in", 4]


def dirichlet(draw, alpha):
    drawn = [draw.gammavariate(a, 1) for a in alpha]
    return [x / sum(drawn) for x in drawn]


@pytest.fixture(scope="module")
def speeches(ezlda, tmp_path_factory):
    """A corpus of four themes with words of their own, so that a model's shares are nearly the counts; party and year
    move the shares. Returns the files and, by document, party, year and the counts of the themes' words."""
    folder = tmp_path_factory.mktemp("speeches")
    draw, rows = random.Random(4), []
    with open(folder / "docs.jsonl", "w", encoding="utf-8") as file:
        for d in range(400):
            party, year = draw.choice(["green", "red"]), draw.randrange(2000, 2010)
            mean = [0.25 + (0.1 if party == "red" else 0), 0.25 + 0.01 * (year - 2004), 0.3 if year == 2007 else 0.15, 0.2]
            theta = dirichlet(draw, [2 * m / sum(mean) for m in mean])
            themes = draw.choices(range(4), theta, k=100)
            text = " ".join(f"{'abcd'[t]}word{'xyz'[draw.randrange(3)]}{draw.randrange(20)}" for t in themes)
            rows.append((party, year, [themes.count(t) for t in range(4)]))
            json.dump({"id": f"d{d}", "text": text, "party": party if d != 7 else "NA", "year": str(year),
                       "day": f"{year}-{1 + d % 12:02d}-{1 + d % 28:02d}", "size": str(d % 7 - 3)}, file)
            file.write("\n")
    corpus, model = folder / "c.ezc", folder / "m.ezm"
    assert ezlda("import", folder / "docs.jsonl", "-o", corpus, "--keep-fields", "party,year,day,size", "--tokens", "pre",
                 "--stopwords", "none", "-q").status == 0
    result = ezlda("train", corpus, "-k", 4, "-i", 60, "--samples", 5, "-o", model, "-q")
    assert result.status == 0, result
    topics = json.loads(ezlda("topics", model, "-n", 1, "--json").stdout)["topics"]
    theme = [ord(topic["words"][0]["word"][0]) - ord("a") for topic in topics]
    assert sorted(theme) == [0, 1, 2, 3], "each theme is a topic"
    return corpus, model, [(p, y, [counts[t] for t in theme]) for p, y, counts in rows]


def as_json(ezlda, *arguments):
    result = ezlda(*arguments, "--json", "-q")
    assert result.status == 0, result
    return json.loads(result.stdout)


def solve(a, b):
    """Gaussian elimination of a small system."""
    n = len(b)
    rows = [row[:] + [value] for row, value in zip(a, b)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(n):
            if r != i:
                factor = rows[r][i] / rows[i][i]
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[i])]
    return [rows[i][n] / rows[i][i] for i in range(n)]


def least_squares(x, y):
    cross = [[sum(r[i] * r[j] for r in x) for j in range(len(x[0]))] for i in range(len(x[0]))]
    b = solve(cross, [sum(r[i] * v for r, v in zip(x, y)) for i in range(len(x[0]))])
    rest = sum((v - sum(p * q for p, q in zip(b, r))) ** 2 for r, v in zip(x, y))
    variance = rest / (len(x) - len(b))
    errors = [math.sqrt(variance * solve(cross, [float(i == j) for j in range(len(b))])[i]) for i in range(len(b))]
    return b, errors


def test_coefficients_are_those_of_least_squares(ezlda, speeches):
    """Of shares that are counted, about: the words of themes differ, so topics are nearly sure."""
    corpus, model, rows = speeches
    effect = as_json(ezlda, "effect", model, corpus, "--formula", "share ~ party + year", *SAMPLING)
    assert (effect["documents"], effect["missing"], effect["samples"]) == (399, 1, 6)
    used = [row for d, row in enumerate(rows) if d != 7]
    x = [[1.0, float(party == "red"), float(year)] for party, year, _ in used]
    for topic in effect["topics"]:
        b, errors = least_squares(x, [counts[topic["topic"]] / 100 for _, _, counts in used])
        found = topic["coefficients"]
        assert [c["term"] for c in found] == ["(intercept)", "party=red", "year"]
        for c, value, error in list(zip(found, b, errors))[1:]:
            assert abs(c["estimate"] - value) < 0.8 * error, (c, value, error)
            assert 0.9 * error < c["error"] < 1.5 * error, (c, error)
            assert c["low"] < c["estimate"] < c["high"] and math.isclose(c["t"], c["estimate"] / c["error"])
        assert [term["term"] for term in topic["terms"]] == ["party", "year"]
        for c, term in zip(found[1:], topic["terms"]):
            assert math.isclose(c["p"], term["p"], rel_tol=0.3, abs_tol=1e-4), "a term of one column is tested alike"


def test_intervals_hold_the_truth(ezlda, speeches):
    """Of the shares that the model's samples give, about 90 % are in intervals of 90 %: the truth is the share of the
    theme's words, which differ from theme to theme, so that the interval is about the documents' own topics."""
    corpus, model, rows = speeches
    trend = as_json(ezlda, "trend", model, corpus, "--by", "year", "--step", "year", *SAMPLING)
    held = []
    for topic in trend["topics"]:
        for t, period in enumerate(topic["periods"]):
            inside = [c[topic["topic"]] / 100 for _, year, c in rows if year == 2000 + t]
            assert period["documents"] == len(inside) and period["period"] == str(2000 + t)
            held.append(period["low"] <= sum(inside) / len(inside) <= period["high"])
    assert sum(held) >= 0.9 * len(held)


def test_the_year_with_more_is_a_burst_or_the_highest(ezlda, speeches):
    corpus, model, rows = speeches
    trend = as_json(ezlda, "trend", model, corpus, "--by", "year", *SAMPLING)
    assert trend["step"] == "year"
    means = [sum(c[k] for _, y, c in rows if y == 2007) for k in range(4)]
    usual = [sum(c[k] for _, y, c in rows) / 10 for k in range(4)]
    theme = max(range(4), key=lambda k: means[k] / usual[k])
    shares = [p["share"] for p in trend["topics"][theme]["periods"]]
    assert max(shares) == shares[7]


def test_a_period_without_documents_is_empty(ezlda, speeches):
    """It has no share, and no word is said about a formula, of which the user knows nothing."""
    corpus, model, _ = speeches
    result = ezlda("trend", model, corpus, "--by", "day", "--step", "month", "--json", *SAMPLING)
    assert result.status == 0 and "formula" not in result.stderr, result
    empty = [period for period in json.loads(result.stdout)["topics"][0]["periods"] if not period["documents"]]
    assert empty and all(period["share"] is None for period in empty)


@pytest.mark.parametrize("arguments", [("effect", "--formula", "s(year, 4) + party:size", "--words", "party"),
                                       ("trend", "--by", "day", "--step", "quarter")])
def test_the_same_for_any_number_of_threads(ezlda, speeches, arguments):
    corpus, model, _ = speeches
    command, *rest = arguments
    texts = {ezlda(command, model, corpus, *rest, *SAMPLING, "--json", "-q", "--threads", threads).stdout
             for threads in (1, 2, 5)}
    assert len(texts) == 1 and texts.pop().startswith("{")


def test_three_forms_agree_and_the_picture_is_drawn(ezlda, speeches, tmp_path):
    corpus, model, _ = speeches
    arguments = ["effect", model, corpus, "--formula", "party*size", "-t", 2, *SAMPLING, "-q"]
    whole = json.loads(ezlda(*arguments, "--json").stdout)["topics"]
    lines = ezlda(*arguments, "--tsv").stdout.splitlines()
    assert [topic["topic"] for topic in whole] == [2] and len(lines) == 5
    for line, c in zip(lines[1:], whole[0]["coefficients"]):
        topic, term, estimate, *_ = line.split("\t")
        assert (topic, term) == ("2", c["term"]) and math.isclose(float(estimate), c["estimate"], rel_tol=1e-8)
    picture = tmp_path / "p.svg"
    table = ezlda(*arguments, "--plot", picture).stdout
    for c in whole[0]["coefficients"]:
        assert f"{c['term']} " in table and f"{c['estimate']:.5f}" in table
    text = picture.read_text()
    assert text.startswith("<svg") and text.rstrip().endswith("</svg>") and "Topic 2" in text and "red" in text


def test_words_of_groups(ezlda, speeches):
    """Words are drawn alike in both parties, so no word is far from 0."""
    corpus, model, _ = speeches
    effect = as_json(ezlda, "effect", model, corpus, "--formula", "party", "--words", "party", *SAMPLING)
    words = [w for topic in effect["topics"] for group in topic["words"].values() for w in group]
    assert len(words) > 40 and all(w["error"] > 0 and w["log_odds"] > 0 for w in words)
    assert sum(w["log_odds"] / w["error"] > 3 for w in words) <= 2


def test_samples_of_a_model(ezlda, speeches):
    corpus, model, rows = speeches
    with_samples = as_json(ezlda, "docs", model, "--interval", 90, "--top", 4)["documents"]
    for d in with_samples[:50]:
        assert math.isclose(sum(t["share"] for t in d["topics"]), 1, rel_tol=1e-6)
        for t in d["topics"]:
            assert 0 <= t["low"] < t["share"] < t["high"] <= 1
            assert abs(t["share"] - rows[d["doc"]][2][t["topic"]] / 100) < 0.1
    lines = ezlda("docs", model, "--interval", 90, "--tsv", "-n", 2).stdout.splitlines()
    assert lines[0].split("\t") == ["doc", "name", "tokens", "topic", "share", "low", "high"] and len(lines) == 7


def test_samples_survive_a_merge_and_do_not_depend_on_threads(ezlda, speeches, tmp_path):
    corpus, model, rows = speeches
    for threads in (1, 3):
        assert ezlda("train", corpus, "-k", 4, "-i", 20, "--samples", 3, "-o", tmp_path / f"{threads}.ezm", "-q", "--threads",
                     threads).status == 0
    texts = {ezlda("docs", tmp_path / f"{threads}.ezm", "--interval", 80, "--json").stdout for threads in (1, 3)}
    assert len(texts) == 1
    (tmp_path / "edits").write_text("merge 0 1\n")
    assert ezlda("edit", model, "--apply", tmp_path / "edits", "-o", tmp_path / "e.ezm", "-q").status in (0, 2)
    if (tmp_path / "e.ezm").exists():
        before = as_json(ezlda, "docs", model, "--interval", 90, "--top", 4)["documents"][0]
        after = as_json(ezlda, "docs", tmp_path / "e.ezm", "--interval", 90, "--top", 4)["documents"][0]
        shares = {t["topic"]: t["share"] for t in before["topics"]}
        merged = next(t for t in after["topics"] if t["topic"] == 0)
        assert math.isclose(merged["share"], shares[0] + shares[1], rel_tol=1e-3)


def test_infer_with_intervals(ezlda, speeches, tmp_path):
    corpus, model, rows = speeches
    out = tmp_path / "t.tsv"
    assert ezlda("infer", model, corpus, "--interval", 90, "--samples", 4, "-o", out, "-q").status == 0
    lines = [line.split("\t") for line in out.read_text().splitlines()]
    assert lines[0] == ["doc", "name", "topic", "share", "low", "high"] and lines[1][:2] == ["0", "d0"]
    for doc, _, topic, share, low, high in lines[1:200]:
        assert float(low) < float(share) < float(high)
        assert abs(float(share) - rows[int(doc)][2][int(topic)] / 100) < 0.1


def test_terms_that_depend_are_reported(ezlda, speeches):
    corpus, model, _ = speeches
    result = ezlda("effect", model, corpus, "--formula", "year + factor(year)", *SAMPLING, "--tsv")
    assert "1 of 9 columns of a term depend on the terms before it" in result.stderr
    assert sum(line.endswith("\t\t\t\t\t\t\t") for line in result.stdout.splitlines()) == 4


@pytest.mark.parametrize("arguments, words", [
    (("effect", "--formula", "share ~ wind"), ["field 'wind'", "it has", "party, year"]),
    (("effect", "--formula", "party +"), "found its end"),
    (("effect", "--formula", "s(party)"), "a spline needs numbers or dates"),
    (("effect", "--formula", "name"), "more than 250 different values"),
    (("effect", "--formula", "party", "-t", "9"), "--topics"),
    (("effect", "--formula", "party", "--plot", "x.svg", "--field", "year"), "not in the formula"),
    (("effect", "--formula", "party", "--field", "year"), "--field needs --plot"),
    (("effect", "--formula", "party", "--words", "wind"), "no such field"),
    (("trend", "--by", "party"), "expected years or dates"),
    (("trend", "--by", "year", "--step", "month"), "the dates have no month"),
    (("trend", "--by", "year", "--step", "century"), "same century"),
    (("trend", "--by", "day", "--step", "day"), "are more than 250"),
    (("docs", "--topic", "1", "--interval", "90"), "exclude each other")])
def test_wrong_input_is_refused(fails, speeches, tmp_path, arguments, words):
    corpus, model, _ = speeches
    command, *rest = arguments
    fails(2, words, command, model, *([corpus] if command != "docs" else []), *rest, "-q", cwd=tmp_path)


def test_a_model_without_samples(fails, speeches, ezlda, tmp_path):
    corpus, _, _ = speeches
    assert ezlda("train", corpus, "-k", 3, "-i", 5, "-o", tmp_path / "m.ezm", "-q").status == 0
    fails(2, "keeps no samples", "docs", tmp_path / "m.ezm", "--interval", "90")
