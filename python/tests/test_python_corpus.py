"""ezlda.Corpus: every way in, and the same corpus out of each."""
import pickle
import tracemalloc

import numpy as np
import pytest
from scipy import sparse

import ezlda

DENSE = np.array([[2, 0, 1, 0], [0, 0, 0, 0], [0, 3, 0, 1]])
WORDS = ["river", "violin", "boat", "concert"]


@pytest.fixture(scope="module")
def small():
    return ezlda.Corpus.from_matrix(DENSE, WORDS)


@pytest.mark.parametrize("dtype", [bool, "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"])
@pytest.mark.parametrize("index", ["i4", "i8"])
def test_matrices_of_every_type(dtype, index):
    dense = DENSE.astype(dtype)
    csr = sparse.csr_matrix(dense)
    csr.indices, csr.indptr = csr.indices.astype(index), csr.indptr.astype(index)
    expected = ezlda.Corpus.from_matrix(dense.astype("i4"), WORDS)
    for made in (csr, sparse.csr_array(dense), sparse.csc_matrix(dense), dense):
        corpus = ezlda.Corpus.from_matrix(made, WORDS)
        assert corpus.info["hash"] == expected.info["hash"]
        np.testing.assert_array_equal(corpus.to_csr().toarray(), dense.astype(int))


def test_large_counts_are_restored():
    large = np.array([[3_000_000_000, 1], [0, 2]])
    again = ezlda.Corpus(large).to_csr()
    assert again.dtype == np.int64 and (again.toarray() == large).all()
    assert ezlda.Corpus(DENSE).to_csr().dtype == np.int32


def test_other_byte_orders_and_strides():
    for odd in (DENSE.astype(">i4"), np.asfortranarray(DENSE), np.repeat(DENSE, 2, axis=1)[:, ::2]):
        np.testing.assert_array_equal(ezlda.Corpus(odd).to_csr().toarray(), DENSE)


@pytest.mark.parametrize("value, message", [(-1.0, "negative"), (0.5, "not a whole number"), (np.nan, "not a number"),
                                            (2.0**32, "too large"), (np.inf, "too large")])
def test_wrong_values_are_named(value, message):
    wrong = sparse.csr_matrix(DENSE.astype(float))
    wrong.data[2] = value
    with pytest.raises(ValueError, match=f"row 2, column [0-9]+: the count is {message}"):
        ezlda.Corpus.from_matrix(wrong)


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8", "f4"])
def test_negative_counts_of_every_type(dtype):
    with pytest.raises(ValueError, match="is negative"):
        ezlda.Corpus.from_matrix(-DENSE.astype(dtype))


def test_broken_matrices_are_refused():
    def made(indptr, indices, data):
        csr = sparse.csr_matrix((3, 4), dtype=np.int32)
        csr.indptr, csr.indices, csr.data = (np.array(a, dtype=np.int32) for a in (indptr, indices, data))
        return csr
    for indptr, indices in (([0, 2, 1, 2], [0, 1]), ([0, 1, 2, 9], [0, 1]), ([0, 1, 2, 2], [0, 4]),
                            ([0, 1, 2, 2], [0, -1]), ([0, -1, 2, 2], [0, 1]), ([1, 1, 2, 2], [0, 1])):
        with pytest.raises(ValueError):
            ezlda.Corpus.from_matrix(made(indptr, indices, [1, 1]))


def test_words_must_fit():
    with pytest.raises(ValueError, match="3 words for 4 columns"):
        ezlda.Corpus.from_matrix(DENSE, WORDS[:3])
    with pytest.raises(TypeError):
        ezlda.Corpus.from_matrix(DENSE, [1, 2, 3, 4])


def test_words_by_name():
    """scikit-learn's vocabulary_ and gensim's token2id say the number of each word, in any order."""
    turned = {word: np.int64(WORDS.index(word)) for word in sorted(WORDS)}
    assert ezlda.Corpus.from_matrix(DENSE, turned).words == WORDS
    assert ezlda.Corpus.from_matrix(DENSE, {0: "river", 2: "boat"}).words == ["river", "1", "boat", "3"]
    assert ezlda.Corpus.from_bow([[(3, 1)]], turned).words == WORDS
    with pytest.raises(ValueError, match="'a' and 'b' have the same number, 0"):
        ezlda.Corpus.from_matrix(DENSE, {"a": 0, "b": 0})
    with pytest.raises(ValueError, match="numbers from 0 to 3, found 4"):
        ezlda.Corpus.from_matrix(DENSE, {"a": 4})
    with pytest.raises(TypeError, match="words with their numbers"):
        ezlda.Corpus.from_matrix(DENSE, {"a": "b"})
    for make in (lambda: ezlda.Corpus.from_matrix(DENSE, ["a", "b", "a", "c"]),
                 lambda: ezlda.Corpus.from_bow([[(0, 1)]], ["a", "b", "a"])):
        with pytest.raises(ValueError, match="'a' names the columns 0 and 2"):
            make()


