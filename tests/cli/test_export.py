"""ezlda export: each format by its documented form, read with nothing but the standard library."""
import ast
import csv
import gzip
import io
import json
import math
import pickle
import resource
import struct
import zipfile

import pytest

FORMATS = ["mallet-state", "mallet-keys", "mallet-doc-topics", "gensim", "pyldavis-json", "npz", "csv"]
FOLDERS = {"gensim", "csv"}
TOPICS = 4


@pytest.fixture(scope="module")
def kept(ezlda, articles, device, tmp_path_factory):
    """A corpus and a model of the articles that keeps the topics of its tokens."""
    folder = tmp_path_factory.mktemp("kept")
    corpus, model = folder / "articles.ezc", folder / "articles.ezm"
    assert ezlda("import", articles, "--min-length", 2, "--stopwords", "none", "-o", corpus).status == 0
    result = ezlda("train", corpus, "-k", TOPICS, "-i", 40, "--alpha", 0.1, "--beta", 0.01, "--seed", 5, "--device", device,
                   "--keep-topics", "-o", model)
    assert result.status == 0, result
    return corpus, model


@pytest.fixture(scope="module")
def export(ezlda, kept, tmp_path_factory):
    """Exports the kept model; returns the path."""
    def to(name, *arguments, model=None):
        path = tmp_path_factory.mktemp("export") / name
        corpus = ["--corpus", kept[0]] if name in ("mallet-state", "gensim") else []
        result = ezlda("export", model or kept[1], "--to", name, "-o", path, *corpus, *arguments)
        assert result.status == 0 and result.stdout.count("\n") == 1 and result.stdout.startswith(str(path)), result
        return path
    return to


def npy(data):
    """A .npy file as (type, shape, its numbers or bytes)."""
    assert data[:8] == b"\x93NUMPY\x01\x00"
    length = struct.unpack("<H", data[8:10])[0]
    assert (10 + length) % 64 == 0 and data[9 + length:10 + length] == b"\n"
    header = ast.literal_eval(data[10:10 + length].decode("ascii"))
    assert header["fortran_order"] is False
    kind, shape, body = header["descr"], header["shape"], data[10 + length:]
    codes = {"<f8": "d", "<f4": "f", "<i4": "i", "<i8": "q", "<u2": "H"}
    if kind in codes:
        values = list(struct.unpack(f"<{math.prod(shape)}{codes[kind]}", body))
    else:
        width = 4 * int(kind[2:])
        assert len(body) == width * shape[0]
        values = [body[i * width:(i + 1) * width].decode("utf-32-le").rstrip("\0") for i in range(shape[0])]
    return kind, shape, values


@pytest.fixture(scope="module")
def arrays(export):
    with zipfile.ZipFile(export("npz")) as file:
        assert file.testzip() is None
        return {name[:-4]: npy(file.read(name))[2] for name in file.namelist()}


@pytest.fixture(scope="module")
def state(export):
    data = export("mallet-state").read_bytes()
    lines = gzip.decompress(data).decode().splitlines()
    return lines[:3], [line.split(" ") for line in lines[3:]]


def rows(arrays, name):
    start = arrays[f"{name}_indptr"]
    for a, b in zip(start, start[1:]):
        yield dict(zip(arrays[f"{name}_indices"][a:b], arrays[f"{name}_data"][a:b]))


# ---- MALLET ----------------------------------------------------------------------------------------------------------

def test_state(state, arrays):
    header, tokens = state
    assert header[0] == "#doc source pos typeindex type topic"
    assert header[1].startswith("#alpha : ") and header[1].endswith(" ")
    assert [float(a) for a in header[1][9:].split()] == arrays["alpha"] and float(header[2][8:]) == 0.01
    assert all(len(fields) == 6 for fields in tokens)
    assert [int(fields[5]) for fields in tokens] == arrays["token_topics"]
    assert all(arrays["vocab"][int(fields[3])] == fields[4] for fields in tokens)
    lengths, last = [0] * len(arrays["doc_lengths"]), None
    for doc, _, position, word, _, _ in tokens:
        assert int(position) == lengths[int(doc)]
        assert int(position) == 0 or int(word) >= last
        lengths[int(doc)] += 1
        last = int(word)
    assert lengths == arrays["doc_lengths"]


