"""ezlda devices, the names that --device accepts, and the messages if a GPU cannot be used."""
import json
import os
import re
import shutil
import subprocess

import pytest

from conftest import EMULATED, emulated_environment

GPU = {"device", "name", "usable", "reason", "kernels", "compute_capability", "multiprocessors", "memory_bytes",
       "memory_free_bytes"}
CPU = {"device", "name", "usable", "reason", "kernels", "processors", "cores", "threads"}


def listed(ezlda, *arguments, **environment):
    result = ezlda("devices", "--json", *arguments, env={**os.environ, **environment})
    assert result.status == 0 and not result.stderr, result
    return json.loads(result.stdout)


def test_every_device_has_its_facts(ezlda):
    found = listed(ezlda)
    *gpus, cpu = found["devices"]
    assert set(cpu) == CPU and all(set(gpu) == GPU for gpu in gpus)
    assert cpu["device"] == "cpu" and cpu["name"] and cpu["usable"] is True and cpu["reason"] is None
    assert 1 <= cpu["cores"] <= cpu["processors"] and cpu["kernels"] in ("avx512", "avx2", "neon", "plain")
    assert [gpu["device"] for gpu in gpus] == [f"cuda:{i}" for i in range(len(gpus))]
    usable = [device["device"] for device in found["devices"] if device["usable"]]
    assert found["auto"]["device"] == usable[0] and found["auto"]["why"]
    assert (found["cuda"]["no_device"] is None) == bool(gpus)
    if not gpus:
        assert found["auto"]["why"] == found["cuda"]["no_device"]


def test_threads_and_instruction_set_are_those_of_a_run(ezlda):
    assert listed(ezlda, "--threads", 3)["devices"][-1]["threads"] == 3
    assert listed(ezlda, EZLDA_SIMD="plain")["devices"][-1]["kernels"] == "plain"
    cpu = listed(ezlda, EZLDA_SIMD="mmx")["devices"][-1]
    assert cpu["usable"] is False and "EZLDA_SIMD" in cpu["reason"]


def test_the_table_says_the_same(ezlda):
    found = listed(ezlda)
    result = ezlda("devices")
    assert result.status == 0 and not result.stderr
    for device in found["devices"]:
        assert re.search(rf"^{device['device']} +{re.escape(device['name'])} +\d", result.stdout, re.M)
    assert f"auto uses {found['auto']['device']}: {found['auto']['why']}\n" in result.stdout


@pytest.mark.parametrize("name", ["", "gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:0,", "cuda:,1", "cuda:N", "cuda:1.5", "CPU"])
def test_names_that_are_not_devices(fails, corpus, tmp_path, name):
    fails(2, ["--device", "one of auto, cuda, cuda:N,..., cuda:all, cpu, reference", f"'{name}'"], "train", corpus, "-k", 4,
          "--device", name, "-o", tmp_path / "m.ezm")


def test_a_missing_device(fails, corpus, tmp_path):
    fails(1, "CUDA", "train", corpus, "-k", 4, "--device", "cuda:9999", "-q", "-o", tmp_path / "m.ezm")


# ---- files that are not drivers -----------------------------------------------------------------------------------------

@pytest.fixture
def built_for_cuda(ezlda):
    if listed(ezlda)["cuda"]["build"] is None:
        pytest.skip("a build without CUDA")


def refused(ezlda, fails, corpus, folder, words, **environment):
    """The list reports it, which is not an error; auto uses the CPU and says why; cuda fails."""
    env = {**os.environ, **environment}
    found = listed(ezlda, **environment)
    assert [device["device"] for device in found["devices"]] == ["cpu"] and found["auto"]["device"] == "cpu"
    for word in words:
        assert word in found["cuda"]["no_device"]
    train = ["train", corpus, "-k", 4, "-i", 2, "-o", folder / "m.ezm"]
    fails(1, words, *train, "-q", "--device", "cuda", env=env)
    result = ezlda(*train, "--device", "auto", env=env)
    assert result.status == 0 and "device: cpu" in result.stderr and all(word in result.stderr for word in words)