def test_names_of_rows():
    kept = ezlda.Corpus.from_matrix(DENSE, WORDS, names=["x", "y", None], labels="abc", fields={"year": [1, 2, 3]})
    assert kept.names == ["x", "y", ""] and kept.field("label") == list("abc") and kept.field("year") == list("123")
    assert kept.info["hash"] == ezlda.Corpus.from_matrix(DENSE, WORDS).info["hash"]
    np.testing.assert_array_equal(kept.to_csr().toarray(), DENSE)
    with pytest.raises(ValueError, match="name: 1 values for 3 documents"):
        ezlda.Corpus.from_matrix(DENSE, names=["x"])
    with pytest.raises(ValueError, match="arguments of their own"):
        ezlda.Corpus.from_matrix(DENSE, fields={"name": list("xyz")})
    many = ezlda.Corpus.from_matrix(np.tile(DENSE, (300, 1)), names=range(900))
    assert many.names == [str(i) for i in range(900)] and (many.to_csr().toarray() == np.tile(DENSE, (300, 1))).all()


def test_what_it_holds(small):
    assert len(small) == 3 and small.words == WORDS and small.names is None
    assert small.info["tokens"] == 7 and small.info["empty_docs"] == 1
    assert "3 documents" in repr(small)


def test_tokens():
    corpus = ezlda.Corpus([["b", "a", "b"], [], ["c d"]])
    assert corpus.words == ["b", "a", "c d"]
    np.testing.assert_array_equal(corpus.to_csr().toarray(), [[2, 1, 0], [0, 0, 0], [0, 0, 1]])


def test_bags_of_words():
    """As gensim's doc2bow makes them; a Dictionary is a mapping from number to word."""
    documents = [[(0, 2), (2, 1)], [], [(3, 1), (1, 3)]]
    for words in (WORDS, dict(enumerate(WORDS))):
        corpus = ezlda.Corpus(documents, words=words)
        assert corpus.words == WORDS
        np.testing.assert_array_equal(corpus.to_csr().toarray(), DENSE)
    assert ezlda.Corpus(documents).info["words"] == 4
    with pytest.raises(ValueError, match="row 0, column 0: the count is not a whole number"):
        ezlda.Corpus.from_bow([[(0, 0.5)]])


@pytest.mark.parametrize("wrong, message", [([1, 2], "document 0: expected words, found 1"),
                                            (["a river", None, 3], "document 2: expected a text"),
                                            ([[1, 2]], "expected words as str, found 1"), ({"a": "b"}, "of dict"),
                                            (7, "of int"), (["a", ["b"]], "document 1: expected a text"),
                                            ([None], "document 0: expected words, found None")])
def test_a_file_that_is_not_a_corpus_is_named(wrong, message):
    with pytest.raises(TypeError, match=message):
        ezlda.Corpus(wrong)


def test_missing_texts_are_empty():
    for texts in (["a river", None, float("nan")], iter(["a river", None, ""]), (None, "a river")):
        found = ezlda.Corpus(texts, stopwords=None)
        assert found.info["tokens"] == 1 and found.info["empty_docs"] == len(found) - 1


def test_one_text_is_not_a_list():
    for make, message in ((ezlda.Corpus.from_texts, "texts in a list"), (ezlda.Corpus.from_tokens, "expected words")):
        with pytest.raises(TypeError, match=message):
            make("one text")
    with pytest.raises(TypeError, match="document 0: expected words, found 'a text'"):
        ezlda.Corpus.from_tokens(["a text"])
    with pytest.raises(FileNotFoundError, match="No such file.*pass texts in a list") as caught:
        ezlda.Corpus("a text that is no file")
    assert isinstance(caught.value, ezlda.Error) and isinstance(caught.value, ezlda.FileError)
    with pytest.raises(ezlda.FileError, match="pass texts in a list"):
        ezlda.Corpus("long " * 1000)


def test_stop_words_in_a_list():
    texts = ["a river and a boat", "the boats of the river"]
    assert sorted(ezlda.Corpus.from_texts(texts, stopwords=["a", "And", "the", "of"]).words) == \
        ["boat", "boats", "river"]
    assert "and" in ezlda.Corpus(texts, stopwords=[]).words
    many = texts * 50  # enough to tell that they are English
    assert "and" in ezlda.Corpus(many, stopwords=None).words and "and" not in ezlda.Corpus(many).words
    with pytest.raises(TypeError, match="stopwords"):
        ezlda.Corpus(texts, stopwords=[1])


def test_texts_with_names_and_fields():
    corpus = ezlda.Corpus.from_texts(["Rivers and Boats", "", "Über \"Violinen\"\n"], names=["a", "b", "c"],
                                     labels=["x", None, "z"], fields={"year": [1990, float("nan"), 1992]},
                                     stopwords="none")
    assert corpus.names == ["a", "b", "c"] and corpus.field("label") == ["x", "", "z"]
    assert corpus.field("year") == ["1990", "", "1992"]
    assert sorted(corpus.words) == ["and", "boats", "rivers", "violinen", "über"]
    with pytest.raises(KeyError):
        corpus.field("month")
    assert ezlda.Corpus.from_texts(["lone \ud800 half"], stopwords="none").words == ["half", "lone"]
    with pytest.raises(ezlda.FormatError, match="^records: no words are left"):
        ezlda.Corpus.from_texts(["1 2 3"])
    with pytest.raises(ValueError, match="no documents"):
        ezlda.Corpus.from_texts([])
    with pytest.raises(ValueError):
        ezlda.Corpus.from_texts(["a", "b"], names=["one"])


def test_frames():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"body": ["rivers boats", None], "who": ["u", "v"]}, index=[7, 8])
    corpus = ezlda.Corpus(frame, text="body", fields=["who"])
    assert corpus.names == ["7", "8"] and corpus.field("who") == ["u", "v"] and corpus.info["empty_docs"] == 1
    assert ezlda.Corpus(frame["body"]).words == corpus.words
    missing = ezlda.Corpus.from_texts(["rivers", pandas.NA, pandas.NaT, None],
                                      labels=pandas.Series([1, None, 3, 4], dtype="Int64"),
                                      fields={"day": pandas.to_datetime(["2024-01-02", None, None, None])})
    assert missing.info["empty_docs"] == 3 and missing.words == ["rivers"]
    assert missing.field("label") == ["1", "", "3", "4"] and missing.field("day")[1] == ""
    series = pandas.Series(["rivers", None, pandas.NA])
    assert ezlda.Corpus(series).info["docs"] == 3 and ezlda.Corpus(series).info["empty_docs"] == 2
    assert ezlda.Corpus.from_matrix(pandas.DataFrame(DENSE, columns=WORDS)).words == WORDS


@pytest.mark.parametrize("kind", ["int64", "Int64", "float32", "Float64", "boolean", "Sparse[int64]"])
def test_frames_of_counts(kind):
    pandas = pytest.importorskip("pandas")
    dense = DENSE > 0 if kind == "boolean" else DENSE
    frame = pandas.DataFrame(dense, columns=WORDS, index=["x", "y", "z"]).astype(kind)
    for corpus in (ezlda.Corpus(frame), ezlda.Corpus.from_matrix(frame)):
        assert corpus.words == WORDS and corpus.names == ["x", "y", "z"]
        np.testing.assert_array_equal(corpus.to_csr().toarray(), dense)
    if kind == "Int64":
        frame.iloc[1, 1] = pandas.NA
        with pytest.raises(ValueError, match="row 1, column 1: the count is not a number"):
            ezlda.Corpus(frame)
    with pytest.raises(KeyError, match="no column 'body'"):
        ezlda.Corpus(frame, text="body")
    with pytest.raises(KeyError, match="no column 'nope'"):
        ezlda.Corpus.from_frame(frame, text="nope")


