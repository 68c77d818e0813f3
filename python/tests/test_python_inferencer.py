"""An inferencer gives single documents the rows of Model.infer, in every form, from several threads."""
import collections
import pickle
import threading

import numpy as np
import pytest
from scipy import sparse

import ezlda


@pytest.fixture(scope="module")
def inferencer(model):
    return model.inferencer()


def words_of(model, row):
    row = sparse.csr_matrix(row)
    return [model.words[w] for w, n in zip(row.indices, row.data, strict=True) for _ in range(n)]


def test_rows_are_those_of_a_batch(model, inferencer, matrix):
    rows = model.infer(matrix[:60])
    for d in range(60):
        assert np.array_equal(inferencer(matrix[d]), rows[d])
    other = model.inferencer(iterations=30, seed=9, samples=3, thin=2)
    rows = model.infer(matrix[:10], iterations=30, seed=9, samples=3, thin=2, dtype=np.float32, normalize=False)
    for d in range(10):
        row = other(matrix[d], dtype=np.float32, normalize=False)
        assert row.dtype == np.float32 and np.array_equal(row, rows[d])


def test_every_form_of_a_document(model, inferencer, matrix):
    expected = inferencer(matrix[3])
    words = words_of(model, matrix[3])
    counts = matrix[3].toarray()[0]
    pairs = [(int(w), int(counts[w])) for w in np.flatnonzero(counts)]
    forms = [words, tuple(words[::-1]), iter(words), collections.Counter(words), dict(pairs), pairs, counts,
             counts[None, :], counts.astype(np.float64), counts + 1e-9, sparse.csr_array(matrix[3]), matrix[3].tocoo(),
             " ".join(words)]
    for form in forms:
        assert np.array_equal(inferencer(form), expected), form
    assert np.array_equal(inferencer([]), inferencer({}))
    assert np.allclose(inferencer([]), model.alpha / model.alpha.sum())


def test_infer_of_one_document_uses_it(model, matrix, monkeypatch):
    rows = model.infer(matrix[:8], seed=4)
    made = []
    monkeypatch.setattr(ezlda.model, "Inferencer", lambda *a, **k: made.append(1) or ezlda.Inferencer(*a, **k))
    fresh = pickle.loads(pickle.dumps(model))
    for d in range(8):
        assert np.array_equal(fresh.infer(matrix[d], seed=4), rows[d:d + 1])
    assert len(made) == 1  # from the second call on, once
    assert np.array_equal(fresh.infer([words_of(model, matrix[1])], seed=4), rows[1:2])
    assert np.array_equal(fresh.infer([" ".join(words_of(model, matrix[1]))], seed=4), rows[1:2])
    for seed in (5, 6):  # other options, another inferencer
        expected = model.infer(matrix[:2], seed=seed)[1:]
        assert all(np.array_equal(fresh.infer(matrix[1], seed=seed), expected) for _ in range(3))
    with pytest.raises(ValueError, match="row 0"):
        fresh.infer(matrix[0] * 0.3, seed=4)
    with pytest.raises(ValueError, match="columns"):
        fresh.infer(matrix[0, :20], seed=4)


def test_transform_of_one_document(matrix):
    lda = ezlda.LatentDirichletAllocation(6, max_iter=20, random_state=1).fit(matrix)
    rows = lda.transform(matrix[:5])
    for d in (0, 1, 2, 3, 4):
        assert np.array_equal(lda.transform(matrix[d]), rows[d:d + 1])


def test_threads_share_one(inferencer, matrix):
    documents = [matrix[d] for d in range(50)]
    expected = [inferencer(d) for d in documents]
    wrong = []

    def work():
        for document, row in zip(documents, expected, strict=True):
            if not np.array_equal(inferencer(document), row):
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_the_gil_is_released(model):
    """Another thread counts while a long document is inferred."""
    busy = model.inferencer(iterations=3000)
    counts = np.zeros(300, dtype=np.int64)
    counts[:200] = 100
    thread = threading.Thread(target=busy, args=(counts,))
    seen = 0
    thread.start()
    while thread.is_alive():
        seen += 1
    assert seen > 1


def test_very_long_documents(model, inferencer):
    counts = np.zeros(300, dtype=np.int64)
    counts[5], counts[40] = 70_000, 3
    assert np.array_equal(inferencer(counts), model.infer(np.stack([counts, counts]))[1])


def test_unknown_words(model, inferencer):
    with pytest.warns(ezlda.UnknownWordsWarning, match="1 of the 3 tokens"):
        row = inferencer(["nonsense", "nothing", model.words[0]])
    assert np.array_equal(row, inferencer([model.words[0]]))
    with pytest.warns(ezlda.UnknownWordsWarning):
        assert np.allclose(inferencer({"nonsense": 4}), model.alpha / model.alpha.sum())


def test_llpt(model, inferencer, matrix):
    corpus = model.corpus_of(matrix[7])
    found = inferencer.llpt(matrix[7])
    assert found < 0
    assert found == pytest.approx(model.evaluate(corpus, "llpt")["llpt"])
    assert np.isnan(inferencer.llpt([]))


def test_it_keeps_its_model_and_can_be_pickled(corpus, matrix):
    inferencer = ezlda.train(corpus, 4, 5, progress=False).inferencer(seed=2)
    again = pickle.loads(pickle.dumps(inferencer))
    assert np.array_equal(again(matrix[0]), inferencer(matrix[0]))
    assert "4 topics" in repr(inferencer)


def test_what_is_refused(model, inferencer, matrix):
    for wrong in (3, b"text", model, [["a", "b"]], ["a", 3], [(1, 2, 3)], {"a": "b"}):
        with pytest.raises(TypeError):
            inferencer(wrong)
    for wrong in (matrix[:2], np.ones(7), [(300, 1)], [(-1, 1)], [(1, -1)], {1: 0.5}, np.full(300, np.nan), [(1, 2**32)]):
        with pytest.raises(ValueError):
            inferencer(wrong)
    with pytest.raises(ValueError, match="dtype"):
        inferencer([], dtype=np.int32)
    with pytest.raises(ezlda.ArgumentError, match="iterations"):
        model.inferencer(iterations=0)
    with pytest.raises(TypeError):
        model.inferencer(device="cuda")
