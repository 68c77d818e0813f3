"""Fixtures of the Python package's tests. EZLDA_BIN is the command to compare with (default: build/ezlda, if it is
built, or the command of this Python), EZLDA_TEST_DEVICE the device."""
import os
import subprocess
import sys
from pathlib import Path

# Waiting threads must not spin: tests run beside others. Read by OpenMP when the extension is loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
# scikit-learn leaves out one of its checks without this; read when SciPy is loaded.
os.environ.setdefault("SCIPY_ARRAY_API", "1")

import numpy as np  # noqa: E402
import pytest  # noqa: E402
from scipy import sparse  # noqa: E402

import ezlda  # noqa: E402


@pytest.fixture(scope="session")
def device():
    return os.environ.get("EZLDA_TEST_DEVICE", "cpu")


def planted():
    """400 documents of 300 words: topic k of 8 has words 30k to 30k + 29 of its own, and 60 words are everybody's."""
    random = np.random.RandomState(11)
    matrix = np.zeros((400, 300), dtype=np.int32)
    for d in range(400):
        length = random.poisson(60)
        topic = np.where(random.uniform(size=length) < 0.8, d % 8, random.randint(8, size=length))
        word = np.where(random.uniform(size=length) < 0.8, 30 * topic + random.randint(30, size=length),
                        240 + random.randint(60, size=length))
        np.add.at(matrix[d], word, 1)
    return sparse.csr_matrix(matrix)


@pytest.fixture(scope="session")
def matrix():
    return planted()


@pytest.fixture(scope="session")
def corpus(matrix):
    letters = "abcdefghijklmnopqrst"
    return ezlda.Corpus.from_matrix(matrix, [f"word{letters[w // 20]}{letters[w % 20]}" for w in range(300)])


@pytest.fixture(scope="session")
def model(corpus, device):
    return ezlda.train(corpus, 8, 60, seed=5, alpha=0.2, fixed_priors=True, eval_every=20, keep_topics=True,
                       device=device, threads=2, progress=False)


@pytest.fixture(scope="session")
def command():
    """Runs the command and returns what it printed."""
    built = Path(__file__).resolve().parents[2] / "build" / "ezlda"
    own = Path(sys.executable).parent / "ezlda"
    program = Path(os.environ.get("EZLDA_BIN", built if built.exists() else own))
    assert program.exists(), f"{program}: not built (EZLDA_BIN)"

    def run(*arguments):
        done = subprocess.run([str(program), *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout
    return run
