"""Matrices of counts in the form that the library reads: CSR, whole numbers."""
from __future__ import annotations

import array
import bisect
import collections
import collections.abc
import itertools
import numbers
from typing import Any, Iterable, NamedTuple

import numpy as np

PAIRS = 1 << 16  # pairs of bags of words that are kept as Python objects
AT_ONCE = 1 << 20  # values that are checked together, to save memory


class Counts(NamedTuple):
    """A CSR matrix with one row per document."""

    docs: int
    words: int
    indptr: np.ndarray
    indices: np.ndarray
    data: np.ndarray


def is_sparse(matrix: Any) -> bool:
    return hasattr(matrix, "tocsr") and hasattr(matrix, "nnz")


def _native(array: np.ndarray) -> np.ndarray:
    """Return the array itself if the library can read its type and layout, else a copy that it can read."""
    if array.dtype.kind in "iub" and array.dtype.isnative and array.flags.c_contiguous:
        return array
    if array.dtype in (np.float32, np.float64) and array.dtype.isnative and array.flags.c_contiguous:
        return array
    if array.dtype.kind not in "iubf":
        raise TypeError(f"expected counts, found an array of {array.dtype}")
    return np.ascontiguousarray(array, dtype=np.float64 if array.dtype.kind == "f" else np.int64)


def as_counts(matrix: Any) -> Counts:
    """Return a SciPy matrix, an array or a frame as CSR. The arrays of a CSR matrix are not copied."""
    if is_sparse(matrix):
        csr = matrix.tocsr()
        used = slice(int(csr.indptr[-1]))  # the arrays may be longer
        return Counts(csr.shape[0], csr.shape[1], _native(csr.indptr), _native(csr.indices[used]),
                      _native(csr.data[used]))
    if hasattr(matrix, "sparse") and hasattr(matrix, "columns"):  # a frame of sparse columns
        return as_counts(matrix.sparse.to_coo())
    dense = np.asarray(matrix)
    if dense.dtype == object and hasattr(matrix, "columns"):  # pandas' nullable numbers
        dense = matrix.to_numpy(dtype=np.float64, na_value=np.nan)
    if dense.ndim != 2:
        raise ValueError(f"expected a matrix of documents by words, found {dense.ndim} dimensions")
    rows, columns = np.nonzero(dense)
    indptr = np.zeros(dense.shape[0] + 1, dtype=np.int64)
    np.cumsum(np.bincount(rows, minlength=dense.shape[0]), out=indptr[1:])
    return Counts(dense.shape[0], dense.shape[1], indptr, columns.astype(np.int64), _native(dense[rows, columns]))


def check_words(number: int, document: Any) -> None:
    """Raise TypeError if a document cannot be a list of words."""
    if not isinstance(document, collections.abc.Iterable) or isinstance(document, (str, bytes)) or \
            getattr(document, "ndim", 1) != 1:
        raise TypeError(f"document {number}: expected words, found {document!r:.80}")
    if isinstance(document, collections.abc.Mapping):
        for word, count in document.items():
            if not isinstance(word, str) or not isinstance(count, numbers.Real):
                raise TypeError(f"document {number}: expected words and their counts, found {word!r:.40}: {count!r:.40}")


def token_counts(documents: Iterable[Iterable[str]]) -> tuple[Counts, list[str]]:
    """Return documents that are lists of words, every token with a count of 1, or mappings of words to counts as CSR,
    and the words in the order in which they first occur."""
    number: dict[str, int] = collections.defaultdict(itertools.count().__next__)
    number_of = number.__getitem__  # numbers a new word
    indices, indptr = array.array("i"), array.array("q", [0])
    data: array.array[float] | None = None  # counts, if there are others than 1
    for document in documents:
        if not isinstance(document, (list, tuple)):
            check_words(len(indptr) - 1, document)
        indices.extend(map(number_of, document))
        if isinstance(document, collections.abc.Mapping):
            data = array.array("d") if data is None else data
            data.extend([1.0] * (indptr[-1] - len(data)))
            data.extend(map(float, document.values()))
        indptr.append(len(indices))
    for word in number:
        if not isinstance(word, str):
            raise TypeError(f"expected words as str, found {word!r:.80}")
    if "" in number:
        at = bisect.bisect_right(indptr, indices.index(number[""])) - 1
        raise ValueError(f"document {at}: expected words, found an empty one")
    counts = np.ones(len(indices), dtype=np.int32 if data is None else np.float64)
    if data:
        counts[:len(data)] = data
    return Counts(len(indptr) - 1, len(number), np.frombuffer(indptr, dtype=np.int64),
                  np.frombuffer(indices, dtype=np.int32) if indices else np.empty(0, dtype=np.int32),
                  counts), list(number)


def _is_pair(pair: Any) -> bool:
    try:
        word, count = pair
    except (TypeError, ValueError):
        return False
    return isinstance(word, numbers.Integral) and isinstance(count, numbers.Real)


