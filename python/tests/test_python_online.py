"""partial_fit of ezlda.LatentDirichletAllocation: batches that are added to what was learned."""
import pickle
import warnings

import numpy as np
import pytest
from scipy import sparse

import ezlda

pandas = pytest.importorskip("pandas")


def small(**options):
    return ezlda.LatentDirichletAllocation(
        **{"n_components": 8, "max_iter": 60, "random_state": 3, "device": "cpu", "n_jobs": 2, **options})


@pytest.fixture(scope="module")
def fitted(matrix):
    return small().fit(matrix[:200])


def copy_of(estimator):
    return pickle.loads(pickle.dumps(estimator))


def test_documents_of_all_calls_count(matrix, fitted):
    lda, priors = copy_of(fitted), (fitted.doc_topic_prior_, fitted.topic_word_prior_)
    for i, start in enumerate(range(200, 400, 100)):
        lda.partial_fit(matrix[start:start + 100])
        assert lda.n_iter_ == 60 + 100 * (i + 1) and lda.n_batch_iter_ == 2 + i and lda.model_.info["docs"] == 100
    assert lda.components_.sum() == pytest.approx(matrix.sum() + 8 * 300 * lda.topic_word_prior_)
    np.testing.assert_array_equal(lda.doc_topic_prior_, priors[0])
    assert lda.topic_word_prior_ == priors[1] == lda.model_.beta
    alone = small(n_components=3, partial_iter=5).partial_fit(matrix[:100]).partial_fit(matrix[100:])
    assert alone.components_.sum() == pytest.approx(matrix.sum() + 3 * 300 * alone.topic_word_prior_)
    with pytest.raises(ValueError, match="n_components is 4, and the topics so far are 3"):
        alone.set_params(n_components=4).partial_fit(matrix)


def test_similar_documents_do_not_harm(matrix, fitted):
    lda = copy_of(fitted)
    for start in range(200, 320, 10):
        lda.partial_fit(matrix[start:start + 10])
    assert lda.perplexity(matrix[320:]) < fitted.perplexity(matrix[320:])
    diff = fitted.model_.diff(lda.model_)
    assert sorted((a, b) for a, b, *_ in diff.pairs) == [(k, k) for k in range(8)] and diff.mean_similarity > 0.9


def test_size_does_not_grow_with_the_calls(matrix, fitted):
    lda, sizes = copy_of(fitted).set_params(partial_iter=20), []
    for i in range(24):
        lda.partial_fit(matrix[10 * i:10 * i + 10])
        sizes.append(len(pickle.dumps(lda)))
    assert max(sizes) < 1.1 * len(pickle.dumps(fitted)) and max(sizes[12:]) < 1.05 * max(sizes[:12])


def test_equal_calls_give_equal_bits(matrix, fitted):
    first, second = copy_of(fitted), copy_of(fitted).set_params(n_jobs=1, sampler="two-branch")
    for start in (200, 260):
        first.partial_fit(matrix[start:start + 60])
        second = copy_of(second).partial_fit(matrix[start:start + 60].toarray())
    np.testing.assert_array_equal(first.components_, second.components_)
    np.testing.assert_array_equal(first.transform(matrix), second.transform(matrix))


def test_decay_forgets(matrix, fitted):
    new, past = matrix[200:220], matrix[:200].sum()
    for decay in (1, 0.5, 0.01):
        lda = copy_of(fitted).set_params(decay=decay).partial_fit(new)
        assert lda.model_.topic_tokens.sum() == pytest.approx(decay * past + new.sum(), abs=60)
        assert lda.components_.shape == (8, 300) and lda.transform(matrix).shape == (400, 8)
    for wrong in (0, 1.5, "x", None):
        with pytest.raises(ValueError, match="decay is .*; expected a number above 0, at most 1"):
            copy_of(fitted).set_params(decay=wrong).partial_fit(new)


def test_one_topic(matrix):
    lda = small(n_components=1, decay=0.5, topic_word_prior=0.5).fit(matrix[:200]).partial_fit(matrix[200:])
    expected = np.rint(np.asarray(matrix[:200].sum(axis=0)) / 2) + matrix[200:].sum(axis=0) + 0.5
    np.testing.assert_allclose(lda.components_, np.asarray(expected))


