"""Other packages: gensim, pyLDAvis, MALLET's states, AnnData."""
import warnings
from types import SimpleNamespace

import numpy as np
import pytest

import ezlda


def test_mallet_state(model, corpus, tmp_path):
    model.export("mallet-state", tmp_path / "state.gz", corpus=corpus)
    again, documents = ezlda.Model.from_mallet(tmp_path / "state.gz")
    assert documents.info["tokens"] == corpus.info["tokens"]
    np.testing.assert_array_equal(again.topic_tokens, model.topic_tokens)
    with pytest.raises(ezlda.ArgumentError):
        model.export("mallet-state", tmp_path / "none.gz")
    assert not (tmp_path / "none.gz").exists()


def test_gensim(model, corpus):
    pytest.importorskip("gensim")
    lda = model.to_gensim(corpus)
    assert lda.num_topics == 8
    np.testing.assert_allclose(lda.get_topics(), model.topic_word(), rtol=1e-4, atol=1e-7)


def test_pyldavis(model):
    pytest.importorskip("pyLDAvis")
    prepared = model.to_pyldavis()
    assert len(prepared.topic_coordinates) == 8 and len(prepared.topic_order) == 8
    assert "mdsDat" in prepared.to_json()


def test_anndata(corpus, matrix):
    anndata = pytest.importorskip("anndata")
    adata = anndata.AnnData(X=matrix.astype(np.float32))
    adata.var_names = corpus.words
    models = ezlda.tl.lda(adata, n_topics=[3, 5], n_iter=20, device="cpu", progress=False)
    assert list(models) == [3, 5] and adata.obsm["X_lda_5"].shape == (400, 5) and adata.varm["lda_3"].shape == (300, 3)
    np.testing.assert_allclose(adata.obsm["X_lda_5"].sum(axis=1), 1, rtol=1e-5)
    np.testing.assert_allclose(adata.varm["lda_3"].sum(axis=0), 1, rtol=1e-5)
    assert list(adata.uns["lda"]["models"].index) == ["3", "5"]
    cells, regions = ezlda.tl.cell_topic(adata, 5), ezlda.tl.region_topic(adata, 5)
    assert list(cells.columns) == [f"Topic{k}" for k in range(1, 6)] and list(regions.index) == corpus.words
    assert regions["Topic2"].idxmax() == models[5].top_words(1, 1)[0].name
    with pytest.raises(KeyError, match="X_lda_7"):
        ezlda.tl.cell_topic(adata, 7)
    expected = ezlda.train(corpus, 5, 20, alpha=10, beta=0.1, device="cpu", progress=False)
    assert models[5].topics_hash == expected.topics_hash
    for wrong in (dict(eta=0), dict(alpha=0)):
        with pytest.raises(ValueError, match=f"{list(wrong)[0]}.* expected a number from 0.000001 to 100"):
            ezlda.tl.lda(adata, n_topics=3, progress=False, **wrong)
    assert models[3].doc_names == list(adata.obs_names)
    more = ezlda.tl.lda(adata, n_topics=[4, 3], n_iter=5, device="cpu", coherence=False, progress=False)
    table = adata.uns["lda"]["models"]
    assert list(table.index) == ["3", "4", "5"] and table.index.name == "n_topics"
    assert table.loc["5", "llpt"] == models[5].llpt and table.loc["3", "llpt"] == more[3].llpt
    adata.X = adata.X * 0.5
    with pytest.raises(ValueError, match="does not hold counts"):
        ezlda.tl.lda(adata, n_topics=3)
    copied, _ = ezlda.tl.lda(adata, n_topics=3, n_iter=5, binarize=True, key="b", copy=True, progress=False)
    assert "X_b_3" in copied.obsm and "X_b_3" not in adata.obsm


