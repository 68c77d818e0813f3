"""Tables of Arrow become corpora, from every library that is installed, and from structs that are wrong."""
import importlib
import struct
import sys
import weakref

import numpy as np
import pytest
from arrow_structs import Failing, OneArray, array, offsets, schema, view

import ezlda

TEXTS = ["rivers and boats on water", "", "violins play music loud", None, "the water of rivers, über alles"]
YEARS = [1990, None, 1992, 1993, 2000]


@pytest.fixture
def pa():
    return pytest.importorskip("pyarrow")


@pytest.fixture
def pl():
    return pytest.importorskip("polars")


@pytest.fixture(scope="module")
def expected():
    return ezlda.Corpus.from_texts(TEXTS, stopwords="none")


def read(source, *args, **options):
    return ezlda.Corpus.from_arrow(source, *args, stopwords="none", **options)


def check(found, expected):
    assert found.info["hash"] == expected.info["hash"] and len(found) == len(expected)


# ---- libraries ----


def test_forms_of_pyarrow(pa, expected):
    table = pa.table({"id": range(5), "text": TEXTS, "year": YEARS})
    for source in (table, table.to_reader(), table.to_batches()[0], table.to_batches(max_chunksize=2),
                   iter(table.to_batches(max_chunksize=1)), pa.array(TEXTS), pa.chunked_array([TEXTS[:2], TEXTS[2:]]),
                   pa.concat_tables([table, table]).slice(5), pa.table({"a": TEXTS}),
                   importlib.import_module("pyarrow.dataset").dataset(table)):
        check(read(source), expected)
    check(ezlda.Corpus(table, stopwords="none"), expected)


def test_types_of_text(pa, expected):
    plain = pa.array(TEXTS)
    for text in (plain.cast(pa.large_string()), plain.cast(pa.string_view()), plain.dictionary_encode(),
                 plain.dictionary_encode().cast(pa.dictionary(pa.int8(), pa.large_string())),
                 pa.concat_arrays([plain, plain]).slice(5)):
        check(read(pa.table({"text": text})), expected)
        check(read(text), expected)
    assert read(pa.table({"text": pa.concat_arrays([plain, pa.nulls(9, pa.string())])})).info["empty_docs"] == 11


def test_words_that_are_cut_already(pa):
    words = [["New York", "a", "b"], [], None, ["a", None, "über"]]
    expected = ezlda.Corpus.from_tokens([[w for w in d or [] if w] for d in words])
    strings = pa.array(words)
    for kind in (pa.list_(pa.string()), pa.large_list(pa.string()), pa.list_(pa.large_string()),
                 pa.list_(pa.string_view()), pa.list_(pa.dictionary(pa.int32(), pa.string()))):
        found = ezlda.Corpus.from_arrow(pa.table({"text": pa.array(words, kind)}))
        assert sorted(found.words) == sorted(expected.words) and found.info["tokens"] == 5
    assert len(ezlda.Corpus.from_arrow(strings.slice(1))) == 3
    fixed = pa.array([["a", "b"], ["c", "d"], None], pa.list_(pa.string(), 2)).slice(1)
    found = ezlda.Corpus.from_arrow(pa.table({"text": fixed}))
    assert sorted(found.words) == ["c", "d"] and len(found) == 2
    filtered = ezlda.Corpus.from_arrow(pa.table({"text": pa.array(words)}), stopwords=["a"], min_docs=1)
    assert "a" not in filtered.words and "New York" in filtered.words


