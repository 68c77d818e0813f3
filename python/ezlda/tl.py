"""Topics of cells in an AnnData, with the tables and measures that pycisTopic makes, where scanpy looks for them."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

import numpy as np

from . import _calls, cell_metrics, topic_sets
from .cells import Source, as_cells, read_cells, rows_for
from .corpus import Corpus
from .model import Model
from .options import TrainOptions, lists_options
from .training import train_until_stopped

if TYPE_CHECKING:
    from typing import Unpack


@lists_options(TrainOptions)
def lda(adata: Any, n_topics: int | Sequence[int] = (10, 25, 50, 100), *, n_iter: int = 500, alpha: float = 50.0,
        alpha_by_topic: bool = True, eta: float = 0.1, random_state: int = 1, layer: str | None = None,
        use_raw: bool = False, mask_var: Any = None, binarize: bool = False, key: str = "lda", coherence: bool = True,
        held_out: float = 0.0, copy: bool = False, device: str = "auto", threads: int = 0,
        progress: bool | str | None = None, **options: Unpack[TrainOptions]) -> Any:
    """Train a model for each number of topics on the counts of an AnnData, cells by regions or genes.

    Parameters
    ----------
    adata : an AnnData, also one in a file (``backed``) or with a matrix of dask; or the path of a file .h5ad.
    n_topics : one number of topics or several, each from 2 to 65,536.
    n_iter : number of iterations; default 500.
    alpha : prior of the cells' topics; default 50.
    alpha_by_topic : whether the prior of each topic is alpha / n_topics (default) or alpha.
    eta : prior of the topics' regions, 0.000001 to 100; default 0.1.
    random_state : the seed; default 1.
    layer : the layer with the counts; default: ``X``.
    use_raw : whether the counts are those of ``raw``; default False.
    mask_var : the genes to use: a column of ``var`` with truth values, such as "highly_variable", or one truth value per
        gene; default: all.
    binarize : whether to use 1 for every count that is not 0; default False.
    key : prefix of the names of the tables; default "lda".
    coherence : whether to measure the models and their topics; default True.
    held_out : share of the cells, below 1, that models are not trained on, to compute a held-out perplexity. Their rows
        are inferred. Default 0: none.
    copy : whether to return a copy with the tables and leave adata as it is; default False.
    device, threads, progress, options : those of `ezlda.train`.

    Adds
    ----
    obsm["X_{key}_{K}"] : cells by topics, shares that sum to 1.
    varm["{key}_{K}"] : regions by topics, p(region | topic); zeros for regions that were not used.
    obsm["X_{key}"], varm["{key}"] : the tables of the selected model (see `select`): that with the lowest held-out
        perplexity, or the only one.
    uns["{key}"] : "params": priors and seed; "models": a table with one row per K (llpt, iterations, seconds; perplexity
        if cells were held out; u_mass, npmi, diversity, exclusivity, loglikelihood, arun_2010, cao_juan_2009,
        mimno_2011); "topics": a table of the topics for each K (assignments, marginal, mimno_2011, gini); "selected".

    A later call adds to these tables; its "params" replace the earlier ones. After KeyboardInterrupt, which is raised
    again, adata has the tables of the models that are complete.

    `cell_topic` and `region_topic` return these tables as DataFrames with the names of cells and regions.

    Returns
    -------
    {K: `ezlda.Model`}; with ``copy`` or a path the AnnData and this dict.

    Raises
    ------
    ValueError if the matrix does not hold counts, KeyError if the layer or the column does not exist.
    """
    _calls.needs("pandas", "ezlda.tl.lda")
    given, adata = adata, _writable(as_cells(adata), copy)
    numbers = [int(k) for k in np.atleast_1d(n_topics)]
    if len(set(numbers)) != len(numbers):
        raise ValueError(f"n_topics: a number occurs twice in {numbers}")
    if np.ndim(eta) > 0:
        raise ValueError("eta: expected one number, found several")
    _calls.check_prior("eta", eta)
    if not 0 <= held_out < 1:
        raise ValueError(f"held_out is {held_out!r}; expected a share from 0, below 1")
    source = Source(layer, use_raw, mask_var, binarize)
    cells = read_cells(adata, source, threads)
    kept = _Parts(cells, held_out, random_state)
    params = {"n_iter": n_iter, "alpha": alpha, "alpha_by_topic": alpha_by_topic, "eta": eta,
              "random_state": random_state, "layer": "raw" if use_raw else layer or "X", "binarize": binarize,
              "mask_var": mask_var if isinstance(mask_var, str) else "" if mask_var is None else "given",
              "held_out": held_out}
    models = {}
    for k in numbers:
        model, interrupted = train_until_stopped(
            kept.train, k, n_iter, seed=random_state, alpha=alpha / k if alpha_by_topic else alpha, beta=eta,
            device=device, threads=threads, progress=progress, **options)
        if interrupted:
            raise KeyboardInterrupt
        _add(adata, key, model, kept, coherence, threads, random_state)
        adata.uns[key]["params"] = params
        models[k] = model
    best = _lowest(adata.uns[key]["models"], numbers) if held_out else numbers[0] if len(numbers) == 1 else None
    if best is not None:
        select(adata, best, key)
    return (adata, models) if copy or adata is not given else models


def _writable(adata: Any, copy: bool) -> Any:
    """Return an AnnData that can get tables."""
    view_of_file = bool(getattr(adata, "isbacked", False) and getattr(adata, "is_view", False))
    if copy:
        return adata.to_memory() if getattr(adata, "isbacked", False) else adata.copy()
    if view_of_file:
        raise ValueError("a view of a file cannot hold tables: use copy=True, or adata.to_memory() before")
    return adata


class _Parts:
    """The cells that models are trained on, and those that are held out."""

    def __init__(self, cells: Corpus, held_out: float, seed: int) -> None:
        self.mask = np.zeros(len(cells), dtype=bool)
        if held_out:
            n = min(max(1, round(held_out * len(cells))), len(cells) - 1)
            self.mask[np.random.default_rng(seed).permutation(len(cells))[:n]] = True
        self.train = cells[~self.mask] if held_out else cells
        self.test = cells[self.mask] if held_out else None

    def rows(self, model: Model, threads: int, seed: int) -> np.ndarray:
        """Return the topics of all cells, those of held-out ones inferred."""
        if self.test is None:
            return model.doc_topic(np.float32)
        out = np.empty((len(self.mask), model.n_topics), dtype=np.float32)
        out[~self.mask] = model.doc_topic(np.float32)
        out[self.mask] = model.infer(self.test, dtype=np.float32, seed=seed, threads=threads)
        return out

    def perplexity(self, model: Model, threads: int, seed: int) -> float:
        found = model.evaluate(self.test, "completion", seed=seed, threads=threads)["completion"]
        return float("nan") if found is None else float(found["perplexity"])


def _add(adata: Any, key: str, model: Model, parts: _Parts, measure: bool, threads: int, seed: int) -> None:
    """Add the tables of a model."""
    pandas = _calls.needs("pandas", "ezlda.tl.lda")
    k, info = model.n_topics, model.info
    facts = {"llpt": model.llpt, "iterations": info["iterations"], "seconds": info["seconds_sampling"]}
    if parts.test is not None:
        facts["perplexity"] = parts.perplexity(model, threads, seed)
    tables = dict(adata.uns.get(key, {}))
    if measure:
        scores = model.evaluate(parts.train, "coherence", threads=threads)
        facts.update({name: scores[name] for name in ("u_mass", "npmi", "diversity", "exclusivity")})
        measures, topics = cell_metrics.of_model(model, parts.train.to_csr())
        facts.update(measures)
        frame = pandas.DataFrame(topics, index=_names(k))
        tables["topics"] = {**tables.get("topics", {}), str(k): frame}
    adata.obsm[f"X_{key}_{k}"] = parts.rows(model, threads, seed)
    adata.varm[f"{key}_{k}"] = rows_for(adata, model.words, model.topic_word(np.float32).T)
    tables["models"] = _joined(tables.get("models"), pandas.DataFrame([facts], index=[str(k)]), pandas)
    adata.uns[key] = tables


def _lowest(models: Any, numbers: list[int]) -> int | None:
    found = models.loc[[str(k) for k in numbers], "perplexity"].dropna()
    return None if found.empty else int(found.idxmin())


def corpus(adata: Any, *, layer: str | None = None, use_raw: bool = False, mask_var: Any = None,
           binarize: bool = False, threads: int = 0) -> Corpus:
    """Return the counts of an AnnData as a corpus: cells are named documents, regions or genes are words.

    To infer the topics of new cells, whatever other genes they have: ``model.infer(tl.corpus(adata))``. The arguments
    are those of `lda`. Raises ValueError if the matrix does not hold counts, KeyError if the layer or the column does
    not exist.
    """
    return read_cells(as_cells(adata), Source(layer, use_raw, mask_var, binarize), threads)


# ---- tables -------------------------------------------------------------------------------------------------------

def select(adata: Any, n_topics: int, key: str = "lda") -> None:
    """Make the tables of a model obsm["X_{key}"] and varm["{key}"], where scanpy looks: ``sc.pp.neighbors(adata,
    use_rep="X_lda")``, ``sc.pl.embedding(adata, "lda")``. Raises KeyError before `lda`."""
    cells, regions = cell_topic(adata, n_topics, key), region_topic(adata, n_topics, key)
    adata.obsm[f"X_{key}"], adata.varm[key] = cells.to_numpy(), regions.to_numpy()
    adata.uns[key]["selected"] = n_topics


def topics_to_obs(adata: Any, n_topics: int, key: str = "lda") -> list[str]:
    """Add the shares of each topic to obs, so that ``sc.pl.umap(adata, color="lda_50_Topic3")`` shows them, and return
    the names of the columns. Raises KeyError before `lda`."""
    pandas = _calls.needs("pandas", "ezlda.tl")
    table = cell_topic(adata, n_topics, key)
    table.columns = [f"{key}_{n_topics}_{name}" for name in table.columns]
    others = [name for name in adata.obs.columns if name not in set(table.columns)]
    adata.obs = pandas.concat([adata.obs[others], table], axis=1)
    return list(table.columns)


def cell_topic(adata: Any, n_topics: int, key: str = "lda") -> Any:
    """Return the shares of topics of each cell, which sum to 1, as a DataFrame: cells by topics. Raises KeyError before
    `lda`."""
    return _table(adata.obsm, f"X_{key}_{n_topics}", adata.obs_names)


def region_topic(adata: Any, n_topics: int, key: str = "lda") -> Any:
    """Return p(region | topic) as a DataFrame: regions (or genes) by topics. Raises KeyError before `lda`."""
    return _table(adata.varm, f"{key}_{n_topics}", adata.var_names)


def topic_metrics(adata: Any, n_topics: int, key: str = "lda") -> Any:
    """Return the measures of the topics as a DataFrame: assignments (tokens), marginal (share of all tokens),
    mimno_2011 (coherence), gini (1: in few cells). Raises KeyError before `lda`."""
    tables = adata.uns.get(key, {}).get("topics", {})
    if str(n_topics) not in tables:
        raise KeyError(f"there are no measures of {n_topics} topics: ezlda.tl.lda makes them; there are "
                       f"{sorted(tables, key=int)}")
    return tables[str(n_topics)]


def impute(adata: Any, n_topics: int, *, regions: Sequence[str] | None = None, cells: Sequence[str] | None = None,
           key: str = "lda", scale: float = 1.0) -> Any:
    """Return p(region | cell) times ``scale`` as a DataFrame, cells by regions: what the topics of a cell say about each
    region or gene. ``regions`` and ``cells`` are names; default: all. Raises KeyError before `lda` or for an unknown
    name."""
    pandas = _calls.needs("pandas", "ezlda.tl")
    shares, regions_of = cell_topic(adata, n_topics, key), region_topic(adata, n_topics, key)
    shares = shares if cells is None else shares.loc[list(cells)]
    regions_of = regions_of if regions is None else regions_of.loc[list(regions)]
    return pandas.DataFrame(scale * (shares.to_numpy() @ regions_of.to_numpy().T), index=shares.index,
                            columns=regions_of.index)


def binarize_topics(adata: Any, n_topics: int, *, target: str = "region", method: str = "otsu", ntop: int = 2000,
                    smooth: bool = True, nbins: int = 100, key: str = "lda") -> dict[str, Any]:
    """Return the set of regions (or genes) of each topic, as {"Topic1": DataFrame of scores, the largest first}.

    Parameters
    ----------
    target : "region" (default), or "cell" for the set of cells of each topic.
    method : the threshold of the scores: "otsu" (default), "li" or "yen", or "ntop" for the ``ntop`` largest.
    ntop : number of regions with "ntop"; default 2000.
    smooth : whether scores are p (log p - mean of log p over topics), which lowers what topics share (default), or p.
    nbins : bins of the histogram; default 100.

    Adds the sizes of the sets to `topic_metrics`. Raises KeyError before `lda`, ValueError for another method.
    """
    topic_sets.check(method, ntop, nbins)
    if target not in ("region", "cell"):
        raise ValueError(f"target: expected 'region' or 'cell', found {target!r}")
    table = (region_topic if target == "region" else cell_topic)(adata, n_topics, key)
    used = table.to_numpy().any(axis=1)  # others were not trained on
    scores = table[used]
    if smooth:
        scores = type(scores)(topic_sets.smoothed(scores.to_numpy()), index=scores.index, columns=scores.columns)
    sets = {}
    for name in scores.columns:
        mask, _ = topic_sets.chosen(topic_sets.scaled(scores[name].to_numpy()), method, ntop, nbins)
        sets[name] = scores.loc[mask, [name]].sort_values(name, ascending=False, kind="stable")
    metrics = adata.uns[key].get("topics", {}).get(str(n_topics))
    if metrics is not None:
        metrics[f"{target}s_in_set"] = [len(sets[name]) for name in scores.columns]
    return sets


def _names(topics: int) -> list[str]:
    return [f"Topic{k + 1}" for k in range(topics)]


def _joined(models: Any, row: Any, pandas: Any) -> Any:
    """Return the table of models with this row added, by number of topics; an earlier row with that number is
    replaced."""
    if models is not None:
        row = pandas.concat([models.drop(index=row.index, errors="ignore"), row])
    return row.loc[sorted(row.index, key=int)].rename_axis(index="n_topics")


def _table(tables: Any, name: str, index: Any) -> Any:
    if name not in tables:
        raise KeyError(f"there is no table {name!r}: ezlda.tl.lda makes it; there are {sorted(tables)}")
    values = np.asarray(tables[name])
    return _calls.needs("pandas", "ezlda.tl").DataFrame(values, index=index, columns=_names(values.shape[1]))
