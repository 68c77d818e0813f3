"""What the release tests share: the folder of the release builds and the command for Windows."""
import os
import subprocess
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("EZLDA_BUILD", ROOT / "build"))
RELEASE_BUILD = Path(os.environ.get("EZLDA_RELEASE_BUILD", ROOT / "build-release"))


@pytest.fixture(scope="session")
def windows_zip(tmp_path_factory):
    out = tmp_path_factory.mktemp("dist")
    made = subprocess.run([ROOT / "release" / "windows.sh", out, "wheel"], check=True, stdout=subprocess.PIPE, text=True)
    return Path(made.stdout.splitlines()[-1])


@pytest.fixture(scope="session")
def windows_environment(windows_zip, tmp_path_factory):
    """The environment in which release/run_windows.sh runs the command out of the zip."""
    folder = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(windows_zip) as archive:
        archive.extractall(folder)
    command, = folder.glob("*/ezlda.exe")
    return {**os.environ, "EZLDA_RELEASE_BUILD": str(RELEASE_BUILD), "EZLDA_WINDOWS_COMMAND": str(command)}