def test_fields(pa):
    table = pa.table({
        "text": TEXTS, "id": pa.array([1, 2, 3, 4, 255], pa.uint8()), "kind": pa.array(list("abcab")).dictionary_encode(),
        "year": YEARS, "share": [0.5, 2.0, float("nan"), None, 0.1], "short": pa.array([0.1, 1e20, 3, None, 0], pa.float32()),
        "day": pa.array([0, -1, 18321, -719468, None], pa.date32()), "good": [True, False, None, True, True],
        "at": pa.array([0, -1, 1500, 86400000, None], pa.timestamp("ms")),
        "zone": pa.array([0, 1, 2, 3, 4], pa.timestamp("s", "Europe/Berlin")), "none": pa.nulls(5),
    })
    found = read(table, name="id", label="kind",
                 fields=["year", "share", "short", "day", "good", "at", "zone", "none"])
    assert found.names == ["1", "2", "3", "4", "255"] and found.field("label") == ["a", "b", "c", "a", "b"]
    assert found.field("year") == ["1990", "", "1992", "1993", "2000"]
    assert found.field("share") == ["0.5", "2.0", "", "", "0.1"]
    assert found.field("short") == ["0.1", "1e+20", "3.0", "", "0.0"]
    assert found.field("day") == ["1970-01-01", "1969-12-31", "2020-02-29", "0000-03-01", ""]
    assert found.field("good") == ["True", "False", "", "True", "True"]
    assert found.field("at") == ["1970-01-01 00:00:00", "1969-12-31 23:59:59.999", "1970-01-01 00:00:01.500",
                                 "1970-01-02 00:00:00", ""]
    assert found.field("zone")[1] == "1970-01-01 00:00:01+00:00" and found.field("none") == [""] * 5


def test_several_columns_of_text(pa):
    table = pa.table({"title": ["one two", None], "body": ["three", "four"]})
    assert sorted(read(table, ["title", "body"]).words) == ["four", "one", "three", "two"]
    with pytest.raises(KeyError, match="each of 'title', 'body'.*title .string., body .string."):
        read(table)


def test_polars(pl, expected):
    frame = pl.DataFrame({"text": TEXTS, "year": YEARS})
    for source in (frame, frame["text"], frame.lazy(), frame.lazy().filter(pl.col("year").is_null() | True),
                   frame.with_columns(pl.col("text").cast(pl.Categorical))):
        check(read(source, "text"), expected)
    check(ezlda.Corpus(frame.lazy(), text="text", stopwords="none"), expected)
    words = frame.select(pl.col("text").fill_null("").str.split(" "))
    assert read(words).info["tokens"] == 15


def test_duckdb_and_pandas(expected):
    pandas = pytest.importorskip("pandas", "2.2")
    frame = pandas.DataFrame({"text": TEXTS}, index=list("pqrst"))
    pytest.importorskip("pyarrow")
    check(read(frame), expected)
    duckdb = pytest.importorskip("duckdb")
    check(read(duckdb.from_df(frame)), expected)
    check(ezlda.Corpus(duckdb.from_df(frame), stopwords="none"), expected)


def test_topics_of_tables(pa):
    """Tables are documents wherever documents are."""
    model = ezlda.train(ezlda.Corpus.from_texts(TEXTS, stopwords="none"), 2, 5, device="cpu", progress=False)
    rows = model.infer(TEXTS)
    np.testing.assert_array_equal(model.infer([text or "" for text in TEXTS]), rows)
    table = pa.table({"text": TEXTS})
    for documents in (table, table["text"], Dataset(table), table.to_pandas()):
        np.testing.assert_array_equal(model.infer(documents), rows)
    assert model.update(table, 2, device="cpu", progress=False).info["docs"] == len(TEXTS)
    polars = pytest.importorskip("polars")
    for documents in (polars.DataFrame({"text": TEXTS}), polars.LazyFrame({"text": TEXTS}), polars.Series(TEXTS)):
        np.testing.assert_array_equal(model.infer(documents), rows)
    duckdb = pytest.importorskip("duckdb")
    np.testing.assert_array_equal(model.infer(duckdb.from_arrow(table)), rows)
    with pytest.raises(TypeError, match="corpus of dict with train, test: pass one of its values"):
        ezlda.Corpus({"train": table, "test": table})


