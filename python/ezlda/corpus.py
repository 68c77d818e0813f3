"""Corpora: documents as bags of words, read from files or made from Python objects."""
from __future__ import annotations

import collections.abc
import itertools
import json
import os
from typing import Any, Callable, Iterable, Mapping, Sequence

import numpy as np

from . import _calls, _ezlda
from .counts import Counts, as_counts, bag_counts, check_words, is_sparse, token_counts
from .errors import FileError, FormatError
from .sources import (END, as_frame, as_text, as_texts, check_row, check_texts, doc_fields, field_name, is_bow,
                      is_cells, is_count_frame, is_frame, joined_words, own_fields, plain, stop_list, words_by_number)


class Corpus:
    """Documents as bags of words, with a vocabulary and with names and other fields of the documents. Read-only.

    ``Corpus(source)`` accepts

    - a path;
    - a matrix of counts (SciPy or NumPy) with one row per document;
    - a pandas Series of texts;
    - a DataFrame with a column of texts, or with one column of counts per word;
    - an AnnData (see `ezlda.tl.corpus`);
    - an iterable of documents: texts, lists of words, or gensim's bags of words.

    ``tokenizer=`` cuts texts into words by any function (see `from_texts`). It calls the class method for that kind of source and passes the options on. With ``like=`` a model or a corpus,
    text is read as the text of that model or corpus was. Every document keeps its row, even if it is empty.

    Raises TypeError if the source is none of these, `FileError` or `FormatError` if a file cannot be read.
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
        """Read one corpus from files of any format that the command reads.

        Parameters
        ----------
        paths : files, folders or ZIP archives.
        threads : number of threads; 0 (default): one per processor, or OMP_NUM_THREADS if that is set.
        like : a Model or a Corpus. Text is read as its text was (fields, stop words, stemmer, ...) unless an option says
            otherwise.
        options : those of ``ezlda import``, with its ranges and defaults: format, encoding, vocab, text_field,
            name_field, label_field, keep_fields, stopwords, stemmer, stem_below, min_length, ngrams, phrases, min_docs,
            max_docs_share, max_vocab, keep_case, keep_numbers, keep_order, unit, split ("500" or "blank"), include,
            exclude, tokens, keep_markup. ``stopwords`` may also be a list of words; None: no word is removed. With
            ``like``, ``like_limits=True`` removes rare and common words by the limits of ``like``, as `train` does with
            ``init``; by default they stay.

        Raises `MissingFileError` or `FileError` if a file cannot be opened, `FormatError` if its content is wrong, and
        `ArgumentError` or TypeError for a wrong option.
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
        """Make a corpus from a matrix of counts with one row per document.

        Parameters
        ----------
        matrix : a SciPy matrix (CSR is read without an intermediate copy), a NumPy array or a DataFrame. Counts must be
            whole numbers from 0.
        words : names of the columns, all different: a list, a mapping from columns to words, or a mapping from words to
            columns such as scikit-learn's ``vocabulary_``. Default: the columns of a DataFrame, or else numbers.
        names : one name per document. Default: the index of a DataFrame, or else none.
        labels : one label per document.
        fields : more values to keep with the documents, as {name: values}.
        threads : number of threads; 0 (default): one per processor, or OMP_NUM_THREADS if that is set.

        Raises TypeError or ValueError if the matrix does not hold counts, or if the numbers of words or of values do
        not fit the matrix.
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
    def from_tokens(cls, documents: Iterable[Iterable[str]], *, names: Iterable[Any] | None = None,
                    labels: Iterable[Any] | None = None, fields: Mapping[str, Iterable[Any]] | None = None,
                    threads: int = 0, **options: Any) -> Corpus:
        """Make a corpus from documents that are lists of words. The words are used as they are.

        Parameters
        ----------
        documents : an iterable of lists of words.
        names, labels, fields : as for `from_texts`.
        threads, options : as for `read`. With options such as ``stopwords`` or ``min_docs``, words are filtered; by
            default no word is removed.

        Raises TypeError if a document is not an iterable of strings.
        """
        context = _calls.context(threads)
        if options:
            corpus = cls._from_word_lists(documents, threads, options)
        else:
            counts, words = token_counts(documents)
            corpus = cls._from_counts(counts, words, context)
        if names is None and labels is None and not fields:
            return corpus
        return corpus._with_fields(doc_fields(len(corpus), names, labels, fields), context)

    @classmethod
    def _from_word_lists(cls, documents: Iterable[Iterable[str]], threads: int, options: dict[str, Any]) -> Corpus:
        """Write one document per line and read the file with options."""
        with _calls.scratch() as folder:
            path = os.path.join(folder, "words")
            with open(path, "w", encoding="utf-8", errors="replace", newline="\n") as file:
                for i, document in enumerate(documents):
                    check_words(i, document)
                    line = joined_words(i, document)
                    if "\n" in line or "\r" in line or "\0" in line:
                        line = line.translate({10: " ", 13: " ", 0: " "})
                    file.write(line + "\n")
                if file.tell() == 0:
                    raise ValueError("there are no documents")
            return cls.read(path, threads=threads, format="text", encoding="utf-8",
                            **{"stopwords": "none", "min_docs": 1, "max_docs_share": 1.0, **options, "tokens": "units"})

    @classmethod
    def from_bow(cls, documents: Iterable[Iterable[tuple[int, int]]], words: Any = None, *, threads: int = 0) -> Corpus:
        """Make a corpus from documents that are lists of (word number, count), as gensim's ``doc2bow`` returns them.

        ``words`` names the numbers: a gensim Dictionary or its token2id, a mapping, or a list. By default the words are
        the numbers. Raises TypeError if a document is something else.
        """
        named = words_by_number(words)
        counts = bag_counts(documents, None if named is None else len(named))
        return cls._from_counts(counts, named, _calls.context(threads))

    @classmethod
    def from_texts(cls, texts: Iterable[str], *, tokenizer: Callable[[str], Iterable[Any]] | None = None,
                   names: Iterable[str] | None = None, labels: Iterable[str] | None = None,
                   fields: Mapping[str, Iterable[Any]] | None = None, threads: int = 0, **options: Any) -> Corpus:
        """Make a corpus from texts, which are split into words as by the command.

        Parameters
        ----------
        texts : an iterable of strings. A missing value (None, NaN) is an empty document.
        tokenizer : a function that cuts a text into words (``jieba.lcut``, a spaCy pipeline, MeCab): it returns the
            words, or a text with spaces between them. They are used as they are; stop words and filters still apply.
            A model does not keep the function: pass it again when you make a corpus of new texts.
        names, labels : one name and one label per document.
        fields : more values to keep with the documents, as {name: values}.
        threads, options : as for `read`.

        Raises TypeError if a document is not a string, ValueError if there are no documents or if the columns differ in
        length.
        """
        check_texts(texts)
        if tokenizer is not None:
            texts, options = _cut_texts(texts, tokenizer), {**options, "tokens": "units"}
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
        """Make a corpus from a DataFrame with a column of texts.

        Parameters
        ----------
        frame : a pandas or polars DataFrame with one row per document.
        text : the column of texts; default "text".
        name : the column of the documents' names; default: the index.
        label : a column of labels.
        fields : more columns to keep with the documents.
        threads, options : as for `read`.

        Raises KeyError if the frame does not have one of the columns.
        """
        frame = as_frame(frame)
        for column in (text, name, label, *fields):
            if column is not None and column not in frame.columns:
                raise KeyError(f"the frame has no column {column!r}")
        return cls.from_texts(frame[text], names=frame.index if name is None else frame[name],
                              labels=None if label is None else frame[label], fields={f: frame[f] for f in fields},
                              threads=threads, **options)

    @classmethod
    def synth(cls, **options: Any) -> Corpus:
        """Draw a corpus from the LDA generative process, as ``ezlda synth`` does.

        Options, with their defaults: docs (10,000), words (10,000), mean_length (100), sigma (0.6), topics (100), alpha
        (5 / topics), beta (200), zipf (1), seed (1).
        """
        return cls._of(_ezlda.corpus_synth(_calls.context(), options))

    # ---- out ------------------------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a corpus file (.ezc). It replaces an earlier file of that name only when it is complete.

        Raises `FileError` if it cannot be written.
        """
        _ezlda.corpus_save(_calls.context(), self._handle, path)

    def split(self, share: float = 0.1, seed: int = 1) -> tuple[Corpus, Corpus]:
        """Split the documents at random and return two corpora: the rest, and about this share of the documents.

        ``share`` is above 0 and below 1. The same seed gives the same split.
        """
        first, second = _ezlda.corpus_split(_calls.context(), self._handle, share, seed)
        return Corpus._of(first), Corpus._of(second)

    def to_csr(self) -> Any:
        """Return the counts as a SciPy CSR matrix: one row per document, one column per word, columns ascending.

        The type is int32, or int64 if a count does not fit. Raises ImportError without SciPy.
        """
        sparse = _calls.needs("scipy.sparse", "Corpus.to_csr")
        info = self.info
        indptr = np.empty(info["docs"] + 1, dtype=np.int64)
        indices, data = np.empty(info["pairs"], dtype=np.int32), np.empty(info["pairs"], dtype=np.int32)
        _ezlda.corpus_to_csr(self._handle, indptr, indices, data)
        if data.min(initial=0) < 0:  # counts of 2^31 and more
            data = data.view(np.uint32).astype(np.int64)
        return sparse.csr_matrix((data, indices, indptr), shape=(info["docs"], info["words"]))

    # ---- what it holds --------------------------------------------------------------------------------------------

    @property
    def info(self) -> dict[str, Any]:
        """Facts as a dict: docs, empty_docs, words, pairs, tokens, longest, hash, bytes, fields, has_order,
        text_read_with."""
        return _ezlda.corpus_info(self._handle)

    @property
    def words(self) -> list[str]:
        """The words of the vocabulary, in the order of their numbers."""
        return _ezlda.corpus_words(self._handle)

    @property
    def fields(self) -> list[str]:
        """The names of the fields that are kept with the documents: name, label, ..."""
        return _ezlda.corpus_fields(self._handle)

    def field(self, name: str) -> list[str]:
        """Return the values of a field, one per document; "" for a document without one.

        Raises KeyError if the corpus does not have the field.
        """
        fields = self.fields
        if name not in fields:
            raise KeyError(f"the corpus has no field {name!r}; it has {fields}")
        return _ezlda.corpus_field_values(self._handle, fields.index(name))

    @property
    def names(self) -> list[str] | None:
        """The names of the documents; None if they have none."""
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


