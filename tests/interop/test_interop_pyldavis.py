"""The pyLDAvis export against pyLDAvis.prepare with the same model."""
import collections
import json

import pytest

numpy = pytest.importorskip("numpy")
pyldavis = pytest.importorskip("pyLDAvis")
pandas = pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def ours(ezlda, model, tmp_path_factory):
    path = tmp_path_factory.mktemp("vis") / "vis.json"
    ezlda("export", model, "--to", "pyldavis-json", "-o", path)
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def theirs(arrays):
    prepared = pyldavis.prepare(arrays["phi"], arrays["theta"], arrays["doc_lengths"], arrays["vocab"],
                                arrays["word_counts"], n_jobs=1)
    return json.loads(prepared.to_json())


def by_topic(tinfo):
    """Category: term: its figures."""
    tables = collections.defaultdict(dict)
    for i, category in enumerate(tinfo["Category"]):
        tables[category][tinfo["Term"][i]] = [tinfo[c][i] for c in ("Freq", "Total", "logprob", "loglift")]
    return tables


def test_same_keys(ours, theirs):
    assert list(ours) == list(theirs)
    for key in ("mdsDat", "tinfo", "token.table"):
        assert set(ours[key]) == set(theirs[key])
    for key in ("R", "lambda.step", "plot.opts", "topic.order"):
        assert ours[key] == theirs[key]


def test_coordinates(ours, theirs):
    for key in ("topics", "cluster"):
        assert ours["mdsDat"][key] == theirs["mdsDat"][key]
    numpy.testing.assert_allclose(ours["mdsDat"]["Freq"], theirs["mdsDat"]["Freq"], rtol=1e-9)
    for axis in ("x", "y"):
        a, b = numpy.array(ours["mdsDat"][axis]), numpy.array(theirs["mdsDat"][axis])
        numpy.testing.assert_allclose(a, b if a @ b > 0 else -b, atol=1e-9)


def test_words_of_topics(ours, theirs):
    """The same words with the same figures; words whose relevance is the same to rounding may change places."""
    mine, reference = by_topic(ours["tinfo"]), by_topic(theirs["tinfo"])
    assert set(mine) == set(reference)
    for category, terms in reference.items():
        common = set(terms) & set(mine[category])
        assert len(common) >= 0.97 * max(len(terms), len(mine[category])), category
        for term in common:
            numpy.testing.assert_allclose(mine[category][term], terms[term], rtol=1e-9, atol=1.01e-4)
    assert list(mine["Default"]) == list(reference["Default"])


def test_topics_of_words(ours, theirs):
    def table(found):
        columns = found["token.table"]
        return {(t, k): f for t, k, f in zip(columns["Term"], columns["Topic"], columns["Freq"])}
    mine, reference = table(ours), table(theirs)
    common = set(mine) & set(reference)
    assert len(common) >= 0.97 * max(len(mine), len(reference))
    for key in common:
        assert mine[key] == pytest.approx(reference[key], rel=1e-9)
    assert list(mine) == sorted(mine)


def test_the_page_is_made(ours):
    data = pyldavis.PreparedData(pandas.DataFrame(ours["mdsDat"]), pandas.DataFrame(ours["tinfo"]),
                                 pandas.DataFrame(ours["token.table"]), ours["R"], ours["lambda.step"],
                                 ours["plot.opts"], ours["topic.order"])
    page = pyldavis.prepared_data_to_html(data)
    assert "ldavis" in page and ours["tinfo"]["Term"][0] in page
    assert len(data.sorted_terms(topic=1, _lambda=0.5)) == ours["tinfo"]["Category"].count("Topic1")