class Dataset:
    """What a dataset of Hugging Face's package looks like."""

    def __init__(self, table):
        self.table = table

    def with_format(self, kind):
        assert kind == "arrow"
        return self

    def iter(self, batch):
        yield from (self.table.slice(i, 2) for i in range(0, len(self.table), 2))


def test_a_dataset_of_hugging_face(pa, expected):
    check(ezlda.Corpus(Dataset(pa.table({"text": TEXTS})), stopwords="none"), expected)


def test_like_a_model_and_many_threads(pa):
    texts = [f"word{chr(97 + i % 26)} rivers water boats{chr(97 + i % 7)}" for i in range(5000)]
    one = read(pa.table({"text": texts}).to_batches(max_chunksize=7), threads=1)
    many = read(pa.table({"text": texts}), threads=8)
    check(one, many)
    model = ezlda.train(one, 3, 5, progress=False)
    new = ezlda.Corpus.from_arrow(pa.table({"body": ["Rivers, WATER"]}), "body", like=model)
    assert sorted(new.words) == ["rivers", "water"]


# ---- files ----


@pytest.mark.parametrize("package", ["pyarrow", "polars", "duckdb"])
def test_parquet(pa, package, expected, tmp_path, monkeypatch):
    pytest.importorskip(package)
    parquet = importlib.import_module("pyarrow.parquet")
    path = tmp_path / "texts.parquet"
    parquet.write_table(pa.table({"body": TEXTS, "year": YEARS, "other": range(5)}), path, row_group_size=2)
    import ezlda.arrow
    monkeypatch.setattr(ezlda.arrow, "OPENERS", [o for o in ezlda.arrow.OPENERS if o[0] == package])
    check(read(path), expected)
    found = read([path, str(path)], "body", fields=["year"])
    assert len(found) == 10 and found.field("year")[:2] == ["1990", ""]
    check(ezlda.Corpus.read(path, text_field="body", keep_fields="year", stopwords="none"), expected)
    check(ezlda.Corpus(str(path), text_field="body", stopwords="none"), expected)
    with pytest.raises(KeyError, match="no column 'text'.*body .string"):
        read(path, "text")


def test_feather(pa, pl, expected, tmp_path, monkeypatch):
    pl.DataFrame({"text": TEXTS}).write_ipc(tmp_path / "t.arrow")
    check(read(tmp_path / "t.arrow"), expected)
    import ezlda.arrow
    monkeypatch.setattr(ezlda.arrow, "OPENERS", ezlda.arrow.OPENERS[1:])
    check(read(tmp_path / "t.arrow"), expected)


def test_a_file_without_a_package_and_without_a_file(tmp_path, monkeypatch):
    import ezlda.arrow
    path = tmp_path / "x.parquet"
    with pytest.raises(ezlda.MissingFileError, match="x.parquet: cannot open"):
        read(path)
    path.write_bytes(b"PAR1")
    monkeypatch.setattr(ezlda._calls, "is_here", lambda package: False)
    with pytest.raises(ImportError, match="needs pyarrow, polars or duckdb .pip install pyarrow"):
        read(path)
    with pytest.raises(ValueError, match="a.txt: expected a name that ends"):
        read("a.txt")


# ---- what is wrong ----


def test_types_that_are_not_text(pa):
    for values, name in (([1, 2], "int64"), ([b"x"], "binary"), ([[1]], "list<int64>"), ([{"a": 1}], "struct"),
                         ([[["a"]]], "list<list<string>>")):
        with pytest.raises(TypeError, match=f"column 'text' has the type {name}; expected strings"):
            read(pa.table({"text": values}))
    table = pa.table({"text": ["a"], "x": pa.nulls(1, pa.decimal128(5)), "l": [["a"]]})
    for name, kind in (("x", "decimal"), ("l", "list<string>")):
        with pytest.raises(TypeError, match=f"column '{name}' has the type {kind}; expected strings, numbers"):
            read(table, fields=[name])
    with pytest.raises(KeyError, match="no column 'y'; the columns are: text .string., x .decimal."):
        read(table, name="y")
    with pytest.raises(KeyError, match="several columns 'text'"):
        read(pa.Table.from_arrays([pa.array(["a"]), pa.array(["b"])], ["text", "text"]), "text")
    with pytest.raises(KeyError, match="no column can be the text"):
        read(pa.table({"x": [1]}))
    with pytest.raises(ValueError, match="text, name, label and id have arguments"):
        read(table, fields=["label"])


