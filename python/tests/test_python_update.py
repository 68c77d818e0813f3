"""Model.update: the command's update, with callbacks and interrupts."""
import numpy as np
import pytest

import ezlda


@pytest.fixture(scope="module")
def days():
    texts = [["river water fish lake " * 5, "violin opera choir music " * 5] * 20,
             ["river kayak fish lake " * 5, "violin techno choir music " * 5] * 6]
    return [ezlda.Corpus.from_texts(part, stopwords="none", min_docs=1, max_docs_share=1) for part in texts]


@pytest.fixture(scope="module")
def model(days):
    return ezlda.train(days[0], 3, 120, device="cpu", progress=False)


def test_counts_are_those_of_both(model, days):
    after = model.update(days[1], device="cpu", progress=False, keep_topics=True)
    assert after.info["updates"] == 1 and after.info["past_docs"] == 40 and after.info["docs"] == 12
    assert after.info["tokens"] == model.info["tokens"] + after.info["doc_tokens"]
    assert len(after.token_topics) == after.info["doc_tokens"] == days[1].info["tokens"]
    assert after.topic_tokens.sum() == after.info["tokens"]
    assert np.all(np.bincount(after.token_topics, minlength=3) <= after.topic_tokens)
    assert {"kayak", "techno"} <= set(after.words) and len(after.history) == 100


def test_texts_are_read_as_the_models_were(model):
    after = model.update(["The Rivers and the LAKE", "a river, a lake"], 5, device="cpu", progress=False, new_word_docs=1)
    assert "lake" in after.words and "LAKE" not in after.words


def test_documents_have_the_forms_of_infer(model, days):
    """The columns of a matrix and the numbers of bags are the model's words; those of a frame have names."""
    pandas = pytest.importorskip("pandas")
    dense = np.zeros((6, len(model.words)), dtype=int)
    dense[:, [0, 2]] = 4, 1
    bags = [[(0, 4), (2, 1)]] * 6
    named = pandas.DataFrame({model.words[0]: [4] * 6, model.words[2]: [1] * 6})
    expected = model.update(dense, 5, device="cpu", progress=False).topics_hash
    for same in (bags, named, [{model.words[0]: 4, model.words[2]: 1}] * 6):
        assert model.update(same, 5, device="cpu", progress=False).topics_hash == expected
    grown = model.update(named.assign(kayak=2), 5, device="cpu", progress=False)
    assert grown.get_term_topics("kayak") and len(grown.words) == len(model.words) + 1
    with pytest.raises(ValueError, match="the matrix has 3 columns, the model"):
        model.update(dense[:, :3])


def test_it_is_the_commands(model, days, tmp_path, command):
    model.save(tmp_path / "m.ezm")
    days[1].save(tmp_path / "c.ezc")
    command("update", tmp_path / "m.ezm", tmp_path / "c.ezc", "-o", tmp_path / "u.ezm", "-q", "--decay", 0.5, "--device", "cpu")
    after = model.update(days[1], decay=0.5, device="cpu", progress=False)
    assert after.topics_hash == ezlda.Model.load(tmp_path / "u.ezm").topics_hash
    assert np.array_equal(after.topic_tokens, ezlda.Model.load(tmp_path / "u.ezm").topic_tokens)


def test_a_callback_ends_it(model, days):
    seen = []
    after = model.update(days[1], device="cpu", progress=False, callback=lambda p: seen.append(p.iteration) or len(seen) == 7)
    assert len(seen) == 7 and after.info["iterations_run"] == 7


def test_wrong_values_are_refused(model, days):
    with pytest.raises(ezlda.ArgumentError, match="decay is 2"):
        model.update(days[1], decay=2, progress=False)
    with pytest.raises(ezlda.ArgumentError, match="iterations is 0; expected a whole number from 1"):
        model.update(days[1], 0)
    with pytest.raises((ValueError, TypeError), match="new_word_docs"):
        model.update(days[1], new_word_docs=-1, progress=False)
    with pytest.raises((ValueError, TypeError)):
        model.update(days[1], alpha=0.1, progress=False)
