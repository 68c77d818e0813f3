"""Exports opened by the tools that they are for. A tool that is not installed skips its tests."""
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
BINARY = os.environ.get("EZLDA_BIN", str(ROOT / "build" / "ezlda"))
LIMIT_S = 300
TOPICS = 7


def run(*arguments, **keywords):
    """Runs the command, which must succeed."""
    done = subprocess.run([BINARY, *map(str, arguments)], timeout=LIMIT_S, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, **keywords)
    assert done.returncode == 0, done
    return done.stdout


@pytest.fixture(scope="session")
def ezlda():
    return run


@pytest.fixture(scope="session")
def corpus(tmp_path_factory):
    path = tmp_path_factory.mktemp("corpus") / "small.ezc"
    run("synth", "-o", path, "--docs", 250, "--words", 600, "--length", 80, "--topics", TOPICS, "--seed", 3, "-q")
    return path


@pytest.fixture(scope="session")
def model(corpus, tmp_path_factory):
    """A model that keeps the topics of its tokens; alpha differs between topics."""
    path = tmp_path_factory.mktemp("model") / "small.ezm"
    alpha = path.with_name("alpha.txt")
    alpha.write_text("".join(f"0.{k + 1}\n" for k in range(TOPICS)))
    run("train", corpus, "-k", TOPICS, "-i", 50, "--alpha", alpha, "--beta", 0.05, "--seed", 5, "--keep-topics",
        "--device", os.environ.get("EZLDA_TEST_DEVICE", "cpu"), "-o", path, "-q")
    return path


@pytest.fixture(scope="session")
def arrays(ezlda, model, tmp_path_factory):
    """The model as NumPy arrays: counts, priors, and the probabilities that follow from them."""
    numpy = pytest.importorskip("numpy")
    path = tmp_path_factory.mktemp("npz") / "small.npz"
    ezlda("export", model, "--to", "npz", "-o", path)
    with numpy.load(path) as file:
        found = dict(file)

    def dense(name):
        matrix = numpy.zeros(found[f"{name}_shape"])
        start = found[f"{name}_indptr"]
        for row in range(len(start) - 1):
            part = slice(start[row], start[row + 1])
            matrix[row, found[f"{name}_indices"][part]] = found[f"{name}_data"][part]
        return matrix

    found["W"], found["D"] = dense("topic_word"), dense("doc_topic")
    found["phi"] = found["W"] + found["beta"]
    found["phi"] /= found["phi"].sum(axis=1, keepdims=True)
    found["theta"] = found["D"] + found["alpha"]
    found["theta"] /= found["theta"].sum(axis=1, keepdims=True)
    return found
