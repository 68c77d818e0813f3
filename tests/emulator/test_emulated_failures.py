"""What goes wrong on a GPU, on an emulated one: one line that names the call, and nothing left behind."""
import json
import re
from pathlib import Path

import pytest

SOURCES = Path(__file__).resolve().parents[2] / "src" / "backend" / "cuda"
CALLS = re.findall(r"^    X\((cu\w+),", (SOURCES / "driver.h").read_text(), re.M)


@pytest.fixture
def tiny(corpora):
    return corpora["tiny"]


def train(ezlda, corpus, folder, device="cuda", **settings):
    return ezlda("train", corpus, "-k", 20, "-i", 2, "--device", device, "-o", folder / "m.ezm", "-q", "--summary",
                 folder / "s.json", **settings)


def hash_of(folder):
    return json.loads((folder / "s.json").read_text())["topics_hash"]


def fails(ezlda, corpus, folder, words, **settings):
    result = train(ezlda, corpus, folder, **settings)
    assert result.status == 1 and result.stderr.count("\n") == 1 and result.stderr.startswith("ezlda: "), result
    for word in words:
        assert word in result.stderr, result.stderr
    assert list(folder.iterdir()) == []


def test_the_list_of_calls_was_read():
    assert {"cuInit", "cuLaunchKernel", "cuMemAlloc_v2"} <= set(CALLS)


@pytest.mark.parametrize("call", ["cuInit", "cuDeviceGetCount", "cuDevicePrimaryCtxRetain", "cuModuleLoadData",
                                  "cuModuleGetFunction:3", "cuMemAlloc_v2:2", "cuLaunchKernel", "cuLaunchKernel:9"])
def test_a_failing_call_is_named(ezlda, tiny, tmp_path, call):
    fails(ezlda, tiny, tmp_path, [call.split(":")[0]], SIMT_FAIL=call)


@pytest.mark.parametrize("call", CALLS)
def test_a_failure_is_named_or_harmless(ezlda, tiny, tmp_path, call):
    """Any call, early or late: a line that names it, or the right model; never a crash, a leak or a wrong model."""
    assert train(ezlda, tiny, tmp_path, device="cpu").status == 0
    expected = hash_of(tmp_path)
    for n in (1, 2, 7):
        for path in tmp_path.iterdir():
            path.unlink()
        result = train(ezlda, tiny, tmp_path, SIMT_FAIL=f"{call}:{n}")
        if result.status == 0:
            left = "emulator: allocations that were not freed: 1\n" if call == "cuMemFree_v2" else ""
            assert result.stderr in ("", left) and hash_of(tmp_path) == expected
        else:
            assert result.status == 1 and result.stderr.count("\n") == 1 and call in result.stderr, result
            assert list(tmp_path.iterdir()) == []


def test_too_little_memory(ezlda, tiny, tmp_path):
    fails(ezlda, tiny, tmp_path, ["memory", "missing"], SIMT_MEMORY="16384")


def test_an_image_for_another_gpu(ezlda, tiny, tmp_path):
    fails(ezlda, tiny, tmp_path, ["CUDA_ERROR_NO_BINARY_FOR_GPU"], SIMT_FAIL="cuModuleLoadData:2")