def _flat(pairs: list[Any], starts: list[int], first: int) -> np.ndarray:
    """Return the pairs as an array of two columns. Raises TypeError, which names the document of a wrong one: the pairs
    of document ``first + i`` begin at starts[i]."""
    try:
        flat = np.asarray(pairs if pairs else np.empty((0, 2), dtype=np.int64))
        if flat.ndim == 2 and flat.shape[1] == 2 and flat.dtype.kind in "iuf":
            return flat
    except ValueError:  # the pairs differ in length
        pass
    wrong = next((i for i, pair in enumerate(pairs) if not _is_pair(pair)), 0)
    number = first + bisect.bisect_right(starts, wrong) - 1
    raise TypeError(f"document {number}: expected pairs of word number and count, found {pairs[wrong]!r:.80}")


class _Column:
    """Numbers that arrive in parts: 32 bits each while they fit."""

    def __init__(self) -> None:
        self.values: array.array[Any] = array.array("i")

    def add(self, part: np.ndarray) -> None:
        whole = part.astype(np.int32) if part.size == 0 or abs(part).max() < 2 ** 31 else None
        if self.values.typecode == "i" and whole is not None and np.array_equal(whole, part):
            self.values.frombytes(whole.tobytes())
            return
        if self.values.typecode == "i":
            self.values = array.array("d", self.values)
        self.values.frombytes(part.astype(np.float64).tobytes())

    def numbers(self) -> np.ndarray:
        kind = np.int32 if self.values.typecode == "i" else np.float64
        return np.frombuffer(self.values, dtype=kind) if self.values else np.empty(0, dtype=kind)


def bag_counts(documents: Iterable[Iterable[tuple[int, int]]], words: int | None) -> Counts:
    """Return documents of (word number, count) as CSR. ``words`` is the number of words; None: the largest number plus
    one. Few documents are kept at once."""
    indptr, starts = array.array("q", [0]), [0]
    pairs: list[Any] = []
    numbers, counts = _Column(), _Column()

    def flush() -> None:
        flat = _flat(pairs, starts, len(indptr) - len(starts))
        numbers.add(flat[:, 0])
        counts.add(flat[:, 1])
        pairs.clear()
        starts[:] = [0]

    for document in documents:
        before = len(pairs)
        pairs.extend(document)
        indptr.append(indptr[-1] + len(pairs) - before)
        starts.append(len(pairs))
        if len(pairs) >= PAIRS:
            flush()
    flush()
    found = numbers.numbers()
    n = int(found.max(initial=-1)) + 1 if words is None else words
    return Counts(len(indptr) - 1, n, np.frombuffer(indptr, dtype=np.int64), found, counts.numbers())


def has_fractions(counts: Counts) -> bool:
    """Return whether there are finite values that are not whole numbers to a millionth, as the library reads them."""
    if counts.data.dtype.kind != "f":
        return False
    batches = (counts.data[i:i + AT_ONCE] for i in range(0, len(counts.data), AT_ONCE))
    return any(_has_fractions(batch[np.isfinite(batch)].astype(np.float64)) for batch in batches)


def _has_fractions(values: np.ndarray) -> bool:
    whole = np.rint(values)
    return bool(np.any(np.abs(values - whole) > 1e-6 * np.maximum(1, whole)))


def as_whole(values: np.ndarray) -> np.ndarray:
    """Return counts as whole numbers, by the rule of `has_fractions`. Raises ValueError for anything else."""
    if values.dtype.kind not in "biuf":
        raise TypeError(f"expected counts, found {values!r:.80}")
    whole = np.rint(values) if values.dtype.kind == "f" else values
    right = (whole >= 0) & (whole < 2 ** 32)
    if values.dtype.kind == "f":
        right &= np.abs(values - whole) <= 1e-6 * np.maximum(1, whole)
    if not right.all():
        raise ValueError(f"expected whole numbers from 0 as counts, found {values[np.argmin(right)]!r:.80}")
    return np.ascontiguousarray(whole, dtype=np.uint32)


def rounded(counts: Counts) -> Counts:
    """Return the weights as whole numbers. Each row keeps its sum, rounded to the nearest whole number: weights are
    rounded down, and those with the largest fractions (ties: the first columns) are rounded up until the sum is
    reached. A row does not depend on the others."""
    low = np.floor(counts.data)
    fraction = np.asarray(counts.data - low, dtype=np.float64)
    entries = np.diff(counts.indptr)
    row = np.repeat(np.arange(counts.docs), entries)
    short = np.rint(np.bincount(row, weights=fraction, minlength=counts.docs)).astype(np.int64)
    order = np.lexsort((counts.indices, -fraction, row))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order)) - np.repeat(np.asarray(counts.indptr[:-1], dtype=np.int64), entries)
    return counts._replace(data=low.astype(np.float64) + (rank < short[row]))
