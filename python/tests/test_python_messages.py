"""What the package says about wrong arguments, and what it shows of itself."""
import warnings

import numpy as np
import pytest

import ezlda


def test_only_public_names_are_listed():
    assert {name for name in dir(ezlda) if not name.startswith("__")} == set(ezlda.__all__) - {"__version__"}
    assert ezlda.tl.lda and ezlda.LatentDirichletAllocation


def test_numbers_out_of_range(corpus):
    for wrong in (-3, 0, 1, 65537):
        with pytest.raises(ezlda.ArgumentError, match=f"topics is {wrong}; expected 2 to 65536"):
            ezlda.train(corpus, wrong)
    with pytest.raises(ezlda.ArgumentError, match="iterations is -3; expected a whole number from 1"):
        ezlda.train(corpus, 3, -3)
    with pytest.raises(TypeError, match="'optimise_interval' is not an option here; there are: .*optimize_interval"):
        ezlda.train(corpus, 3, optimise_interval=3)


@pytest.mark.parametrize("beta", [[0.1, 0.2], np.full(300, 0.1), np.full((3, 300), 0.1)])
def test_beta_is_one_number(corpus, matrix, beta):
    with pytest.raises(ValueError, match="beta: expected one number, found several; .* use seeds"):
        ezlda.train(corpus, 3, 2, beta=beta)
    with pytest.raises(ValueError, match="topic_word_prior: expected one number, found several"):
        ezlda.LatentDirichletAllocation(3, topic_word_prior=beta).fit(matrix)


def test_arrays_of_other_dimensions(model):
    for dimensions in (0, 3):
        with pytest.raises(ValueError, match=f"expected a matrix of documents by words, found {dimensions} dimensions"):
            ezlda.Corpus(np.zeros((2,) * dimensions))
    with pytest.raises(TypeError, match="document 0: expected words"):
        model.infer(np.zeros((2, 2, 2)))


def test_empty_words():
    with pytest.raises(ValueError, match="words: expected a text for column 1, found an empty one"):
        ezlda.Corpus.from_matrix(np.eye(2, dtype=int), ["a", ""])
    with pytest.raises(ValueError, match="document 1: expected words, found an empty one"):
        ezlda.Corpus.from_tokens([["a"], ["b", "", "a"], [""]])


def test_words_of_one_document_as_texts(model, corpus):
    words = corpus.words[:4]
    with pytest.warns(UserWarning, match="each of the 4 texts is one word: .*infer\\(.words.\\)") as found:
        assert model.infer(words).shape == (4, 8)
    assert found[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert model.infer([words]).shape == (1, 8)
        assert model.infer(words[:1]).shape == (1, 8)
        assert model.infer([" ".join(words), words[0]]).shape == (2, 8)


def test_priors_are_shown_as_they_were_given(corpus, matrix):
    model = ezlda.train(corpus, 3, 2, alpha=[0.1, 0.3, 1 / 3], beta=0.07, device="cpu", progress=False)
    assert model.alpha.tolist() == [0.1, 0.3, float(str(np.float32(1 / 3)))] and model.topics()[1].alpha == 0.3
    again = ezlda.train(corpus, 3, 2, alpha=model.alpha, beta=model.beta, device="cpu", progress=False)
    assert again.topics_hash == model.topics_hash
    assert ezlda.LatentDirichletAllocation(3, doc_topic_prior=0.1, max_iter=2).fit(matrix).model_.alpha[0] == 0.1


def test_one_topic_shows_itself(matrix, corpus):
    pytest.importorskip("pandas")
    lda = ezlda.LatentDirichletAllocation(1).fit(matrix)
    frame = lda.model_.topics_frame(3)
    assert list(frame.columns) == ["tokens", "share", "alpha", "words"] and frame.tokens[0] == matrix.sum()
    most = int(np.argmax(matrix.sum(axis=0)))
    assert lda.model_.top_words(0, 1)[0].id == most and frame.words[0].split()[0] == str(most)
    assert lda.name_words(corpus.words).model_.topics(1)[0].words == (corpus.words[most],)
    np.testing.assert_allclose(lda.model_.topic_word().sum(), 1)
    with pytest.raises(ValueError, match="topic is 1; the model has one topic"):
        lda.model_.top_words(1)


def test_options_have_their_names_in_python(corpus, tmp_path, caplog):
    model = ezlda.train(corpus, 3, 2, device="cpu", progress=False)
    with pytest.raises(ezlda.ArgumentError, match="made of: train with keep_topics$"):
        model.export("mallet-state", tmp_path / "state")
    with caplog.at_level("INFO", logger="ezlda"):
        ezlda.Corpus.from_texts(["river boat " * 300])
    assert "split WORDS or split blank cuts long texts" in caplog.text
    with pytest.raises(ezlda.MissingFileError, match=r"/a--b -c\.ezm: cannot open"):
        ezlda.Model.load(tmp_path / "a--b -c.ezm")


def test_looks_are_short(model, corpus, tmp_path):
    assert repr(model.diff(model)) == "<ezlda.Diff: 8 pairs, mean similarity 1.000, 0 and 0 topics alone>"
    sweep = ezlda.sweep(corpus, [2, 3], tmp_path / "sweep", iterations=5, device="cpu", progress=False)
    assert repr(sweep) == f"<ezlda.Sweep in {str(tmp_path / 'sweep')!r}: 2, 3 topics; recommended: {sweep.recommended}>"
