"""Corpora as data: single documents, slices, masks, joins, samples; tables and summaries of models."""
import inspect
import itertools

import numpy as np
import pytest

import ezlda


@pytest.fixture(scope="module")
def texts():
    return ezlda.Corpus.from_texts([f"river boat{'s' * (i % 3)} water number{chr(97 + i % 26)}" for i in range(900)],
                                   names=[f"d{i}" for i in range(900)], fields={"year": [1990 + i % 9 for i in range(900)]},
                                   stopwords="none", keep_order=True, min_docs=1, max_docs_share=1.0)


def same(found, texts, numbers):
    assert len(found) == len(numbers) and found.words == texts.words and found.fields == texts.fields
    assert found.names == [f"d{i}" for i in numbers]
    assert (found.to_csr() != texts.to_csr()[numbers]).nnz == 0


def test_slices_masks_and_numbers(texts):
    for which in (slice(10, 400, 3), slice(None), slice(5, 2), slice(None, None, -1), slice(-20, None)):
        same(texts[which], texts, range(900)[which])
    numbers = np.array([3, -1, 3, 700, 0])
    same(texts[numbers], texts, [3, 899, 3, 700, 0])
    same(texts[[1, 2]], texts, [1, 2])
    same(texts[[]], texts, [])
    mask = np.arange(900) % 7 == 2
    same(texts[mask], texts, np.flatnonzero(mask))
    same(texts[[bool(m) for m in mask]], texts, np.flatnonzero(mask))
    years = np.array(texts.field("year")) == "1993"
    assert set(texts[years].field("year")) == {"1993"}
    assert texts[slice(None)].info["hash"] == texts.info["hash"] and texts[10:20].info["has_order"]


def test_a_document(texts):
    assert texts[1] == {"river": 1, "boats": 1, "water": 1, "numberb": 1}
    assert texts[-900] == texts[0] == texts[np.int64(0)]
    assert list(itertools.islice(texts, 899, None)) == [texts[899]]
    assert len(list(texts)) == 900 and list(texts[5000:]) == []
    documents = list(texts)
    assert all(documents[i] == texts[i] for i in (0, 255, 256, 600))


def test_what_cannot_be_chosen(texts):
    for wrong in (900, -901, [1, 900], [-901], np.ones(4, dtype=bool)):
        with pytest.raises(IndexError):
            texts[wrong]
    for wrong in ("d1", 1.5, [1.5], np.ones((2, 2), dtype=int), ["a"], None):
        with pytest.raises(TypeError):
            texts[wrong]


def test_joining(texts):
    other = ezlda.Corpus.from_texts(["new words about water"], stopwords="none")
    both = texts + other
    assert len(both) == 901 and both[900] == {"new": 1, "words": 1, "about": 1, "water": 1}
    assert both.field("year")[899:] == [str(1990 + 899 % 9), ""] and both[:900].to_csr().sum() == texts.to_csr().sum()
    assert ezlda.Corpus.join([texts[:300], texts[300:]]).info["hash"] == texts.info["hash"]
    with pytest.raises(TypeError):
        texts + ["a text"]
    with pytest.raises(TypeError, match="expected corpora, found 'x'"):
        ezlda.Corpus.join([texts, "x"])
    with pytest.raises(ValueError, match="no corpora"):
        ezlda.Corpus.join([])
    assert ezlda.Corpus(texts) is not texts and ezlda.Corpus(texts).info["hash"] == texts.info["hash"]


def test_samples_and_orders(texts):
    shuffled = texts.shuffle(3)
    assert sorted(shuffled.names) == sorted(texts.names) != shuffled.names
    assert texts.shuffle(3).names == shuffled.names != texts.shuffle(4).names
    some = texts.sample(50, seed=2)
    assert len(some) == 50 and some.names == texts.sample(50, seed=2).names != texts.sample(50).names
    numbers = [int(name[1:]) for name in some.names]
    assert numbers == sorted(set(numbers))
    for n in (-1, 901):
        with pytest.raises(ValueError, match=f"n is {n}; the corpus has 900 documents"):
            texts.sample(n)