def test_files(tmp_path, small):
    small.save(tmp_path / "small.ezc")
    assert ezlda.Corpus(tmp_path / "small.ezc").info["hash"] == small.info["hash"]
    (tmp_path / "ü.txt").write_text("one river\ntwo rivers\n")
    assert len(ezlda.Corpus.read(tmp_path / "ü.txt", tmp_path / "ü.txt", stopwords="none")) == 4
    (tmp_path / "old.txt").write_bytes("zwölf Flüsse\n".encode("latin-1"))
    assert ezlda.Corpus.read(tmp_path / "old.txt", encoding="latin1").words == ["flüsse", "zwölf"]
    with pytest.raises(ValueError, match="unknown encoding \"klingon\""):
        ezlda.Corpus.read(tmp_path / "old.txt", encoding="klingon")
    (tmp_path / "t.csv").write_text("title,abstract\nred,blue\n")
    assert ezlda.Corpus.read(tmp_path / "t.csv", text_field=["title", "abstract"]).words == ["blue", "red"]
    with pytest.raises(ezlda.FileError, match="No such file") as caught:
        ezlda.Corpus.read(tmp_path / "none.txt")
    assert isinstance(caught.value, OSError) and isinstance(caught.value, ezlda.Error)
    with pytest.raises(TypeError, match="'stemer' is not an option"):
        ezlda.Corpus.read(tmp_path / "ü.txt", stemer="english")


def test_split_and_pickle(corpus):
    train, test = corpus.split(0.25, seed=3)
    assert (len(train), len(test)) == (300, 100) and train.words == corpus.words
    again = pickle.loads(pickle.dumps(corpus))
    assert again.info == corpus.info


def test_a_frame_of_numbers_is_counts_whatever_its_columns_are_called():
    pandas = pytest.importorskip("pandas")
    corpus = ezlda.Corpus(pandas.DataFrame({"text": [3, 1, 0], "image": [1, 2, 2]}))
    assert corpus.words == ["text", "image"] and corpus.info["tokens"] == 9


def test_columns_without_names_and_fields_that_cannot_be_named():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([["doc1", "a cat sat"], ["doc2", "dogs bark"]])
    corpus = ezlda.Corpus.from_frame(frame, text=1, name=0, fields=[0])
    assert corpus.names == ["doc1", "doc2"] and corpus.field("0") == ["doc1", "doc2"]
    assert ezlda.Corpus.from_frame(frame, text=1, label=0).field("label") == ["doc1", "doc2"]
    for name in ("", "a,b"):
        with pytest.raises(ValueError, match="is not a name for a field"):
            ezlda.Corpus.from_texts(["cat", "dog"], fields={name: [1, 2]})


def test_a_frame_of_polars():
    polars = pytest.importorskip("polars")
    corpus = ezlda.Corpus(polars.DataFrame({"text": ["a cat sat", "dogs bark"]}))
    assert len(corpus) == 2 and "dogs" in corpus.words
    assert len(ezlda.Corpus(polars.Series(["a cat", None, "dogs"]))) == 3
    assert ezlda.Corpus(polars.DataFrame({"cat": [3, 1], "dog": [0, 2]})).words == ["cat", "dog"]


@pytest.mark.parametrize("make, error, message", [
    (lambda: ezlda.Corpus.from_texts([["don't", "stop"]]), TypeError, "document 0: expected a text, found"),
    (lambda: ezlda.Corpus.from_texts(["cat", b"dog"]), TypeError, "document 1: expected a text, found b'dog'"),
    (lambda: ezlda.Corpus.from_texts(["cat", "dog"], names=["x"]), ValueError, "name: 1 values, and others have more"),
    (lambda: ezlda.Corpus.from_matrix(np.eye(2, dtype=int), [10, 20]), TypeError, "text for column 0, found 10"),
    (lambda: ezlda.Corpus.from_bow([[(0, 1)], [("a", 1)]]), TypeError, r"document 1: expected pairs .*found \('a', 1\)"),
    (lambda: ezlda.Corpus.from_bow([[(0, 1), (1, 2, 3)]]), TypeError, r"document 0: expected pairs .*found \(1, 2, 3\)"),
    (lambda: ezlda.train([["a"], ["b"]], 2, 1, seeds={0: [1]}), TypeError, "seeds of topic 0: expected words, found 1"),
])
def test_what_is_wrong_is_named(make, error, message):
    with pytest.raises(error, match=message):
        make()


