"""The emulated GPU: programs with the CUDA backend beside a libcuda.so.1 that runs its kernels on the CPU."""
import collections
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from emulated_corpora import CORPORA, import_bags

HERE = Path(__file__).resolve().parent
LIMIT_S = 300

Result = collections.namedtuple("Result", "stdout stderr status")


@pytest.fixture(scope="session")
def emulated():
    """The folder of the emulated programs. A real driver in LD_LIBRARY_PATH would be loaded instead of theirs."""
    folder = Path(os.environ.get("EZLDA_BUILD", HERE.parents[1] / "build")) / "emulated"
    assert (folder / "libcuda.so.1").exists(), f"{folder}: not built"
    os.environ["LD_LIBRARY_PATH"] = f"{folder}:{os.environ.get('LD_LIBRARY_PATH', '')}"
    return folder


def run(command, **settings):
    done = subprocess.run(list(map(str, command)), env={**os.environ, **settings}, timeout=LIMIT_S,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return Result(done.stdout.decode(), done.stderr.decode(), done.returncode)


@pytest.fixture(scope="session")
def ezlda(emulated):
    """Runs the command with the CUDA backend; keywords are settings of the emulator."""
    return lambda *arguments, **settings: run([emulated / "ezlda", *arguments], **settings)


@pytest.fixture(scope="session")
def probe(emulated):
    """Runs a script that makes the driver's calls, in a process of its own."""
    return lambda script, *arguments, **settings: run([sys.executable, HERE / script, emulated / "libcuda.so.1",
                                                       *arguments], **settings)


@pytest.fixture(scope="session")
def launch(probe):
    """Launches a kernel of emulator_probe.cu."""

    def start(kernel, *parameters, words=64, threads=64, blocks=1, shared=0, settings=None):
        order = {"kernel": kernel, "parameters": parameters, "words": words, "threads": threads, "blocks": blocks,
                 "shared": shared}
        return probe("launch_probe.py", json.dumps(order), **(settings or {}))

    return start


@pytest.fixture(scope="session")
def results(launch):
    """Launches a kernel of emulator_probe.cu and returns the 32-bit words that it wrote."""

    def start(*arguments, **keywords):
        result = launch(*arguments, **keywords)
        assert (result.stderr, result.status) == ("", 0)
        return json.loads(result.stdout)

    return start


@pytest.fixture
def faults(launch):
    """Launches a kernel of emulator_probe.cu and expects it to end with a message that has these words."""

    def start(words, *arguments, **keywords):
        result = launch(*arguments, **keywords)
        assert result.status < 0 and result.stderr.startswith("emulator: "), result
        for word in [words] if isinstance(words, str) else words:
            assert word in result.stderr, result.stderr

    return start


@pytest.fixture(scope="session")
def corpora(ezlda, tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpora")
    return {name: import_bags(ezlda, folder / f"{name}.ezc", docs) for name, docs in CORPORA.items()}
