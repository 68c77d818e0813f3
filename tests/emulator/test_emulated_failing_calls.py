"""Every single call of the driver fails once, in turn, on small runs: with the error that is the call's own, for lack of
memory, or because the device is lost, after which every call fails. Then there is one line that names the call, or the
right result; never a crash, a hang, a leak or a wrong model.

Normally some of the calls of each name are failed; EZLDA_FAULTS_FULL=1 asks for all of them.
"""
import concurrent.futures
import itertools
import os
import re
from pathlib import Path

import pytest

FULL = bool(os.environ.get("EZLDA_FAULTS_FULL"))
OUT_OF_MEMORY, LAUNCH_FAILED = "2", "719"
# How a call fails: a suffix of SIMT_FAIL, the code.
WAYS = {"once": ("", None), "memory": ("", OUT_OF_MEMORY), "lost": ("+", LAUNCH_FAILED)}
SOURCES = Path(__file__).resolve().parents[2] / "src" / "backend" / "cuda" / "driver"
CALLS = set(re.findall(r"^    X\((cu\w+),", (SOURCES / "driver.h").read_text(), re.M))

RUNS = {
    "train": ["train", "tiny", "-k", 20, "-i", 2, "--fixed-priors", "-o", "{out}"],
    "chunks": ["train", "few words", "-k", 60, "-i", 1, "--device-memory", "84k", "--eval-every", 0, "--fixed-priors",
               "-o", "{out}"],
    "priors": ["train", "tiny", "-k", 9, "-i", 1, "--optimize-interval", 1, "--optimize-burn-in", 0, "-o", "{out}"],
    "infer": ["infer", "{model}", "tiny", "-i", 3, "-o", "{out}"],
    "two gpus": ["train", "small", "-k", 20, "-i", 1, "--eval-every", 0, "--fixed-priors", "-o", "{out}"],
}
MOST = ("train", "chunks", "two gpus")  # between them they make all calls
DEVICES = {"two gpus": ("cuda:0,1", {"SIMT_DEVICES": "2"})}


@pytest.fixture(scope="session")
def whole(ezlda, corpora, tmp_path_factory):
    """By run: its command less -o, what it writes on the CPU, and how often it makes each call on the GPU."""
    folder, found = tmp_path_factory.mktemp("whole"), {}
    for name, words in RUNS.items():
        command = [{"{model}": folder / "train", "{out}": folder / name}.get(word, corpora.get(word, word))
                   for word in words] + ["-q", "--threads", 1]
        device, settings = DEVICES.get(name, ("cuda", {}))
        result = ezlda(*command, "--device", device, SIMT_CALLS=str(folder / "calls"), **settings)
        assert result.status == 0, result
        calls = dict(line.split() for line in (folder / "calls").read_text().splitlines())
        assert ezlda(*command, "--device", "cpu").status == 0
        found[name] = command, content(ezlda, folder / name), {call: int(n) for call, n in calls.items()}
    return found


def content(ezlda, path):
    """A table of topics, or the hashes of a model (a model has times in it, too)."""
    if path.name.startswith("infer"):
        return path.read_text()
    lines = [line for line in ezlda("info", path).stdout.splitlines() if "hash" in line]
    assert lines
    return lines


def look(ezlda, run, out, call, n, way, whole):
    """What is wrong about a run in which that call failed; "" if nothing is."""
    command, right, _ = whole[run]
    suffix, code = WAYS[way]
    device, settings = DEVICES.get(run, ("cuda", {}))
    settings = {"SIMT_FAIL": f"{call}:{n}{suffix}", **settings, **({"SIMT_FAIL_CODE": code} if code else {})}
    command = [out if word == command[command.index("-o") + 1] else word for word in command]
    result = ezlda(*command, "--device", device, **settings)
    errors = "".join(line for line in result.stderr.splitlines(True)
                     if call != "cuMemFree_v2" or line != "emulator: allocations that were not freed: 1\n")
    if result.status == 0:
        good = errors == "" and content(ezlda, out) == right
    else:
        named = call in errors or (way == "lost" and re.search(r"\bcu[A-Z]\w+ .*failed with", errors))
        good = result.status == 1 and errors.count("\n") == 1 and named and not out.exists()
    return "" if good else f"{run}, {call}:{n}, {way}: {result}"


def cases_of(run, calls):
    """(call, number, way): all, or one for each call of MOST and for some of the others'."""
    if FULL:
        return [(call, n, way) for way in WAYS for call in calls for n in range(1, calls[call] + 1)]
    number = {"once": lambda n: (n + 1) // 2, "memory": lambda n: n, "lost": lambda n: (2 * n + 2) // 3}
    shift = list(RUNS).index(run)
    drawn = [(call, way) for call, way in zip(sorted(calls), itertools.cycle(list(WAYS)[shift % 3:] + list(WAYS)))]
    return [(call, number[way](calls[call]), way) for call, way in drawn[::1 if run in MOST else 3]]


def test_the_runs_make_the_calls(whole):
    made = {call for _, _, calls in whole.values() for call in calls}
    assert made <= CALLS and {"cuInit", "cuMemAlloc_v2", "cuMemAllocHost_v2", "cuLaunchKernel", "cuStreamWaitEvent",
                              "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2", "cuEventRecord"} <= made, made


@pytest.mark.parametrize("run", RUNS)
def test_a_failing_call_is_named_or_harmless(ezlda, run, whole, tmp_path):
    cases = cases_of(run, whole[run][2])
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        faults = pool.map(lambda case: look(ezlda, run, tmp_path / "-".join(map(str, (run, *case))), *case, whole), cases)
        faults = [text for text in faults if text]
    assert not faults, f"{len(faults)} of {len(cases)} failures\n" + "\n\n".join(faults[:5])
