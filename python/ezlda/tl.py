"""Topics of cells in an AnnData, with the tables that pycisTopic makes."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

import numpy as np

from . import _calls
from .corpus import Corpus
from .counts import as_counts, has_fractions
from .model import Model
from .options import TrainOptions, lists_options
from .training import train_until_stopped

if TYPE_CHECKING:
    from typing import Unpack


@lists_options(TrainOptions)
def lda(adata: Any, n_topics: int | Sequence[int] = (10, 25, 50, 100), *, n_iter: int = 500, alpha: float = 50.0,
        alpha_by_topic: bool = True, eta: float = 0.1, random_state: int = 1, layer: str | None = None,
        binarize: bool = False, key: str = "lda", coherence: bool = True, copy: bool = False, device: str = "auto",
        threads: int = 0, progress: bool | None = None, **options: Unpack[TrainOptions]) -> Any:
    """Train a model for each number of topics on the counts of an AnnData, cells by regions or genes.

    Parameters
    ----------
    adata : an AnnData. ``X``, or ``layers[layer]``, must hold counts.
    n_topics : one number of topics or several, each from 2 to 65,536.
    n_iter : number of iterations; default 500.
    alpha : prior of the cells' topics; default 50.
    alpha_by_topic : whether the prior of each topic is alpha / n_topics (default) or alpha.
    eta : prior of the topics' regions, 0.000001 to 100; default 0.1.
    random_state : the seed; default 1.
    layer : the layer with the counts; default: ``X``.
    binarize : whether to use 1 for every count that is not 0; default False.
    key : prefix of the names of the tables; default "lda".
    coherence : whether to measure the coherence of the topics; default True.
    copy : whether to return a copy with the tables and leave adata as it is; default False.
    device, threads, progress, options : those of `ezlda.train`.

    Adds
    ----
    obsm["X_{key}_{K}"] : cells by topics, shares that sum to 1.
    varm["{key}_{K}"] : regions by topics, p(region | topic).
    uns["{key}"] : "params": priors and seed; "models": a table with one row per K (llpt, coherence, diversity,
    seconds).

    A later call adds to these tables; its "params" replace the earlier ones. After KeyboardInterrupt, which is raised
    again, adata has the tables of the models that are complete.

    `cell_topic` and `region_topic` return these tables as DataFrames with the names of cells and regions.

    Returns
    -------
    {K: `ezlda.Model`}; with ``copy`` the AnnData and this dict.

    Raises
    ------
    ValueError if the matrix does not hold counts, KeyError if the layer does not exist.
    """
    pandas = _calls.needs("pandas", "ezlda.tl.lda")
    adata = adata.copy() if copy else adata
    numbers = [int(k) for k in np.atleast_1d(n_topics)]
    if len(set(numbers)) != len(numbers):
        raise ValueError(f"n_topics: a number occurs twice in {numbers}")
    _calls.check_prior("eta", eta)
    cells = corpus(adata, layer=layer, binarize=binarize, threads=threads)
    params = {"n_iter": n_iter, "alpha": alpha, "alpha_by_topic": alpha_by_topic, "eta": eta,
              "random_state": random_state, "layer": layer or "X", "binarize": binarize}
    models = {}
    for k in numbers:
        model, interrupted = train_until_stopped(
            cells, k, n_iter, seed=random_state, alpha=alpha / k if alpha_by_topic else alpha, beta=eta,
            device=device, threads=threads, progress=progress, **options)
        if interrupted:
            raise KeyboardInterrupt
        row = pandas.DataFrame([_facts(model, cells, coherence, threads)], index=[str(k)])
        adata.obsm[f"X_{key}_{k}"] = model.doc_topic(np.float32)
        adata.varm[f"{key}_{k}"] = np.ascontiguousarray(model.topic_word(np.float32).T)
        adata.uns[key] = {"models": _joined(adata.uns.get(key, {}).get("models"), row, pandas), "params": params}
        models[k] = model
    return (adata, models) if copy else models


def corpus(adata: Any, *, layer: str | None = None, binarize: bool = False, threads: int = 0) -> Corpus:
    """Return the counts of an AnnData as a corpus: cells are named documents, regions or genes are words.

    To infer the topics of new cells, whatever other genes they have: ``model.infer(tl.corpus(adata))``. The arguments
    are those of `lda`. Raises ValueError if the matrix does not hold counts, KeyError if the layer does not exist.
    """
    if layer is not None and layer not in adata.layers:
        raise KeyError(f"there is no layer {layer!r}; there are {_layers(adata)}")
    matrix = adata.X if layer is None else adata.layers[layer]
    if matrix is None:
        raise ValueError(f"there is no X: name a layer, one of {_layers(adata)}")
    counts = as_counts(matrix.to_memory() if hasattr(matrix, "to_memory") else matrix)
    where = "X" if layer is None else f"layers[{layer!r}]"
    if np.isnan(counts.data).any():
        raise ValueError(f"{where} does not hold counts: there are NaNs")
    if binarize and (counts.data < 0).any():
        raise ValueError(f"{where} does not hold counts: there are negative numbers")
    if binarize:
        counts = counts._replace(data=(counts.data != 0).astype(np.uint32))
    if has_fractions(counts):
        raise ValueError(f"{where} does not hold counts: there are fractions. "
                         "Name the layer of the raw counts, or set binarize=True")
    names = list(map(str, adata.var_names))
    if len(set(names)) != len(names):
        raise ValueError("names of the regions are not unique: adata.var_names_make_unique()")
    context = _calls.context(threads)
    cells = {"name": list(map(str, adata.obs_names))}
    return Corpus._from_counts(counts, names, context)._with_fields(cells, context)


def _layers(adata: Any) -> list[str]:
    """Return the names of the layers, without the None that is X in some versions of anndata."""
    return sorted(name for name in adata.layers if name is not None)


def cell_topic(adata: Any, n_topics: int, key: str = "lda") -> Any:
    """Return the shares of topics of each cell, which sum to 1, as a DataFrame: cells by topics. Raises KeyError before
    `lda`."""
    return _table(adata.obsm, f"X_{key}_{n_topics}", adata.obs_names)


def region_topic(adata: Any, n_topics: int, key: str = "lda") -> Any:
    """Return p(region | topic) as a DataFrame: regions (or genes) by topics. Raises KeyError before `lda`."""
    return _table(adata.varm, f"{key}_{n_topics}", adata.var_names)


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
    columns = [f"Topic{k + 1}" for k in range(values.shape[1])]
    return _calls.needs("pandas", "ezlda.tl").DataFrame(values, index=index, columns=columns)


def _facts(model: Model, corpus: Corpus, coherence: bool, threads: int) -> dict[str, float]:
    info = model.info
    facts = {"llpt": model.llpt, "iterations": info["iterations"], "seconds": info["seconds_sampling"]}
    if coherence:
        scores = model.evaluate(corpus, "coherence", threads=threads)
        facts.update({name: scores[name] for name in ("u_mass", "npmi", "diversity", "exclusivity")})
    return facts