def test_values_that_are_not_tables(pa):
    for wrong in (3, b"x", {"text": TEXTS}, [1], None):
        with pytest.raises(TypeError, match="expected a table|expected tables"):
            read(wrong)
    with pytest.raises(ValueError, match="there are no batches"):
        read(iter([]))
    with pytest.raises(ezlda.FormatError, match="no documents"):
        read(pa.table({"text": pa.array([], pa.string())}))
    with pytest.raises(ezlda.FormatError, match='column "text": a later table has no such column'):
        read([pa.table({"text": ["a b"]}), pa.table({"body": ["c"]})])
    with pytest.raises(TypeError, match="expected tables or batches of Arrow, found <class 'int'>"):
        read(iter([pa.table({"text": ["a b"]}), 7]))

    def broken():
        yield pa.table({"text": ["a b"]})
        raise LookupError("the source broke")
    with pytest.raises(LookupError, match="the source broke"):
        read(broken())
    reader = pa.table({"text": TEXTS}).to_reader()
    read(reader)
    with pytest.raises((ValueError, pa.ArrowInvalid)):
        read(reader)


STRING = array(2, [None, offsets(0, 3, 5), b"one&2"])


@pytest.mark.parametrize("format, made, message", [
    (b"u", lambda: array(2, [None, offsets(0, 9, 5), b"x" * 9]), "row 1: its offsets are out of order"),
    (b"u", lambda: array(1, [None, offsets(-4, 3), b"x" * 9]), "row 0: its offsets are out of order"),
    (b"u", lambda: array(1, [None, offsets(0, 3), None]), "row 0: a buffer is missing"),
    (b"u", lambda: array(1, [None, None, b"abc"]), "a buffer is missing"),
    (b"u", lambda: array(1, [None, offsets(0, 3)]), "another number of buffers"),
    (b"u", lambda: array(-1, [None, offsets(0, 3), b"abc"]), "does not have the columns|out of range"),
    (b"u", lambda: array(1, [None, offsets(0, 3), b"abc"], offset=-2), "does not have the columns|out of range"),
    (b"U", lambda: array(1, [None, offsets(3, 0, code="q"), b"abc"]), "offsets are out of order"),
    (b"vu", lambda: array(1, [None, view(20, 0, 0), b"x" * 9, struct.pack("=q", 9)]), "view of a string is out of"),
    (b"vu", lambda: array(1, [None, view(20, 3, 0), b"x" * 90, struct.pack("=q", 90)]), "view of a string is out of"),
    (b"vu", lambda: array(1, [None, view(-1, 0, 0), b"x" * 90, struct.pack("=q", 90)]), "view of a string is out of"),
    (b"vu", lambda: array(1, [None, view(20, 0, -5), b"x" * 90, struct.pack("=q", 90)]), "view of a string is out of"),
    (b"vu", lambda: array(1, [None, view(20, 0, 0)]), "another number of buffers"),
])
def test_arrays_that_are_wrong(format, made, message):
    with pytest.raises(ezlda.FormatError, match=f'column "text".*({message})|{message}'):
        read(OneArray(schema(format), made()))


