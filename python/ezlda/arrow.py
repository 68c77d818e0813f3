"""Tables of other libraries as corpora, through Arrow's C interfaces: no other package is needed for them, and one of
three for files."""
from __future__ import annotations

import collections.abc
import importlib
import os
from typing import Any, Callable, Sequence

from . import _calls, _ezlda
from .corpus import Corpus, check_like, import_options
from .errors import FileError, MissingFileError
from .sources import field_name, own_fields

FILES = (".parquet", ".pq", ".feather", ".arrow", ".ipc")  # names of files that `open_files` opens
PARQUET = FILES[:2]
BATCH = 1024  # rows that pyarrow reads at a time


def is_arrow(source: Any) -> bool:
    """Return whether an object has one of Arrow's interfaces, or becomes one that has."""
    return not isinstance(source, type) and (hasattr(source, "__arrow_c_stream__") or
                                             hasattr(source, "__arrow_c_array__") or is_lazy(source) or
                                             _is_dataset(source) or _is_scanner(source))


def is_arrow_file(path: Any) -> bool:
    return isinstance(path, (str, os.PathLike)) and os.fsdecode(path).lower().endswith(FILES)


def read_arrow(source: Any, text: str | Sequence[str] | None, name: str | None, label: str | None, fields: list[str],
               threads: int, options: dict[str, Any]) -> Corpus:
    """See `Corpus.from_arrow`."""
    like = options.pop("like", None)
    check_like(like)
    own_fields(dict.fromkeys(fields))
    texts = [text] if isinstance(text, str) else list(text or [])
    asked = [column for column in (*texts, name, label, *fields) if column is not None]
    arrow = _ezlda.arrow_open(_opened(source, asked if texts else None))
    columns = _ezlda.arrow_columns(arrow)
    texts = texts or [_text_column(columns, {name, label, *fields})]
    found = [_find(columns, column, "text" if i < len(texts) else "value")
             for i, column in enumerate((*texts, *(c for c in (name, label, *fields) if c is not None)))]
    made = dict(options)
    if columns[found[0]][2] == "words":
        if len(texts) > 1:
            raise TypeError(f"column {texts[0]!r} has lists of words: expected no other column of text")
        made = {"stopwords": "none", **made, "tokens": "units"}
    names = ["text"] if len(texts) == 1 else [field_name(column) for column in texts]
    if len(texts) > 1:
        made["text_field"] = ",".join(names)
    names += ["name"] * (name is not None) + ["label"] * (label is not None) + [field_name(f) for f in fields]
    if fields:
        made["keep_fields"] = ",".join(fields)
    with import_options(made) as chosen:
        return Corpus._of(_ezlda.corpus_from_arrow(_calls.context(threads), arrow, names, found, chosen,
                                                   None if like is None else like._handle))


def read_arrow_files(paths: Sequence[Any], threads: int, options: dict[str, Any]) -> Corpus:
    """Read files with the options of `Corpus.read`."""
    made = dict(options)
    text, kept = made.pop("text_field", None), made.pop("keep_fields", None) or ()
    text = text.split(",") if isinstance(text, str) else text
    return read_arrow(list(paths), text, made.pop("name_field", None), made.pop("label_field", None),
                      kept.split(",") if isinstance(kept, str) else list(kept), threads, made)


# ---- columns --------------------------------------------------------------------------------------------------------


def _listed(columns: list[tuple[str, str, str]]) -> str:
    return ", ".join(f"{name or '(no name)'} ({kind})" for name, kind, _ in columns)


def _text_column(columns: list[tuple[str, str, str]], others: set[Any]) -> str:
    """Return the name of the column of text: "text", or the only one that can be it."""
    if any(name == "text" for name, _, _ in columns):
        return "text"
    candidates = [name for name, _, use in columns
                  if use in ("text", "words") and name not in others and not name.startswith("__index_level_")]
    if len(candidates) == 1:
        return candidates[0]
    what = "no column" if not candidates else f"each of {', '.join(map(repr, candidates))}"
    raise KeyError(f"text: {what} can be the text: name the column; the columns are: {_listed(columns)}")


def _find(columns: list[tuple[str, str, str]], name: str, use: str) -> int:
    """Return the number of a column. Raises KeyError if there is no such column, or more than one; TypeError if its
    type cannot be read as it is used."""
    places = [i for i, column in enumerate(columns) if column[0] == name]
    if len(places) != 1:
        raise KeyError(f"the table has {'no column' if not places else 'several columns'} {name!r}; the columns are: "
                       f"{_listed(columns)}")
    _, kind, found = columns[places[0]]
    right = ("text", "words") if use == "text" else ("text", "value")
    if found not in right and kind != "null":
        expected = "strings or lists of strings" if use == "text" else "strings, numbers, dates or times"
        raise TypeError(f"column {name!r} has the type {kind}; expected {expected}")
    return places[0]


