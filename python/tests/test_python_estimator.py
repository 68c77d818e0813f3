"""ezlda.LatentDirichletAllocation as scikit-learn's."""
import pickle

import joblib
import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import (check_methods_sample_order_invariance, check_methods_subset_invariance,
                                            parametrize_with_checks)

import ezlda
from ezlda.counts import as_counts, rounded

TEXTS = ["river boat fish water river", "violin concert music hall", "boat water sail river", "music hall opera"] * 10


def small(**options):
    return ezlda.LatentDirichletAllocation(
        **{"n_components": 4, "max_iter": 20, "random_state": 3, "device": "cpu", "n_jobs": 2, **options})


@pytest.mark.filterwarnings("ignore::ezlda.FractionWarning")
@parametrize_with_checks([ezlda.LatentDirichletAllocation(device="cpu", n_jobs=1)])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("components", [5, 50])
@pytest.mark.parametrize("check", [check_methods_subset_invariance, check_methods_sample_order_invariance])
def test_invariance_with_several_components(check, components):
    class Several(ezlda.LatentDirichletAllocation):
        """The checks set n_components to 1, with which every row is 1."""

        def __setattr__(self, name, value):
            super().__setattr__(name, components if name == "n_components" else value)

        def transform(self, X):
            rows = super().transform(X)
            assert rows.shape[1] == components
            return rows

    with pytest.warns(ezlda.FractionWarning):
        check("LatentDirichletAllocation", Several(n_components=components, device="cpu", n_jobs=1, max_iter=20))


def test_a_row_depends_on_the_document_alone(matrix):
    lda = small(n_components=20).fit(matrix)
    whole = lda.transform(matrix)
    for i in range(0, matrix.shape[0], 7):
        np.testing.assert_array_equal(lda.transform(matrix[i:i + 1])[0], whole[i])
    order = np.random.RandomState(1).permutation(matrix.shape[0])
    np.testing.assert_array_equal(lda.transform(matrix[order]), whole[order])
    assert lda.perplexity(matrix) == pytest.approx(lda.perplexity(matrix[order]))
    np.testing.assert_array_equal(lda.model_.infer(matrix[3:4], iterations=20), lda.model_.infer(matrix, iterations=20)[3:4])


def test_learning_curve():
    """Columns without a token in training are scored: fewer documents cannot give a better score."""
    draw = np.random.RandomState(4)
    topic = draw.dirichlet(np.full(400, 0.05), 8)
    X = np.array([draw.multinomial(40, topic[d % 8]) for d in range(480)])
    train, held = X[:400], X[400:]
    fitted = [small(n_components=8, topic_word_prior=0.01, max_iter=60).fit(train[:n]) for n in (400, 40, 8, 2)]
    perplexity = [lda.perplexity(held) for lda in fitted]
    assert perplexity == sorted(perplexity) and perplexity[-1] > 2 * perplexity[0]
    assert [lda.score(held) for lda in fitted] == sorted((lda.score(held) for lda in fitted), reverse=True)
    facts = fitted[-1].model_.evaluate(held, "completion")
    assert facts["unknown_tokens"] == 0 and facts["tokens"] == held.sum()
    assert facts["unseen_tokens"] == held[:, train[:2].sum(axis=0) == 0].sum() > 0


def test_attributes(matrix):
    lda = small(evaluate_every=5, optimize_interval=0).fit(matrix)
    assert lda.components_.shape == (4, 300) and lda.components_ is lda.components_
    assert lda.components_.sum() == pytest.approx(matrix.sum() + 4 * 300 * 0.25)
    assert lda.exp_dirichlet_component_.shape == (4, 300) and (lda.exp_dirichlet_component_.sum(axis=1) < 1).all()
    assert (lda.n_iter_, lda.n_features_in_, lda.doc_topic_prior_, lda.topic_word_prior_) == (20, 300, 0.25, 0.25)
    assert lda.bound_ == pytest.approx(2 ** -lda.model_.llpt) and lda.bound_ < 300
    assert list(lda.history_["iteration"][~np.isnan(lda.history_["llpt"])]) == [5, 10, 15, 20]
    assert list(lda.get_feature_names_out()) == [f"latentdirichletallocation{k}" for k in range(4)]