def test_state_names_have_no_space(state):
    sources = {fields[0]: fields[1] for fields in state[1]}
    assert sources["1"] == "tab_here" and sources["2"] == "line_break" and sources["4"] == "数据库"
    assert sources["20"] == "article_20"


def test_keys(export, ezlda, kept):
    lines = export("mallet-keys", "--words", 3).read_text(encoding="utf-8").splitlines()
    top = json.loads(ezlda("topics", kept[1], "--words", 3, "--json").stdout)["topics"]
    assert len(lines) == TOPICS
    for k, line in enumerate(lines):
        number, alpha, words = line.split("\t")
        assert int(number) == k and float(alpha) == pytest.approx(0.1) and words.endswith(" ")
        expected = next(t for t in top if t["topic"] == k)
        assert words.split() == [w["word"] for w in expected["words"]]


def test_doc_topics(export, arrays):
    lines = export("mallet-doc-topics").read_text(encoding="utf-8").split("\n")
    assert lines.pop() == "" and len(lines) == len(arrays["doc_lengths"])
    for doc, (line, counts) in enumerate(zip(lines, rows(arrays, "doc_topic"))):
        number, name, *shares = line.split("\t")
        total = arrays["doc_lengths"][doc] + sum(arrays["alpha"])
        assert int(number) == doc and name
        assert [float(s) for s in shares] == pytest.approx(
            [(counts.get(k, 0) + arrays["alpha"][k]) / total for k in range(TOPICS)], rel=1e-9)
    assert lines[1].startswith("1\ttab here\t")


def test_a_name_in_gz_is_compressed(ezlda, kept, export, tmp_path):
    assert ezlda("export", kept[1], "--to", "mallet-doc-topics", "-o", tmp_path / "t.gz").status == 0
    assert gzip.decompress((tmp_path / "t.gz").read_bytes()) == export("mallet-doc-topics").read_bytes()


# ---- NumPy, CSV ------------------------------------------------------------------------------------------------------

def test_arrays(arrays):
    words, docs = len(arrays["vocab"]), len(arrays["doc_lengths"])
    assert arrays["topic_word_shape"] == [TOPICS, words] and arrays["doc_topic_shape"] == [docs, TOPICS]
    assert sum(arrays["topic_word_data"]) == sum(arrays["doc_topic_data"]) == sum(arrays["doc_lengths"])
    assert arrays["beta"] == [0.01] and arrays["doc_names"][2] == "line\nbreak" and arrays["doc_lengths"][50] == 0
    counts = [0] * words
    for row in rows(arrays, "topic_word"):
        assert list(row) == sorted(row)
        for word, count in row.items():
            counts[word] += count
    assert counts == arrays["word_counts"]


def test_counts_over_a_byte(ezlda, export, tmp_path):
    """The model file stores counts above 255 in a section of their own."""
    words = ["sea"] * 701 + ["land"]
    topics = [0] * 300 + [1] * 402
    text = "".join(f"0 NA {i} {w == 'land':d} {w} {k}\n" for i, (w, k) in enumerate(zip(words, topics)))
    (tmp_path / "state").write_text("#doc source pos typeindex type topic\n#alpha : 1 1\n#beta : 1\n" + text)
    result = ezlda("import", tmp_path / "state", "-o", tmp_path / "c.ezc", "--model", tmp_path / "m.ezm")
    assert result.status == 0, result
    with zipfile.ZipFile(export("npz", model=tmp_path / "m.ezm")) as file:
        counts = {name: npy(file.read(f"{name}.npy"))[2] for name in ("topic_word_data", "doc_topic_data")}
    assert counts == {"topic_word_data": [300, 401, 1], "doc_topic_data": [300, 402]}
    table = read_csv(export("csv", model=tmp_path / "m.ezm") / "topic_words.csv")
    assert [(r["topic"], r["word"], r["count"]) for r in table] == \
        [("0", "sea", "300"), ("1", "sea", "401"), ("1", "land", "1")]