def test_a_driver_that_cannot_be_opened(ezlda, fails, corpus, tmp_path, built_for_cuda):
    (tmp_path / "libcuda.so.1").write_text("not a library\n")
    refused(ezlda, fails, corpus, tmp_path, ["no CUDA device: the driver cannot be opened", "libcuda.so.1"],
            LD_LIBRARY_PATH=str(tmp_path))


@pytest.mark.parametrize("command", ["train nothing -k 4 -o m.ezm", "sweep nothing -k 4 -o s", "infer no.ezm nothing -o t",
                                     "eval no.ezm nothing"])
def test_a_missing_driver_is_reported_before_anything_is_read(fails, tmp_path, built_for_cuda, command):
    (tmp_path / "libcuda.so.1").write_text("not a library\n")
    fails(1, "no CUDA device: the driver cannot be opened", *command.split(), "--device", "cuda", cwd=tmp_path,
          env={**os.environ, "LD_LIBRARY_PATH": str(tmp_path)})


@pytest.mark.skipif(not shutil.which("cc"), reason="no compiler")
def test_a_driver_that_lacks_a_call(ezlda, fails, corpus, tmp_path, built_for_cuda):
    subprocess.run(["cc", "-shared", "-x", "c", "/dev/null", "-o", tmp_path / "libcuda.so.1"], check=True)
    refused(ezlda, fails, corpus, tmp_path, ["too old", "it lacks cuInit"], LD_LIBRARY_PATH=str(tmp_path))


# ---- an emulated driver --------------------------------------------------------------------------------------------
# The emulated build pretends to be of CUDA 12.4, for compute capability 7.0, 8.0, 9.0 and newer.

@pytest.fixture
def emulated(ezlda):
    """Runs the command on the emulated driver; its settings (SIMT_...) by keyword."""
    if not EMULATED.exists():
        pytest.skip("no emulated GPU was built")
    return lambda *arguments, **settings: ezlda(*arguments, program=EMULATED, env=environment(settings))


@pytest.fixture
def fails_emulated(emulated, fails, corpus, tmp_path):
    """A run on the emulated GPU that must fail."""

    def check(words, device="cuda", **settings):
        fails(1, words, "train", corpus, "-k", 4, "-i", 2, "-q", "--device", device, "-o", tmp_path / "m.ezm",
              program=EMULATED, env=environment(settings))
    return check


def environment(settings):
    return {**emulated_environment(), **{f"SIMT_{key.upper()}": str(value) for key, value in settings.items()}}


def gpus_of(emulated, **settings):
    result = emulated("devices", "--json", **settings)
    assert result.status == 0 and not result.stderr, result
    found = json.loads(result.stdout)
    return found, found["devices"][:-1]


def test_emulated_devices_are_listed(emulated):
    found, gpus = gpus_of(emulated, devices=2, name="Some GPU", capability="8.9", processors=7, memory=10**9,
                          driver_version=12080)
    assert [gpu["device"] for gpu in gpus] == ["cuda:0", "cuda:1"] and set(gpus[0]) == GPU
    expected = {"name": "Some GPU", "usable": True, "reason": None, "kernels": "sm_80", "compute_capability": "8.9",
                "multiprocessors": 7, "memory_bytes": 10**9, "memory_free_bytes": 10**9}
    assert {key: gpus[1][key] for key in expected} == expected
    assert found["auto"]["device"] == "cuda:0"
    assert found["cuda"] == {"driver": "12.8", "build": "12.4", "no_device": None,
                             "covers": "compute capability 7.0, 8.0, 9.0 and newer"}
    table = emulated("devices", capability="12.1").stdout
    assert "compute capability 12.1, compute_90 (PTX) kernels" in table and "auto uses cuda:0" in table


UNUSABLE = [
    ({"capability": "6.1"}, ["cuda:0 (Emulated GPU) has compute capability 6.1", "covers compute capability 7.0, 8.0"]),
    ({"capability": "10.0", "driver_version": 12020}, ["compute capability 10.0", "CUDA 12.4 or newer", "supports 12.2"]),
    *[({"fail": "cuModuleLoadData", "fail_code": code},
       ["Emulated GPU, compute capability 9.0", "covers compute capability 7.0, 8.0, 9.0 and newer",
        "cuModuleLoadData", f"({code})"]) for code in (200, 209, 218, 222)],
    ({"fail": "cuDevicePrimaryCtxRetain", "fail_code": 101}, ["cuDevicePrimaryCtxRetain", "(101)"]),
]


