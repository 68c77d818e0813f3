"""ezlda infer: topics of documents, in all formats; what it does with words and documents it does not know."""
import json
import random
import struct

import pytest
from conftest import EMULATED, emulated_environment


def train(ezlda, corpus, path, *options):
    """Trains a model of the synthetic corpus, with its tokens' topics."""
    assert ezlda("train", corpus, "-k", 6, "-i", 150, "--alpha", 0.1, "--beta", 0.01, "--keep-topics", "--device", "cpu", "-q",
                 "-o", path, *options).status == 0
    return path


@pytest.fixture(scope="module")
def trained(ezlda, corpus, tmp_path_factory):
    return train(ezlda, corpus, tmp_path_factory.mktemp("trained") / "m.ezm")


def infer(ezlda, model, corpus, out, *arguments, device="cpu"):
    """Writes the share of every topic unless arguments name another format."""
    to = [] if "--to" in arguments else ["--to", "tsv"]
    result = ezlda("infer", model, corpus, "-o", out, "--device", device, *to, *arguments)
    assert result.status == 0, result
    return result


def read_tsv(path):
    """Names, and rows of shares."""
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines]
    return [row[1] for row in rows[1:]], [[float(x) for x in row[2:]] for row in rows[1:]]


def read_sparse(path):
    """By document: its topics with their shares, in the order of the file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0].split("\t") == ["doc", "name", "topic", "share"]
    docs = {}
    for doc, _, topic, share in (line.split("\t") for line in lines[1:]):
        docs.setdefault(int(doc), []).append((int(topic), float(share)))
    return docs


def read_npy(path):
    data = path.read_bytes()
    assert data[:8] == b"\x93NUMPY\x01\x00"
    size, = struct.unpack("<H", data[8:10])
    header = eval(data[10:10 + size].decode("ascii"))  # a Python literal by definition
    assert (10 + size) % 64 == 0 and header["descr"] == "<f4" and not header["fortran_order"]
    docs, topics = header["shape"]
    assert len(data) == 10 + size + 4 * docs * topics
    values = struct.unpack(f"<{docs * topics}f", data[10 + size:])
    return [list(values[i * topics:(i + 1) * topics]) for i in range(docs)]


def distance(a, b):
    """Total variation."""
    return sum(abs(x - y) for x, y in zip(a, b)) / 2


def test_rows_sum_to_one_in_the_order_of_the_input(ezlda, trained, corpus, device, tmp_path):
    infer(ezlda, trained, corpus, tmp_path / "t.tsv", "-i", 20, "--samples", 3, device=device)
    names, rows = read_tsv(tmp_path / "t.tsv")
    assert names == [str(i) for i in range(300)]
    assert all(abs(sum(row) - 1) < 1e-5 and len(row) == 6 and min(row) > 0 for row in rows)


def bag(path, rows):
    """Writes documents, lists of (word, count) from 1, as a bag of words with all 60 words of the vocabulary."""
    lines = [f"{d} {w} {n}\n" for d, row in enumerate(rows, 1) for w, n in row]
    path.write_text(f"{len(rows)}\n60\n{len(lines)}\n" + "".join(lines), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def bags():
    draw = random.Random(3)
    rows = []
    for _ in range(300):  # more than one block of documents
        first = draw.randrange(6) * 8
        words = [first + int(12 * draw.random() ** 2) for _ in range(draw.randrange(1, 40))]
        rows.append(sorted((w + 1, words.count(w)) for w in set(words)))
    return rows


@pytest.fixture(scope="module")
def of_few(ezlda, bags, tmp_path_factory):
    """A model of few documents: most words of the vocabulary have no token in it."""
    folder = tmp_path_factory.mktemp("few")
    assert ezlda("train", bag(folder / "few.txt", bags[:4]), "-k", 5, "-i", 10, "--alpha", 0.1, "--device", "cpu", "-q",
                 "-o", folder / "m.ezm").status == 0
    return folder / "m.ezm"


def test_a_row_depends_on_the_document_alone(ezlda, of_few, bags, device, tmp_path):
    """Rows are the same for documents in any order, in any batch and alone, on every device."""
    whole = infer(ezlda, of_few, bag(tmp_path / "a.txt", bags), tmp_path / "a.tsv", "-i", 10, device="reference")
    _, expected = read_tsv(tmp_path / "a.tsv")
    back = infer(ezlda, of_few, bag(tmp_path / "b.txt", bags[::-1]), tmp_path / "b.tsv", "-i", 10, "--batch", 100,
                 device=device)
    assert read_tsv(tmp_path / "b.tsv")[1] == expected[::-1]
    infer(ezlda, of_few, bag(tmp_path / "c.txt", bags[7:8]), tmp_path / "c.tsv", "-i", 10, device=device)
    assert read_tsv(tmp_path / "c.tsv")[1] == expected[7:8]
    assert whole.stdout.split("LLPT")[1] == back.stdout.split("LLPT")[1]
    assert "not in the model: 0 words, 0 tokens (0.00 %)" in whole.stdout
    assert "of words without a token in training: " in whole.stdout


@pytest.mark.skipif(not EMULATED.exists(), reason="the emulated GPU is not built")
@pytest.mark.parametrize("how", [["--batch", 1500], ["--device", "cuda:0,0"], ["--device-memory", "40k"]])
def test_a_gpu_gives_the_same_rows(ezlda, of_few, bags, tmp_path, how):
    """Rows are the same in one piece, in batches, on two shards, and in chunks with little device memory."""
    texts = bag(tmp_path / "a.txt", bags[:120])
    infer(ezlda, of_few, texts, tmp_path / "cpu.tsv", "-i", 3)
    result = ezlda("infer", of_few, texts, "-o", tmp_path / "cuda.tsv", "-i", 3, "--to", "tsv", "--device", "cuda", *how,
                   program=EMULATED, env=emulated_environment())
    assert result.status == 0, result
    assert (tmp_path / "cuda.tsv").read_text() == (tmp_path / "cpu.tsv").read_text()


def trained_shares(ezlda, model):
    """Returns the documents' shares by their topics in the run's last iteration."""
    info = json.loads(ezlda("info", model, "--json").stdout)
    rows = []
    for doc in json.loads(ezlda("docs", model, "--top", info["topics"], "--json").stdout)["documents"]:
        row = [info["alpha_sum"] / info["topics"] / (doc["tokens"] + info["alpha_sum"])] * info["topics"]
        for entry in doc["topics"]:
            row[entry["topic"]] = entry["share"]
        rows.append(row)
    return rows, info


@pytest.mark.slow
def test_training_documents_keep_their_topics(ezlda, corpus, tmp_path):
    """The last state of the run is as close to the inferred shares as one sample of the inference, if the words of topics
    are those of that state, too."""
    trained = train(ezlda, corpus, tmp_path / "m.ezm", "--word-samples", 1)
    result = infer(ezlda, trained, corpus, tmp_path / "t.tsv")
    infer(ezlda, trained, corpus, tmp_path / "one.tsv", "--samples", 1, "--seed", 7)
    _, rows = read_tsv(tmp_path / "t.tsv")
    _, one = read_tsv(tmp_path / "one.tsv")
    shares, info = trained_shares(ezlda, trained)
    from_trained = sum(distance(a, b) for a, b in zip(rows, shares))
    from_one = sum(distance(a, b) for a, b in zip(rows, one))
    assert 0 < from_trained < 1.1 * from_one  # bench/notes/quality.md states this
    llpt = float(result.stdout.split("LLPT ")[1].split()[0])
    assert abs(llpt - info["llpt"]) < 0.05


def test_threads_batches_and_devices_do_not_matter(ezlda, trained, corpus, device, tmp_path):
    outputs = []
    for i, options in enumerate([["--device", "reference"], ["--device", device], ["--device", device, "--threads", 1],
                                 ["--device", device, "--batch", 3000], ["--device", device, "--threads", 3]]):
        path = tmp_path / f"{i}.tsv"
        result = ezlda("infer", trained, corpus, "-o", path, "-i", 6, "--samples", 2, "--thin", 2, "--to", "tsv",
                       *options)
        assert result.status == 0, result
        outputs.append(path.read_bytes())
    assert len(set(outputs)) == 1
    infer(ezlda, trained, corpus, tmp_path / "other.tsv", "-i", 6, "--samples", 2, "--thin", 2, "--seed", 2)
    assert (tmp_path / "other.tsv").read_bytes() != outputs[0]


def test_formats_agree(ezlda, trained, corpus, tmp_path):
    for name in ("tsv", "sparse", "npy", "mallet"):
        top = ["--top", 2] if name == "sparse" else []
        infer(ezlda, trained, corpus, tmp_path / name, "--to", name, "-i", 10, "--samples", 1, *top)
    _, rows = read_tsv(tmp_path / "tsv")
    for row, values in zip(rows, read_npy(tmp_path / "npy")):
        assert all(abs(a - b) < 1e-6 for a, b in zip(row, values))
    tsv = (tmp_path / "tsv").read_text().splitlines()
    assert tsv[0].split("\t") == ["doc", "name"] + [f"topic{k}" for k in range(6)]
    assert (tmp_path / "mallet").read_text().splitlines() == tsv[1:]
    sparse = read_sparse(tmp_path / "sparse")
    assert len(sparse) == len(rows)
    for doc, row in enumerate(rows):
        shares = [share for _, share in sparse[doc]]
        assert len(shares) <= 2 and shares == sorted(shares, reverse=True)
        assert all(f"{row[topic]:.7g}" == f"{share:.7g}" for topic, share in sparse[doc])
        assert shares[0] == max(row)


def test_by_default_the_topics_that_a_document_has(ezlda, trained, corpus, tmp_path):
    done = ezlda("infer", trained, corpus, "-o", tmp_path / "t.tsv", "-i", 10, "--device", "cpu")
    assert "at most 10 of them; --to tsv writes the share of every topic\n" in done.stdout
    assert "--to tsv" not in infer(ezlda, trained, corpus, tmp_path / "s.tsv", "-i", 10, "--to", "sparse").stdout
    assert (tmp_path / "t.tsv").read_bytes() == (tmp_path / "s.tsv").read_bytes()


@pytest.fixture(scope="module")
def gaps(tmp_path_factory):
    """More documents than are written in one turn; every seventh is empty, and so are the first and the last."""
    draw = random.Random(5)
    rows = [[] if i % 7 == 0 else sorted((w + 1, draw.randrange(1, 4)) for w in draw.sample(range(60), 3))
            for i in range(4501)]
    return bag(tmp_path_factory.mktemp("gaps") / "docs.txt", rows + [[]])


@pytest.mark.parametrize("format", ["sparse", "tsv", "npy", "mallet"])
def test_files_are_the_same_with_any_number_of_threads(ezlda, of_few, gaps, format, tmp_path):
    """Files are equal for any number of threads; documents keep the order of the input, also those without a token."""
    for threads in (1, 2, 5):
        infer(ezlda, of_few, gaps, tmp_path / f"{threads}", "-i", 2, "--to", format, "--threads", threads)
    whole = (tmp_path / "1").read_bytes()
    assert (tmp_path / "2").read_bytes() == whole and (tmp_path / "5").read_bytes() == whole
    if format == "npy":
        rows = read_npy(tmp_path / "1")
    elif format == "sparse":
        docs = [int(line.split("\t")[0]) for line in whole.decode().splitlines()[1:]]
        assert docs == sorted(docs) and len(set(docs)) > 2000 and not any(doc % 7 == 0 for doc in docs)
        return
    else:
        lines = whole.decode().splitlines()[format == "tsv":]
        assert [line.split("\t")[:2] for line in lines] == [[str(i), str(i)] for i in range(4502)]
        rows = [[float(share) for share in line.split("\t")[2:]] for line in lines]
    assert len(rows) == 4502
    for i in [*range(0, 4501, 7), 4501]:
        assert max(abs(share - 0.2) for share in rows[i]) < 1e-6


def test_empty_and_unknown_documents_have_the_prior(ezlda, model, tmp_path):
    texts = tmp_path / "new.jsonl"
    texts.write_text("".join(json.dumps({"id": name, "text": text}) + "\n" for name, text in
                             [("known", "river water fish boat"), ("empty", ""), ("foreign", "zzz yyy zzz"),
                              ("mixed", "violin concert zzz"), ("tab\tname", "opera choir")]), encoding="utf-8")
    result = infer(ezlda, model, texts, tmp_path / "t.tsv")
    names, rows = read_tsv(tmp_path / "t.tsv")
    assert names == ["known", "empty", "foreign", "mixed", "tab name"]
    assert rows[1] == rows[2] == [0.25] * 4
    assert max(rows[0]) > 0.6 and rows[3].index(max(rows[3])) == rows[4].index(max(rows[4]))
    assert "not in the model: 2 words, 4 tokens" in result.stdout
    assert "2 documents have no token with a topic" in result.stdout


@pytest.mark.slow
def test_more_samples_are_steadier(ezlda, trained, corpus, tmp_path):
    spread = []
    for samples in (1, 20):
        for seed in (1, 2):
            infer(ezlda, trained, corpus, tmp_path / f"{seed}.tsv", "--samples", samples, "--thin", 4, "--seed", seed)
        pairs = zip(read_tsv(tmp_path / "1.tsv")[1], read_tsv(tmp_path / "2.tsv")[1])
        spread.append(sum(distance(a, b) for a, b in pairs))
    assert spread[1] < 0.6 * spread[0]


def test_without_a_known_word_rows_are_the_prior_and_a_note_says_so(ezlda, trained, articles, tmp_path):
    result = infer(ezlda, trained, articles, tmp_path / "t.tsv")
    assert "none of the corpus' 18 words" in result.stderr
    _, rows = read_tsv(tmp_path / "t.tsv")
    assert all(abs(share - 1 / 6) < 1e-5 for row in rows for share in row)


def test_priors_out_of_range_are_refused(ezlda, fails, tmp_path):
    state = "#doc source pos typeindex type topic\n#alpha : 0.5 0.5\n#beta : {}\n0 a 0 0 word 0\n0 a 1 1 other 1\n"
    for beta, status in (("4e38", 1), ("0.01", 0)):
        (tmp_path / "state").write_text(state.format(beta))
        assert ezlda("import", tmp_path / "state", "-o", tmp_path / "s.ezc", "--model", tmp_path / "s.ezm").status == 0
        arguments = ["infer", tmp_path / "s.ezm", tmp_path / "s.ezc", "--device", "cpu", "-q", "-o", tmp_path / "t"]
        if status:
            fails(status, "beta is 4e+38 in this model", *arguments)
        else:
            assert ezlda(*arguments).status == 0


def test_misuse(ezlda, trained, corpus, articles, fails, tmp_path):
    out = tmp_path / "t.tsv"
    fails(2, "--top is for --to sparse", "infer", trained, corpus, "--to", "tsv", "--top", 3, "-o", out)
    fails(2, "unknown option --min-docs", "infer", trained, articles, "--min-docs", 3, "-o", out)
    fails(2, "samples", "infer", trained, corpus, "-o", out, "-i", 10, "--samples", 3, "--thin", 5, "-q")
    fails(2, "expected a model and a corpus, found only", "infer", trained, "-o", out)
    fails(2, "--output", "infer", trained, corpus)
    fails(1, "cannot open", "infer", tmp_path / "none.ezm", corpus, "-o", out)


def test_text_is_read_as_that_of_the_model_was(ezlda, fails, corpus, tmp_path):
    old, new = tmp_path / "old.txt", tmp_path / "new.txt"
    old.write_text("The running dogs of 1984\nA walking cat and the dogs\nCats were running in 1984\n" * 20)
    new.write_text("the cat walks: 1984, running dogs\nthe of\n")
    assert ezlda("import", old, "--stopwords", "en", "--stemmer", "english", "--ngrams", 2, "--keep-numbers", "-q", "-o",
                 tmp_path / "old.ezc").status == 0
    model = tmp_path / "m.ezm"
    assert ezlda("train", tmp_path / "old.ezc", "-k", 2, "-i", 20, "--device", "cpu", "-q", "-o", model).status == 0
    for file in (tmp_path / "old.ezc", model):
        rules = json.loads(ezlda("info", file, "--json").stdout)["text_read_with"]
        assert rules.endswith("words of 2 letters and more, stemmer english, phrases of up to 2 words, numbers kept")
    result = infer(ezlda, model, new, tmp_path / "t.tsv")
    assert rules in result.stderr and "1 documents have no token with a topic" in result.stdout
    assert "2 documents, 6 tokens" in result.stdout  # cat, walk, 1984, run, dog, run_dog
    assert "not in the model: 3 words, 3 tokens" in result.stdout  # cat_walk, walk_1984, 1984_run
    for like in (tmp_path / "old.ezc", model):
        assert ezlda("import", new, "--like", like, "-q", "-o", tmp_path / "new.ezc").status == 0
        infer(ezlda, model, tmp_path / "new.ezc", tmp_path / "u.tsv")
        assert (tmp_path / "u.tsv").read_bytes() == (tmp_path / "t.tsv").read_bytes()
    result = infer(ezlda, model, new, tmp_path / "t.tsv", "--stopwords", "none")
    assert "stop words" not in result.stderr and "not in the model" in result.stdout
    result = infer(ezlda, model, new, tmp_path / "t.tsv", "--ngrams", 1, "--stemmer", "none", "--min-length", 3)
    assert "words of 3 letters and more, numbers kept" in result.stderr
    scores = json.loads(ezlda("eval", model, new, "--measures", "llpt", "--json", "--device", "cpu").stdout)
    assert (scores["tokens"], scores["unknown_tokens"]) == (6, 3)
    result = ezlda("train", new, "--init", model, "-i", 2, "--device", "cpu", "-o", tmp_path / "grown.ezm")
    assert result.status == 0 and rules in result.stderr
    fails(2, ["--like", "does not record how its text was read"], "import", new, "--like", corpus, "-o", tmp_path / "x")
    fails(1, "no.ezm: cannot open", "import", new, "--like", tmp_path / "no.ezm", "-o", tmp_path / "x")


def test_text_for_a_model_of_other_words(ezlda, tmp_path):
    """A model of a bag of words has no rules for text: what its words have is kept, and nothing is removed."""
    (tmp_path / "docword.txt").write_text("4\n5\n8\n" + "".join(f"{d} {w} 3\n" for d in (1, 2, 3, 4)
                                                              for w in ((1, 2) if d % 2 else (3, 4))))
    (tmp_path / "vocab.txt").write_text("covid19\nB2B\nthe\nx\nunused\n")
    model = tmp_path / "m.ezm"
    assert ezlda("train", tmp_path / "docword.txt", "--vocab", tmp_path / "vocab.txt", "-k", 2, "-i", 20, "--device", "cpu",
                 "-q", "-o", model).status == 0
    (tmp_path / "new.txt").write_text("covid19 and B2B\nthe x of b2b\n\n")
    result = infer(ezlda, model, tmp_path / "new.txt", tmp_path / "t.tsv")
    assert "text is read for the model's words: no stop words, words of 1 letter and more, case kept, numbers kept" in \
        result.stderr
    assert "3 documents, 4 tokens" in result.stdout and "not in the model: 3 words, 3 tokens" in result.stdout
    (tmp_path / "blank.txt").write_text("\n\n")
    assert "2 documents, 0 tokens" in infer(ezlda, model, tmp_path / "blank.txt", tmp_path / "t.tsv").stdout


def test_words_of_the_same_spelling_are_distinguished_by_number(ezlda, tmp_path):
    """Two genes may have one symbol; new cells come with the same list of them."""
    (tmp_path / "vocab.txt").write_text("x\ny\nx\n")
    for name, rows in (("a.mm", "1 1 20\n2 2 20\n3 3 20\n4 2 20\n"), ("b.mm", "1 3 20\n2 1 20\n3 2 1\n4 3 1\n")):
        (tmp_path / name).write_text("%%MatrixMarket matrix coordinate integer general\n4 3 4\n" + rows)
    model = tmp_path / "m.ezm"
    result = ezlda("train", tmp_path / "a.mm", "-k", 3, "-i", 50, "--alpha", 0.1, "-o", model)
    assert result.status == 0 and '1 of the 3 words are duplicates, first "x"' in result.stderr
    done = [ezlda("infer", model, tmp_path / name, "--to", "tsv", "-o", "-", "-q").stdout.splitlines()[1:] for name in ("a.mm", "b.mm")]
    trained, new = ([max(range(3), key=[float(x) for x in row.split("\t")[2:]].__getitem__) for row in rows]
                    for rows in done)
    assert len({trained[0], trained[1], trained[2]}) == 3
    assert new[:2] == [trained[2], trained[0]]
    assert json.loads(ezlda("diff", model, model, "--json").stdout)["matched"] == 3
