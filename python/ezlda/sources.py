"""Recognises and converts what documents are given as: texts, frames, bags of words, with their words and names."""
from __future__ import annotations

import collections.abc
import numbers
import os
from typing import Any, Callable, Iterable, Sequence

from . import _calls

UNIT = "\x1f"  #: separates the words of a text whose words may have spaces; the library calls it tokens="units"
END = object()  #: stands for the missing values of a column that is shorter than others


def is_cells(source: Any) -> bool:
    """Return whether this is an AnnData."""
    return hasattr(source, "obs_names") and hasattr(source, "var_names") and hasattr(source, "X")


def is_frame(source: Any) -> bool:
    return hasattr(source, "columns") and hasattr(source, "loc")


def as_frame(source: Any) -> Any:
    """Return a polars DataFrame as a pandas DataFrame, and anything else as it is."""
    if hasattr(source, "get_columns") and hasattr(source, "to_dict") and not is_frame(source):
        pandas = _calls.needs("pandas", "a frame of this kind")
        return pandas.DataFrame(source.to_dict(as_series=False))
    return source


def is_count_frame(source: Any) -> bool:
    """Return whether this is a frame with one column of numbers per word."""
    return is_frame(source) and len(source.columns) > 0 and \
        all(getattr(dtype, "kind", "O") in "biuf" for dtype in source.dtypes)


def named_columns(frame: Any) -> bool:
    return all(isinstance(column, str) for column in frame.columns)


def is_missing(value: Any) -> bool:
    """Return whether a value is None, NaN, NaT or pandas.NA."""
    try:
        return value is None or bool(value != value)
    except (TypeError, ValueError):
        return type(value).__name__ == "NAType"


def plain(value: Any) -> str:
    """Return a value of a field as a string, "" for a missing one."""
    if isinstance(value, str):
        return value
    return "" if is_missing(value) else str(value)


def as_texts(source: Any) -> list[str] | None:
    """Return the texts of a Series (pandas, polars), "" for missing ones; None if the source is something else."""
    if not hasattr(source, "to_frame"):
        return None
    values = list(source)
    if not any(isinstance(value, str) for value in values):
        return None
    return [plain(value) for value in values] if all(isinstance(v, str) or is_missing(v) for v in values) else None


def are_texts(documents: list[Any]) -> bool:
    """Return whether the documents are texts; missing ones are empty."""
    return all(isinstance(document, str) or is_missing(document) for document in documents) and \
        (not documents or any(isinstance(document, str) for document in documents))


def is_bow(documents: list[Any]) -> bool:
    """Return whether the documents are lists of (word number, count)."""
    first = next((document for document in documents if isinstance(document, (list, tuple)) and document), None)
    return first is not None and isinstance(first[0], (tuple, list)) and len(first[0]) == 2 and \
        isinstance(first[0][0], numbers.Integral) and isinstance(first[0][1], numbers.Real)


def words_by_number(words: Any, columns: int | None = None) -> list[str] | None:
    """Return the words in the order of their numbers, from a list, a mapping from numbers to words (gensim's
    Dictionary) or a mapping from words to numbers (scikit-learn's ``vocabulary_``, gensim's ``token2id``). A number
    below ``columns`` without a word becomes the word. Raises TypeError or ValueError for anything but different
    strings."""
    if words is None:
        return None
    if isinstance(words, collections.abc.Mapping):
        if any(isinstance(key, str) for key in words):
            words = _turned(words)
        if columns is not None and any(not 0 <= number < columns for number in words):
            raise ValueError(f"words: expected numbers from 0 to {columns - 1}, found "
                             f"{next(number for number in words if not 0 <= number < columns)}")
        last = max(words, default=-1) + 1 if columns is None else columns
        words = [str(words[i]) if i in words else str(i) for i in range(last)]
    named = list(words)
    for i, word in enumerate(named):
        if not isinstance(word, str):
            raise TypeError(f"words: expected a text for column {i}, found {word!r:.80}")
        if not word:
            raise ValueError(f"words: expected a text for column {i}, found an empty one")
    _check_unique(named)
    return named


