"""A corpus that passes through the device in chunks: the same model, whatever the limit."""
import functools
import json
import re

import pytest

from conftest import EMULATED, emulated_environment, run


@pytest.fixture(scope="session")
def ezlda(device):
    """The command with a GPU: the device under test, or the emulated one."""
    if device == "cuda":
        return run
    if not EMULATED.exists():
        pytest.skip("no emulated GPU in this build")
    return functools.partial(run, program=EMULATED, env=emulated_environment())


def train(ezlda, corpus, folder, *arguments):
    summary = folder / "s.json"
    result = ezlda("train", corpus, "-i", 3, "-o", folder / "m.ezm", "--summary", summary, *arguments)
    assert result.status == 0, result
    chunks = re.search(r"in (\d+) chunks", result.stderr)
    values = json.loads(summary.read_text())
    return values["topics_hash"], int(chunks[1]) if chunks else 1, values["device_memory_peak_bytes"]


def least_memory(ezlda, corpus, folder, *arguments):
    """The bytes that the message says are needed, if almost no memory is allowed."""
    result = ezlda("train", corpus, "-o", folder / "m.ezm", "--device", "cuda", "--device-memory", "1k", *arguments)
    assert result.status == 1 and not (folder / "m.ezm").exists(), result
    number, unit = re.search(r"however it is cut, needs ([\d.]+) (kB|MB)", result.stderr).groups()
    return int(float(number) * {"kB": 1e3, "MB": 1e6}[unit] * 1.01)


@pytest.fixture(scope="module")
def documents(ezlda, tmp_path_factory):
    path = tmp_path_factory.mktemp("chunks") / "c.ezc"
    made = ezlda("synth", "-q", "-o", path, "--docs", 60, "--words", 80, "--length", 200, "--topics", 5, "--sigma", 1)
    assert made.status == 0, made
    return path


@pytest.mark.parametrize("options", [("-k", 9), ("-k", 60, "--estimator", "esca", "--start", "random"),
                                     ("-k", 40, "--w-format", "sparse"), ("-k", 40, "--w-format", "dense")],
                         ids=lambda options: " ".join(map(str, options)))
def test_the_same_model_in_any_number_of_chunks(ezlda, documents, tmp_path, options):
    least = least_memory(ezlda, documents, tmp_path, *options)
    whole, _, none = train(ezlda, documents, tmp_path, *options, "--device", "cpu")
    assert none == 0
    seen = set()
    for share in (1.0, 1.3, 2.0, 50.0):
        limit = int(least * share)
        got, chunks, peak = train(ezlda, documents, tmp_path, *options, "--device", "cuda", "--device-memory", limit)
        assert got == whole, (limit, chunks)
        assert peak <= limit * 1.05 + 20000, (limit, peak, chunks)
        seen.add(chunks)
    assert 1 in seen and max(seen) >= 4, seen


def test_limits_are_numbers_of_bytes(ezlda, documents, tmp_path):
    for wrong in ("2X", "-1G", "0", "G", "1GG", ""):
        result = ezlda("train", documents, "-o", tmp_path / "m.ezm", "--device-memory", wrong)
        assert result.status == 2 and "a number of bytes, such as 500M or 2.5G" in result.stderr, result