def test_anndata_as_a_corpus(corpus, matrix):
    anndata = pytest.importorskip("anndata")
    adata = anndata.AnnData(X=np.log1p(matrix.astype(np.float32)), layers={"counts": matrix})
    adata.var_names = corpus.words
    cells = ezlda.tl.corpus(adata, layer="counts")
    assert cells.info["hash"] == corpus.info["hash"] and cells.names == list(adata.obs_names)
    assert ezlda.Corpus(adata, layer="counts").info["hash"] == corpus.info["hash"]
    model = ezlda.train(cells, 4, 20, device="cpu", progress=False)
    with pytest.raises(ValueError, match="X does not hold counts.*layer"):
        model.infer(adata)
    with pytest.raises(KeyError, match="no layer 'raw'; there are .'counts'"):
        ezlda.tl.lda(adata, 3, layer="raw")
    named = SimpleNamespace(X=None, layers={None: None, "counts": matrix, "b": matrix})  # X is a layer in some versions
    with pytest.raises(KeyError, match="no layer 'raw'; there are .'b', 'counts'"):
        ezlda.tl.corpus(named, layer="raw")
    with pytest.raises(TypeError, match="ezlda.tl.corpus"):
        ezlda.Corpus.from_matrix(adata)
    with pytest.raises(ValueError, match="not a whole number: expected counts"):
        ezlda.Corpus(adata.X)
    adata.X = adata.layers["counts"]
    turned = adata[:, ::-1].copy()  # genes in another order are known by their names
    for new in (adata, turned):
        assert abs(model.infer(new, device="cpu") - model.infer(matrix, device="cpu")).mean() < 0.05


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_counts_that_are_whole_to_a_millionth(corpus, matrix, kind):
    """As after a logarithm and its inverse."""
    anndata = pytest.importorskip("anndata")
    many = matrix.copy()
    many.data[:5] = (700, 9000, 31, 17, 250)
    back = np.expm1(np.log1p(many.astype(kind)))
    assert (back != many).nnz > 0
    expected = ezlda.Corpus.from_matrix(many, corpus.words).info["hash"]
    adata = anndata.AnnData(X=back)
    adata.var_names = corpus.words
    for same in (ezlda.tl.corpus(adata), ezlda.Corpus.from_matrix(back, corpus.words)):
        assert same.info["hash"] == expected
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        lda = ezlda.LatentDirichletAllocation(2, max_iter=2, random_state=1).fit(back)
    assert lda.model_.info["tokens"] == many.sum()
    back.data[7] += 2e-5 * back.data[7]
    with pytest.raises(ValueError, match="not a whole number"):
        ezlda.Corpus.from_matrix(back)


def test_an_interrupt_ends_anndata(matrix):
    """The models that are done have their tables; no other has."""
    anndata = pytest.importorskip("anndata")
    adata = anndata.AnnData(X=matrix.astype(np.float32))
    calls = []

    def interrupt(progress):
        calls.append(progress)
        if len(calls) == 7:
            raise KeyboardInterrupt
    with pytest.raises(KeyboardInterrupt):
        ezlda.tl.lda(adata, n_topics=[3, 4, 5], n_iter=5, device="cpu", progress=False, callback=interrupt)
    assert len(calls) == 7 and list(adata.obsm) == ["X_lda_3"] and list(adata.varm) == ["lda_3"]
    assert list(adata.uns["lda"]["models"].index) == ["3"]


def test_values_of_anndata_that_are_not_counts(matrix):
    anndata = pytest.importorskip("anndata")
    for value, binarize, message in ((np.nan, False, "NaN"), (np.nan, True, "NaN"), (-1, True, "negative"),
                                     (-1, False, "negative"), (0.5, False, "fractions")):
        wrong = matrix.astype(np.float32)
        wrong.data[3] = value
        with pytest.raises(ValueError, match=message):
            ezlda.tl.lda(anndata.AnnData(X=wrong), n_topics=3, n_iter=5, binarize=binarize, progress=False)


def test_anndata_on_disk(matrix, tmp_path):
    """Tables survive the file, and a matrix that stayed on disk is read."""
    anndata = pytest.importorskip("anndata")
    adata = anndata.AnnData(X=matrix.astype(np.float32))
    in_memory = ezlda.tl.lda(adata, n_topics=3, n_iter=5, device="cpu", progress=False)[3]
    adata.write_h5ad(tmp_path / "cells.h5ad")
    backed = anndata.read_h5ad(tmp_path / "cells.h5ad", backed="r")
    np.testing.assert_array_equal(ezlda.tl.cell_topic(backed, 3), in_memory.doc_topic(np.float32))
    assert backed.uns["lda"]["models"].loc["3", "llpt"] == in_memory.llpt
    again = ezlda.tl.lda(backed, n_topics=3, n_iter=5, key="again", device="cpu", progress=False)[3]
    assert again.topics_hash == in_memory.topics_hash
    try:
        cells = ezlda.Corpus.read(tmp_path / "cells.h5ad")  # by the library, beside h5py's own HDF5
    except ezlda.UnsupportedError:
        return  # built without HDF5
    assert cells.info["hash"] == ezlda.tl.corpus(adata).info["hash"]
