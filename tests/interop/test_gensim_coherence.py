"""Coherence of a model's topics, as gensim's CoherenceModel finds it for the same words and texts."""
import json
import math
import random

import pytest

pytest.importorskip("gensim")

from gensim.corpora import Dictionary  # noqa: E402
from gensim.models import CoherenceModel  # noqa: E402

WORDS = 10
FILTERS = {"keep": [], "drop": ["--min-docs", 20]}


def spell(number):
    """Letters only, so that import takes it for one word."""
    return "w" + "".join(chr(ord("a") + int(digit)) for digit in str(number))


@pytest.fixture(scope="module")
def texts():
    """Documents of three themes, 0 to 400 words, many of them again within a few words; some are empty."""
    draw = random.Random(7)
    documents = []
    for i in range(300):
        theme = [spell(30 * (i % 3) + j) for j in range(30)]
        rare = [spell(100 + j) for j in range(100)]
        weights = [1 / (j + 1) for j in range(30)]
        length = draw.choice([0, 1, 5, 40, 120, 400])
        documents.append([draw.choice(rare) if draw.random() < 0.2 else draw.choices(theme, weights)[0]
                          for _ in range(length)])
    return documents


@pytest.fixture(scope="module", params=sorted(FILTERS))
def case(ezlda, texts, request, tmp_path_factory):
    """Corpus file, model, the texts that are left, and the topics' words."""
    folder = tmp_path_factory.mktemp(request.param)
    (folder / "texts.txt").write_text("".join(" ".join(text) + "\n" for text in texts))
    ezlda("import", folder / "texts.txt", "--format", "text", "--stopwords", "none", "--keep-order", "-q",
          *FILTERS[request.param], "-o", folder / "texts.ezc")
    ezlda("train", folder / "texts.ezc", "-k", 5, "-i", 40, "--alpha", 0.1, "--device", "cpu", "-q",
          "-o", folder / "m.ezm")
    topics = json.loads(ezlda("topics", folder / "m.ezm", "--words", WORDS, "--json"))["topics"]
    documents = {}
    for text in texts:
        for word in set(text):
            documents[word] = documents.get(word, 0) + 1
    least = 20 if request.param == "drop" else 1
    left = [[word for word in text if documents[word] >= least] for text in texts]
    return folder, left, [[word["word"] for word in topic["words"]] for topic in topics]


def expected(left, topic, measure, window):
    dictionary = Dictionary(left)
    some = [text or ["-"] for text in left]  # a text without any word is more than gensim 4.2 can take
    model = CoherenceModel(topics=[topic], texts=some, corpus=[dictionary.doc2bow(text) for text in left],
                           dictionary=dictionary, coherence=measure, window_size=window, topn=len(topic), processes=1)
    return model.get_coherence_per_topic()[0]


def compare(scores, left, topics, npmi_window, c_v_window):
    assert scores["npmi_window"] == (npmi_window or "document")
    assert scores["c_v_window"] == (c_v_window or "document")
    longest = max(map(len, left))
    measures = [("u_mass", "u_mass", None), ("npmi", "c_npmi", npmi_window or longest + 1),
                ("c_v", "c_v", c_v_window or longest + 1)]
    for name, measure, window in measures:
        values = [expected(left, topic, measure, window) for topic in topics]
        assert [topic[name] for topic in scores["topics"]] == pytest.approx(values, abs=1e-9), name
        assert scores[name] == pytest.approx(math.fsum(values) / len(values), abs=1e-9), name
    words = [word for topic in topics for word in topic]
    assert scores["diversity"] == pytest.approx(len(set(words)) / len(words))


@pytest.mark.parametrize("window", [None, 3, 0])
def test_windows_of_a_corpus_that_kept_its_order(ezlda, case, window):
    folder, left, topics = case
    option = [] if window is None else ["--window", window]
    scores = json.loads(ezlda("eval", folder / "m.ezm", folder / "texts.ezc", "-m", "coherence", "-n", WORDS, "--json",
                              *option))["coherence"]
    compare(scores, left, topics, 10 if window is None else window, 110 if window is None else window)


def test_documents_of_a_corpus_that_did_not(ezlda, case):
    folder, left, topics = case
    (folder / "left.txt").write_text("".join(" ".join(text) + "\n" for text in left))
    ezlda("import", folder / "left.txt", "--format", "text", "--stopwords", "none", "-q", "-o", folder / "bags.ezc")
    scores = json.loads(ezlda("eval", folder / "m.ezm", folder / "bags.ezc", "-m", "coherence", "-n", WORDS,
                              "--json"))["coherence"]
    compare(scores, left, topics, 0, 0)
