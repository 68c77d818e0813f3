"""Inference of one document per call, with everything that depends on the model made once."""
from __future__ import annotations

import collections.abc
import numbers
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _calls, _ezlda
from .corpus import Corpus
from .counts import Counts, as_whole, is_sparse
from .errors import UnknownWordsWarning

if TYPE_CHECKING:
    from .model import Model

MOST_CELLS = 10 ** 8  # models with more counts are not prepared for single documents unless the caller asks for it


class Inferencer:
    """Infers one document per call, without delay. `Model.inferencer` returns one.

    Rows are those of `Model.infer`, to the last bit. The GIL is released during a call, and several threads may use one
    inferencer at the same time. It can be pickled with its model.
    """

    def __init__(self, model: Model, **options: Any) -> None:
        self.model = model
        self._options = options
        self._words = int(model.info["words"])
        self._handle = _ezlda.inferencer(_calls.context(), model._handle, options)

    def __call__(self, document: Any, *, dtype: Any = np.float64, normalize: bool = True) -> np.ndarray:
        """Return the shares of the topics in a document as an array, or counts plus alpha if ``normalize`` is false.

        Parameters
        ----------
        document : a list of words; a mapping from words or their numbers to counts; pairs of word number and count; an
            array or a SciPy matrix of counts with one value per word of the model; or a text, which is read as the
            model's text was.
        dtype : float64 (default) or float32.

        An `UnknownWordsWarning` is given if the model knows less than half of the tokens. Raises TypeError or
        ValueError if the document is none of these, or if a count is not a whole number from 0.
        """
        row, facts = self._run(*self._pairs(document), dtype, normalize)
        warn_of_unknown(facts)
        return row

    def llpt(self, document: Any) -> float:
        """Return the log2-likelihood per token of a document under its own topics; NaN if the model knows none of its
        words."""
        return float(self._run(*self._pairs(document), np.float64, True)[1]["llpt"])

    def _run(self, words: Any, counts: Any, dtype: Any, normalize: bool) -> tuple[np.ndarray, dict[str, Any]]:
        row = np.empty(self.model.n_topics, dtype=_calls.float_type(dtype))
        facts = _ezlda.inferencer_infer(_calls.context(), self._handle, words, counts, row, not normalize)
        return row, facts

    # ---- documents ------------------------------------------------------------------------------------------------

    def _pairs(self, document: Any) -> tuple[Any, Any]:
        """Return the word numbers of a document and their counts, or None for one each."""
        if isinstance(document, str):
            return self._text(document)
        if isinstance(document, Counts):
            self._check_shape((document.docs, document.words))
            return document.indices.astype(np.uint32), as_whole(document.data)
        if is_sparse(document):
            return self._row_of_matrix(document)
        if isinstance(document, np.ndarray) and document.dtype.kind in "biuf":
            return self._row_of_array(document)
        if isinstance(document, collections.abc.Mapping):
            return self._mapping(document)
        if isinstance(document, Corpus) or not isinstance(document, collections.abc.Iterable) or \
                isinstance(document, bytes):
            raise TypeError(f"expected one document, found {document!r:.80}")
        tokens = list(document)
        if tokens and not isinstance(tokens[0], str):
            return self._bag(tokens)
        return self._numbers(tokens), None

    def _numbers(self, words: Any) -> Any:
        return np.frombuffer(_ezlda.inferencer_words(self._handle, words), dtype=np.uint32)

    def _text(self, text: str) -> tuple[Any, Any]:
        corpus = Corpus.from_texts([text], like=self.model, threads=1)
        return self._numbers(corpus.words), _counts_of(corpus)

    def _row_of_matrix(self, matrix: Any) -> tuple[Any, Any]:
        self._check_shape(matrix.shape)
        csr = matrix.tocsr()
        if csr.ndim == 1:  # SciPy's arrays
            csr = csr.reshape(1, -1)
        used = slice(int(csr.indptr[0]), int(csr.indptr[-1]))
        return csr.indices[used].astype(np.uint32), as_whole(csr.data[used])

    def _row_of_array(self, array: np.ndarray) -> tuple[Any, Any]:
        self._check_shape(array.shape)
        row = array.ravel()
        found = np.flatnonzero(row)
        return found.astype(np.uint32), as_whole(row[found])

    def _check_shape(self, shape: tuple[int, ...]) -> None:
        if shape not in ((self._words,), (1, self._words)):
            raise ValueError(f"expected one document with {self._words} counts, found an array of shape {shape}")

    def _mapping(self, document: collections.abc.Mapping[Any, Any]) -> tuple[Any, Any]:
        keys = list(document)
        counts = as_whole(np.asarray(list(document.values()))) if keys else None
        if not keys or isinstance(keys[0], str):
            return self._numbers(keys), counts
        return self._checked(keys), counts

    def _bag(self, pairs: list[Any]) -> tuple[Any, Any]:
        if not all(isinstance(pair, (tuple, list)) and len(pair) == 2 for pair in pairs):
            raise TypeError(f"expected words, or pairs of word number and count, found {pairs!r:.80}")
        return self._checked([pair[0] for pair in pairs]), as_whole(np.asarray([pair[1] for pair in pairs]))

    def _checked(self, found: list[Any]) -> Any:
        for number in found:
            if not isinstance(number, numbers.Integral):
                raise TypeError(f"expected words, or pairs of word number and count, found {number!r:.80}")
            if not 0 <= int(number) < self._words:
                raise ValueError(f"expected numbers of words from 0 to {self._words - 1}, found {number!r:.80}")
        return np.asarray(found, dtype=np.uint32)

    def __repr__(self) -> str:
        return f"<ezlda.Inferencer of {self.model!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _inferencer, (self.model, self._options)


def only_document(documents: Any) -> Any:
    """Return the one document of a matrix or a list if it has exactly one, else None."""
    if isinstance(documents, Counts):
        return documents if documents.docs == 1 else None
    if is_sparse(documents) or (isinstance(documents, np.ndarray) and documents.ndim == 2):
        return documents if len(documents.shape) == 2 and documents.shape[0] == 1 else None
    if isinstance(documents, list) and len(documents) == 1 and isinstance(documents[0], (str, list, tuple)):
        return documents[0] or None
    if isinstance(documents, list) and len(documents) == 1 and isinstance(documents[0], collections.abc.Mapping):
        documents = documents[0]
    if isinstance(documents, collections.abc.Mapping):  # numbers of words are for an inferencer only
        return documents if documents and all(isinstance(word, str) for word in documents) else None
    return None


def _inferencer(model: Model, options: dict[str, Any]) -> Inferencer:
    return Inferencer(model, **options)


def _counts_of(corpus: Corpus) -> Any:
    """Return the counts of the words of a corpus of one document, in the order of its words."""
    _, indices, data = corpus._csr()
    counts = np.zeros(corpus.info["words"], dtype=np.uint32)
    counts[indices] = data.astype(np.uint32)
    return counts


def warn_of_unknown(facts: dict[str, Any]) -> None:
    """Warn if the model knows less than half of the tokens."""
    known, unknown = facts["tokens"], facts["unknown_tokens"]
    if known < unknown:
        warnings.warn(f"the model knows {known:,} of the {known + unknown:,} tokens: are its words those of the "
                      "documents?", UnknownWordsWarning, stacklevel=_calls.depth_of_caller())