def test_a_batch_without_tokens_changes_nothing(matrix, fitted):
    lda = copy_of(fitted).partial_fit(matrix[:3] * 0)
    np.testing.assert_array_equal(lda.components_, fitted.components_)
    assert small(n_components=1).fit(matrix).partial_fit(matrix[:3] * 0).components_.sum() == \
        small(n_components=1).fit(matrix).components_.sum()


def frame_of(matrix, names):
    return pandas.DataFrame(matrix.toarray() if sparse.issparse(matrix) else matrix, columns=names)


NAMES = [f"w{i}" for i in range(300)]


def test_columns_are_matched_by_name(matrix, fitted):
    frame = frame_of(matrix, NAMES)
    lda = small(match_columns=True).fit(frame[:200])
    np.testing.assert_array_equal(lda.components_, fitted.components_)
    order = [NAMES[i] for i in np.random.RandomState(2).permutation(300)]
    np.testing.assert_array_equal(lda.transform(frame[order]), fitted.transform(matrix))
    seen = [name for name in NAMES if frame[:50][name].any()]
    np.testing.assert_array_equal(lda.transform(frame[:50][seen]), fitted.transform(matrix[:50]))
    other = frame.assign(strange=1)
    np.testing.assert_array_equal(lda.transform(other[["strange", *NAMES]]), fitted.transform(matrix))
    assert lda.perplexity(other) == lda.perplexity(frame) and lda.n_features_in_ == 300
    with pytest.warns(ezlda.UnknownWordsWarning, match="the model knows 0 of the 7 tokens"):
        lda.transform(frame_of(np.array([[3, 4]]), ["strange", "other"]))
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        np.testing.assert_array_equal(lda.transform(matrix), fitted.transform(matrix))
    with pytest.raises(ValueError, match="different names"):
        lda.transform(frame[["w1", "w1"]])


def test_new_columns_enter(matrix):
    frame = frame_of(matrix, NAMES)
    lda = small(match_columns=True).fit(frame[:200])
    topic = int(np.argmax(lda.components_[:, 0]))  # of words 0 to 29
    kept = ["w299", *NAMES[:290]]
    day = frame[200:300][kept].assign(fresh=3 * (frame[200:300]["w0"] > 0).astype(int), never=0)
    lda.partial_fit(day[["fresh", *kept, "never"]])
    assert list(lda.feature_names_in_) == [*NAMES, "fresh", "never"] == lda.model_.words and lda.n_features_in_ == 302
    assert lda.components_.shape == (8, 302) and int(np.argmax(lda.components_[:, 300])) == topic
    assert lda.components_[:, 300].sum() == pytest.approx(day["fresh"].sum() + 8 * lda.topic_word_prior_)
    assert lda.components_[:, 301].sum() == pytest.approx(8 * lda.topic_word_prior_)
    assert lda.transform(frame_of(np.array([[4]]), ["fresh"]))[0].argmax() == topic
    one = small(match_columns=True, n_components=1).fit(frame[:9]).partial_fit(day)
    assert one.components_.shape == (1, 302) and one.model_.words[300:] == ["fresh", "never"]
    assert one.transform(day[["fresh"]]).shape == (100, 1)


def test_a_failure_leaves_the_columns(matrix):
    frame = frame_of(matrix, NAMES)
    lda = small(match_columns=True, max_iter=5).fit(frame)

    def fails(progress):
        raise RuntimeError
    with pytest.raises(RuntimeError):
        lda.set_params(callbacks=fails).partial_fit(frame.assign(fresh=1))
    assert lda.n_features_in_ == 300 == len(lda.feature_names_in_)
    assert lda.transform(frame).shape == (400, 8)


def test_without_matching_the_columns_are_those_of_fit(matrix):
    frame = frame_of(matrix, NAMES)
    lda = small(max_iter=5).fit(frame)
    with pytest.raises(ValueError, match="unseen at fit time:\n- fresh\n.*match_columns=True"):
        lda.partial_fit(frame.assign(fresh=1))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert lda.partial_fit(frame).components_.shape == (8, 300)