def test_a_table_of_documents(texts):
    pytest.importorskip("pandas")
    frame = texts.to_dataframe()
    assert list(frame.columns) == ["year", "words", "tokens"] and frame.index[5] == "d5" and frame.loc["d5", "tokens"] == 4
    plain = ezlda.Corpus.from_matrix(np.array([[1, 2], [0, 0]])).to_dataframe()
    assert plain["tokens"].tolist() == [3, 0] and plain["words"].tolist() == [2, 0]


def test_the_topics_of_a_word(model):
    word = model.words[5]
    found = model.get_term_topics(word)
    expected = model.topic_word()[:, 5]
    for topic, share in found:
        assert share == pytest.approx(expected[topic])
    assert [share for _, share in found] == sorted((share for _, share in found), reverse=True)
    assert len(found) == (model.counts().getrow(5) > 0).nnz == len(model.get_term_topics(5))
    assert model.get_term_topics(word, 1.0) == []
    for wrong in ("nonsense", 300, -1):
        with pytest.raises(KeyError):
            model.get_term_topics(wrong)


def test_summaries(model, texts, tmp_path, corpus):
    text = model.summary(3)
    assert "8 topics, 300 words, 400 documents" in text and model.topics_hash in text and text.count("\n") == 11
    assert "<table>" in texts._repr_html_() and "d9" in texts._repr_html_() and "890 more" in texts._repr_html_()
    assert "&lt;b&gt;" in ezlda.Corpus.from_tokens([["<b>"]])._repr_html_()
    assert "without a partner" in model.diff(model)._repr_html_()
    swept = ezlda.sweep(corpus, [3, 4], tmp_path / "s", iterations=5, progress=False)
    assert "<td>3" in swept._repr_html_() and "perplexity" in swept._repr_html_()


def parameters(call):
    return set(inspect.signature(call).parameters)


def test_signatures_list_the_options_that_there_are():
    names = {call: set(options) for call, options in ezlda._ezlda.option_names().items()}
    assert parameters(ezlda.Corpus.read) == names["import"] | {"paths", "threads", "like"}
    text = names["import"] - {"format", "encoding", "vocab", "text_field", "name_field", "label_field", "keep_fields", "unit",
                              "include", "exclude"} | {"like", "threads"}
    for call in (ezlda.Corpus.from_texts, ezlda.Corpus.from_tokens, ezlda.Corpus.from_frame, ezlda.Corpus.from_arrow):
        assert text <= parameters(call)
    assert parameters(ezlda.Corpus.synth) == names["synth"]
    assert names["train"] | {"corpus", "fixed_priors", "init", "seeds", "threads", "progress", "callback"} == \
        parameters(ezlda.train)
    assert names["train"] <= parameters(ezlda.plan)
    assert names["train"] - {"alpha"} <= parameters(ezlda.sweep) | {"alpha"}
    assert names["infer"] <= parameters(ezlda.Model.infer) & parameters(ezlda.Model.infer_sparse)
    assert names["eval"] <= parameters(ezlda.Model.evaluate)
    assert names["report"] <= parameters(ezlda.Model.report)
    assert names["import"] | parameters(ezlda.Corpus.from_texts) | parameters(ezlda.tl.corpus) - {"adata"} <= \
        parameters(ezlda.Corpus) | {"texts"}
    assert parameters(ezlda.Model.train) == parameters(ezlda.train)
    assert str(inspect.signature(ezlda.train).parameters["keep_topics"]) == "keep_topics: 'bool' = (default)"
    for call in (ezlda.train, ezlda.Corpus, ezlda.Corpus.read, ezlda.Model.train, ezlda.Model.infer, ezlda.Model.update):
        assert not any(p.kind is p.VAR_KEYWORD for p in inspect.signature(call).parameters.values())


def test_a_wrong_option_lists_the_options(corpus):
    with pytest.raises(TypeError, match="'optimise_interval' is not an option here; there are: alpha, .*optimize_interval"):
        ezlda.train(corpus, 2, 2, optimise_interval=3)


