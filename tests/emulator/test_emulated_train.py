"""The CUDA trainer on an emulated GPU: the CPU's model bit for bit, by every kernel."""
import json
import re
from pathlib import Path

import pytest

from emulated_corpora import draw_bags, import_bags

KERNELS = Path(__file__).resolve().parents[2] / "src" / "backend" / "cuda" / "kernels"


def train(ezlda, corpus, folder, *arguments, device="cuda", iterations=2, **settings):
    fixed = [] if "--optimize-interval" in arguments else ["--fixed-priors"]
    result = ezlda("train", corpus, "-i", iterations, "--device", device, "-q", "-o", folder / "m.ezm", "--summary",
                   folder / "s.json", *fixed, *map(str, arguments), **settings)
    assert result == ("", "", 0), result
    return json.loads((folder / "s.json").read_text())


def same_model(ezlda, corpus, folder, *arguments, iterations=2, **settings):
    on_cpu = train(ezlda, corpus, folder, *arguments, device="cpu", iterations=iterations)
    on_gpu = train(ezlda, corpus, folder, *arguments, iterations=iterations, **settings)
    assert on_gpu["topics_hash"] == on_cpu["topics_hash"]
    assert [(i, llpt) for i, _, llpt in on_gpu["llpt"]] == [(i, llpt) for i, _, llpt in on_cpu["llpt"]]


# Shared memory of a block in bytes, if it is not the emulator's 227 KiB: what does not fit lies in device memory.
LITTLE, TURING = {"SIMT_SHARED": "49152"}, {"SIMT_SHARED": "65536", "SIMT_CAPABILITY": "7.5"}
# A block, or a warp of it, takes many words one after another.
ONE_BLOCK = {"SIMT_PROCESSORS": "1", "SIMT_BLOCKS": "1"}
CASES = [
    ("small", "-k 2", {}),
    ("small", "-k 9 --estimator esca --sampler three-branch -g 1 --w-format dense", {}),
    ("small", "-k 100 --sampler two-branch --w-format sparse", ONE_BLOCK),
    ("mixed", "-k 700 --estimator esca -g 3", {}),
    ("mixed", "-k 20 --sampler three-branch -g 2 --alpha 0.1 --balance dynamic", {}),
    ("mixed", "-k 1500 --w-format dense --balance none", {}),
    ("skewed", "-k 20 --w-format sparse", {}),
    ("skewed", "-k 5000", {}),
    ("mixed", "-k 8300 --estimator esca", {}),
    ("tiny", "-k 8300 --w-format dense", {}),
    ("tiny", "-k 13000 --w-format dense", LITTLE),
    ("small", "-k 1000", LITTLE),
    ("small", "-k 8000", TURING),
    ("mixed", "-k 13000 --w-format sparse", LITTLE),
    ("few words", "-k 300 --device-memory 150k", {}),
    ("few words", "-k 30 --device-memory 150k --estimator esca", {"SIMT_LAZY": "1"}),
    ("mixed", "-k 30 --seeds SEEDS --optimize-interval 1 --optimize-burn-in 0", {}),
    ("few words", "-k 300 --seeds SEEDS --optimize-interval 1 --optimize-burn-in 0 --device-memory 420k", {}),
]


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """The folder of the logs of launches, one file per case."""
    return tmp_path_factory.mktemp("logs")


def words_of(options, folder):
    """The options as a list; SEEDS becomes a file of seed words."""
    seeds = folder / "seeds.txt"
    seeds.write_text("0 1 2\n7: 5 3\n", encoding="ascii")
    return [str(seeds) if word == "SEEDS" else word for word in options.split()]


@pytest.mark.parametrize("case", range(len(CASES)), ids=lambda i: " ".join(map(str, CASES[i])))
def test_the_same_model_as_the_cpu(ezlda, corpora, logs, tmp_path, case):
    corpus, options, settings = CASES[case]
    same_model(ezlda, corpora[corpus], tmp_path, *words_of(options, tmp_path), SIMT_LOG=str(logs / str(case)),
               **settings)


def test_every_kernel_is_launched(ezlda, corpora, logs, tmp_path):
    launched = set()
    for case, (corpus, options, settings) in enumerate(CASES):
        log = logs / str(case)
        if not log.exists():
            train(ezlda, corpora[corpus], tmp_path, *words_of(options, tmp_path), SIMT_LOG=str(log), **settings)
        launched |= {line.split()[0] for line in log.read_text().splitlines()}
    # Shards, ranks and the prior sample have kernels of their own: test_emulated_owned_rows.py, test_emulated_nccl.py,
    # test_device_prior_sample.c.
    others = ("owned_rows.cu", "shard_sum.cu", "rank_lists.cu", "prior_sample_words.cu", "prior_sample_docs.cu")
    kernels = {name for path in KERNELS.glob("*.cu") if path.name not in others
               for name in re.findall(r'extern "C"\s+__global__\s+void\b[^{;]*?\b(ez_\w+)\(', path.read_text())}
    assert kernels - launched == set()


def test_all_topics(ezlda, tmp_path):
    corpus = import_bags(ezlda, tmp_path / "tiny.ezc", draw_bags([20] * 20, 10, 4))
    same_model(ezlda, corpus, tmp_path, "-k", 65536, "--w-format", "dense", iterations=1)


@pytest.mark.parametrize("settings", [{"SIMT_SHUFFLE": "1"}, {"SIMT_SHUFFLE": "2", "SIMT_PROCESSORS": "5"},
                                      {"SIMT_LAZY": "1"}, {"SIMT_THREADS": "1", "SIMT_PROCESSORS": "1"}], ids=str)
@pytest.mark.parametrize("k", [20, 1000])
def test_the_order_of_threads_does_not_matter(ezlda, corpora, tmp_path, k, settings):
    same_model(ezlda, corpora["mixed"], tmp_path, "-k", k, **settings)


@pytest.mark.parametrize("options", ["-k 30 --w-format dense", "-k 30", "-k 8300 --w-format dense",
                                     "-k 30 --w-format dense --device-memory 150k"])
def test_seeds_of_words_without_tokens(ezlda, tmp_path, options):
    """Their rows hold the seeds' counts alone: once, however often W is counted. Priors are fitted to them."""
    (tmp_path / "words.txt").write_text("".join(f"w{v}\n" for v in range(7)), encoding="ascii")
    corpus = import_bags(ezlda, tmp_path / "c.ezc", draw_bags([30] * 60, 3, 6), "--vocab", tmp_path / "words.txt")
    seeds = tmp_path / "seeds.txt"
    seeds.write_text("w4 w1\n3: w6 w5\n", encoding="ascii")
    same_model(ezlda, corpus, tmp_path, "--seeds", seeds, "--optimize-interval", 1, "--optimize-burn-in", 0,
               "--eval-every", 1, *options.split(), iterations=4)
