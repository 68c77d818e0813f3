"""Sums between the GPUs of several ranks, by NCCL and by MPI: the CPU's model bit for bit, and one line if something
is missing or fails."""
import concurrent.futures
import itertools
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from emulated_corpora import draw_bags, import_bags

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("EZLDA_BUILD", ROOT / "build"))
MODULE = BUILD / "libezlda-mpich.so"
LIMIT_S = 120

pytestmark = pytest.mark.skipif(not MODULE.exists(), reason="this build has no module for MPICH")


@pytest.fixture(scope="module")
def corpora(ezlda, tmp_path_factory):
    """Few tokens, and more: words in every document, rare ones, documents that are empty or long."""
    folder, bags = tmp_path_factory.mktemp("corpora"), draw_bags([10] * 40, 60, 5)
    bags[7] = {}
    bags[20] = {word: 9 for word in range(50)}
    return {"small": import_bags(ezlda, folder / "small.ezc", bags),
            "tiny": import_bags(ezlda, folder / "tiny.ezc", draw_bags([9] * 12, 40, 6))}


def start(folder, corpus, options, ranks, **settings):
    """Ranks, each with its device and settings of its own."""
    launcher = shutil.which("mpirun.mpich")
    assert launcher, "the module is built, but its launcher is missing"
    command = []
    for device, own in ranks:
        command += [":"] if command else [launcher]
        command += ["-n", "1", *itertools.chain(*(["-env", name, value] for name, value in own.items())),
                    BUILD / "emulated" / "ezlda", "train", corpus, *options.split(), "--threads", "1", "--device",
                    device, "-o", folder / "m.ezm", "--summary", folder / "s.json"]
    return subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env={**os.environ, "EZLDA_MPI": str(MODULE), "TMPDIR": str(folder), **settings},
                          timeout=LIMIT_S)


def result(folder):
    summary = json.loads((folder / "s.json").read_text())
    return summary["topics_hash"], [(i, llpt) for i, _, llpt in summary["llpt"]]


def route(done):
    found = re.findall(r"sums between ranks: (\w+)(.*)", done.stderr)
    assert len(found) == 1, done
    return found[0]


def hosts(*devices):
    """Ranks on hosts of their own."""
    return [(device, {"NCCL_HOSTID": f"host {i}"}) for i, device in enumerate(devices)]


TURNS = [("cuda", {})]  # the ranks of a machine use its GPUs in turn
CASES = [
    ("-k 20", TURNS * 2, {"SIMT_DEVICES": "2"}),
    ("-k 20", TURNS * 3, {"SIMT_DEVICES": "3", "SIMT_LAZY": "1"}),
    ("-k 20 --w-format sparse", hosts("cuda:0", "cuda:0,0"), {"SIMT_LAZY": "1"}),
    ("-k 300 --w-format dense", hosts("cuda:0,1,1", "cuda:1"), {"SIMT_DEVICES": "2", "SIMT_LAZY": "1"}),
    ("-k 30 --optimize-interval 1 --optimize-burn-in 0", hosts("cuda:0", "cuda:0", "cuda:0"), {"SIMT_RACES": "1"}),
]


@pytest.mark.parametrize("options, ranks, settings", CASES, ids=range(len(CASES)))
def test_one_model(options, ranks, settings, ezlda, corpora, tmp_path):
    options += " -i 3 --eval-every 1"
    assert ezlda("train", corpora["small"], *options.split(), "--device", "cpu", "-q", "-o", tmp_path / "m.ezm",
                 "--summary", tmp_path / "s.json").status == 0
    alone = result(tmp_path)
    for nccl, word in (("", "NCCL"), ("none", "MPI")):
        done = start(tmp_path, corpora["small"], options, ranks, EZLDA_NCCL=nccl, **settings)
        assert done.returncode == 0 and route(done)[0] == word, done
        assert result(tmp_path) == alone


def test_lists_are_made_on_the_device(corpora, tmp_path):
    log = tmp_path / "log"
    start(tmp_path, corpora["tiny"], "-k 5 -i 1 --eval-every 0", TURNS * 2, SIMT_DEVICES="2", SIMT_LOG=str(log))
    assert {"ez_count_lists", "ez_place_lists", "ez_write_lists", "ez_sum_lists"} <= \
        {line.split()[0] for line in log.read_text().splitlines()}