def test_nested_arrays_that_are_wrong():
    words = schema(b"u", b"item")
    for made, message in ((array(1, [None, offsets(0, 3)], [STRING]), "longer than its items"),
                          (array(1, [None, offsets(0, 1)]), "a list has no items"),
                          (array(1, [None, offsets(0, 2)], [array(2, [None, offsets(0, 3)])]), "number of buffers")):
        with pytest.raises(ezlda.FormatError, match=message):
            read(OneArray(schema(b"+l", children=[words]), made))
    with pytest.raises(ezlda.FormatError, match="longer than its items|out of range"):
        read(OneArray(schema(b"+w:9000000000000000000", children=[words]), array(2, [None], [STRING], offset=7)))
    for index in (2, -1):
        with pytest.raises(ezlda.FormatError, match="an index is outside its dictionary"):
            read(OneArray(schema(b"i", dictionary=schema(b"u")), array(1, [None, offsets(index)], dictionary=STRING)))
    with pytest.raises(ezlda.FormatError, match="it has no dictionary"):
        read(OneArray(schema(b"i", dictionary=schema(b"u")), array(1, [None, offsets(0)])))
    with pytest.raises(ezlda.FormatError, match="does not have the columns of its schema"):
        read(OneArray(schema(b"+s", b"", [schema(b"u")]), array(2, [None])))
    with pytest.raises(ezlda.FormatError, match="shorter than the others"):
        read(OneArray(schema(b"+s", b"", [schema(b"u")]), array(3, [None], [STRING])))
    for unknown in (b"", b"?", b"+w:x", b"w:4", b"+ud:0", b"tsz:"):
        with pytest.raises(TypeError, match="has the type"):
            read(OneArray(schema(unknown), array(1, [None, offsets(0)])))


def test_missing_rows_of_a_table():
    table = schema(b"+s", b"", [schema(b"u")])
    rows = array(2, [b"\x02"], [array(3, [None, offsets(0, 3, 6, 9), b"onetwosix"])], offset=1, nulls=1)
    found = read(OneArray(table, rows))
    assert found.words == ["two"] and found.info["empty_docs"] == 1


def test_text_that_is_not_utf8():
    with pytest.raises(ezlda.FormatError, match="records:1: expected UTF-8, found the byte 0xff"):
        read(OneArray(schema(b"u"), array(1, [None, offsets(0, 2), b"\xff\xfe"])))
    found = read(OneArray(schema(b"u"), array(1, [None, offsets(0, 7), b"one\0two"])))
    assert sorted(found.words) == ["one", "two"]


def test_a_stream_that_breaks_off():
    with pytest.raises(ezlda.FormatError, match="the Arrow stream ended: the disk is on fire"):
        read(Failing(schema(b"u"), STRING))
    source = OneArray(schema(b"u"), array(1, [None, offsets(0, 3), b"abc"]))
    read(source)
    with pytest.raises(ValueError, match="was read already"):
        read(source)


# ---- rows of Python ----


def test_a_generator_is_read_in_constant_memory():
    """Few texts of a generator exist at the same time."""
    class Text(str):
        pass

    alive, most = weakref.WeakSet(), []

    def texts():
        for i in range(20_000):
            text = Text(f"text number {i} of a generator, with some words more " * 3)
            alive.add(text)
            most.append(len(alive))
            yield text

    corpus = ezlda.Corpus.from_texts(texts())
    assert len(corpus) == 20_000 and max(most) < 2_000
    check(ezlda.Corpus(texts()), corpus)


def test_an_error_of_a_generator_is_its_own():
    def texts():
        yield "one two"
        raise LookupError("no more")
    with pytest.raises(LookupError, match="no more"):
        ezlda.Corpus.from_texts(texts())
    with pytest.raises(TypeError, match="document 1: expected a text, found 3"):
        ezlda.Corpus.from_texts(iter(["one", 3]))


def test_no_package_of_arrow_is_needed(expected):
    """The interface itself needs neither pyarrow nor polars."""
    before = set(sys.modules)
    joined, at = b"", [0]
    for text in TEXTS:
        joined += (text or "").encode()
        at.append(len(joined))
    check(read(OneArray(schema(b"u"), array(5, [b"\x17", offsets(*at), joined], nulls=1))), expected)
    assert not {name.partition(".")[0] for name in set(sys.modules) - before} & {"pyarrow", "polars", "duckdb"}