@pytest.mark.parametrize("settings, words", UNUSABLE)
def test_a_gpu_that_cannot_be_used(emulated, fails_emulated, corpus, tmp_path, settings, words):
    found, gpus = gpus_of(emulated, **settings)
    assert not gpus[0]["usable"] and found["auto"] == {"device": "cpu", "why": gpus[0]["reason"]}
    fails_emulated(words, **settings)
    fails_emulated(words, device="cuda:0", **settings)
    result = emulated("train", corpus, "-k", 4, "-i", 2, "-o", tmp_path / "m.ezm", **settings)
    assert result.status == 0 and "device: cpu" in result.stderr, result
    for word in words:
        assert word in gpus[0]["reason"] and word in result.stderr


NO_GPU = [
    ({"driver_version": 11080}, ["driver is too old", "supports CUDA 11.8", "needs 12.0 or newer"]),
    ({"devices": 0}, ["no CUDA device: the driver (CUDA 13.0) sees none"]),
    ({"fail": "cuInit", "fail_code": 999}, ["cuInit", "(999)"]),
    ({"fail": "cuDeviceGetCount", "fail_code": 3}, ["cuDeviceGetCount", "(3)"]),
]


@pytest.mark.parametrize("settings, words", NO_GPU)
def test_a_driver_without_a_gpu(emulated, fails_emulated, settings, words):
    found, gpus = gpus_of(emulated, **settings)
    assert not gpus and found["auto"] == {"device": "cpu", "why": found["cuda"]["no_device"]}
    assert all(word in found["auto"]["why"] for word in words)
    fails_emulated(words, **settings)


def test_auto_tries_the_next_gpu_and_says_why(emulated, corpus, tmp_path):
    settings = {"devices": 2, "fail": "cuModuleLoadData:1", "fail_code": 209}
    found, gpus = gpus_of(emulated, **settings)
    assert [gpu["usable"] for gpu in gpus] == [False, True] and found["auto"]["device"] == "cuda:1"
    table = emulated("devices", **settings).stdout
    assert gpus[0]["reason"] in table and "auto uses cuda:1" in table
    result = emulated("train", corpus, "-k", 4, "-i", 2, "-o", tmp_path / "m.ezm", **settings)
    assert result.status == 0 and "device: cuda:1, Emulated GPU (cuda:0 " in result.stderr, result


def test_a_number_that_no_gpu_has(fails_emulated):
    fails_emulated(["there is no cuda:2", "2 CUDA devices"], device="cuda:2", devices=2)


@pytest.mark.parametrize("call", ["cuMemcpyHtoD_v2", "cuMemcpyDtoH_v2", "cuModuleGetFunction", "cuCtxSynchronize",
                                  "cuLaunchKernel", "cuMemGetInfo_v2", "cuCtxSetCurrent", "cuDeviceGetAttribute"])
def test_a_failing_call_is_named_with_its_code(fails_emulated, call):
    fails_emulated([call, "CUDA_ERROR_ILLEGAL_ADDRESS (700)"], fail=call, fail_code=700)


def test_a_failing_kernel_is_named_though_the_error_comes_later(fails_emulated):
    fails_emulated(["cuCtxSynchronize", "(719)", "kernels started since the last check: ", "ez_"],
                   fail="cuCtxSynchronize:1", fail_code=719)
    fails_emulated(["cuLaunchKernel for ez_", "threads", "(701)"], fail="cuLaunchKernel:2", fail_code=701)


def test_too_little_memory_is_a_clear_error(fails_emulated):
    fails_emulated(["of device memory and ", "can be had: ", "is missing; use fewer topics", "--device cpu"],
                   device="cuda", memory=4096)
    fails_emulated(["of device memory in one piece", "cuMemAlloc_v2", "--device cpu"], fail="cuMemAlloc_v2:3",
                   fail_code=2)
