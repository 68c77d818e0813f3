"""Corpora: documents as bags of words."""
from __future__ import annotations

import collections.abc
import itertools
import json
import os
from typing import Any, Iterable, Mapping, Sequence

import numpy as np

from . import _calls, _ezlda
from .counts import Counts, as_counts, bag_counts, is_sparse
from .errors import FileError, FormatError
from .sources import (END, as_frame, as_text, as_texts, check_row, check_texts, doc_fields, field_name, is_bow,
                      is_cells, is_count_frame, is_frame, own_fields, plain, stop_list, words_by_number)


class Corpus:
    """Documents as bags of words, with a vocabulary, and names and fields of the documents. Read-only.

    ``Corpus(source)`` takes a path, a matrix of counts (SciPy or NumPy, documents in rows), a pandas Series of texts, a
    DataFrame with a column of texts or with a column of counts for each word, an AnnData (`ezlda.tl.corpus`), or an
    iterable of documents: texts, lists of words, or gensim's bags of words. The class methods say what is meant, and
    have options. ``like=`` a model or a corpus reads text as its text was. Every document keeps its row, empty ones
    too.
    """

    _handle: Any

    def __init__(self, source: Any, **options: Any) -> None:
        self._handle = _dispatch(source, options)._handle

    @classmethod
    def _of(cls, handle: Any) -> Corpus:
        corpus = cls.__new__(cls)
        corpus._handle = handle
        return corpus

    # ---- in -------------------------------------------------------------------------------------------------------

    @classmethod
    def read(cls, *paths: str | os.PathLike[str], threads: int = 0, like: Any = None, **options: Any) -> Corpus:
        """Reads files of any format that the command reads, one corpus from all of them.

        Options are those of ``ezlda import``: format, encoding, vocab, text_field, name_field, label_field,
        keep_fields, stopwords, stemmer, stem_below, min_length, ngrams, min_docs, max_docs_share, max_vocab,
        keep_case, keep_numbers, keep_order. ``stopwords`` may be a list of words, too. ``like`` is a model or a corpus:
        text is read as its text was (stop words, stemmer, phrases), where no option says otherwise.
        """
        if like is not None and not hasattr(like, "_handle"):
            raise TypeError(f"like: expected an ezlda.Model or an ezlda.Corpus, found {like!r:.80}")
        with _calls.scratch() as folder:
            return cls._of(_ezlda.corpus_read(_calls.context(threads), paths, _import_options(options, folder),
                                              None if like is None else like._handle))

    @classmethod
    def from_matrix(cls, matrix: Any, words: Any = None, *, names: Iterable[Any] | None = None,
                    labels: Iterable[Any] | None = None, fields: Mapping[str, Iterable[Any]] | None = None,
                    threads: int = 0) -> Corpus:
        """From a matrix of counts, documents in rows: SciPy (CSR is not copied on the way), NumPy or a DataFrame.

        Counts must be whole numbers. ``words`` names the columns, each differently: a list, a mapping of columns to
        words, or of words to columns as scikit-learn's ``vocabulary_``; without it they are numbers, or a frame's
        columns. ``names`` (else a frame's index), ``labels`` and ``fields`` (name: values) are kept with the documents.
        """
        if is_cells(matrix):
            raise TypeError("found an AnnData: ezlda.tl.corpus(adata, layer=...) makes a corpus of it")
        if words is None and hasattr(matrix, "columns"):
            words = list(map(str, matrix.columns))
        if names is None and is_frame(matrix):
            names = matrix.index
        counts, context = as_counts(matrix), _calls.context(threads)
        kept = doc_fields(counts.docs, names, labels, fields)
        return cls._from_counts(counts, words_by_number(words, counts.words), context)._with_fields(kept, context)

    def _with_fields(self, fields: dict[str, list[str]], context: Any) -> Corpus:
        return Corpus._of(_ezlda.corpus_with_fields(context, self._handle, fields)) if fields else self

    @classmethod
    def _from_counts(cls, counts: Counts, words: Any, context: Any) -> Corpus:
        return cls._of(_ezlda.corpus_csr(context, counts.docs, counts.words, counts.indptr, counts.indices,
                                         counts.data, words))

    @classmethod
    def from_tokens(cls, documents: Iterable[Iterable[str]], *, threads: int = 0) -> Corpus:
        """From documents that are words already; they are taken as they are."""
        number: dict[str, int] = {}
        indptr: list[int] = [0]
        indices: list[int] = []
        for document in documents:
            if not isinstance(document, collections.abc.Iterable) or isinstance(document, (str, bytes, dict)):
                raise TypeError(f"document {len(indptr) - 1}: expected words, found {document!r:.80}")
            indices.extend(number.setdefault(word, len(number)) for word in document)
            indptr.append(len(indices))
        for word in number:
            if not isinstance(word, str):
                raise TypeError(f"expected words as str, found {word!r:.80}")
        counts = Counts(len(indptr) - 1, len(number), np.asarray(indptr, dtype=np.int64),
                        np.asarray(indices, dtype=np.int32), np.ones(len(indices), dtype=np.int32))
        return cls._from_counts(counts, list(number), _calls.context(threads))

    @classmethod
    def from_bow(cls, documents: Iterable[Iterable[tuple[int, int]]], words: Any = None, *, threads: int = 0) -> Corpus:
        """From documents as pairs of word number and count, as gensim's ``doc2bow`` makes them.

        ``words`` names the numbers: a gensim Dictionary or its token2id, a mapping, or a list; without it they stay
        numbers.
        """
        named = words_by_number(words)
        counts = bag_counts(documents, None if named is None else len(named))
        return cls._from_counts(counts, named, _calls.context(threads))

    @classmethod
    def from_texts(cls, texts: Iterable[str], *, names: Iterable[str] | None = None,
                   labels: Iterable[str] | None = None, fields: Mapping[str, Iterable[Any]] | None = None,
                   threads: int = 0, **options: Any) -> Corpus:
        """From texts, cut into words as the command does it; options as for `read`.

        ``names``, ``labels`` and ``fields`` (name: values) are kept with the documents.
        """
        check_texts(texts)
        columns: dict[str, Iterable[Any]] = {"text": texts}
        if names is not None:
            columns["name"] = names
        if labels is not None:
            columns["label"] = labels
        extra = own_fields(fields)
        columns.update(extra)
        if extra:
            options["keep_fields"] = ",".join(map(field_name, extra))
        with _calls.scratch() as folder:
            path = os.path.join(folder, "texts")
            with open(path, "w", encoding="utf-8", errors="replace") as file:
                for i, values in enumerate(itertools.zip_longest(*columns.values(), fillvalue=END)):
                    check_row(i, columns, values)
                    record = {"text": as_text(i, values[0])}
                    record.update((str(k), plain(v)) for k, v in zip(list(columns)[1:], values[1:], strict=True))
                    file.write(json.dumps(record, ensure_ascii=False) + "\n")
                if file.tell() == 0:
                    raise ValueError("there are no documents")
            try:
                return cls.read(path, threads=threads, format="jsonl", encoding="utf-8", **options)
            except FormatError as error:
                raise FormatError(str(error).removeprefix(folder + os.sep)) from None

    @classmethod
    def from_frame(cls, frame: Any, text: str = "text", *, name: str | None = None, label: str | None = None,
                   fields: Sequence[str] = (), threads: int = 0, **options: Any) -> Corpus:
        """From a column of texts of a DataFrame; other columns may be kept as name, label and fields."""
        frame = as_frame(frame)
        for column in (text, name, label, *fields):
            if column is not None and column not in frame.columns:
                raise KeyError(f"the frame has no column {column!r}")
        return cls.from_texts(frame[text], names=frame.index if name is None else frame[name],
                              labels=None if label is None else frame[label], fields={f: frame[f] for f in fields},
                              threads=threads, **options)

    @classmethod
    def synth(cls, **options: Any) -> Corpus:
        """Draws a corpus from LDA: docs, words, mean_length, sigma, topics, alpha, beta, zipf, seed."""
        return cls._of(_ezlda.corpus_synth(_calls.context(), options))

    # ---- out ------------------------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a corpus file (.ezc): to a temporary name, then renamed."""
        _ezlda.corpus_save(_calls.context(), self._handle, path)

    def split(self, share: float = 0.1, seed: int = 1) -> tuple[Corpus, Corpus]:
        """Parts the documents at random into two corpora: the others, and this share of them."""
        first, second = _ezlda.corpus_split(_calls.context(), self._handle, share, seed)
        return Corpus._of(first), Corpus._of(second)

    def to_csr(self) -> Any:
        """The counts as a SciPy CSR matrix, documents in rows, words ascending; int64 where one is over int32's."""
        sparse = _calls.needs("scipy.sparse", "Corpus.to_csr")
        info = self.info
        indptr = np.empty(info["docs"] + 1, dtype=np.int64)
        indices, data = np.empty(info["pairs"], dtype=np.int32), np.empty(info["pairs"], dtype=np.int32)
        _ezlda.corpus_to_csr(self._handle, indptr, indices, data)
        if data.min(initial=0) < 0:  # of 2^31 and more
            data = data.view(np.uint32).astype(np.int64)
        return sparse.csr_matrix((data, indices, indptr), shape=(info["docs"], info["words"]))

    # ---- what it holds --------------------------------------------------------------------------------------------

    @property
    def info(self) -> dict[str, Any]:
        """docs, empty_docs, words, pairs, tokens, longest, hash, bytes, fields, has_order, text_read_with."""
        return _ezlda.corpus_info(self._handle)

    @property
    def words(self) -> list[str]:
        """The vocabulary, by number."""
        return _ezlda.corpus_words(self._handle)

    @property
    def fields(self) -> list[str]:
        """Names of what is kept with each document: name, label, ..."""
        return _ezlda.corpus_fields(self._handle)

    def field(self, name: str) -> list[str]:
        """The values of a field, "" where a document has none."""
        fields = self.fields
        if name not in fields:
            raise KeyError(f"the corpus has no field {name!r}; it has {fields}")
        return _ezlda.corpus_field_values(self._handle, fields.index(name))

    @property
    def names(self) -> list[str] | None:
        """The documents' names, or None."""
        return self.field("name") if "name" in self.fields else None

    def __len__(self) -> int:
        return int(self.info["docs"])

    def __repr__(self) -> str:
        info = self.info
        return f"<ezlda.Corpus: {info['docs']:,} documents, {info['words']:,} words, {info['tokens']:,} tokens>"

    def __reduce__(self) -> tuple[Any, ...]:
        with _calls.scratch() as folder:
            path = os.path.join(folder, "corpus.ezc")
            self.save(path)
            with open(path, "rb") as file:
                return _corpus_from_bytes, (file.read(),)


