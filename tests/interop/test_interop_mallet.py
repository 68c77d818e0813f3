"""States, keys and document topics, there and back, with the real MALLET (MALLET_CLASSPATH: its classes and jars)."""
import collections
import gzip
import os
import random
import shutil
import subprocess

import pytest

CLASSPATH = os.environ.get("MALLET_CLASSPATH")
pytestmark = pytest.mark.skipif(not CLASSPATH or not shutil.which("java"), reason="no MALLET_CLASSPATH or no java")

THEMES = [["river", "water", "fish", "boat", "lake", "bridge"], ["music", "violin", "concert", "melody", "choir"],
          ["compiler", "parser", "naïve", "сервер", "数据"]]
TOPICS = 5


def java(name, *arguments):
    done = subprocess.run(["java", "-Dfile.encoding=UTF-8", "-cp", CLASSPATH, name, *map(str, arguments)], timeout=300,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout


def import_text(text, out):
    java("cc.mallet.classify.tui.Csv2Vectors", "--input", text, "--output", out, "--keep-sequence", "--token-regex",
         r"\S+", "--preserve-case", "--encoding", "UTF-8")


def train(*arguments):
    java("cc.mallet.topics.tui.TopicTrainer", "--num-threads", 1, "--random-seed", 1, *arguments)


def read_state(path):
    """Header lines, and the tokens as (doc, source, pos, typeindex, type, topic)."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        lines = file.read().splitlines()
    return lines[:3], [tuple(line.split(" ")) for line in lines[3:]]


def priors(header):
    return [float(a) for a in header[1].split(":")[1].split()], float(header[2].split(":")[1])


@pytest.fixture(scope="module")
def mallet(tmp_path_factory):
    """A model that MALLET trained, with all that it writes."""
    folder = tmp_path_factory.mktemp("mallet")
    draw = random.Random(7)
    with open(folder / "in.txt", "w", encoding="utf-8") as file:
        for i in range(60):
            words = [draw.choice(THEMES[draw.choice([i % 3, i % 3, (i + 1) % 3])]) for _ in range(25)]
            print(f"doc{i}", "label", *words, file=file)
    import_text(folder / "in.txt", folder / "in.mallet")
    train("--input", folder / "in.mallet", "--num-topics", TOPICS, "--num-iterations", 60, "--optimize-interval", 10,
          "--optimize-burn-in", 20, "--output-state", folder / "state.gz", "--output-topic-keys", folder / "keys",
          "--num-top-words", 6, "--output-doc-topics", folder / "doc-topics")
    return folder


@pytest.fixture(scope="module")
def imported(mallet, ezlda):
    ezlda("import", mallet / "state.gz", "-o", mallet / "c.ezc", "--model", mallet / "m.ezm")
    ezlda("export", mallet / "m.ezm", "--to", "mallet-state", "--corpus", mallet / "c.ezc", "-o", mallet / "ours.gz")
    return mallet


def test_a_state_of_mallet_keeps_its_topics(imported):
    (theirs, tokens), (ours, again) = read_state(imported / "state.gz"), read_state(imported / "ours.gz")
    assert ours[0] == theirs[0] and priors(ours) == priors(theirs)
    assert len(set(priors(theirs)[0])) == TOPICS
    assert sorted((int(d), s, int(t), w, int(k)) for d, s, _, t, w, k in tokens) == \
        sorted((int(d), s, int(t), w, int(k)) for d, s, _, t, w, k in again)
    order = [(int(d), int(t), int(p)) for d, _, p, t, _, _ in again]
    assert order == sorted(order)


def test_mallet_takes_our_state(imported, tmp_path):
    """And writes it again, unchanged, from documents with the same tokens."""
    header, tokens = read_state(imported / "ours.gz")
    documents = collections.defaultdict(list)
    for doc, _, _, _, word, _ in tokens:
        documents[int(doc)].append(word)
    (tmp_path / "in.txt").write_text("".join(f"d{d} label {' '.join(w)}\n" for d, w in documents.items()),
                                     encoding="utf-8")
    import_text(tmp_path / "in.txt", tmp_path / "in.mallet")
    train("--input", tmp_path / "in.mallet", "--input-state", imported / "ours.gz", "--num-topics", TOPICS,
          "--num-iterations", 0, "--output-state", tmp_path / "out.gz")
    again, same = read_state(tmp_path / "out.gz")
    assert same == tokens and priors(again) == priors(header)
    train("--input", tmp_path / "in.mallet", "--input-state", imported / "ours.gz", "--num-topics", TOPICS,
          "--num-iterations", 5, "--output-state", tmp_path / "on.gz")
    assert len(read_state(tmp_path / "on.gz")[1]) == len(tokens)


def test_keys_are_mallets(imported, ezlda):
    ours = ezlda("export", imported / "m.ezm", "--to", "mallet-keys", "--words", 6, "-o", "/dev/stdout").splitlines()
    theirs = (imported / "keys").read_text(encoding="utf-8").splitlines()
    counts = collections.Counter((k, w) for *_, w, k in read_state(imported / "state.gz")[1])
    assert len(ours) == len(theirs) == TOPICS
    for mine, reference in zip(ours, theirs):
        (a, alpha, words), (b, rounded, expected) = mine.split("\t"), reference.split("\t")
        assert a == b and float(alpha) == pytest.approx(float(rounded), abs=5.1e-6) and mine.endswith(" ")
        assert [counts[a, w] for w in words.split()] == [counts[a, w] for w in expected.split() if counts[a, w]]


def test_document_topics_are_mallets(imported, ezlda):
    ours = ezlda("export", imported / "m.ezm", "--to", "mallet-doc-topics", "-o", "/dev/stdout").splitlines()
    theirs = (imported / "doc-topics").read_text(encoding="utf-8").splitlines()
    assert len(ours) == len(theirs)
    for mine, reference in zip(ours, theirs):
        a, b = mine.split("\t"), reference.split("\t")
        assert a[0] == b[0] and len(a) == len(b)
        assert [float(p) for p in a[2:]] == pytest.approx([float(p) for p in b[2:]], rel=1e-8)
