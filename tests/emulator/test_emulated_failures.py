"""What goes wrong on a GPU, on an emulated one: one line that names the call, and nothing left behind."""
import json

import pytest

from emulated_corpora import import_bags


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


@pytest.mark.parametrize("call", ["cuInit", "cuDeviceGetCount", "cuDevicePrimaryCtxRetain", "cuModuleLoadData",
                                  "cuModuleGetFunction:3", "cuMemAlloc_v2:2", "cuLaunchKernel", "cuLaunchKernel:9"])
def test_a_failing_call_is_named(ezlda, tiny, tmp_path, call):
    fails(ezlda, tiny, tmp_path, [call.split(":")[0]], SIMT_FAIL=call)


def test_too_little_memory(ezlda, tiny, tmp_path):
    fails(ezlda, tiny, tmp_path, ["memory", "missing"], SIMT_MEMORY="16384")


def test_an_image_for_another_gpu(ezlda, tiny, tmp_path):
    fails(ezlda, tiny, tmp_path, ["CUDA_ERROR_NO_BINARY_FOR_GPU"], SIMT_FAIL="cuModuleLoadData:2")


def notes_of(ezlda, corpus, folder, **settings):
    """The notes of a run with device `auto`; its model is the right one."""
    command = ["train", corpus, "-k", 60, "-i", 2, "--fixed-priors", "-o", folder / "m.ezm", "--summary", folder / "s.json"]
    assert ezlda(*command, "--device", "cpu").status == 0
    right = hash_of(folder)
    result = ezlda(*command, "--device", "auto", **settings)
    assert result.status == 0 and hash_of(folder) == right, result
    assert "emulator: " not in result.stderr
    return [line for line in result.stderr.splitlines() if line.startswith("device")]


def test_auto_uses_the_cpu_if_memory_is_too_small(ezlda, corpora, tmp_path):
    (line,) = notes_of(ezlda, corpora["few words"], tmp_path, SIMT_MEMORY="16384")
    assert line.startswith("device: cpu") and "device memory" in line and "is missing" in line
    (line,) = notes_of(ezlda, corpora["few words"], tmp_path, SIMT_FAIL="cuMemAlloc_v2")
    assert line.startswith("device: cpu") and "CUDA_ERROR_OUT_OF_MEMORY" in line


def test_auto_uses_chunks_if_memory_turns_out_too_small(ezlda, corpora, tmp_path):
    """Enough is free, but not in one piece: the corpus passes through in chunks, which only `auto` does."""
    pieces = {"SIMT_MEMORY": "400000", "SIMT_PIECE": "40000"}
    chunks, device = notes_of(ezlda, corpora["few words"], tmp_path, **pieces)
    assert "chunks" in chunks and device.startswith("device: cuda:0, Emulated GPU (")
    assert "in one piece, and cuMemAlloc_v2 failed with CUDA_ERROR_OUT_OF_MEMORY" in device
    result = ezlda("train", corpora["few words"], "-k", 60, "-i", 2, "--fixed-priors", "-o", tmp_path / "n.ezm", "--device",
                   "cuda", **pieces)
    assert result.status == 1 and "in one piece" in result.stderr and not (tmp_path / "n.ezm").exists()


@pytest.mark.parametrize("n", [3, 20])
def test_auto_tries_again_where_others_were_faster(ezlda, corpora, tmp_path, n):
    (line,) = notes_of(ezlda, corpora["few words"], tmp_path, SIMT_FAIL=f"cuMemAlloc_v2:{n}")
    assert line.startswith("device: cuda:0, Emulated GPU (") and "CUDA_ERROR_OUT_OF_MEMORY" in line


def test_auto_uses_the_next_gpu(ezlda, corpora, tmp_path):
    (line,) = notes_of(ezlda, corpora["few words"], tmp_path, SIMT_FAIL="cuModuleLoadData:1", SIMT_DEVICES="2")
    assert line.startswith("device: cuda:"), line


def test_memory_of_a_corpus_of_almost_only_empty_documents_is_planned(ezlda, tmp_path):
    """The starts of documents need more memory than the counts: they are part of what is allocated."""
    corpus = import_bags(ezlda, tmp_path / "c.ezc", [{0: 12}] + [{}] * 100000)
    done = ezlda("train", corpus, "-k", 3, "-i", 1, "--fixed-priors", "--device", "cuda", "--device-memory", 1650000, "--summary",
                 tmp_path / "s.json", "-q", "-o", tmp_path / "m.ezm")
    assert done.status == 0, done.stderr
    assert json.loads((tmp_path / "s.json").read_text())["device_memory_peak_bytes"] <= 1650000


def test_a_limit_of_a_byte_is_a_limit_for_each_shard(ezlda, corpora, tmp_path):
    for device in ("cuda:0", "cuda:0,0,0"):
        result = ezlda("train", corpora["few words"], "-k", 9, "-i", 1, "--device", device, "--device-memory", 2, "-o",
                       tmp_path / "m.ezm")
        assert result.status == 1 and "however it is cut" in result.stderr, device
    assert "(one shard)" in result.stderr


def test_a_gpu_that_does_not_answer_is_skipped(ezlda, corpora, tmp_path):
    """The second query of its name fails: the first is made before the run."""
    result = ezlda("train", corpora["few words"], "-k", 9, "-i", 1, "--device", "cuda", "-o", tmp_path / "m.ezm",
                   SIMT_DEVICES="2", SIMT_FAIL="cuDeviceGetName:2")
    assert result.status == 0, result.stderr
