"""Corpora: documents as bags of words, read from files or made from Python objects."""
from __future__ import annotations

import collections.abc
import contextlib
import html
import itertools
import numbers
import os
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Mapping, Sequence, overload

import numpy as np

from . import _calls, _ezlda
from .counts import Counts, as_counts, as_whole, bag_counts, check_words, is_sparse, token_counts
from .errors import FileError, FormatError
from .options import ImportOptions, SourceOptions, SynthOptions, WordOptions, lists_options
from .sources import (END, are_texts, as_frame, as_text, as_texts, check_row, check_texts, doc_fields, field_name, is_bow,
                      is_cells, is_count_frame, is_frame, is_missing, joined_words, own_fields, plain, stop_list,
                      words_by_number)

if TYPE_CHECKING:
    from typing import Unpack


ITERATED = 4096  # documents that an iteration decodes together


class Corpus:
    """Documents as bags of words, with a vocabulary and with names and other fields of the documents. Read-only.

    ``Corpus(source)`` accepts

    - a path;
    - a matrix of counts (SciPy or NumPy) with one row per document;
    - a pandas Series of texts;
    - a DataFrame with a column of texts, or with one column of counts per word;
    - an AnnData (see `ezlda.tl.corpus`);
    - a table of Arrow, a query of polars or DuckDB, a Hugging Face dataset (see `from_arrow`);
    - an iterable of documents: texts, lists of words, mappings of words to counts, or gensim's bags of words.

    It calls the class method for that kind of source and passes the options on. ``tokenizer=`` cuts texts into words by
    any function (see `from_texts`). With ``like=`` a model or a corpus, text is read as the text of that model or
    corpus was. Every document keeps its row, even if it is empty.

    Raises TypeError if the source is none of these, `FileError` or `FormatError` if a file cannot be read.
    """

    _handle: Any

    @lists_options(SourceOptions)
    def __init__(self, source: Any, **options: Unpack[SourceOptions]) -> None:
        self._handle = _dispatch(source, dict(options))._handle

    @classmethod
    def _of(cls, handle: Any) -> Corpus:
        corpus = cls.__new__(cls)
        corpus._handle = handle
        return corpus

    # ---- in -------------------------------------------------------------------------------------------------------

    @classmethod
    @lists_options(ImportOptions)
    def read(cls, *paths: str | os.PathLike[str], threads: int = 0, like: Any = None,
             **options: Unpack[ImportOptions]) -> Corpus:
        """Read one corpus from files of any format that the command reads.

        Parameters
        ----------
        paths : files, folders or ZIP archives; or files of Parquet, Feather or Arrow (see `from_arrow`).
        threads : number of threads; 0 (default): one per processor, or OMP_NUM_THREADS if that is set.
        like : a Model or a Corpus. Text is read as its text was (fields, stop words, stemmer, ...) unless an option
            says otherwise.
        options : those of ``ezlda import``, with its ranges and defaults: format, encoding, vocab, text_field,
            name_field, label_field, keep_fields, stopwords, stemmer, stem_below, lemmas, min_length, ngrams, phrases,
            min_docs, max_docs_share, max_vocab, keep_case, keep_numbers, keep_order, keep_text (False unless
            given), unit, split ("500" or "blank"), include, exclude, tokens, keep_markup. ``stopwords`` may also be a list of words; None: no word is removed.
            With ``like``, ``like_limits=True`` removes rare and common words by the limits of ``like``, as `train` does
            with ``init``; by default they stay.

        Raises `MissingFileError` or `FileError` if a file cannot be opened, `FormatError` if its content is wrong, and
        `ArgumentError` or TypeError for a wrong option.
        """
        check_like(like)
        from .arrow import is_arrow_file, read_arrow_files
        if "format" not in options and any(map(is_arrow_file, paths)):
            return read_arrow_files(paths, threads, {**options, "like": like})
        with import_options(dict(options)) as made:
            return cls._of(_ezlda.corpus_read(_calls.context(threads), paths, made,
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
    @lists_options(WordOptions)
    def from_tokens(cls, documents: Iterable[Iterable[str] | Mapping[str, int]], *, names: Iterable[Any] | None = None,
                    labels: Iterable[Any] | None = None, fields: Mapping[str, Iterable[Any]] | None = None,
                    threads: int = 0, **options: Unpack[WordOptions]) -> Corpus:
        """Make a corpus from documents that are lists of words, or that map words to counts. The words are used as they
        are.

        Parameters
        ----------
        documents : an iterable of lists of words, or of mappings of words to counts (``collections.Counter``).
        names, labels, fields : as for `from_texts`.
        threads, options : as for `read`. With options such as ``stopwords`` or ``min_docs``, words are filtered; by
            default no word is removed.

        Raises TypeError if a document is neither.
        """
        context = _calls.context(threads)
        if options:
            corpus = cls._from_word_lists(documents, threads, dict(options))
        else:
            counts, words = token_counts(documents)
            corpus = cls._from_counts(counts, words, context)
        if names is None and labels is None and not fields:
            return corpus
        return corpus._with_fields(doc_fields(len(corpus), names, labels, fields), context)

    @classmethod
    def _from_word_lists(cls, documents: Iterable[Iterable[str] | Mapping[str, int]], threads: int, options: dict[str, Any]) -> Corpus:
        """Read documents as texts whose words are cut already, with options."""
        return cls._from_rows(["text"], _word_rows(documents), threads,
                              {"stopwords": "none", "min_docs": 1, "max_docs_share": 1.0, **options, "tokens": "units"})

    @classmethod
    def from_bow(cls, documents: Iterable[Iterable[tuple[int, int]]], words: Any = None, *,
                 names: Iterable[Any] | None = None, labels: Iterable[Any] | None = None,
                 fields: Mapping[str, Iterable[Any]] | None = None, threads: int = 0) -> Corpus:
        """Make a corpus from documents that are lists of (word number, count), as gensim's ``doc2bow`` returns them.

        ``words`` names the numbers: a gensim Dictionary or its token2id, a mapping, or a list. By default the words are
        the numbers. ``names``, ``labels`` and ``fields`` are those of `from_texts`. Raises TypeError if a document is
        something else.
        """
        named = words_by_number(words)
        counts = bag_counts(documents, None if named is None else len(named))
        context = _calls.context(threads)
        kept = doc_fields(counts.docs, names, labels, fields)
        return cls._from_counts(counts, named, context)._with_fields(kept, context)

    @classmethod
    @lists_options(WordOptions)
    def from_texts(cls, texts: Iterable[str], *, tokenizer: Callable[[str], Iterable[Any]] | None = None,
                   names: Iterable[str] | None = None, labels: Iterable[str] | None = None,
                   fields: Mapping[str, Iterable[Any]] | None = None, threads: int = 0,
                   **options: Unpack[WordOptions]) -> Corpus:
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
        given: dict[str, Any] = dict(options)
        if tokenizer is not None:
            texts, given = _cut_texts(texts, tokenizer), {**given, "tokens": "units"}
        columns: dict[str, Iterable[Any]] = {"text": texts}
        if names is not None:
            columns["name"] = names
        if labels is not None:
            columns["label"] = labels
        extra = own_fields(fields)
        columns.update(extra)
        if extra:
            given["keep_fields"] = ",".join(map(field_name, extra))
        return cls._from_rows(list(map(str, columns)), _rows(columns), threads, given)

    @classmethod
    def _from_rows(cls, fields: list[str], rows: Iterable[tuple[str | None, ...]], threads: int,
                   options: dict[str, Any]) -> Corpus:
        """Read rows with one value per field as text. The rows may be a generator, of which little is kept."""
        like = options.pop("like", None)
        check_like(like)
        with import_options(options) as made:
            return cls._of(_ezlda.corpus_from_rows(_calls.context(threads), fields, made,
                                                   None if like is None else like._handle, rows))

    @classmethod
    @lists_options(WordOptions)
    def from_arrow(cls, table: Any, text: str | Sequence[str] | None = None, *, name: str | None = None,
                   label: str | None = None, fields: Sequence[str] = (), threads: int = 0,
                   **options: Unpack[WordOptions]) -> Corpus:
        """Make a corpus from a table of Arrow. Its batches are read one after the other where they lie: the texts are
        not copied into Python, and memory does not grow with the table.

        Parameters
        ----------
        table : an object with Arrow's stream or array interface (pyarrow Table, RecordBatch, ChunkedArray, dataset or
            reader; polars DataFrame, Series or LazyFrame; DuckDB relation; pandas DataFrame; Hugging Face dataset), an
            iterable of such objects, or one or several paths of Parquet, Feather or Arrow files. Files need pyarrow,
            polars or duckdb, whichever is installed.
        text : the column of the texts, or several, whose texts are joined. A column of lists of strings has words that
            are cut already: they are used as they are, as by `from_tokens`. Default: "text", or the only column that
            can be it. Dictionary-encoded columns and string views are read, too; a missing value is an empty document.
        name, label : the columns of the documents' names and labels.
        fields : more columns to keep. Numbers, dates and times are kept as text.
        threads, options : as for `read`.

        Raises KeyError if the table does not have one of the columns, TypeError if a column has a type that is not text,
        `FormatError` if the table breaks off, ImportError if a file needs a package that is not installed.
        """
        from .arrow import read_arrow
        return read_arrow(table, text, name, label, list(fields), threads, dict(options))

    @classmethod
    @lists_options(WordOptions)
    def from_frame(cls, frame: Any, text: str = "text", *, name: str | None = None, label: str | None = None,
                   fields: Sequence[str] = (), threads: int = 0, **options: Unpack[WordOptions]) -> Corpus:
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
    @lists_options(SynthOptions)
    def synth(cls, **options: Unpack[SynthOptions]) -> Corpus:
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

    def shuffle(self, seed: int = 1) -> Corpus:
        """Return the documents in random order. The same seed gives the same order."""
        return self._select(np.random.default_rng(seed).permutation(len(self)))

    def sample(self, n: int, seed: int = 1) -> Corpus:
        """Return ``n`` documents that are drawn at random, in the order of the corpus. The same seed gives the same
        documents. Raises ValueError if the corpus has fewer."""
        if not 0 <= n <= len(self):
            raise ValueError(f"n is {n}; the corpus has {len(self)} documents")
        return self._select(np.sort(np.random.default_rng(seed).permutation(len(self))[:n]))

    @staticmethod
    def join(corpora: Iterable[Corpus]) -> Corpus:
        """Return the documents of several corpora as one corpus, in order; ``a + b`` joins two. Words and fields are
        matched by their text. Raises ValueError if there is no corpus."""
        parts = list(corpora)
        for part in parts:
            if not isinstance(part, Corpus):
                raise TypeError(f"expected corpora, found {part!r:.80}")
        if not parts:
            raise ValueError("there are no corpora")
        return Corpus._of(_ezlda.corpus_join(_calls.context(), [part._handle for part in parts]))

    def __add__(self, other: Any) -> Corpus:
        return Corpus.join([self, other]) if isinstance(other, Corpus) else NotImplemented

    @overload
    def __getitem__(self, which: int) -> dict[str, int]: ...

    @overload
    def __getitem__(self, which: slice | Iterable[Any]) -> Corpus: ...

    def __getitem__(self, which: Any) -> Any:
        """Return a document as {word: count} if ``which`` is a number. Return a corpus of some documents, with all
        words, if it is a slice, a mask with one truth value per document, or a list or an array of numbers. Documents
        are copied as they are packed, in about a byte per token.

        Raises IndexError if there is no such document.
        """
        docs = len(self)
        if isinstance(which, numbers.Integral):
            number = int(which) + (docs if which < 0 else 0)
            if not 0 <= number < docs:
                raise IndexError(f"document {which}: the corpus has {docs} documents")
            return _ezlda.corpus_document(self._handle, number)
        if isinstance(which, slice) and which.indices(docs) == (0, docs, 1):
            return self  # corpora are read-only
        return self._select(_chosen(which, docs))

    def text(self, number: int) -> str:
        """Return the text of a document, if the corpus has it (``keep_text=True``).

        Raises `ArgumentError` if it has none, and IndexError if there is no such document.
        """
        return self._text(number)[0]

    def places(self, number: int) -> list[tuple[int, int, str]]:
        """Return where the words of a document stand in its `text`: (start, end, word) in ascending order, so that
        ``text[start:end]`` became the word.

        Raises as `text` does.
        """
        return self._text(number)[1]

    def _text(self, number: int) -> tuple[str, list[tuple[int, int, str]]]:
        docs = len(self)
        at = int(number) + (docs if number < 0 else 0)
        if not 0 <= at < docs:
            raise IndexError(f"document {number}: the corpus has {docs} documents")
        return _ezlda.corpus_text(_calls.context(), self._handle, at)

    def _select(self, docs: np.ndarray) -> Corpus:
        return Corpus._of(_ezlda.corpus_select(_calls.context(), self._handle, docs.astype(np.uint64)))

    def __iter__(self) -> Iterator[dict[str, int]]:
        """Yield the documents as {word: count}."""
        words = self.words
        for first in range(0, len(self), ITERATED):
            part = self[first:first + ITERATED]
            indptr, indices, data = part._csr()
            starts = indptr.tolist()
            for a, b in zip(starts, starts[1:]):
                yield dict(zip(map(words.__getitem__, indices[a:b].tolist()), data[a:b].tolist()))

    def to_dataframe(self) -> Any:
        """Return a DataFrame with one row per document: its fields, ``words`` (different ones) and ``tokens``, indexed
        by name if the documents have names. Raises ImportError without pandas and SciPy."""
        pandas = _calls.needs("pandas", "Corpus.to_dataframe")
        counts = self.to_csr()
        frame = pandas.DataFrame({field: self.field(field) for field in self.fields if field != "name"},
                                 index=None if self.names is None else pandas.Index(self.names, name="name"))
        if frame.empty and self.names is None:
            frame = pandas.DataFrame(index=range(len(self)))
        frame["words"] = np.diff(counts.indptr)
        frame["tokens"] = np.asarray(counts.sum(axis=1)).ravel()
        return frame

    def to_csr(self) -> Any:
        """Return the counts as a SciPy CSR matrix: one row per document, one column per word, columns ascending.

        The type is int32, or int64 if a count does not fit. Raises ImportError without SciPy.
        """
        sparse = _calls.needs("scipy.sparse", "Corpus.to_csr")
        indptr, indices, data = self._csr()
        return sparse.csr_matrix((data, indices, indptr), shape=(len(self), self.info["words"]))

    def _csr(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return indptr, indices and data."""
        info = self.info
        indptr = np.empty(info["docs"] + 1, dtype=np.int64)
        indices, data = np.empty(info["pairs"], dtype=np.int32), np.empty(info["pairs"], dtype=np.int32)
        _ezlda.corpus_to_csr(self._handle, indptr, indices, data)
        if data.min(initial=0) < 0:  # counts of 2^31 and more
            data = data.view(np.uint32).astype(np.int64)
        return indptr, indices, data

    # ---- what it holds --------------------------------------------------------------------------------------------

    @property
    def info(self) -> dict[str, Any]:
        """Facts as a dict: docs, empty_docs, words, pairs, tokens, longest, hash, bytes, fields, has_order,
        has_text,
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

    def _repr_html_(self, most: int = 10) -> str:
        """Return the facts and the first documents, for notebooks."""
        names = self.names or [str(i) for i in range(min(most, len(self)))]
        rows = "".join(f"<tr><td>{html.escape(name)}</td><td style='text-align:left'>" + html.escape(
            " ".join(sorted(bag := self[i], key=lambda w: -bag[w])[:10])) + f"</td><td>{sum(bag.values()):,}</td></tr>"
            for i, name in enumerate(names[:most]))
        rest = f"<p>... and {len(self) - most:,} more</p>" if len(self) > most else ""
        return (f"<p>{html.escape(repr(self)[1:-1])}</p><table><thead><tr><th>document</th>"
                f"<th style='text-align:left'>most frequent words</th><th>tokens</th></tr></thead><tbody>{rows}</tbody>"
                f"</table>{rest}")

    def __reduce__(self) -> tuple[Any, ...]:
        with _calls.scratch() as folder:
            path = os.path.join(folder, "corpus.ezc")
            self.save(path)
            with open(path, "rb") as file:
                return _corpus_from_bytes, (file.read(),)


def _chosen(which: Any, docs: int) -> np.ndarray:
    """Return the numbers of documents that a slice, a mask or numbers select."""
    if isinstance(which, slice):
        return np.arange(docs, dtype=np.int64)[which].astype(np.uint64)
    if isinstance(which, (str, bytes)) or not isinstance(which, collections.abc.Iterable):
        hint = "; field(name) returns the values of a field" if isinstance(which, str) else ""
        raise TypeError(f"expected a number, a slice, a mask or numbers of documents, found {which!r:.80}{hint}")
    found = np.asarray(which if hasattr(which, "__array__") else list(which))
    if found.dtype == bool:
        if found.shape != (docs,):
            raise IndexError(f"the mask has {found.size} values, the corpus {docs} documents")
        return np.flatnonzero(found).astype(np.uint64)
    if found.ndim != 1 or (found.size and found.dtype.kind not in "iu"):
        raise TypeError(f"expected a number, a slice, a mask or numbers of documents, found {which!r:.80}")
    numbers_ = found.astype(np.int64)
    wrong = (numbers_ < -docs) | (numbers_ >= docs)
    if wrong.any():
        raise IndexError(f"document {numbers_[np.argmax(wrong)]}: the corpus has {docs} documents")
    return np.where(numbers_ < 0, numbers_ + docs, numbers_).astype(np.uint64)


def check_like(like: Any) -> None:
    if like is not None and not hasattr(like, "_handle"):
        raise TypeError(f"like: expected an ezlda.Model or an ezlda.Corpus, found {like!r:.80}")


def _rows(columns: dict[str, Iterable[Any]]) -> Iterable[tuple[str, ...]]:
    """Yield the values of a document as strings, its text first. Raises ValueError if there is none, or if the columns
    differ in length."""
    i = -1
    for i, values in enumerate(itertools.zip_longest(*columns.values(), fillvalue=END)):
        check_row(i, columns, values)
        yield (as_text(i, values[0]), *map(plain, values[1:]))
    if i < 0:
        raise ValueError("there are no documents")


def _word_rows(documents: Iterable[Iterable[str] | Mapping[str, int]]) -> Iterable[tuple[str]]:
    i = -1
    for i, document in enumerate(documents):
        check_words(i, document)
        if isinstance(document, collections.abc.Mapping):
            counts: Any = as_whole(np.asarray(list(document.values()))) if document else []
            document = [word for word, count in zip(document, counts) for _ in range(count)]
        yield (joined_words(i, document).translate({10: " ", 13: " ", 0: " "}),)
    if i < 0:
        raise ValueError("there are no documents")


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


@contextlib.contextmanager
def import_options(options: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Give the options as the library expects them: fields separated by commas, paths as strings, a list of stop words
    in a temporary file."""
    made = dict(options)
    for name in ("text_field", "keep_fields"):
        if isinstance(made.get(name), (list, tuple)):
            made[name] = ",".join(made[name])
    for name in ("vocab", "lemmas"):
        if isinstance(made.get(name), os.PathLike):
            made[name] = _calls.text_path(made[name])
    with contextlib.ExitStack() as stack:
        if "stopwords" in made:
            made["stopwords"] = stop_list(made["stopwords"], lambda: stack.enter_context(_calls.scratch()))
        yield made


def _read_path(path: Any, options: dict[str, Any]) -> Corpus:
    try:
        return Corpus.read(path, **options)
    except FileError as error:
        if isinstance(path, str) and not os.path.exists(path):
            raise type(error)(f"{error} (a str is a path; pass texts in a list)") from None
        raise


def is_table(source: Any) -> bool:
    """Return whether the source is read through Arrow: a table, and not a frame or a Series."""
    from .arrow import is_arrow, is_lazy
    if is_lazy(source):
        return True
    frame = is_frame(source) or hasattr(source, "get_columns") or hasattr(source, "to_frame")  # or a Series
    return is_arrow(source) and not frame


def _dispatch(source: Any, options: dict[str, Any]) -> Corpus:
    from .arrow import is_arrow, is_lazy
    if isinstance(source, Corpus) and not options:
        return source
    of_text = dict(options)
    for name in ("like", "like_limits"):
        options.pop(name, None)
    if is_lazy(source):
        return Corpus.from_arrow(source, **of_text)
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
    if isinstance(source, np.ndarray) and source.ndim != 1:
        raise ValueError(f"expected a matrix of documents by words, found {source.ndim} dimensions")
    if is_arrow(source) and not hasattr(source, "to_frame"):  # a Series has documents of any kind
        return Corpus.from_arrow(source, **of_text)
    if isinstance(source, collections.abc.Mapping):
        raise TypeError(f"cannot make a corpus of {type(source).__name__} with {', '.join(map(str, source)):.60}: pass one "
                        "of its values, or a list of documents")
    if not isinstance(source, collections.abc.Iterable) or isinstance(source, bytes):
        raise TypeError(f"cannot make a corpus of {type(source).__name__}")
    if isinstance(source, collections.abc.Iterator):
        first = list(itertools.islice(source, 1))
        source = itertools.chain(first, source)
        if first and isinstance(first[0], str):
            return Corpus.from_texts(source, **of_text)
    documents: list[Any] = as_texts(source) or list(source)
    if are_texts(documents):
        return Corpus.from_texts(documents, **of_text)
    if any(isinstance(document, str) for document in documents):
        wrong = next(i for i, document in enumerate(documents) if not is_missing(document) and
                     not isinstance(document, str))
        raise TypeError(f"document {wrong}: expected a text like the others, found {documents[wrong]!r:.80}")
    if is_bow(documents):
        return Corpus.from_bow(documents, **options)
    return Corpus.from_tokens(documents, **options)
