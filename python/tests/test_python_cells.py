"""Single cells: where counts may lie, the tables and measures that `ezlda.tl` makes, sets of regions, plots, scanpy."""
import itertools
import math

import numpy as np
import pytest
from scipy import sparse

import ezlda

anndata = pytest.importorskip("anndata")
pandas = pytest.importorskip("pandas")

QUICK = dict(n_iter=8, device="cpu", progress=False)


@pytest.fixture
def adata(corpus, matrix):
    made = anndata.AnnData(X=matrix.astype(np.float32), layers={"counts": matrix})
    made.var_names = corpus.words
    made.var["chosen"] = np.arange(300) % 3 == 0
    made.obs["group"] = [f"g{i % 8}" for i in range(400)]
    return made


@pytest.fixture(scope="module")
def trained(corpus, matrix):
    made = anndata.AnnData(X=matrix.astype(np.float32))
    made.var_names = corpus.words
    made.obs["group"] = [f"g{i % 8}" for i in range(400)]
    models = ezlda.tl.lda(made, [4, 8], n_iter=60, device="cpu", progress=False)
    return made, models


def test_raw_counts(adata, matrix):
    raw = adata.copy()
    raw.raw = raw
    few = raw[:, 30:].copy()
    few.X = few.X * 0.5
    cells = ezlda.tl.corpus(few, use_raw=True)
    np.testing.assert_array_equal(cells.to_csr().toarray(), matrix.toarray())
    model = ezlda.tl.lda(few, 3, use_raw=True, **QUICK)[3]
    assert model.topics_hash == ezlda.tl.lda(adata, 3, **QUICK)[3].topics_hash
    np.testing.assert_array_equal(few.varm["lda_3"], adata.varm["lda_3"][30:])
    few.var["later"] = np.arange(270) % 5 == 0
    assert ezlda.tl.corpus(few, use_raw=True, mask_var="later").words == list(few.var_names[::5])
    with pytest.raises(KeyError, match="no column 'latest'"):
        ezlda.tl.corpus(few, use_raw=True, mask_var="latest")
    with pytest.raises(ValueError, match="use_raw: there is no raw"):
        ezlda.tl.corpus(adata, use_raw=True)
    with pytest.raises(ValueError, match="layer and use_raw exclude each other"):
        ezlda.tl.corpus(few, use_raw=True, layer="counts")


def test_masks_of_genes(adata, matrix):
    mask = adata.var["chosen"].to_numpy()
    for given in ("chosen", mask, list(mask), adata.var["chosen"]):
        cells = ezlda.tl.corpus(adata, mask_var=given)
        assert cells.words == list(adata.var_names[mask])
        np.testing.assert_array_equal(cells.to_csr().toarray(), matrix.toarray()[:, mask])
    ezlda.tl.lda(adata, 3, mask_var="chosen", **QUICK)
    table = adata.varm["lda_3"]
    assert table.shape == (300, 3) and not table[~mask].any()
    np.testing.assert_allclose(table[mask].sum(axis=0), 1, rtol=1e-5)
    assert len(ezlda.tl.binarize_topics(adata, 3, method="ntop", ntop=1000)["Topic1"]) == mask.sum()
    for wrong, message in (("other", "no column 'other'; there are .'chosen'."), (mask[1:], "truth value for each of 300"),
                           (np.arange(300), "found int64"), (np.zeros(300, bool), "no gene is chosen")):
        with pytest.raises((KeyError, ValueError), match=message):
            ezlda.tl.corpus(adata, mask_var=wrong)


def test_files_and_views(adata, tmp_path):
    path = tmp_path / "cells.h5ad"
    adata.write_h5ad(path)
    expected = ezlda.tl.corpus(adata).info["hash"]
    assert ezlda.tl.corpus(path).info["hash"] == expected == ezlda.tl.corpus(str(path), layer="counts").info["hash"]
    found, models = ezlda.tl.lda(path, 3, **QUICK)
    assert models[3].topics_hash == ezlda.tl.lda(adata, 3, **QUICK)[3].topics_hash
    np.testing.assert_array_equal(found.obsm["X_lda"], adata.obsm["X_lda"])
    backed = anndata.read_h5ad(path, backed="r")
    view, same = backed[10:50], adata[10:50]
    assert ezlda.tl.corpus(view).info["hash"] == ezlda.tl.corpus(same.copy()).info["hash"]
    with pytest.raises(ValueError, match="a view of a file cannot hold tables"):
        ezlda.tl.lda(view, 3, **QUICK)
    copied, models = ezlda.tl.lda(view, 3, copy=True, **QUICK)
    assert copied.obsm["X_lda_3"].shape == (40, 3) and "X_lda_3" not in backed.obsm
    assert models[3].topics_hash == ezlda.tl.lda(same.copy(), 3, **QUICK)[3].topics_hash
    with pytest.raises(FileNotFoundError, match="none.h5ad: there is no such file"):
        ezlda.tl.corpus(tmp_path / "none.h5ad")
    with pytest.raises(ValueError, match="expected an AnnData or a file .h5ad"):
        ezlda.tl.corpus(tmp_path / "cells.loom")


