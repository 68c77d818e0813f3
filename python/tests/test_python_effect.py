"""Model.effect, trend, with_samples, doc_topic_samples and doc_intervals: as the command gives them, with clear errors."""
import random

import numpy as np
import pytest

import ezlda

SAMPLING = {"samples": 4, "thin": 2, "burn_in": 3}


@pytest.fixture(scope="module")
def speeches():
    """Documents of two themes; the second is more frequent in one party and in late years."""
    draw, rows, party, year = random.Random(2), [], [], []
    for d in range(150):
        party.append(draw.choice(["green", "red"]))
        year.append(str(2000 + d % 6))
        share = 0.95 if draw.random() < 0.2 + 0.4 * (party[-1] == "red") + 0.05 * (d % 6) else 0.05
        rows.append([("fish" if draw.random() < share else "tree") + str(draw.randrange(8)) for _ in range(60)])
    corpus = ezlda.Corpus.from_texts([" ".join(row) for row in rows], fields={"party": party, "year": year}, tokens="pre",
                                     stopwords="none", min_docs=1, max_docs_share=1.0)
    return corpus, ezlda.train(corpus, 2, iterations=40, alpha=1.0, progress=False)


def test_effect(speeches, tmp_path):
    corpus, model = speeches
    found = model.effect(corpus, "party + year", words_field="party", plot=tmp_path / "p.svg", **SAMPLING)
    assert found["docs"] == 150 and found["missing"] == 0 and found["samples"] == 4 and found["training_corpus"]
    fish = next(t for t in found["topics"] if model.top_words(t["topic"], 1)[0].name.startswith("fish"))
    by_term = {c["term"]: c for c in fish["coefficients"]}
    assert by_term["party=red"]["low"] <= 0.36 <= by_term["party=red"]["high"] and by_term["party=red"]["p"] < 1e-3
    assert by_term["year"]["low"] <= 0.045 <= by_term["year"]["high"]
    assert set(fish["terms"]) == {"party", "year"} and set(fish["words"]) == {"green", "red"}
    levels = [point["x"] for point in fish["curves"]["party"]]
    assert levels == ["green", "red"] and len(fish["curves"]["year"]) == 41
    gap = fish["curves"]["party"][1]["share"] - fish["curves"]["party"][0]["share"]
    assert np.isclose(gap, by_term["party=red"]["estimate"])
    assert (tmp_path / "p.svg").read_text().startswith("<svg")


def test_the_seed_decides(speeches):
    corpus, model = speeches
    first, again, other = (model.effect(corpus, "party", topics=[1], seed=s, threads=t, **SAMPLING)
                           for s, t in ((1, 1), (1, 3), (2, 1)))
    assert first == again and first != other and [t["topic"] for t in first["topics"]] == [1]


def test_trend(speeches):
    corpus, model = speeches
    found = model.trend(corpus, "year", step="year", **SAMPLING)
    assert found["step"] == "year" and found["docs"] == 150
    for topic in found["topics"]:
        assert [p["x"] for p in topic["periods"]] == [str(y) for y in range(2000, 2006)]
        assert all(p["low"] < p["share"] < p["high"] and p["docs"] == 25 for p in topic["periods"])
    assert np.allclose(sum(np.array([p["share"] for p in t["periods"]]) for t in found["topics"]), 1)


def test_samples(speeches, tmp_path):
    corpus, model = speeches
    with pytest.raises(ValueError, match="keeps no samples"):
        model.doc_topic_samples()
    kept = model.with_samples(corpus, samples=5, thin=1, burn_in=2)
    counts = kept.doc_topic_samples()
    assert counts.shape == (5, 150, 2) and (counts.sum(axis=2) == 60).all()
    assert (counts != counts[0]).any(), "samples differ"
    kept.save(tmp_path / "m.ezm")
    again = ezlda.Model.load(tmp_path / "m.ezm")
    assert (again.doc_topic_samples() == counts).all()
    bounds = again.doc_intervals(0.8, docs=[3, 0])
    assert bounds.shape == (2, 2, 3) and (bounds[:, :, 1] < bounds[:, :, 0]).all() and (bounds[:, :, 0] < bounds[:, :, 2]).all()
    wide = again.doc_intervals(0.99, docs=[3])
    assert (wide[0, :, 1] < bounds[0, :, 1]).all() and (wide[0, :, 2] > bounds[0, :, 2]).all()


@pytest.mark.parametrize("formula, words", [("wind", "no such field"), ("party +", "found its end"), ("s(party)", "spline")])
def test_wrong_formulas(speeches, formula, words):
    corpus, model = speeches
    with pytest.raises(ezlda.ArgumentError, match=words):
        model.effect(corpus, formula, **SAMPLING)


def test_wrong_values(speeches):
    corpus, model = speeches
    with pytest.raises(ValueError, match="level"):
        model.effect(corpus, "party", level=2.0)
    with pytest.raises(ezlda.ArgumentError, match="topics"):
        model.trend(corpus, "year", topics=[7])
    with pytest.raises(ezlda.ArgumentError, match="another"):
        model.with_samples(ezlda.Corpus([["fish1", "tree1"]]), **SAMPLING)