def read_csv(path):
    text = path.read_bytes().decode("utf-8")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_csv(export, arrays):
    folder = export("csv")
    assert sorted(p.name for p in folder.iterdir()) == ["doc_topics.csv", "topic_words.csv", "topics.csv"]
    topics, words, docs = (read_csv(folder / f"{n}.csv") for n in ("topics", "topic_words", "doc_topics"))
    tokens = [sum(row.values()) for row in rows(arrays, "topic_word")]
    assert [int(t["tokens"]) for t in topics] == tokens
    assert sum(float(t["share"]) for t in topics) == pytest.approx(1)
    expected = [(k, arrays["vocab"][w], c) for k, row in enumerate(rows(arrays, "topic_word")) for w, c in row.items()]
    assert [(int(r["topic"]), r["word"], int(r["count"])) for r in words] == expected
    for r in words:
        total = tokens[int(r["topic"])] + len(arrays["vocab"]) * 0.01
        assert float(r["probability"]) == pytest.approx((int(r["count"]) + 0.01) / total, rel=1e-9)
    expected = [(d, arrays["doc_names"][d], k, c) for d, row in enumerate(rows(arrays, "doc_topic"))
                for k, c in row.items()]
    assert [(int(r["doc"]), r["name"], int(r["topic"]), int(r["count"])) for r in docs] == expected
    assert {'quo"te', "line\nbreak", "tab\there"} <= {r["name"] for r in docs}


def test_csv_with_the_corpus_has_its_fields(ezlda, fails, kept, tmp_path):
    (tmp_path / "t.csv").write_text('id,text,tokens,label\na,"river boat, fish",2019,x\nb,violin concert,"20\n20",""\n')
    assert ezlda("import", tmp_path / "t.csv", "--keep-fields", "tokens", "-o", tmp_path / "t.ezc", "-q").status == 0
    model = tmp_path / "t.ezm"
    assert ezlda("train", tmp_path / "t.ezc", "-k", 2, "-i", 2, "--device", "cpu", "-q", "-o", model).status == 0
    for _ in range(2):
        assert ezlda("export", model, "--to", "csv", "--corpus", tmp_path / "t.ezc", "-o", tmp_path / "f", "-q").status == 0
    assert (tmp_path / "f" / "doc_fields.csv").read_text() == \
        'doc,name,tokens,label,field_tokens\n0,a,3,x,2019\n1,b,2,,"20\n20"\n'
    assert ezlda("export", model, "--to", "csv", "-o", tmp_path / "f", "-q").status == 0
    assert not (tmp_path / "f" / "doc_fields.csv").exists()
    fails(2, "expected the corpus that the model was trained on", "export", kept[1], "--to", "csv", "--corpus",
          tmp_path / "t.ezc", "-o", tmp_path / "g", "-q")


# ---- gensim ----------------------------------------------------------------------------------------------------------

class Stub:
    """Stands for gensim's and NumPy's classes: an object, or the outcome of a call."""
    def __init__(self, *arguments):
        self.arguments = arguments


def unpickle(path):
    class Reader(pickle.Unpickler):
        def find_class(self, module, name):
            return type(name, (Stub,), {"__module__": module})
    return Reader(io.BytesIO(path.read_bytes())).load()


def test_gensim(export, arrays):
    folder = export("gensim")
    model, state, words = (unpickle(folder / n) for n in ("model", "model.state", "model.id2word"))
    assert (type(model).__module__, type(model).__name__) == ("gensim.models.ldamodel", "LdaModel")
    assert model.num_topics == TOPICS and model.num_terms == len(arrays["vocab"])
    assert model.dtype.arguments == ("float32",) and type(state).__name__ == "LdaState"
    for name, loaded in (("model", model), ("model.state", state)):
        for array in vars(loaded)["__numpys"]:
            assert (folder / f"{name}.{array}.npy").exists()
    assert words.token2id == {w: i for i, w in enumerate(arrays["vocab"])}
    assert list(words.cfs.values()) == arrays["word_counts"] and words.num_pos == sum(arrays["word_counts"])
    kind, shape, sstats = npy((folder / "model.state.sstats.npy").read_bytes())
    assert kind == "<f4" and shape == (TOPICS, len(arrays["vocab"]))
    dense = [row.get(w, 0) for row in rows(arrays, "topic_word") for w in range(shape[1])]
    assert sstats == dense
    assert npy((folder / "model.eta.npy").read_bytes())[2] == pytest.approx([0.01] * shape[1])
    beta = npy((folder / "model.expElogbeta.npy").read_bytes())[2]
    largest = max(range(len(beta)), key=beta.__getitem__)
    assert dense[largest] > 0 and 0 < beta[largest] < 1


