"""Documents divided among several GPUs: the CPU's model bit for bit. A GPU may be named several times."""
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from emulated_corpora import CORPORA, draw_bags, import_bags

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("EZLDA_BUILD", ROOT / "build"))


@pytest.fixture(scope="module")
def corpus(ezlda, tmp_path_factory):
    """A word that is in every document, rare words, an empty document and a document that is much longer than the others."""
    bags = draw_bags([10] * 40, 60, 5)
    bags[7] = {}
    bags[20] = {word: 9 for word in range(50)}
    return import_bags(ezlda, tmp_path_factory.mktemp("corpus") / "c.ezc", bags)


def train(ezlda, corpus, folder, device, *arguments, **settings):
    fixed = [] if "--optimize-interval" in arguments else ["--fixed-priors"]
    result = ezlda("train", corpus, "-i", 3, "--device", device, "-q", "-o", folder / "m.ezm", "--summary",
                   folder / "s.json", "--eval-every", 1, *fixed, *arguments, **settings)
    assert result == ("", "", 0), result
    summary = json.loads((folder / "s.json").read_text())
    return summary["topics_hash"], [(i, llpt) for i, _, llpt in summary["llpt"]]


THREE = {"SIMT_DEVICES": "3"}
CASES = [
    ("cuda:0,0", "-k 20", {}),
    ("cuda:0,0,0", "-k 20 --estimator esca --w-format sparse", {}),
    ("cuda:0,0,0,0", "-k 300 --w-format dense", {}),
    ("cuda:0,1,2", "-k 20", THREE),
    ("cuda:2,0,0,1", "-k 50 --start random", THREE),
    ("cuda:all", "-k 40", THREE),
    ("cuda:0,0", "-k 30 --optimize-interval 1 --optimize-burn-in 0", {}),
    ("cuda:0,1", "-k 30 --seeds SEEDS", THREE),
    ("cuda:0,0", "-k 30 --device-memory 300k", {}),
]


@pytest.mark.parametrize("device, options, settings", CASES, ids=lambda value: str(value)[:28])
def test_one_model(device, options, settings, ezlda, corpus, tmp_path):
    seeds = tmp_path / "seeds.txt"
    seeds.write_text("0 1 2\n7: 5 3\n", encoding="ascii")
    words = [str(seeds) if word == "SEEDS" else word for word in options.split()]
    alone = train(ezlda, corpus, tmp_path, "cpu", *words)
    assert train(ezlda, corpus, tmp_path, device, *words, **settings) == alone


def test_more_shards_than_documents(ezlda, tmp_path):
    tiny = import_bags(ezlda, tmp_path / "tiny.ezc", [{0: 3, 1: 1}, {1: 2}])
    for topics in (4, 8200):
        alone = train(ezlda, tiny, tmp_path, "cpu", "-k", topics)
        assert train(ezlda, tiny, tmp_path, "cuda:0,0,0", "-k", topics) == alone


def test_large_counts_of_all_shards_have_room(ezlda, tmp_path):
    """A shard without documents has the counts of all other shards in its rows, and lists the large ones for the priors."""
    flat = import_bags(ezlda, tmp_path / "flat.ezc", [{word: 300 for word in range(120)}])
    options = ["-k", 2, "--optimize-interval", 1, "--optimize-burn-in", 0]
    alone = train(ezlda, flat, tmp_path, "cpu", *options)
    assert train(ezlda, flat, tmp_path, "cuda:0,0,0", *options) == alone


def test_shards_share_the_free_memory_of_a_gpu(ezlda, tmp_path):
    """The first shard leaves half to the second. If one used all it can, the other would not fit."""
    bags = import_bags(ezlda, tmp_path / "few.ezc", CORPORA["few words"])
    alone = train(ezlda, bags, tmp_path, "cpu", "-k", 60)
    assert train(ezlda, bags, tmp_path, "cuda:0,0", "-k", 60, SIMT_MEMORY="220000") == alone


def test_inference(ezlda, corpus, tmp_path):
    train(ezlda, corpus, tmp_path, "cpu", "-k", 10)
    rows = []
    for device in ("cpu", "cuda:0,0"):
        out = tmp_path / f"{device[:4]}.tsv"
        assert ezlda("infer", tmp_path / "m.ezm", corpus, "-i", 4, "--device", device, "-q", "-o", out).status == 0
        rows.append(out.read_bytes())
    assert rows[0] == rows[1]


def test_a_missing_gpu(ezlda, corpus, tmp_path):
    result = ezlda("train", corpus, "-k", 5, "--device", "cuda:0,1", "-q", "-o", tmp_path / "m.ezm")
    assert result.status == 1 and "cuda:1" in result.stderr, result


def kernels_in(log):
    return {line.split()[0] for line in log.read_text().splitlines()}


def test_shards_read_each_other(ezlda, corpus, tmp_path):
    train(ezlda, corpus, tmp_path, "cuda:0,0", "-k", "20", SIMT_LOG=str(tmp_path / "log"))
    assert {"ez_owned_dense", "ez_copy_counts", "ez_copy_records"} <= kernels_in(tmp_path / "log")


@pytest.mark.parametrize("ranks, device", [(2, "cuda"), (3, "cuda:0,0")])
def test_ranks_with_gpus(ranks, device, ezlda, corpus, tmp_path):
    module, launcher = BUILD / "libezlda-openmpi.so", shutil.which("mpirun.openmpi")
    if not module.exists():
        pytest.skip("this build has no MPI module")
    assert launcher, "the module is built, but its launcher is missing"
    alone = train(ezlda, corpus, tmp_path, "cpu", "-k", 20)
    subprocess.run([launcher, "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", str(ranks),
                    BUILD / "emulated" / "ezlda", "train", corpus, "-k", "20", "-i", "3", "--fixed-priors", "--eval-every", "1",
                    "--device", device, "-q", "-o", tmp_path / "m.ezm", "--summary", tmp_path / "s.json"],
                   env={**os.environ, "EZLDA_MPI": str(module), "SIMT_LOG": str(tmp_path / "log")}, check=True,
                   timeout=200)
    assert "ez_sum_lists" in kernels_in(tmp_path / "log")
    summary = json.loads((tmp_path / "s.json").read_text())
    assert (summary["topics_hash"], [(i, llpt) for i, _, llpt in summary["llpt"]]) == alone
