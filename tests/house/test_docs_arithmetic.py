"""The theorem of docs/arithmetic.md on random tokens: an early decision gives the topic that the whole line gives.

theorem.cpp has the experiment. It decides with ez_decide and with the kernels' own ez_decide_token, compiled for the CPU by the
headers of tests/emulator."""
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEADERS = ["-I", str(ROOT / "src"), "-I", str(ROOT / "include")]
STRICT = ["-O2", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off"]


@pytest.fixture(scope="module")
def tried(tmp_path_factory):
    folder = tmp_path_factory.mktemp("arithmetic")
    line, program = folder / "line.o", folder / "theorem"
    subprocess.run(["gcc", "-std=gnu11", *STRICT, *HEADERS, "-c", str(ROOT / "src" / "backend" / "reference" / "line.c"),
                    "-o", str(line)], check=True)
    # Kernels read records as vectors of integers, which nvcc allows.
    subprocess.run(["g++", "-std=gnu++17", *STRICT, "-fno-strict-aliasing", "-Wno-unknown-pragmas", "-include", "simt.h",
                    "-I", str(ROOT / "tests" / "emulator"), *HEADERS, str(ROOT / "tests" / "house" / "theorem.cpp"),
                    str(line), "-o", str(program)], check=True)

    def run(tokens, margin):
        out = subprocess.run([str(program), str(tokens), str(margin)], check=True, stdout=subprocess.PIPE,
                             text=True).stdout
        return [int(word) for word in out.split()]
    return run


def test_an_early_decision_agrees_with_the_line(tried):
    bounds, wrong, decided, float_wrong, float_decided = tried(100000, 1)
    assert (bounds, wrong, float_wrong) == (0, 0, 0)
    assert decided > 15000 and float_decided > 5000


def test_without_their_margin_floats_decide_wrongly(tried):
    assert tried(30000, 0)[3] > 100