# ---- objects and files ----------------------------------------------------------------------------------------------


def is_lazy(source: Any) -> bool:
    return type(source).__name__ == "LazyFrame" and type(source).__module__.partition(".")[0] == "polars"


def _is_dataset(source: Any) -> bool:
    """Whether this is a dataset of Hugging Face's package, in memory or streamed."""
    return hasattr(source, "with_format") and hasattr(source, "iter") and not hasattr(source, "__arrow_c_stream__")


def _is_scanner(source: Any) -> bool:
    """Whether this is a dataset of pyarrow."""
    return hasattr(source, "to_batches") and hasattr(source, "scanner")


def _opened(source: Any, columns: list[str] | None) -> Any:
    """Return a source as an object that the extension reads. Only these columns of files are read."""
    if is_arrow_file(source) or isinstance(source, (str, os.PathLike)):
        return open_files([source], columns)
    if isinstance(source, (list, tuple)) and source and all(isinstance(p, (str, os.PathLike)) for p in source):
        return open_files(list(source), columns)
    if is_lazy(source):
        return _lazy(source, columns)
    if _is_dataset(source):
        return source.with_format("arrow").iter(BATCH)
    if _is_scanner(source):
        return source.to_batches(columns=columns) if columns else source.to_batches()
    if not is_arrow(source) and (isinstance(source, (bytes, collections.abc.Mapping)) or
                                 not isinstance(source, collections.abc.Iterable)):
        raise TypeError(f"expected a table of Arrow, an iterable of them or the path of a file, found {source!r:.80}")
    return source


def _lazy(frame: Any, columns: list[str] | None) -> Any:
    """Return the batches of a polars query, one after the other if this polars can do that."""
    chosen = frame.select(columns) if columns else frame
    return chosen.collect_batches() if hasattr(chosen, "collect_batches") else chosen.collect()


def _present(columns: list[str] | None, names: list[str]) -> list[str] | None:
    """Return the columns if the file has all of them; else None, which reads all, so that a message can list them."""
    return columns if columns and set(columns) <= set(names) else None


def _with_pyarrow(paths: list[str], columns: list[str] | None) -> Any:
    parquet, ipc = importlib.import_module("pyarrow.parquet"), importlib.import_module("pyarrow.ipc")
    for path in paths:
        if path.lower().endswith(PARQUET):
            with parquet.ParquetFile(path) as file:
                yield from file.iter_batches(BATCH, columns=_present(columns, file.schema_arrow.names))
        else:
            with ipc.open_file(path) as file:
                yield from (file.get_batch(i) for i in range(file.num_record_batches))


def _with_polars(paths: list[str], columns: list[str] | None) -> Any:
    polars = importlib.import_module("polars")
    for path in paths:
        frame = polars.scan_parquet(path) if path.lower().endswith(PARQUET) else polars.scan_ipc(path)
        batches = _lazy(frame, _present(columns, frame.collect_schema().names()))
        yield from [batches] if hasattr(batches, "__arrow_c_stream__") else batches


def _with_duckdb(paths: list[str], columns: list[str] | None) -> Any:
    duckdb = importlib.import_module("duckdb")
    for path in paths:
        if not path.lower().endswith(PARQUET):
            raise ImportError(f"{path}: files of Feather and Arrow need pyarrow or polars (pip install pyarrow)")
        relation = duckdb.read_parquet(path)
        chosen = _present(columns, relation.columns)
        yield relation.select(*map(duckdb.ColumnExpression, chosen)) if chosen else relation


OPENERS: tuple[tuple[str, Callable[[list[str], list[str] | None], Any]], ...] = (
    ("pyarrow", _with_pyarrow), ("polars", _with_polars), ("duckdb", _with_duckdb))


def open_files(paths: list[Any], columns: list[str] | None) -> Any:
    """Return the tables of files, in order, through the first package that is installed."""
    names = [_calls.text_path(path) for path in paths]
    for path in names:
        if not is_arrow_file(path):
            raise ValueError(f"{path}: expected a name that ends with one of {', '.join(FILES)}")
        try:
            open(path, "rb").close()
        except FileNotFoundError:
            raise MissingFileError(f"{path}: cannot open: No such file or directory") from None
        except OSError as error:
            raise FileError(f"{path}: cannot open: {error.strerror}") from None
    for package, opener in OPENERS:
        if _calls.is_here(package):
            return opener(names, columns)
    raise ImportError(f"{names[0]}: reading Parquet needs pyarrow, polars or duckdb (pip install pyarrow)")
