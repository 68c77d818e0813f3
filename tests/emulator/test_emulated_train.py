"""The CUDA trainer on an emulated GPU: the CPU's model bit for bit."""
import json

import pytest

# Every value of each option at least once, in few runs.
CASES = [(2, "leave-one-out", "many-branch", 0, "hybrid"), (9, "esca", "three-branch", 1, "dense"),
         (100, "leave-one-out", "two-branch", 8, "sparse"), (700, "esca", "many-branch", 3, "hybrid"),
         (5000, "leave-one-out", "three-branch", 2, "dense"), (13000, "esca", "many-branch", 0, "sparse")]


def train(ezlda, corpus, folder, *arguments, k=6, iterations=3, device="cuda", **settings):
    result = ezlda("train", corpus, "-k", k, "-i", iterations, "--device", device, "-q", "-o", folder / "m.ezm",
                   "--summary", folder / "s.json", *arguments, **settings)
    assert result == ("", "", 0), result
    return json.loads((folder / "s.json").read_text())


def same_model(one, other):
    assert one["topics_hash"] == other["topics_hash"]
    assert [(i, llpt) for i, _, llpt in one["llpt"]] == [(i, llpt) for i, _, llpt in other["llpt"]]


@pytest.mark.parametrize("k, estimator, sampler, g, w_format", CASES)
def test_the_same_model_as_the_cpu(ezlda, corpus, tmp_path, k, estimator, sampler, g, w_format):
    options = ["--estimator", estimator, "--sampler", sampler, "--w-format", w_format, "--eval-every", 2,
               *(["-g", g] if g else [])]
    on_cpu = train(ezlda, corpus, tmp_path, *options, k=k, device="cpu")
    same_model(train(ezlda, corpus, tmp_path, *options, k=k), on_cpu)


@pytest.mark.parametrize("settings", [{"SIMT_SHUFFLE": "1"}, {"SIMT_SHUFFLE": "2", "SIMT_PROCESSORS": "5"},
                                      {"SIMT_LAZY": "1"}, {"SIMT_THREADS": "1", "SIMT_PROCESSORS": "1"}], ids=str)
@pytest.mark.parametrize("k", [20, 1000])
def test_the_order_of_threads_does_not_matter(ezlda, corpus, tmp_path, k, settings):
    on_cpu = train(ezlda, corpus, tmp_path, k=k, device="cpu")
    same_model(train(ezlda, corpus, tmp_path, k=k, **settings), on_cpu)


def test_all_topics(ezlda, tmp_path):
    corpus = tmp_path / "tiny.ezc"
    assert ezlda("synth", "-o", corpus, "--docs", 20, "--words", 10, "--length", 20, "--topics", 2, "-q").status == 0
    on_cpu = train(ezlda, corpus, tmp_path, k=65536, iterations=1, device="cpu")
    same_model(train(ezlda, corpus, tmp_path, k=65536, iterations=1), on_cpu)


@pytest.mark.parametrize("k", [1000, 8000, 13000])
def test_a_gpu_with_little_shared_memory(ezlda, corpus, tmp_path, k):
    """48 KiB a block, and not 227: tables and counts that would not fit lie in memory."""
    on_cpu = train(ezlda, corpus, tmp_path, k=k, iterations=2, device="cpu")
    same_model(train(ezlda, corpus, tmp_path, k=k, iterations=2, SIMT_SHARED=str(48 << 10)), on_cpu)