def test_gensim_document_frequencies(export, state, arrays):
    words = unpickle(export("gensim") / "model.id2word")
    pairs = {(fields[0], int(fields[3])) for fields in state[1]}
    assert words.num_nnz == len(pairs)
    assert words.dfs == {v: sum(w == v for _, w in pairs) for v in range(len(arrays["vocab"]))}


def test_gensim_needs_words_that_differ(ezlda, fails, tmp_path):
    (tmp_path / "docword.x.txt").write_text("1\n2\n2\n1 1 3\n1 2 2\n")
    (tmp_path / "vocab.x.txt").write_text("same\nsame\n")
    assert ezlda("train", tmp_path / "docword.x.txt", "-k", 2, "-i", 2, "-o", tmp_path / "m.ezm").status == 0
    fails(2, ["0 and 1", "'same'"], "export", tmp_path / "m.ezm", "--to", "gensim", "-o", tmp_path / "out")


# ---- pyLDAvis --------------------------------------------------------------------------------------------------------

def test_pyldavis(export, arrays):
    text = export("pyldavis-json", "--words", 5).read_text(encoding="utf-8")
    data = json.loads(text)
    assert list(data) == ["mdsDat", "tinfo", "token.table", "R", "lambda.step", "plot.opts", "topic.order"]
    assert data["R"] == 5 and data["lambda.step"] == 0.01 and sorted(data["topic.order"]) == [1, 2, 3, 4]
    assert sum(data["mdsDat"]["Freq"]) == pytest.approx(100)
    assert data["mdsDat"]["Freq"] == sorted(data["mdsDat"]["Freq"], reverse=True)
    assert sum(data["mdsDat"]["x"]) == pytest.approx(0, abs=1e-9)
    tinfo = data["tinfo"]
    assert len({len(column) for column in tinfo.values()}) == 1
    assert tinfo["Category"][:6] == ["Default"] * 5 + ["Topic1"] and set(tinfo["Term"]) <= set(arrays["vocab"])
    assert tinfo["logprob"][:5] == [5, 4, 3, 2, 1]
    table = list(zip(data["token.table"]["Term"], data["token.table"]["Topic"]))
    assert table == sorted(set(table))


def test_pyldavis_json_is_safe_in_a_page(ezlda, export, tmp_path):
    (tmp_path / "docword.x.txt").write_text("2\n2\n3\n1 1 3\n1 2 2\n2 2 5\n")
    (tmp_path / "vocab.x.txt").write_text('</script>\nquo"te\\\n')
    assert ezlda("train", tmp_path / "docword.x.txt", "-k", 2, "-i", 2, "-o", tmp_path / "m.ezm").status == 0
    text = export("pyldavis-json", model=tmp_path / "m.ezm").read_text(encoding="utf-8")
    assert "</script>" not in text and {"</script>", 'quo"te\\'} == set(json.loads(text)["tinfo"]["Term"])


# ---- all -------------------------------------------------------------------------------------------------------------

def content(path):
    if path.is_dir():
        return {p.name: p.read_bytes() for p in path.iterdir()}
    return path.read_bytes()


@pytest.mark.parametrize("name", FORMATS)
def test_the_same_on_any_number_of_threads(export, name):
    assert content(export(name, "--threads", 1)) == content(export(name, "--threads", 5))


