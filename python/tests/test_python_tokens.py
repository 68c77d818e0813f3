"""Words that another tool has cut: tokenizers, lists of words, and text with tokens="pre"."""
import warnings

import numpy as np
import pytest

import ezlda

TEXTS = ["The big River, the boat", None, "A boat! New York"]


def words_of(corpus):
    counts = corpus.to_csr().toarray()
    return [{word: int(n) for word, n in zip(corpus.words, row, strict=True) if n} for row in counts]


class Token:
    """A word as spaCy returns it."""

    def __init__(self, text):
        self.text = text


@pytest.mark.parametrize("tokenizer", [str.split, lambda text: " ".join(text.split()), lambda text: iter(text.split()),
                                       lambda text: tuple(text.split()) + (" ", "\n"),
                                       lambda text: [Token(word) for word in text.split()]],
                         ids=["list", "text", "iterator", "tuple", "objects"])
def test_any_callable_cuts_texts(tokenizer):
    corpus = ezlda.Corpus(TEXTS[:1] + TEXTS[2:], tokenizer=tokenizer, stopwords="none")
    assert words_of(corpus) == [{"The": 1, "big": 1, "River,": 1, "the": 1, "boat": 1},
                                {"A": 1, "boat!": 1, "New": 1, "York": 1}]


def test_a_tokenizer_with_the_other_options():
    corpus = ezlda.Corpus.from_texts(TEXTS, tokenizer=str.split, names="abc", stopwords=["the", "a"], min_docs=1,
                                     keep_order=True)
    assert words_of(corpus) == [{"big": 1, "River,": 1, "boat": 1}, {}, {"boat!": 1, "New": 1, "York": 1}]
    assert corpus.names == ["a", "b", "c"] and corpus.info["has_order"]
    assert "words as they stand" in corpus.info["text_read_with"]


def test_words_of_a_tokenizer_may_have_spaces():
    corpus = ezlda.Corpus(["x", "y"], tokenizer=lambda text: ["New York", text, ""], stopwords="none")
    assert words_of(corpus) == [{"New York": 1, "x": 1}, {"New York": 1, "y": 1}]


@pytest.mark.parametrize("result, message", [([1], "document 0: expected words as str, found 1"),
                                             (7, "document 0: expected words, found 7"),
                                             ({"a": 1}, "document 0: expected words, found {")])
def test_what_a_tokenizer_must_return(result, message):
    with pytest.raises(TypeError, match=message):
        ezlda.Corpus(["text"], tokenizer=lambda text: result)


def test_a_frame_with_a_tokenizer():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"text": ["b-a b", "c"]}, index=["one", "two"])
    corpus = ezlda.Corpus(frame, tokenizer=lambda text: text.split("-"), stopwords="none")
    assert words_of(corpus) == [{"a b": 1, "b": 1}, {"c": 1}] and corpus.names == ["one", "two"]


def test_lists_of_words_are_filtered():
    documents = [["The", "boat", "boat"], ["boat", "New York", "a\nb"], [], ("the", "River")]
    plain = ezlda.Corpus.from_tokens(documents, names=list("wxyz"), labels=[1, 2, 3, 4])
    assert plain.words == ["The", "boat", "New York", "a\nb", "the", "River"]
    assert plain.names == list("wxyz") and plain.field("label") == list("1234")
    corpus = ezlda.Corpus(documents, stopwords="en", names=list("wxyz"))
    assert words_of(corpus) == [{"boat": 2}, {"boat": 1, "New York": 1, "a b": 1}, {}, {"River": 1}]
    assert corpus.names == list("wxyz")
    assert ezlda.Corpus(documents, min_docs=2).words == ["boat"]
    assert set(ezlda.Corpus(iter(documents), max_vocab=2).words) == {"boat", "New York"}
    with pytest.raises(TypeError, match="document 1: expected words, found 'text'"):
        ezlda.Corpus.from_tokens([["a"], "text"], min_docs=1)
    with pytest.raises(ValueError, match="no documents"):
        ezlda.Corpus.from_tokens([], min_docs=1)


def test_text_that_is_cut_already(tmp_path):
    path = tmp_path / "cut.txt"
    path.write_text("机器 学习 , New_York\n机器 3,14\n", encoding="utf-8")
    corpus = ezlda.Corpus.read(path, tokens="pre", stopwords="none")
    assert words_of(corpus) == [{"机器": 1, "学习": 1, ",": 1, "New_York": 1}, {"机器": 1, "3,14": 1}]
    like = ezlda.Corpus(["学习 3,14 x"], like=corpus)
    assert words_of(like) == [{"学习": 1, "3,14": 1, "x": 1}]
    with pytest.raises(ezlda.ArgumentError, match="unknown way to cut words"):
        ezlda.Corpus.read(path, tokens="post")


def test_a_model_reads_new_words_as_before():
    texts = [f"river boat water {i % 3}" if i % 2 else f"violin concert music {i % 3}" for i in range(60)]
    model = ezlda.train(ezlda.Corpus(texts, tokenizer=str.split, stopwords="none"), 2, iterations=50, seed=1)
    assert "0" in model.words
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # every word is known
        one = model.infer(["river 1 water", "violin music 2"])
        same = model.infer(ezlda.Corpus(["river 1 water", "violin music 2"], tokenizer=str.split, like=model))
    np.testing.assert_array_equal(one, same)


def test_chinese_is_cut_or_reported():
    with warnings.catch_warnings(record=True):
        warnings.simplefilter("always")
        corpus = ezlda.Corpus(["我们研究机器学习"], stopwords="none")
    assert len(corpus.words) > 2  # words of ICU, or pairs of characters without it
