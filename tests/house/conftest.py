"""Fixtures of the house tests: the repository, its files, and the binaries that were built."""
import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def build():
    """The build folder under test."""
    folder = Path(os.environ.get("EZLDA_BUILD", Path(__file__).resolve().parents[2] / "build"))
    assert (folder / "libezlda.so").exists(), f"{folder}: not built"
    return folder