@pytest.mark.parametrize("name", FORMATS)
def test_an_earlier_export_is_replaced(ezlda, kept, tmp_path, name):
    corpus = ["--corpus", kept[0]] if name == "mallet-state" else []
    command = ["export", kept[1], "--to", name, "-o", tmp_path / "out", *corpus]
    assert ezlda(*command).status == 0
    first = content(tmp_path / "out")
    assert ezlda(*command).status == 0 and content(tmp_path / "out") == first
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("name", sorted(FOLDERS))
def test_other_folders_are_left_alone(fails, kept, tmp_path, name):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.tex").write_text("all of it")
    fails(1, ["thesis.tex", "cannot replace"], "export", kept[1], "--to", name, "-o", tmp_path / "out")
    (tmp_path / "file").write_text("")
    fails(1, "is a folder", "export", kept[1], "--to", name, "-o", tmp_path / "file")
    fails(1, "cannot create", "export", kept[1], "--to", name, "-o", tmp_path / "no" / "out")


@pytest.mark.parametrize("name", sorted(set(FORMATS) - FOLDERS))
def test_no_file_where_it_cannot_be(fails, kept, tmp_path, name):
    corpus = ["--corpus", kept[0]] if name == "mallet-state" else []
    fails(1, "No such file", "export", kept[1], "--to", name, "-o", tmp_path / "no" / "out", *corpus)
    fails(1, "is a directory", "export", kept[1], "--to", name, "-o", tmp_path, *corpus)


@pytest.fixture(scope="module")
def larger(ezlda, corpus, tmp_path_factory):
    path = tmp_path_factory.mktemp("larger") / "m.ezm"
    result = ezlda("train", corpus, "-k", 6, "-i", 2, "--keep-topics", "--device", "cpu", "-o", path)
    assert result.status == 0, result
    return path


@pytest.mark.parametrize("name", FORMATS)
def test_a_full_disk_leaves_nothing(fails, corpus, larger, tmp_path, name):
    """A limit on file sizes stands for the full disk. The file that was there stays."""
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048))
    more = {"mallet-state": ["--corpus", corpus], "mallet-keys": ["--words", 400]}.get(name, [])
    out = tmp_path / "out"
    if name not in FOLDERS:
        out.write_text("before")
    fails(1, "File too large", "export", larger, "--to", name, "-o", out, *more, preexec_fn=limit)
    assert name in FOLDERS or out.read_text() == "before"


def test_what_a_state_needs(fails, ezlda, kept, model, corpus, tmp_path):
    out = tmp_path / "out"
    fails(2, "--corpus", "export", kept[1], "--to", "mallet-state", "-o", out)
    fails(2, "--keep-topics", "export", model, "--to", "mallet-state", "-o", out, "--corpus", kept[0])
    fails(2, "the corpus that the model was trained on", "export", kept[1], "--to", "mallet-state", "-o", out,
          "--corpus", corpus)


def test_misuse(fails, kept, tmp_path):
    out = tmp_path / "out"
    fails(2, "--to", "export", kept[1], "-o", out)
    fails(2, ["gensym", "gensim"], "export", kept[1], "--to", "gensym", "-o", out)
    fails(2, "--words", "export", kept[1], "--to", "npz", "--words", 3, "-o", out)
    fails(2, "--corpus", "export", kept[1], "--to", "npz", "--corpus", kept[0], "-o", out)
    fails(2, "--output", "export", kept[1], "--to", "csv", "-o", "")
    fails(1, "articles.ezc", "export", kept[0], "--to", "csv", "-o", out)


def test_it_says_how_to_open_the_export(ezlda, kept, tmp_path):
    done = ezlda("export", kept[1], "--to", "npz", "-o", tmp_path / "m.npz")
    assert done.stdout.startswith(f"{tmp_path}/m.npz: ") and f'numpy.load("{tmp_path}/m.npz")' in done.stdout
    done = ezlda("export", kept[1], "--to", "gensim", "-o", tmp_path / "g")
    assert done.stdout == f'{tmp_path}/g, in Python: gensim.models.LdaModel.load("{tmp_path}/g/model")\n'
    assert ezlda("export", kept[1], "--to", "npz", "-q", "-o", tmp_path / "m.npz").stdout == ""
    keys = ezlda("export", kept[1], "--to", "mallet-keys", "-o", "/dev/stdout").stdout
    assert keys.count("\n") == TOPICS and "MALLET" not in keys