def test_priors(matrix):
    alpha = [0.1, 0.2, 0.3, 0.4]
    lda = small(doc_topic_prior=alpha, topic_word_prior=0.02).fit(matrix)
    assert list(lda.doc_topic_prior_) == alpha and lda.topic_word_prior_ == 0.02
    np.testing.assert_allclose(lda.model_.alpha, alpha, rtol=1e-6)
    fitted = small(optimize_interval=5, max_iter=80).fit(matrix)
    assert len(set(fitted.doc_topic_prior_)) == 4 and fitted.topic_word_prior_ != 0.25
    np.testing.assert_array_equal(fitted.doc_topic_prior_, fitted.model_.alpha)
    half = small(doc_topic_prior=0.2, max_iter=40).fit(matrix)
    assert half.doc_topic_prior_ == 0.2 and half.topic_word_prior_ == half.model_.beta != 0.25
    one = small(n_components=1).fit(matrix)
    assert (one.doc_topic_prior_, one.topic_word_prior_) == (1, 1)


def test_two_fits_are_equal_to_the_bit(matrix):
    a, b = small().fit(matrix), small(n_jobs=1, sampler="two-branch").fit(matrix.toarray())
    np.testing.assert_array_equal(a.components_, b.components_)
    np.testing.assert_array_equal(a.transform(matrix), b.transform(matrix))
    np.testing.assert_array_equal(small().fit_transform(matrix), a.transform(matrix))
    states = [small(random_state=np.random.RandomState(1)).fit(matrix).seed_ for _ in range(2)]
    assert states[0] == states[1] != small(random_state=np.random.RandomState(2)).fit(matrix).seed_


def test_transform(matrix):
    lda = small(optimize_interval=0).fit(matrix)
    theta = lda.transform(matrix)
    assert theta.dtype == np.float64 and lda.transform(matrix.astype(np.float32)).dtype == np.float32
    np.testing.assert_allclose(theta.sum(axis=1), 1)
    weights = lda.transform(matrix, normalize=False)
    np.testing.assert_allclose(weights.sum(axis=1), np.asarray(matrix.sum(axis=1)).ravel() + 1)


def test_score_and_perplexity(matrix):
    train, test = matrix[:300], matrix[300:]
    good, bad = small(n_components=8, max_iter=60).fit(train), small(n_components=2, max_iter=1).fit(train)
    assert good.perplexity(test) < bad.perplexity(test)
    assert good.score(test) == pytest.approx(-np.log(good.perplexity(test)) * test.sum())


def test_pipeline_and_grid_search():
    """Fits in two threads at once; test_pickle_joblib_clone has what processes need."""
    search = GridSearchCV(make_pipeline(CountVectorizer(), small(max_iter=10)),
                          {"latentdirichletallocation__n_components": [1, 2, 3]}, cv=2, n_jobs=2)
    with joblib.parallel_config("threading"):
        search.fit(TEXTS)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    theta = search.best_estimator_.transform(["river water boat", "opera music"])
    np.testing.assert_allclose(theta.sum(axis=1), 1)


def test_pickle_joblib_clone(matrix, tmp_path):
    lda = small().fit(matrix)
    joblib.dump(lda, tmp_path / "lda.joblib")
    for again in (pickle.loads(pickle.dumps(lda)), joblib.load(tmp_path / "lda.joblib")):
        np.testing.assert_array_equal(again.transform(matrix), lda.transform(matrix))
        np.testing.assert_array_equal(again.components_, lda.components_)
    assert not hasattr(clone(lda), "model_")