def _cut_texts(texts: Iterable[Any], tokenizer: Callable[[str], Iterable[Any]]) -> Iterable[str]:
    for i, text in enumerate(texts):
        text = as_text(i, text)
        yield joined_words(i, tokenizer(text)) if text else text


def _corpus_from_bytes(content: bytes) -> Corpus:
    with _calls.scratch() as folder:
        path = os.path.join(folder, "corpus.ezc")
        with open(path, "wb") as file:
            file.write(content)
        return Corpus.read(path)


def _import_options(options: dict[str, Any], folder: str) -> dict[str, Any]:
    """Return the options as the library expects them: fields separated by commas, paths as strings, stop words in a
    file of the folder."""
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
            raise type(error)(f"{error} (a str is a path; pass texts in a list)") from None
        raise


def _dispatch(source: Any, options: dict[str, Any]) -> Corpus:
    of_text = dict(options)
    for name in ("like", "like_limits"):
        options.pop(name, None)
    source = as_frame(source)
    if is_cells(source):
        from . import tl  # here, because tl imports this module
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
        raise TypeError(f"document {wrong}: expected a text like the others, found {documents[wrong]!r:.80}")
    if is_bow(documents):
        return Corpus.from_bow(documents, **options)
    return Corpus.from_tokens(documents, **options)