def _corpus_from_bytes(content: bytes) -> Corpus:
    with _calls.scratch() as folder:
        path = os.path.join(folder, "corpus.ezc")
        with open(path, "wb") as file:
            file.write(content)
        return Corpus.read(path)


def _import_options(options: dict[str, Any], folder: str) -> dict[str, Any]:
    """Lists of fields become the library's comma-separated text, paths become text, stop words a file in the folder."""
    made = dict(options)
    for name in ("text_field", "keep_fields"):
        if isinstance(made.get(name), (list, tuple)):
            made[name] = ",".join(made[name])
    if isinstance(made.get("vocab"), os.PathLike):
        made["vocab"] = _calls.text_path(made["vocab"])
    if "stopwords" in made:
        made["stopwords"] = stop_list(made["stopwords"], folder)
    return made


def _read_path(path: Any, options: dict[str, Any]) -> Corpus:
    try:
        return Corpus.read(path, **options)
    except FileError as error:
        if isinstance(path, str) and not os.path.exists(path):
            raise type(error)(f"{error} (a str is a path; texts come in a list)") from None
        raise


def _dispatch(source: Any, options: dict[str, Any]) -> Corpus:
    of_text = dict(options)
    options.pop("like", None)
    source = as_frame(source)
    if is_cells(source):
        from . import tl  # it needs this module
        return tl.corpus(source, **options)
    if isinstance(source, (str, os.PathLike)):
        return _read_path(source, of_text)
    if is_count_frame(source) and "text" not in options:
        return Corpus.from_matrix(source, **options)
    if is_frame(source):
        return Corpus.from_frame(source, **of_text)
    if is_sparse(source) or (isinstance(source, np.ndarray) and source.ndim == 2):
        return Corpus.from_matrix(source, **options)
    if not isinstance(source, collections.abc.Iterable) or isinstance(source, (bytes, collections.abc.Mapping)):
        raise TypeError(f"cannot make a corpus of {type(source).__name__}")
    documents: list[Any] = as_texts(source) or list(source)
    texts = sum(isinstance(document, str) for document in documents)
    if texts == len(documents):
        return Corpus.from_texts(documents, **of_text)
    if texts:
        wrong = next(i for i, document in enumerate(documents) if not isinstance(document, str))
        raise TypeError(f"document {wrong}: expected a text as the others are, found {documents[wrong]!r:.80}")
    if is_bow(documents):
        return Corpus.from_bow(documents, **options)
    return Corpus.from_tokens(documents, **options)