@pytest.mark.parametrize("blocks", ["dense", "sparse"])
def test_arrays_of_dask(adata, matrix, blocks):
    dask = pytest.importorskip("dask.array")
    lazy = dask.from_array(matrix.toarray(), chunks=(90, 300))
    adata.X = lazy.map_blocks(sparse.csr_matrix) if blocks == "sparse" else lazy
    assert ezlda.tl.corpus(adata).info["hash"] == ezlda.tl.corpus(adata, layer="counts").info["hash"]
    assert ezlda.tl.corpus(adata, mask_var="chosen").info["words"] == 100


def test_held_out_cells(adata, corpus):
    models = ezlda.tl.lda(adata, [2, 8], held_out=0.2, **{**QUICK, "n_iter": 60})
    table = adata.uns["lda"]["models"]
    assert models[8].info["docs"] == 320 and table.loc["8", "perplexity"] < table.loc["2", "perplexity"]
    assert adata.uns["lda"]["selected"] == 8 and adata.uns["lda"]["params"]["held_out"] == 0.2
    np.testing.assert_array_equal(adata.obsm["X_lda"], adata.obsm["X_lda_8"])
    np.testing.assert_allclose(adata.obsm["X_lda_2"].sum(axis=1), 1, rtol=1e-5)
    known = set(models[8].doc_names)
    unknown = [i for i, name in enumerate(adata.obs_names) if name not in known]
    test = ezlda.tl.corpus(adata)[unknown]
    assert len(unknown) == 80
    np.testing.assert_array_equal(adata.obsm["X_lda_8"][unknown], models[8].infer(test, dtype=np.float32))
    assert table.loc["8", "perplexity"] == models[8].evaluate(test, "completion", seed=1)["completion"]["perplexity"]
    for wrong in (1, -0.1):
        with pytest.raises(ValueError, match="held_out is .*; expected a share from 0, below 1"):
            ezlda.tl.lda(adata, 3, held_out=wrong, **QUICK)
    with pytest.raises(ValueError, match="eta: expected one number, found several"):
        ezlda.tl.lda(adata, 3, eta=[0.1, 0.2], **QUICK)


def test_measures_of_models(trained, matrix):
    """The formulas of the papers, written as plain loops."""
    adata, models = trained
    for k, model in models.items():
        row = adata.uns["lda"]["models"].loc[str(k)]
        phi, theta, lengths = model.topic_word(), model.doc_topic(), model.doc_tokens.astype(float)
        cosines = [a @ b / math.sqrt((a @ a) * (b @ b)) for a, b in itertools.combinations(phi, 2)]
        assert row["cao_juan_2009"] == pytest.approx(np.mean(cosines))
        cm1 = np.linalg.svd(phi, compute_uv=False)
        cm2 = np.array(sorted(lengths @ theta, reverse=True))
        cm1, cm2 = cm1 / cm1.sum(), cm2 / cm2.sum()
        divergence = sum(a * math.log(a / b) + b * math.log(b / a) for a, b in zip(cm1, cm2))
        assert row["arun_2010"] == pytest.approx(divergence)
        has, coherence = matrix.toarray() > 0, []
        for topic in phi:
            top = np.argsort(-topic, kind="stable")[:20]
            pairs = [math.log((np.sum(has[:, top[m]] & has[:, top[l]]) + 1e-12) / np.sum(has[:, top[l]]))
                     for m in range(1, 20) for l in range(m)]
            coherence.append(np.mean(pairs))
        topics = ezlda.tl.topic_metrics(adata, k)
        np.testing.assert_allclose(topics["mimno_2011"], coherence)
        assert row["mimno_2011"] == pytest.approx(np.mean(sorted(coherence)[-5:]))
        np.testing.assert_allclose(topics["marginal"], lengths @ theta / lengths.sum())
        np.testing.assert_array_equal(topics["assignments"], model.topic_tokens.astype(np.int64))
        first = np.abs(theta[:, 0][:, None] - theta[:, 0][None, :]).sum() / (2 * 400 ** 2 * theta[:, 0].mean())
        assert topics["gini"].iloc[0] == pytest.approx(first)
        assert list(topics.index) == [f"Topic{i + 1}" for i in range(k)]


