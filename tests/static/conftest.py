"""Checks of the sources by other tools, and small runs of the command under tools that watch it."""
import json
import os
import subprocess
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("EZLDA_BUILD", ROOT / "build"))
ROOMS = sorted({str(p.parent.relative_to(ROOT)) for room in ("src", "cli", "python/src")
                for p in (ROOT / room).rglob("*.c")})


def sources(room):
    return sorted((ROOT / room).glob("*.c"))


def pytest_generate_tests(metafunc):
    if "room" in metafunc.fixturenames:
        metafunc.parametrize("room", ROOMS)


def full():
    """Whether the long form of a check was asked for (make lint)."""
    return bool(os.environ.get("EZLDA_STATIC_FULL"))


def python_command(file):
    includes = [ROOT / "include", sysconfig.get_path("include")]
    flags = ["-std=gnu11", "-Wall", "-Wextra", "-DPy_LIMITED_API=0x03090000", *(f"-I{path}" for path in includes)]
    return {"directory": str(ROOT), "file": str(file), "arguments": ["cc", *flags, "-c", str(file)]}


@pytest.fixture(scope="session")
def database(tmp_path_factory):
    """One compiler command per source file: the one with the CUDA backend if there are two."""
    commands = {}
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        if entry["file"] not in commands or "EZLDA_HAVE_CUDA" in entry["command"]:
            commands[entry["file"]] = entry
    for file in sources("python/src"):
        commands[str(file)] = python_command(file)
    folder = tmp_path_factory.mktemp("commands")
    (folder / "compile_commands.json").write_text(json.dumps(list(commands.values())))
    return folder


def run(command, **settings):
    """A command that must end well within minutes; output as text."""
    return subprocess.run(list(map(str, command)), env={**os.environ, **settings}, timeout=300, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")


@pytest.fixture(scope="session")
def compiled(tmp_path_factory):
    """A C program of a few lines, for tests that a tool sees what it should."""
    def make(text, *flags, compiler="clang"):
        folder = tmp_path_factory.mktemp("program")
        (folder / "program.c").write_text(text)
        subprocess.run([compiler, "-g", *flags, str(folder / "program.c"), "-o", str(folder / "program")], check=True)
        return folder / "program"
    return make