def test_feature_names():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"river": [3, 0, 2], "music": [0, 4, 0], "boat": [2, 0, 1]})
    lda = small(n_components=2).set_output(transform="pandas").fit(frame)
    assert list(lda.feature_names_in_) == ["river", "music", "boat"] == lda.model_.words
    assert set(lda.transform(frame.astype("float32")).dtypes) == {np.dtype("float32")}
    assert list(lda.transform(frame).columns) == ["latentdirichletallocation0", "latentdirichletallocation1"]


def test_words_after_a_pipeline():
    pipeline = make_pipeline(CountVectorizer(), small(n_components=2)).fit(TEXTS)
    theta = pipeline.transform(TEXTS)
    lda = pipeline[-1]
    assert lda.model_.words[:2] == ["0", "1"]
    lda.name_words(pipeline[:-1].get_feature_names_out())
    assert {"river", "boat"} <= set(lda.model_.topics()[0].words) | set(lda.model_.topics()[1].words)
    np.testing.assert_array_equal(pipeline.transform(TEXTS), theta)
    lda.partial_fit(pipeline[:-1].transform(TEXTS[:20]))
    assert lda.model_.words[0] == "boat" and lda.model_.info["docs"] == 20
    with pytest.raises(ValueError, match="words"):
        lda.name_words(["a"])


def stop_at(iteration, error):
    def raise_it(progress):
        if progress.iteration == iteration:
            raise error
    return raise_it


def test_partial_fit_continues_after_a_failure(matrix):
    """A call that raises adds nothing; one that is interrupted adds its documents."""
    lda = small(partial_iter=10).partial_fit(matrix[:100])
    with pytest.raises(LookupError):
        lda.set_params(callbacks=stop_at(23, LookupError)).partial_fit(matrix[100:200])
    assert lda.model_.info["docs"] == 100
    with pytest.raises(ValueError, match="topic_word_prior"):
        lda.set_params(callbacks=None, topic_word_prior=0).partial_fit(matrix[100:200])
    with pytest.raises(KeyboardInterrupt):
        lda.set_params(callbacks=stop_at(23, KeyboardInterrupt), topic_word_prior=None).partial_fit(matrix[100:200])
    assert lda.model_.info["tokens"] == matrix[:200].sum() and lda.n_iter_ == 23
    lda.set_params(callbacks=None).partial_fit(matrix[200:])
    assert lda.model_.info["tokens"] == matrix.sum()


def test_parameters_that_change_after_the_fit(matrix):
    lda = small().fit(matrix).set_params(n_components=7)
    assert lda.transform(matrix).shape == (400, 4) and len(lda.get_feature_names_out()) == 4


def test_weights_are_rounded():
    weights = sparse.csr_matrix([[0.4, 0.4, 0.3, 0.0], [2.0, 0.5, 0.25, 0.25], [0.1, 0.0, 0.0, 0.0]])
    made = rounded(as_counts(weights))
    np.testing.assert_array_equal(sparse.csr_matrix((made.data, made.indices, made.indptr)).toarray(),
                                  [[1, 0, 0, 0], [2, 1, 0, 0], [0, 0, 0, 0]])
    with pytest.warns(ezlda.FractionWarning):
        small(n_components=2).fit(weights)


def test_callbacks_and_interrupts(matrix):
    def interrupt(progress):
        if progress.iteration == 4:
            raise KeyboardInterrupt
    lda = small(callbacks=[interrupt])
    with pytest.raises(KeyboardInterrupt):
        lda.fit(matrix)
    assert lda.n_iter_ == 4 and lda.transform(matrix).shape == (400, 4)
    assert small(callbacks=lambda p: p.iteration == 6).fit(matrix).n_iter_ == 6


