"""The public header alone, for the strictest readers."""
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STRICT = ["-pedantic-errors", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror", "-fsyntax-only"]


@pytest.mark.parametrize("compiler, language", [
    ("gcc", ["-x", "c", "-std=c11", "-Wstrict-prototypes"]), ("clang", ["-x", "c", "-std=c11", "-Wstrict-prototypes"]),
    ("gcc", ["-x", "c", "-std=c2x"]), ("g++", ["-x", "c++", "-std=c++11"]), ("g++", ["-x", "c++", "-std=c++20"]),
    ("clang++", ["-x", "c++", "-std=c++11"])])
def test_header_is_strict(compiler, language, tmp_path):
    source = tmp_path / "alone"
    source.write_text('#include "ezlda.h"\n#include "ezlda.h"\nint (*version)(void) = ezlda_version;\n')
    done = subprocess.run([compiler, *language, *STRICT, "-I", str(ROOT / "include"), str(source)],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout
