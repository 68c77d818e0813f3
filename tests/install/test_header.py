"""The public header alone, for the strictest readers."""
import re
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


def test_example_at_the_top_compiles_and_runs(build, tmp_path):
    header = (ROOT / "include" / "ezlda.h").read_text(encoding="utf-8")
    example = re.search(r"^ \*     int main\(.*?^ \*     \}$", header, re.S | re.M)[0]
    code = "\n".join(line.removeprefix(" *     ") for line in example.splitlines())
    source, program, text = tmp_path / "example.c", tmp_path / "example", tmp_path / "docs.txt"
    source.write_text(f"#include <ezlda.h>\n#include <stdio.h>\n{code}\n")
    text.write_text("river bank water fish boat\nmoney bank loan credit interest\n" * 30)
    subprocess.run(["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", str(source), "-o", str(program),
                    "-I", str(ROOT / "include"), "-L", str(build), f"-Wl,-rpath,{build}", "-lezlda"], check=True)
    done = subprocess.run([str(program), str(text)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == 10 and "bank" in done.stdout.split()
    missing = subprocess.run([str(program), str(tmp_path / "none")], stderr=subprocess.PIPE, text=True)
    assert "none: cannot open" in missing.stderr