def test_loglikelihood(trained):
    adata, models = trained
    model = models[4]
    words, cells = model.counts("words").toarray(), model.counts("docs").toarray()
    alpha, beta, expected = model.alpha, model.beta, 0.0
    for column in words.T:
        expected += math.lgamma(300 * beta) - math.lgamma(column.sum() + 300 * beta)
        expected += sum(math.lgamma(n + beta) - math.lgamma(beta) for n in column.tolist())
    for row in cells:
        expected += math.lgamma(alpha.sum()) - math.lgamma(row.sum() + alpha.sum())
        expected += sum(math.lgamma(n + a) - math.lgamma(a) for n, a in zip(row.tolist(), alpha))
    assert adata.uns["lda"]["models"].loc["4", "loglikelihood"] == pytest.approx(expected)


def test_where_scanpy_looks(trained, tmp_path):
    adata = trained[0].copy()
    assert "X_lda" not in adata.obsm
    ezlda.tl.select(adata, 8)
    np.testing.assert_array_equal(adata.obsm["X_lda"], adata.obsm["X_lda_8"])
    np.testing.assert_array_equal(adata.varm["lda"], adata.varm["lda_8"])
    names = ezlda.tl.topics_to_obs(adata, 8)
    assert names == [f"lda_8_Topic{k}" for k in range(1, 9)] == ezlda.tl.topics_to_obs(adata, 8)
    np.testing.assert_array_equal(adata.obs[names].to_numpy(), adata.obsm["X_lda_8"])
    assert list(adata.obs.columns) == ["group", *names]
    adata.write_h5ad(tmp_path / "cells.h5ad")
    again = anndata.read_h5ad(tmp_path / "cells.h5ad")
    pandas.testing.assert_frame_equal(ezlda.tl.topic_metrics(again, 4), ezlda.tl.topic_metrics(adata, 4))
    ezlda.tl.lda(again, 5, **QUICK)
    assert list(again.uns["lda"]["models"].index) == ["4", "5", "8"] and again.uns["lda"]["selected"] == 5
    assert sorted(again.uns["lda"]["topics"]) == ["4", "5", "8"]
    with pytest.raises(KeyError, match="X_lda_7"):
        ezlda.tl.select(adata, 7)
    with pytest.raises(KeyError, match="no measures of 7 topics: .*'4', '8'"):
        ezlda.tl.topic_metrics(adata, 7)


def test_scanpy(trained, tmp_path):
    scanpy = pytest.importorskip("scanpy", reason="scanpy is not installed: python_env.sh says why")
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("agg")
    adata = trained[0].copy()
    ezlda.tl.select(adata, 8)
    scanpy.pp.neighbors(adata, use_rep="X_lda", method="gauss", transformer="sklearn")
    assert adata.uns["neighbors"]["params"]["use_rep"] == "X_lda"
    scanpy.pl.embedding(adata, "lda", color="group", show=False)
    scanpy.pl.embedding(adata, "X_lda", color=ezlda.tl.topics_to_obs(adata, 8)[:2], dimensions=(1, 2), show=False)
    pyplot.savefig(tmp_path / "cells.png")
    pyplot.close("all")
    assert (tmp_path / "cells.png").stat().st_size > 1000


def test_imputed_scores(trained):
    adata = trained[0]
    everything = ezlda.tl.impute(adata, 8)
    assert everything.shape == (400, 300)
    np.testing.assert_allclose(everything.sum(axis=1), 1, rtol=1e-5)
    some = ezlda.tl.impute(adata, 8, regions=list(adata.var_names[[5, 3]]), cells=list(adata.obs_names[:2]), scale=1e6)
    np.testing.assert_allclose(some.to_numpy(), 1e6 * everything.iloc[:2, [5, 3]].to_numpy(), rtol=1e-5)
    with pytest.raises(KeyError):
        ezlda.tl.impute(adata, 8, regions=["nothing"])


def two_hills():
    random = np.random.RandomState(3)
    return np.concatenate([random.beta(2, 40, 900), random.beta(30, 8, 100)])


