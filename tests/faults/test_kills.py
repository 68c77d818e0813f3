"""Runs that are killed and resumed a few times; kills.py does it as often as you like."""
import os
from pathlib import Path

import kills
from fault_steps import ROOT

BINARY = os.environ.get("EZLDA_BIN", str(ROOT / "build" / "ezlda"))


def test_runs_survive_kills(tmp_path: Path):
    devices = {"cpu", "reference", os.environ.get("EZLDA_TEST_DEVICE", "cpu")}
    found = kills.run(BINARY, tmp_path, 8, seed=5, devices=sorted(devices))
    assert found["kills"] == 8 and found["models"] >= 1
