"""The command under test (EZLDA_BIN), the device under test (EZLDA_TEST_DEVICE), and small corpora and models."""
import collections
import json
import os
import random
import subprocess
from pathlib import Path

import pytest

from not_on_windows import NOT_ON_WINDOWS

ROOT = Path(__file__).resolve().parent.parent.parent
BINARY = os.environ.get("EZLDA_BIN", str(ROOT / "build" / "ezlda"))
EMULATED = Path(BINARY).parent / "emulated" / "ezlda"  # the command with an emulated GPU, if it was built
LIMIT_S = 300


def emulated_environment():
    """Put the emulated driver first: a real driver in LD_LIBRARY_PATH would otherwise be found before it."""
    return {**os.environ, "LD_LIBRARY_PATH": f"{EMULATED.parent}:{os.environ.get('LD_LIBRARY_PATH', '')}"}


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: skipped if EZLDA_TEST_BRIEF asks for a subset of the cases")


def pytest_collection_modifyitems(config, items):
    if os.environ.get("EZLDA_TEST_WINDOWS"):
        unused = skip_on_windows(items)
        assert config.option.keyword or not unused, f"not_on_windows.py: no such tests: {unused}"
    for item in items:
        if item.get_closest_marker("slow") and os.environ.get("EZLDA_TEST_BRIEF"):
            item.add_marker(pytest.mark.skip(reason="slow, and a part of the cases was asked for"))


def skip_on_windows(items):
    """Skips what not_on_windows.py lists, and returns its lines about these files that name no test."""
    files = {item.path.stem for item in items}
    unused = {key for key in NOT_ON_WINDOWS if key.partition("::")[0] in files}
    for item in items:
        file, name = item.path.stem, item.name
        for key in (file, f"{file}::{name.partition('[')[0]}", f"{file}::{name}"):
            if key in NOT_ON_WINDOWS:
                item.add_marker(pytest.mark.skip(reason=NOT_ON_WINDOWS[key]))
                unused.discard(key)
    return sorted(unused)


Result = collections.namedtuple("Result", "stdout stderr status")


def run(*arguments, stdin=None, cwd=None, program=BINARY, **keywords):
    """Runs the command; output as text. A run that takes minutes counts as hanging."""
    done = subprocess.run([str(program), *map(str, arguments)], input=stdin, cwd=cwd, timeout=LIMIT_S,
                          stdout=keywords.pop("stdout", subprocess.PIPE), stderr=subprocess.PIPE, **keywords)
    return Result((done.stdout or b"").decode(), done.stderr.decode(), done.returncode)


def read_to_end(terminal):
    """Read a pseudo-terminal until its last writer has closed it, then close it. A single read may return any part of
    the text."""
    pieces = []
    try:
        while piece := os.read(terminal, 65536):
            pieces.append(piece)
    except OSError:  # EIO: nobody can write to it any more
        pass
    os.close(terminal)
    return b"".join(pieces)


@pytest.fixture(scope="session")
def ezlda():
    return run


@pytest.fixture(scope="session")
def binary():
    return BINARY


@pytest.fixture(scope="session")
def device():
    return os.environ.get("EZLDA_TEST_DEVICE", "cpu")


@pytest.fixture
def fails(ezlda, tmp_path):
    """Expects one line on standard error with `words` in it, the status, and no new file in tmp_path."""

    def check(status, words, *arguments, **keywords):
        before = sorted(p.name for p in tmp_path.rglob("*"))
        result = ezlda(*arguments, **keywords)
        assert result.status == status, result
        assert result.stderr.startswith("ezlda: ") and result.stderr.count("\n") == 1, result.stderr
        for word in [words] if isinstance(words, str) else words:
            assert word in result.stderr, result.stderr
        assert sorted(p.name for p in tmp_path.rglob("*")) == before
        return result

    return check


@pytest.fixture(scope="session")
def corpus(tmp_path_factory):
    """A synthetic corpus file."""
    path = tmp_path_factory.mktemp("corpus") / "small.ezc"
    result = run("synth", "-o", path, "--docs", 300, "--words", 500, "--length", 60, "--topics", 6, "--seed", 3, "-q")
    assert result.status == 0, result
    return path


# Names that would play with a terminal or break a table: colours, tabs, newlines, right-to-left, wide characters.
HOSTILE_NAMES = ["\x1b[31mred\x07", "tab\there", "line\nbreak", "\u202egnp.exe", "数据库", "back\\slash", 'quo"te',
                 "e\u0301"]

THEMES = [["river", "water", "fish", "boat", "lake", "bridge"],
          ["music", "violin", "concert", "melody", "opera", "choir"],
          ["数据", "сервер", "brücke", "naïve", "compiler", "parser"]]


@pytest.fixture(scope="session")
def articles(tmp_path_factory):
    """Text as JSON Lines: three themes, hostile names, an empty document."""
    path = tmp_path_factory.mktemp("articles") / "articles.jsonl"
    draw = random.Random(1)
    with open(path, "w", encoding="utf-8") as file:
        for i in range(120):
            name = HOSTILE_NAMES[i] if i < len(HOSTILE_NAMES) else f"article {i}"
            words = [draw.choice(THEMES[i % 3]) for _ in range(0 if i == 50 else 30)]
            json.dump({"id": name, "text": " ".join(words), "label": f"theme {i % 3}"}, file)
            file.write("\n")
    return path


@pytest.fixture(scope="session")
def model(articles, device, tmp_path_factory):
    """A model of the articles: 4 topics."""
    path = tmp_path_factory.mktemp("model") / "articles.ezm"
    result = run("train", articles, "--min-length", 2, "-k", 4, "-i", 60, "--alpha", 0.1, "--seed", 5,
                 "--device", device, "--stopwords", "none", "-o", path)
    assert result.status == 0, result
    return path