@pytest.mark.parametrize("method", ["otsu", "li", "yen"])
def test_thresholds(method):
    """Each threshold is the best of all by its definition, computed for one candidate after the other."""
    from ezlda import topic_sets
    values = topic_sets.scaled(two_hills())
    counts, edges = np.histogram(values, bins=50)
    center = (edges[:-1] + edges[1:]) / 2

    def value_of(threshold):
        low, high = counts * (center <= threshold), counts * (center > threshold)
        if not low.any() or not high.any():
            return -np.inf
        mean = [np.average(center, weights=side) for side in (low, high)]
        if method == "otsu":
            return low.sum() * high.sum() * (mean[0] - mean[1]) ** 2
        if method == "li":
            return sum((side * center).sum() * np.log(m) for side, m in zip((low, high), mean))
        share = low.sum() / counts.sum()
        return 2 * np.log(share * (1 - share)) - np.log((low ** 2).sum() / 1e6 * (high ** 2).sum() / 1e6)
    found = getattr(topic_sets, method)(values, 50)
    assert value_of(found) == pytest.approx(max(map(value_of, center[:-1])), rel=1e-9)
    mask, threshold = topic_sets.chosen(values, method, 10, 50)
    assert threshold == found and (mask == (values > found)).all() and 80 < mask.sum() < 200


def test_sets_of_regions_and_cells(trained):
    adata = trained[0].copy()
    sets = ezlda.tl.binarize_topics(adata, 8)
    table = ezlda.tl.region_topic(adata, 8)
    own = [set(adata.var_names[30 * k:30 * k + 30]) for k in range(8)]
    for name, frame in sets.items():
        assert list(frame.columns) == [name] and frame[name].is_monotonic_decreasing
        best = max(own, key=lambda words: len(words & set(frame.index)))
        assert len(best & set(frame.index)) > 20 and len(set(frame.index) - best) < 10, name
    assert list(ezlda.tl.topic_metrics(adata, 8)["regions_in_set"]) == [len(frame) for frame in sets.values()]
    few = ezlda.tl.binarize_topics(adata, 8, method="ntop", ntop=7, smooth=False)
    assert list(few["Topic3"].index) == list(table["Topic3"].sort_values(ascending=False, kind="stable").index[:7])
    cells = ezlda.tl.binarize_topics(adata, 8, target="cell", method="li")
    assert all(25 < len(frame) < 75 for frame in cells.values())
    assert "cells_in_set" in ezlda.tl.topic_metrics(adata, 8)
    for wrong, message in ((dict(method="aucell"), "method: expected one of"), (dict(ntop=0), "ntop is 0"),
                           (dict(target="gene"), "target: expected 'region' or 'cell'"), (dict(nbins=1.5), "nbins is 1.5")):
        with pytest.raises(ValueError, match=message):
            ezlda.tl.binarize_topics(adata, 8, **wrong)


def test_plots(trained):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("agg")
    adata = trained[0]
    axes = ezlda.pl.models(adata)
    assert [line.get_label() for line in axes.lines] == ["loglikelihood", "mimno_2011", "arun_2010 (turned)",
                                                         "cao_juan_2009 (turned)"]
    for line, name in zip(axes.lines, ("loglikelihood", "mimno_2011")):
        table = adata.uns["lda"]["models"][name]
        assert list(line.get_xdata()) == [4, 8] and line.get_ydata()[int(np.argmax(table))] == 1
    image = ezlda.pl.cell_topic(adata, 8, groupby="group").images[0].get_array()
    np.testing.assert_allclose(image[0], adata.obsm["X_lda_8"][::8].mean(axis=0), rtol=1e-5)
    assert ezlda.pl.cell_topic(adata, 8).images[0].get_array().shape == (400, 8)
    assert len(ezlda.pl.topic_metrics(adata, 8).texts) == 8
    own = pyplot.subplots()[1]
    assert ezlda.pl.binarize_topics(adata, 8, 2, ax=own) is own and own.lines
    assert ezlda.pl.binarize_topics(adata, 8, "Topic2").get_xlabel() == own.get_xlabel()
    for draw, message in ((lambda: ezlda.pl.models(adata, ["nothing"]), "no measure 'nothing'"),
                          (lambda: ezlda.pl.models(adata, key="other"), "no table of models"),
                          (lambda: ezlda.pl.cell_topic(adata, 8, "kind"), "no column 'kind'"),
                          (lambda: ezlda.pl.topic_metrics(adata, 8, "size"), "no measure 'size'"),
                          (lambda: ezlda.pl.binarize_topics(adata, 8, "Topic9"), "topic is 'Topic9'; expected 1 to 8, or Topic1 to Topic8")):
        with pytest.raises((KeyError, ValueError), match=message):
            draw()
    pyplot.close("all")
