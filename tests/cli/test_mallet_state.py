"""MALLET states in: as corpora, and as models that keep the topics of their tokens."""
import gzip
import json

import pytest

HEADER = "#doc source pos typeindex type topic\n#alpha : 0.5 0.25 1.0E-4 \n#beta : 0.02\n"
TOKENS = """0 file:/a/first 0 0 ship 2
0 file:/a/first 1 1 the 0
0 file:/a/first 2 0 ship 1
1 NA 0 2 наука 1
1 NA 1 1 the 0
"""


@pytest.fixture
def state(tmp_path):
    """Writes a state; returns its path."""
    def write(text=HEADER + TOKENS, name="state.gz"):
        path = tmp_path / name
        data = text if isinstance(text, bytes) else text.encode()
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return path
    return write


@pytest.fixture
def take(ezlda, tmp_path):
    """Imports a state with its model; returns the contents of the exported state."""
    def run(path):
        corpus, model = tmp_path / "c.ezc", tmp_path / "m.ezm"
        result = ezlda("import", path, "-o", corpus, "--model", model)
        assert result.status == 0, result
        out = tmp_path / "out.gz"
        assert ezlda("export", model, "--to", "mallet-state", "--corpus", corpus, "-o", out).status == 0
        return gzip.decompress(out.read_bytes()).decode().splitlines(), result
    return run


def test_there_and_back(state, take):
    lines, result = take(state())
    assert lines[:3] == ["#doc source pos typeindex type topic", "#alpha : 0.5 0.25 0.0001 ", "#beta : 0.02"]
    assert lines[3:] == ["0 file:/a/first 0 0 ship 2", "0 file:/a/first 1 0 ship 1", "0 file:/a/first 2 1 the 0",
                         "1 NA 0 1 the 0", "1 NA 1 2 наука 1"]
    assert "2 documents, 3 words, 5 tokens" in result.stdout and result.stderr == ""


def test_our_own_state_gives_the_same_model(ezlda, device, tmp_path):
    """Equal to the last bit if every word has a token."""
    corpus, first, again = tmp_path / "c.ezc", tmp_path / "first.ezm", tmp_path / "again.ezm"
    result = ezlda("synth", "-o", corpus, "--docs", 700, "--words", 50, "--length", 20, "--topics", 6, "--seed", 3)
    assert result.status == 0, result
    result = ezlda("train", corpus, "-k", 6, "-i", 10, "--device", device, "--keep-topics", "-o", first, "-q")
    assert result.status == 0, result
    result = ezlda("export", first, "--to", "mallet-state", "--corpus", corpus, "-o", tmp_path / "state.gz")
    assert result.status == 0, result
    result = ezlda("import", tmp_path / "state.gz", "-o", tmp_path / "again.ezc", "--model", again)
    assert result.status == 0, result
    a, b = (json.loads(ezlda("info", path, "--json").stdout) for path in (first, again))
    for key in ("topics_hash", "corpus_hash", "documents", "words", "tokens", "topics", "alpha_sum", "beta"):
        assert a[key] == b[key], key
    assert ezlda("docs", again, "--tsv").stdout == ezlda("docs", first, "--tsv").stdout


def test_plain_and_standard_input(ezlda, state, take, tmp_path):
    plain, _ = take(state(name="state.txt"))
    packed, _ = take(state())
    assert plain == packed
    result = ezlda("import", "-", "-o", tmp_path / "c.ezc", "--model", tmp_path / "m.ezm",
                   stdin=(HEADER + TOKENS).encode())
    assert result.status == 0, result


def test_without_a_model_only_the_documents(ezlda, state, tmp_path):
    result = ezlda("import", state(), "-o", tmp_path / "c.ezc")
    assert result.status == 0 and "read as mallet-state" in result.stderr and "--model" in result.stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == ["c.ezc", "state.gz"]
    assert ezlda("import", state(), "-f", "mallet-state", "--min-docs", 2, "-o", tmp_path / "d.ezc").status == 0
    assert "2 documents, 1 words, 2 tokens" in ezlda("import", tmp_path / "d.ezc", "-o", tmp_path / "e.ezc").stdout


def test_several_states_are_one_corpus(ezlda, state, tmp_path):
    other = state(HEADER + "0 NA 0 0 the 0\n0 NA 1 1 whale 1\n", "other.gz")
    result = ezlda("import", state(), other, "-o", tmp_path / "c.ezc")
    assert result.status == 0 and "3 documents, 4 words, 7 tokens" in result.stdout, result


def test_gaps(state, take):
    """Documents without a token are empty; words without one are called by their numbers."""
    lines, result = take(state(HEADER + "2 b 0 3 word 0\n5 NA 0 1 other 2\n"))
    assert lines[3:] == ["2 b 0 3 word 0", "5 NA 0 1 other 2"]
    assert "6 documents, 4 words, 2 tokens" in result.stdout and "2 of 4 word numbers" in result.stderr


def test_priors_that_the_header_lacks(state, take):
    lines, result = take(state("#doc source pos typeindex type topic\n" + TOKENS))
    alpha = [float(a) for a in lines[1][9:].split()]
    assert alpha == [50 / 3] * 3 and lines[2] == "#beta : 0.01" and "the state has no priors" in result.stderr