def test_bags_of_words_with_names():
    found = ezlda.Corpus.from_bow([[(0, 1)], []], ["a"], names=["x", "y"], labels=[1, 2], fields={"year": [3, None]})
    assert found.names == ["x", "y"] and found.field("label") == ["1", "2"] and found.field("year") == ["3", ""]
    with pytest.raises(ValueError, match="name: 1 values for 2 documents"):
        ezlda.Corpus.from_bow([[(0, 1)], []], names=["x"])


def test_lemmas(tmp_path):
    (tmp_path / "t.tsv").write_text("mice\tmouse\nran\trun\n")
    corpus = ezlda.Corpus.from_texts(["mice ran", "mouse run"] * 30, stopwords=None, lemmas=tmp_path / "t.tsv")
    assert set(corpus.words) == {"mouse", "run"}
    model = ezlda.train(corpus, 2, 5)
    (tmp_path / "t.tsv").unlink()
    again = ezlda.Corpus.from_texts(["mice"], like=model)
    assert list(again.words) == ["mouse"]


def test_texts_and_the_places_of_their_words():
    texts = ["Ships leave the NAÏVE harbour — ships!", "日本 iron ore"]
    corpus = ezlda.Corpus.from_texts(texts, stopwords="en", keep_text=True, tokens="spaces")
    assert [corpus.text(i) for i in (0, 1, -1)] == [*texts, texts[1]] and corpus.info["has_text"]
    found = [(corpus.text(0)[a:b], word) for a, b, word in corpus.places(0)]
    assert found == [("Ships", "ships"), ("leave", "leave"), ("NAÏVE", "naïve"), ("harbour", "harbour"), ("ships", "ships")]
    assert corpus[1:].text(0) == texts[1] and (corpus + corpus).text(3) == texts[1]
    with pytest.raises(IndexError):
        corpus.text(2)
    with pytest.raises(ezlda.ArgumentError, match="has no text"):
        ezlda.Corpus.from_texts(texts).text(0)


def test_documents_that_map_words_to_counts(texts, corpus, model):
    again = ezlda.Corpus(list(texts[:50]))
    assert list(again) == list(texts[:50]) and again.info["tokens"] == texts[:50].info["tokens"]
    mixed = ezlda.Corpus.from_tokens(iter([["a", "b", "a"], {"b": 3, "c": 1.0}, [], {}]), names="wxyz")
    assert list(mixed) == [{"a": 2, "b": 1}, {"b": 3, "c": 1}, {}, {}] and mixed.names == list("wxyz")
    filtered = ezlda.Corpus.from_tokens([{"the": 2, "river": 3, "boat": 1}], stopwords=["the"])
    assert list(filtered) == [{"river": 3, "boat": 1}]
    expected = model.infer(corpus[:2])
    np.testing.assert_array_equal(model.infer([corpus[0], corpus[1]]), expected)
    for one in (corpus[0], [corpus[0]]):
        for _ in range(3):  # an inferencer is used from the second call on
            np.testing.assert_array_equal(model.infer(one), expected[:1])
    for wrong, message in (([{"text": "a b"}], "document 0: expected words and their counts, found 'text': 'a b'"),
                           ([["a"], {3: 1}], "document 1: expected words and their counts, found 3: 1")):
        with pytest.raises(TypeError, match=message):
            ezlda.Corpus(wrong)
    for wrong in ({"a": -1}, {"a": 0.5}):
        for options in ({}, {"stopwords": None}):
            with pytest.raises(ValueError, match="-1|0.5|whole number|negative"):
                ezlda.Corpus.from_tokens([wrong], **options)
    for wrong in (3, None):
        with pytest.raises(TypeError, match=f"expected documents, found {wrong}"):
            model.infer(wrong)
    with pytest.raises(TypeError, match=r"found 'year'; field\(name\) returns"):
        texts["year"]
    assert texts[:] is texts