def test_wrong_parameters_are_named(matrix):
    for wrong, message in ((dict(n_components=0), "n_components"), (dict(max_iter=0), "max_iter"),
                           (dict(doc_topic_prior=-1.0), "doc_topic_prior is -1.0; expected a number from 0.000001 to"),
                           (dict(doc_topic_prior=0), "doc_topic_prior is 0"),
                           (dict(doc_topic_prior=[1, 1, 0, 1]), "doc_topic_prior"),
                           (dict(topic_word_prior=0.0), "topic_word_prior is 0.0; expected"),
                           (dict(n_components=1, topic_word_prior=0), "topic_word_prior is 0"),
                           (dict(n_components=1, doc_topic_prior=101), "doc_topic_prior is 101"),
                           (dict(n_components=1, device="tpu"), "tpu"), (dict(n_components=1, sampler="x"), "sampler"),
                           (dict(random_state=2**64), "random_state is .*; expected a whole number below"),
                           (dict(device="tpu"), "tpu"),
                           (dict(doc_topic_prior="auto"), "doc_topic_prior is 'auto'"),
                           (dict(doc_topic_prior=[1, 2]), "n_components of them"),
                           (dict(topic_word_prior="auto"), "topic_word_prior"),
                           (dict(evaluate_every=None), "evaluate_every"), (dict(sampler="best"), "many-branch")):
        with pytest.raises((ValueError, RuntimeError), match=message):
            small(**wrong).fit(matrix)


def test_a_corpus_is_not_a_matrix(corpus):
    with pytest.raises(TypeError, match="pass corpus.to_csr"):
        small().fit(corpus)
    assert small().fit(corpus.to_csr()).transform(corpus.to_csr()).shape == (400, 4)


def test_a_fit_that_fails_leaves_what_was(matrix):
    def fails(progress):
        raise RuntimeError("no")
    for wrong in ({"doc_topic_prior": 500}, {"callbacks": fails}, {"max_iter": 0}, {"tol": -1}, {"n_components": 70000},
                  {"device": None}, {"random_state": 2**64}):
        estimator = small(n_components=3, max_iter=3).set_params(**wrong)
        with pytest.raises((ValueError, RuntimeError)):
            estimator.fit(matrix)
        with pytest.raises(NotFittedError):
            estimator.transform(matrix)
    estimator = small(n_components=3, max_iter=3).fit(matrix)
    before = estimator.transform(matrix)
    with pytest.raises(RuntimeError):
        estimator.set_params(callbacks=fails).fit(matrix[:, :10])
    with pytest.raises(ValueError, match="tol is -1; expected a number from 0"):
        estimator.set_params(callbacks=None, tol=-1).fit(matrix[:, :10])
    np.testing.assert_array_equal(estimator.transform(matrix), before)
    with pytest.raises(ValueError, match="features"):
        estimator.transform(matrix[:, :10])


def test_components_are_not_changed_by_accident(matrix):
    estimator = small(n_components=3, max_iter=3).fit(matrix)
    total = estimator.components_.sum()
    with pytest.raises(ValueError, match="read-only"):
        estimator.components_ /= 2
    assert estimator.components_.sum() == total
    assert np.isnan(estimator.perplexity(matrix * 0))


def test_texts_are_read_for_the_words_of_a_vectorizer():
    texts = ["Covid19 vaccine mrna trial h1n1 virus"] * 10 + ["gpt4 model b2b market q4 stock"] * 10
    vectorizer = CountVectorizer()
    estimator = small(n_components=2, doc_topic_prior=.1, topic_word_prior=.1, max_iter=50)
    pipeline = make_pipeline(vectorizer, estimator).fit(texts)
    model = estimator.name_words(vectorizer.get_feature_names_out()).model_
    new = ["COVID19 h1n1 covid19 stock stock", ""]
    expected = model.infer([vectorizer.build_analyzer()(text) for text in new])
    np.testing.assert_array_equal(model.infer(new), expected)
    np.testing.assert_array_equal(model.infer([""]), expected[1:])
    np.testing.assert_allclose(pipeline.transform(new), expected, atol=0.1)
    with pytest.raises(ValueError, match="dtype is float16; expected float64 or float32"):
        model.infer(new, dtype=np.float16)


def test_the_warning_of_fractions_points_at_the_caller(matrix):
    with pytest.warns(ezlda.FractionWarning) as caught:
        small(max_iter=1).fit_transform(matrix * 0.5)
    assert caught[0].filename == __file__