def _turned(numbers_of: collections.abc.Mapping[str, Any]) -> dict[int, str]:
    """Return {word: number} as {number: word}."""
    made: dict[int, str] = {}
    for word, number in numbers_of.items():
        if not isinstance(word, str) or not isinstance(number, numbers.Integral):
            raise TypeError(f"words: expected words with their numbers, found {word!r}: {number!r:.80}")
        if int(number) in made:
            raise ValueError(f"words: {made[int(number)]!r} and {word!r} have the same number, {number}")
        made[int(number)] = word
    return made


def _check_unique(words: list[Any]) -> None:
    try:
        if len(set(words)) == len(words):
            return
    except TypeError:
        return  # these are not words: the caller reports it
    first: dict[Any, int] = {}
    for i, word in enumerate(words):
        if first.setdefault(word, i) != i:
            raise ValueError(f"words: {word!r} names the columns {first[word]} and {i}; expected each word once")


def doc_fields(docs: int, names: Iterable[Any] | None, labels: Iterable[Any] | None, fields: Any,
               ) -> dict[str, list[str]]:
    """Return the fields of the documents as lists of strings. Raises ValueError if one has another number of values."""
    columns: dict[str, Iterable[Any]] = {}
    if names is not None:
        columns["name"] = names
    if labels is not None:
        columns["label"] = labels
    columns.update(own_fields(fields))
    made = {name: [plain(value) for value in values] for name, values in columns.items()}
    for name, values in made.items():
        if len(values) != docs:
            raise ValueError(f"{name}: {len(values)} values for {docs} documents")
    return made


def as_text(number: int, value: Any) -> str:
    """Return a document as a string, "" for a missing one. Null characters, which occur in text from PDF files,
    separate words. Raises TypeError, which names the document, for anything else."""
    if not isinstance(value, str) and not is_missing(value):
        raise TypeError(f"document {number}: expected a text, found {value!r:.80}")
    return plain(value).replace("\0", " ")


def _word(number: int, token: Any) -> str:
    """Return a token of a tokenizer as a string: itself, or the text of a token of spaCy."""
    word = token if isinstance(token, str) else getattr(token, "text", None)
    if not isinstance(word, str):
        raise TypeError(f"document {number}: expected words as str, found {token!r:.80}")
    return word


def joined_words(number: int, words: Any) -> str:
    """Return the words of a document as one text in which `UNIT` ends each of them. A text whose words are separated by
    whitespace may be given instead (MeCab). Raises TypeError, which names the document, for anything else."""
    if isinstance(words, str):
        return "".join(word + UNIT for word in words.split())
    if not isinstance(words, collections.abc.Iterable) or isinstance(words, (bytes, collections.abc.Mapping)):
        raise TypeError(f"document {number}: expected words, found {words!r:.80}")
    words = words if isinstance(words, (list, tuple)) else list(words)
    try:
        return UNIT.join(words) + UNIT
    except TypeError:
        return UNIT.join(_word(number, word) for word in words) + UNIT


def check_row(number: int, columns: Iterable[str], values: Sequence[Any]) -> None:
    """Check that the columns have the same length."""
    short = [str(name) for name, value in zip(columns, values) if value is END]
    if short:
        raise ValueError(f"{short[0]}: {number} values, and others have more; expected one for each document")


def field_name(name: Any) -> str:
    if not str(name) or "," in str(name):
        raise ValueError(f"fields: {name!r} is not a name for a field; expected a text without commas")
    return str(name)


def own_fields(fields: Any) -> dict[str, Iterable[Any]]:
    extra = dict(fields or {})
    if set(extra) & {"text", "name", "label", "id"}:
        raise ValueError("fields: text, name, label and id have arguments of their own")
    return extra


def check_texts(texts: Any) -> None:
    if isinstance(texts, (str, bytes)):
        raise TypeError(f"expected texts in a list, found one text, {texts!r:.80}")


def stop_list(stopwords: Any, folder: Callable[[], str]) -> Any:
    """Return the stop words as the library expects them. A list of words is written to a file in a folder, which is
    made then; None is an empty list."""
    if isinstance(stopwords, str):
        return stopwords
    if isinstance(stopwords, os.PathLike):
        return os.fsdecode(os.fspath(stopwords))
    words = list(() if stopwords is None else stopwords)
    if not all(isinstance(word, str) for word in words):
        raise TypeError(f"stopwords: expected words, found {words!r:.80}")
    if not words:
        return "none"
    path = os.path.join(folder(), "stopwords")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(words))
    return path
