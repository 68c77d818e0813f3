"""Fixtures of the installation tests: the package, installed into a folder of its own."""
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def build():
    return Path(os.environ.get("EZLDA_BUILD", ROOT / "build"))


@pytest.fixture(scope="session")
def prefix(build, tmp_path_factory):
    """The package as `make install` installs it, then moved: nothing may depend on its first place."""
    folder = tmp_path_factory.mktemp("installed")
    subprocess.run(["make", "--no-print-directory", "install", f"BUILD={build}", f"PREFIX={folder}/first"], cwd=ROOT,
                   check=True, stdout=subprocess.PIPE, env={**os.environ, "MAKEFLAGS": ""})
    (folder / "first").rename(folder / "moved")
    return folder / "moved"
