"""A short run of every fuzz target: its seeds, the inputs that once failed, and a few hundred random changes of them."""
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
TARGETS = sorted(p.name for p in (HERE / "corpus").iterdir())
RUNS = 1000


@pytest.fixture(scope="module")
def lines():
    build = os.environ.get("EZLDA_BUILD", HERE.parents[1] / "build-asan")
    done = subprocess.run([sys.executable, HERE / "run", "--build", build, "--runs", str(RUNS), "-j", "2"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    print(done.stdout)
    return dict(re.findall(r"^(?:ok|FAIL) +(\w+): (.*)$", done.stdout, re.M)), done


@pytest.mark.parametrize("target", TARGETS)
def test_no_input_harms(target, lines):
    found, done = lines
    number = re.match(r"(\d+) executions", found.get(target, ""))
    good = re.search(rf"^ok +{target}:", done.stdout, re.M)
    assert good and number and int(number[1]) >= RUNS, done.stdout[-6000:]
