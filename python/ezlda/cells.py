"""The counts of an AnnData, wherever they lie: X, a layer or raw, in memory, in a file or in dask, of all genes or some."""
from __future__ import annotations

import os
from typing import Any, NamedTuple

import numpy as np

from . import _calls
from .corpus import Corpus
from .counts import Counts, as_counts, has_fractions


class Source(NamedTuple):
    """Which counts of an AnnData are meant."""

    layer: str | None = None
    use_raw: bool = False
    mask_var: Any = None
    binarize: bool = False


def as_cells(source: Any) -> Any:
    """Return an AnnData: the source itself, or the file that it names, opened without reading its matrix."""
    if not isinstance(source, (str, os.PathLike)):
        return source
    path = _calls.text_path(source)
    if not path.endswith(".h5ad"):
        raise ValueError(f"{path}: expected an AnnData or a file .h5ad")
    if not os.path.exists(path):
        raise FileNotFoundError(f"{path}: there is no such file")
    return _calls.needs("anndata", "a file .h5ad").read_h5ad(path, backed="r")


def layer_names(adata: Any) -> list[str]:
    """Return the names of the layers, without the None that is X in some versions of anndata."""
    return sorted(name for name in adata.layers if name is not None)


def _matrix(adata: Any, source: Source) -> tuple[Any, Any, str]:
    """Return the matrix, the names of its genes, and what to call it."""
    if source.use_raw:
        if source.layer is not None:
            raise ValueError("layer and use_raw exclude each other")
        if adata.raw is None:
            raise ValueError("use_raw: there is no raw")
        return adata.raw.X, adata.raw.var_names, "raw.X"
    if source.layer is not None and source.layer not in adata.layers:
        raise KeyError(f"there is no layer {source.layer!r}; there are {layer_names(adata)}")
    matrix = adata.X if source.layer is None else adata.layers[source.layer]
    if matrix is None:
        raise ValueError(f"there is no X: name a layer, one of {layer_names(adata)}")
    return matrix, adata.var_names, "X" if source.layer is None else f"layers[{source.layer!r}]"


def genes_of(adata: Any, source: Source) -> np.ndarray | None:
    """Return the mask of genes as truth values, or None for all of them. A column that raw does not have may be one of
    the genes outside raw, as scanpy's highly_variable is: they are matched by name."""
    if source.mask_var is None:
        return None
    var = adata.raw.var if source.use_raw and adata.raw is not None else adata.var
    mask = source.mask_var
    if isinstance(mask, str):
        if mask not in var.columns and mask in adata.var.columns and adata.var[mask].dtype == bool:
            return np.asarray(var.index.isin(adata.var_names[adata.var[mask]]))
        if mask not in var.columns:
            raise KeyError(f"mask_var: there is no column {mask!r}; there are {list(map(str, var.columns))}")
        mask = var[mask]
    values = np.asarray(mask)
    if values.shape != (len(var),) or values.dtype != bool:
        raise ValueError(f"mask_var: expected a column of truth values, or one truth value for each of {len(var)} "
                         f"genes, found {values.dtype} values of shape {values.shape}")
    if not values.any():
        raise ValueError("mask_var: no gene is chosen")
    return values


def _in_memory(matrix: Any) -> Any:
    """Return a matrix of a file or of dask in memory."""
    for read in ("compute", "to_memory"):
        if hasattr(matrix, read):
            return getattr(matrix, read)()
    return matrix if hasattr(matrix, "tocsr") else np.asarray(matrix)


def _columns(matrix: Any, mask: np.ndarray | None) -> Any:
    """Return the columns of a mask, as CSR if the matrix is sparse."""
    matrix = _in_memory(matrix)
    if mask is None:
        return matrix
    return (matrix.tocsr() if hasattr(matrix, "tocsr") else matrix)[:, np.flatnonzero(mask)]


def _checked(counts: Counts, where: str, binarize: bool) -> Counts:
    if np.isnan(counts.data).any():
        raise ValueError(f"{where} does not hold counts: there are NaNs")
    if binarize and (counts.data < 0).any():
        raise ValueError(f"{where} does not hold counts: there are negative numbers")
    if binarize:
        counts = counts._replace(data=(counts.data != 0).astype(np.uint32))
    if has_fractions(counts):
        raise ValueError(f"{where} does not hold counts: there are fractions. "
                         "Name the layer of the raw counts, or set "
                         f"{'' if where == 'raw.X' else 'use_raw=True or '}binarize=True")
    return counts


def read_cells(adata: Any, source: Source, threads: int) -> Corpus:
    """Return the counts as a corpus: cells are named documents, regions or genes are words."""
    mask = genes_of(adata, source)
    matrix, genes, where = _matrix(adata, source)
    counts = _checked(as_counts(_columns(matrix, mask)), where, source.binarize)
    names = list(map(str, genes if mask is None else genes[mask]))
    if len(set(names)) != len(names):
        raise ValueError("names of the regions are not unique: adata.var_names_make_unique()")
    context = _calls.context(threads)
    cells = {"name": list(map(str, adata.obs_names))}
    return Corpus._from_counts(counts, names, context)._with_fields(cells, context)


def rows_for(adata: Any, words: list[str], table: np.ndarray) -> np.ndarray:
    """Return a table of words by topics with one row per gene of adata, matched by name. Genes that were not trained on
    have zeros."""
    if len(words) == adata.n_vars and words == list(map(str, adata.var_names)):
        return np.ascontiguousarray(table)
    place = {word: i for i, word in enumerate(words)}
    rows = np.array([place.get(str(gene), -1) for gene in adata.var_names], dtype=np.int64)
    out = np.zeros((adata.n_vars, table.shape[1]), dtype=table.dtype)
    out[rows >= 0] = table[rows[rows >= 0]]
    return out