def test_sources_may_have_spaces(state, take):
    lines, _ = take(state(HEADER + "0 C:\\My Texts\\a b.txt 0 0 word 1\r\n\n"))
    assert lines[3:] == ["0 C:\\My_Texts\\a_b.txt 0 0 word 1"]


def test_many_documents(state, take):
    """More than a block of lines is parsed at once."""
    tokens = "".join(f"{d} NA {i} {(d * 7 + i) % 50} w{(d * 7 + i) % 50} {(d + i) % 3}\n"
                     for d in range(4000) for i in range(12))
    lines, _ = take(state(HEADER + tokens, "state.txt"))
    assert len(lines) == 3 + 48000
    assert sorted(line.split()[0:1] + line.split()[3:] for line in lines[3:]) == \
        sorted(line.split()[0:1] + line.split()[3:] for line in tokens.splitlines())


def test_training_continues(ezlda, state, device, tmp_path):
    assert ezlda("import", state(), "-o", tmp_path / "c.ezc", "--model", tmp_path / "m.ezm").status == 0
    result = ezlda("train", tmp_path / "c.ezc", "--init", tmp_path / "m.ezm", "-i", 3, "--device", device, "-o",
                   tmp_path / "on.ezm")
    assert result.status == 0, result


BAD = [
    (b"#doc wrong\n", ":1: expected '#doc source"),
    (HEADER.replace("0.25", "x"), ":2: expected a number above 0, found 'x"),
    (HEADER.replace("0.25", "-1"), ":2: expected a number above 0"),
    (HEADER.replace("0.25", "1e999"), ":2: expected a number above 0"),
    (HEADER.replace("0.5 0.25 1.0E-4", ""), ":2: expected the alpha of each topic"),
    (HEADER.replace("0.02", "0.02 7"), ":3: expected nothing after beta"),
    (HEADER, "expected one line per token"),
    (HEADER + "0 NA 0 0 ship\n", ":4: expected"),
    (HEADER + "0 NA 0 ship 1\n", ":4: expected six fields"),
    (HEADER + TOKENS + "2 NA 0 0 ship 3\n", ":9: expected a topic (a whole number from 0 to 2), found '3'"),
    (HEADER + TOKENS + "2 NA 0 0 ship -1\n", ":9: expected a topic"),
    (HEADER + TOKENS + "x NA 0 0 ship 1\n", ":9: expected a document's number"),
    (HEADER + TOKENS + "2 NA z 0 ship 1\n", ":9: expected a position"),
    (HEADER + TOKENS + "2 NA 0 0 two words 1\n", ":9: expected a word's number"),
    (HEADER + TOKENS + "2 NA 0 268435456 ship 1\n", ":9: expected a word's number"),
    (HEADER + TOKENS + "2 NA 0 9999999 new 1\n", ":9: expected word numbers without large gaps"),
    (HEADER + TOKENS + "0 NA 0 0 ship 1\n", ":9: expected documents in order, found 0 where 2 is next"),
    (HEADER + TOKENS + "4000000000 NA 0 0 ship 1\n", ":9: expected documents in order"),
    (HEADER + TOKENS + "2 NA 0 0 boat 1\n", ":9: expected word number 0 to be 'ship' as before, found 'boat'"),
    (HEADER + TOKENS + "2 NA 0 7 ship 1\n", ":9: the word 'ship' has the number 7, but had 0 before"),
    ((HEADER + TOKENS).encode() + b"2 NA 0 7 sh\xffip 1\n", ":9: expected a word in UTF-8"),
    ((HEADER + TOKENS).encode() + b"2 N\xffA 0 7 new 1\n", ":9: expected a source in UTF-8"),
    ((HEADER + TOKENS).encode() + b"2 NA 0 7 n\0w 1\n", ":9: expected a word in UTF-8"),
]


@pytest.mark.parametrize("text, words", BAD, ids=range(len(BAD)))
def test_what_is_wrong_is_reported(fails, state, tmp_path, text, words):
    path = state(text)
    fails(1, words, "import", path, "--format", "mallet-state", "-q", "-o", tmp_path / "c.ezc")
    fails(1, words, "import", path, "-o", tmp_path / "c.ezc", "--model", tmp_path / "m.ezm")


def test_a_truncated_state(fails, state, tmp_path):
    path = state()
    path.write_bytes(path.read_bytes()[:-12])
    fails(1, "state.gz", "import", path, "-o", tmp_path / "c.ezc", "--model", tmp_path / "m.ezm")


def test_misuse(fails, state, corpus, tmp_path):
    out = ["-o", tmp_path / "c.ezc", "--model", tmp_path / "m.ezm"]
    fails(2, "one MALLET state", "import", state(), state(name="b.gz"), *out)
    fails(2, "--format uci", "import", state(), "--format", "uci", *out)
    fails(2, "--min-docs", "import", state(), "--min-docs", 2, *out)
    fails(2, "--vocab", "import", state(), "--vocab", "x", *out)
    fails(1, "expected '#doc source", "import", corpus, *out)
    fails(1, "--model", "import", state(), "-o", tmp_path / "c.ezc", "--model", tmp_path / "no" / "m.ezm")
    fails(2, "vocabulary", "import", state(), "--vocab", "x", "-q", "-o", tmp_path / "c.ezc")
