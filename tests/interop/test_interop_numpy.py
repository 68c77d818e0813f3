"""The npz export, as numpy and scipy open it."""
import zipfile

import pytest

numpy = pytest.importorskip("numpy")


def test_counts_add_up(arrays):
    assert arrays["W"].sum() == arrays["D"].sum() == arrays["doc_lengths"].sum() == arrays["word_counts"].sum()
    assert (arrays["W"].sum(axis=0) == arrays["word_counts"]).all()
    assert (arrays["D"].sum(axis=1) == arrays["doc_lengths"]).all()
    assert (arrays["W"].sum(axis=1) == arrays["D"].sum(axis=0)).all()


def test_types_and_shapes(arrays):
    topics, words = arrays["topic_word_shape"]
    assert arrays["W"].shape == (topics, words) and arrays["D"].shape == tuple(arrays["doc_topic_shape"])
    assert arrays["beta"].shape == () and float(arrays["beta"]) == 0.05
    numpy.testing.assert_allclose(arrays["alpha"], 0.1 * numpy.arange(1, topics + 1), rtol=1e-6)
    assert arrays["vocab"].dtype.kind == "U" and len(set(arrays["vocab"])) == words
    assert arrays["topic_word_data"].dtype == numpy.int32 and arrays["topic_word_indices"].dtype == numpy.int32


def test_topics_of_tokens(arrays):
    """They are those of the documents' rows."""
    ends = numpy.cumsum(arrays["doc_lengths"])
    for doc, topics in enumerate(numpy.split(arrays["token_topics"], ends[:-1])):
        assert (numpy.bincount(topics, minlength=arrays["D"].shape[1]) == arrays["D"][doc]).all()


def test_the_archive_is_whole(ezlda, model, tmp_path):
    paths = [tmp_path / "one.npz", tmp_path / "many.npz"]
    for path, threads in zip(paths, (1, 5)):
        ezlda("export", model, "--to", "npz", "-o", path, "--threads", threads)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    with zipfile.ZipFile(paths[0]) as file:
        assert file.testzip() is None


def test_names_of_documents(ezlda, tmp_path):
    """Names may have any script and length."""
    names = ["a", "数据库", "naïve 𝄞", "x" * 300]
    source = tmp_path / "in.csv"
    source.write_text("id,text\n" + "".join(f'"{name}",alpha beta gamma\n' for name in names), encoding="utf-8")
    ezlda("train", source, "-k", 2, "-i", 2, "-o", tmp_path / "m.ezm", "-q")
    ezlda("export", tmp_path / "m.ezm", "--to", "npz", "-o", tmp_path / "m.npz")
    with numpy.load(tmp_path / "m.npz") as found:
        assert list(found["doc_names"]) == names
        assert sorted(found["vocab"]) == ["alpha", "beta", "gamma"]
        assert "token_topics" not in found


def test_scipy_takes_the_parts(arrays):
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.csr_matrix((arrays["topic_word_data"], arrays["topic_word_indices"], arrays["topic_word_indptr"]),
                               shape=arrays["topic_word_shape"])
    assert matrix.has_sorted_indices and (matrix.toarray() == arrays["W"]).all()