TWO = {"SIMT_DEVICES": "2"}
ROUTES = {
    "refused": (TURNS * 2, {**TWO, "EZLDA_NCCL": "none"}, "rank 0: EZLDA_NCCL is none"),
    "missing": (TURNS * 2, {**TWO, "EZLDA_NCCL": "/nowhere/libnccl.so.2"}, "/nowhere/libnccl.so.2"),
    "no nccl": (TURNS * 2, {**TWO, "EZLDA_NCCL": str(BUILD / "emulated" / "libcuda.so.1")}, "lacks ncclGetVersion"),
    "old": (TURNS * 2, {**TWO, "SIMT_NCCL_VERSION": "2804"}, "version number 2804; 2.9 or newer is needed"),
    "new": (TURNS * 2, {**TWO, "SIMT_NCCL_VERSION": "30100"}, "version number 30100"),
    "version": (TURNS * 2, {**TWO, "SIMT_NCCL_FAIL": "ncclGetVersion"}, "ncclGetVersion failed with 5"),
    "one lacks it": ([("cuda", {}), ("cuda", {"EZLDA_NCCL": "none"})], TWO, "rank 1: EZLDA_NCCL is none"),
    "they differ": ([("cuda", {}), ("cuda", {"SIMT_NCCL_VERSION": "22100"})], TWO, "versions 22707 and 22100"),
    "one GPU": ([("cuda:1", {}), ("cuda:0", {}), ("cuda:1", {})], TWO, "ranks 0 and 2 share the GPU 0000:02:00.0"),
}


def at_once(call, cases):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        faults = [fault for fault in pool.map(call, cases) if fault]
    assert not faults, "\n\n".join(faults)


def test_routes(corpora, tmp_path):
    def look(name):
        ranks, settings, reason = ROUTES[name]
        folder = tmp_path / name.replace(" ", "-")
        folder.mkdir()
        done = start(folder, corpora["tiny"], "-k 5 -i 1 --eval-every 0", ranks, **settings)
        used, why = route(done)
        return "" if done.returncode == 0 and used == "MPI" and reason in why else f"{name}: {done}"

    at_once(look, ROUTES)


# What fails (its number, the rank), what the message says.
FAILURES = {
    "ncclGetUniqueId:1@0": "ncclGetUniqueId failed",
    "ncclCommInitRank:1@1": "ncclCommInitRank failed",
    "ncclAllReduce:1@0": "ncclAllReduce for lengths of rows of W failed",
    "ncclAllReduce:2@1": "ncclAllReduce for n failed",
    "ncclAllReduce:6@1": "ncclAllReduce for dense rows of W failed",
    "ncclGroupStart:1@1": "ncclGroupStart for lists of rows of W failed",
    "ncclBroadcast:2@0": "ncclBroadcast for lists of rows of W failed",
    "ncclGroupEnd:2@1": "ncclGroupEnd for lists of rows of W failed",
    "ncclCommGetAsyncError:1@0": "ncclCommGetAsyncError failed",
    "asynchronous:2@1": "what was started before failed",
}


def test_a_failing_call_is_named_and_ends_the_job(corpora, tmp_path):
    def look(failure):
        folder = tmp_path / re.sub(r"\W", "-", failure)
        folder.mkdir()
        done = start(folder, corpora["tiny"], "-k 5 -i 2 --eval-every 0 -q", TURNS * 2, SIMT_NCCL_FAIL=failure, **TWO)
        line = f"ezlda: rank {failure[-1]}: NCCL 2.27.7: {FAILURES[failure]} with 5: invalid usage"
        good = done.returncode != 0 and line in done.stderr and not (folder / "m.ezm").exists()
        return "" if good else f"{failure}: {done}"

    at_once(look, FAILURES)


def test_a_gpu_that_fails_ends_the_job(corpora, tmp_path):
    """The failing rank exits without closing NCCL or the GPU, because that would wait for another rank."""
    for number in (150, 250):
        lost = {"SIMT_FAIL": f"cuLaunchKernel:{number}+", "SIMT_FAIL_CODE": "719"}
        ranks = [("cuda", {}), ("cuda", lost)]
        done = start(tmp_path, corpora["tiny"], "-k 5 -i 40 --eval-every 0 -q", ranks, **TWO)
        assert done.returncode != 0 and "ezlda: rank 1: " in done.stderr and "cuLaunchKernel" in done.stderr, done
        assert not (tmp_path / "m.ezm").exists()


@pytest.mark.parametrize("call", ["ncclCommDestroy"])
def test_an_end_that_fails_is_harmless(call, corpora, tmp_path):
    done = start(tmp_path, corpora["tiny"], "-k 5 -i 1 --eval-every 0 -q", TURNS * 2, SIMT_NCCL_FAIL=call, **TWO)
    assert (done.returncode, done.stderr) == (0, ""), done


@pytest.mark.parametrize("devices", [("auto", "auto"), ("cuda:0", "cpu")])
def test_ranks_on_a_gpu_and_on_a_cpu_do_not_wait_for_each_other(corpora, tmp_path, devices):
    ranks = [(devices[0], {}), (devices[1], {"SIMT_DEVICES": "0"})]
    done = start(tmp_path, corpora["tiny"], "-k 5 -i 2", ranks)
    assert done.returncode != 0 and "all must do the same" in done.stderr, done
    assert not (tmp_path / "m.ezm").exists()