def test_forms_that_come_from_elsewhere():
    assert ezlda.Corpus([[[0, 1], [2, 3]], [[1, 1]]]).info["tokens"] == 5  # bags of words after JSON
    assert sorted(ezlda.Corpus.from_texts(["cat\0dog"]).words) == ["cat", "dog"]  # text of a PDF file
    csr = sparse.csr_matrix(np.eye(3, dtype=np.int32))
    csr.indices, csr.data = np.append(csr.indices, 99), np.append(csr.data, 99)  # room that is not used
    assert ezlda.Corpus.from_matrix(csr).info["tokens"] == 3
    assert {"LatentDirichletAllocation", "tl"} <= set(dir(ezlda))


def many_texts(n):
    """"all" in each text, "pair" in two, "once" in one."""
    return [f"all topic{'abcdefghij'[i % 10]} theme{'klmnopqrst'[i // 7 % 10]}" + (" pair" if i < 2 else "") +
            (" once" if i == 5 else "") for i in range(n)]


def test_rare_and_common_words_are_removed_as_by_the_command(tmp_path):
    path = tmp_path / "text.txt"
    for n, removed in ((99, set()), (100, {"all", "once"}), (1000, {"all", "once", "pair"})):
        texts = many_texts(n)
        path.write_text("\n".join(texts) + "\n", encoding="utf-8")
        whole = ezlda.Corpus(texts, stopwords="none", min_docs=1, max_docs_share=1.0)
        corpus = ezlda.Corpus(texts, stopwords="none")
        assert set(whole.words) - set(corpus.words) == removed
        assert ezlda.Corpus.read(path, stopwords="none").info["hash"] == corpus.info["hash"]
        assert ("in more than 50 %" in corpus.info["text_read_with"]) == bool(removed)


def test_words_that_are_given_stay():
    """A matrix and lists of words have the words that their maker chose."""
    lists = [text.split() for text in many_texts(1000)]
    whole = ezlda.Corpus(lists)
    assert {"all", "once", "pair"} <= set(whole.words)
    assert set(ezlda.Corpus(lists, keep_case=True).words) == set(whole.words)
    assert ezlda.Corpus(whole.to_csr(), words=whole.words).words == whole.words


def test_a_run_that_continues_has_the_limits_of_its_model():
    model = ezlda.train(ezlda.Corpus(many_texts(1000), stopwords="none"), 2, 3, progress=False)
    grown = ezlda.train(many_texts(300), None, 3, init=model, progress=False)
    assert not {"all", "once", "pair"} & set(grown.words)
    assert {"all", "once", "pair"} <= set(ezlda.Corpus(many_texts(300), like=model).words)


def test_bags_of_words_are_read_in_little_memory():
    """Few pairs of a generator exist at the same time. A tuple of two numbers alone takes 56 bytes."""
    pairs, documents = 50, 20_000

    def bags():
        for d in range(documents):
            yield [(300 + (d * 31 + i * 7919) % 40_000, 300 + i) for i in range(pairs)]

    tracemalloc.start()
    try:
        corpus = ezlda.Corpus.from_bow(bags())
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert corpus.info["docs"] == documents
    assert peak < 40 * pairs * documents


def test_bags_of_words_with_odd_numbers():
    """Counts may be floats, and large ones come after small ones."""
    documents = [[(i % 7, 1)] for i in range(70_000)] + [[(8, 2.0), (9, 2**31 + 5)], [], [(0, 3)]]
    corpus = ezlda.Corpus.from_bow(documents)
    assert corpus.info["tokens"] == 70_000 + 2 + 2**31 + 5 + 3 and len(corpus) == 70_003
    for wrong, message in (([[(2**31, 1)]] , "too large|memory|words"), ([[(0, 1)]] * 70_000 + [[(-1, 1)]], "row 70000"),
                           ([[(0, 1)]] * 70_000 + [[(0, -2)]], "row 70000"), ([[(0, 1)]] * 70_000 + [[(0, 0.4)]], "row 70000")):
        with pytest.raises((ValueError, ezlda.Error), match=message):
            ezlda.Corpus.from_bow(wrong, [f"w{i}" for i in range(7)])
    with pytest.raises(TypeError, match=r"document 70000: expected pairs .*found \('a', 1\)"):
        ezlda.Corpus.from_bow([[(0, 1)]] * 70_000 + [[("a", 1)]])
