"""clang-tidy (.clang-tidy lists the checks) and cppcheck find nothing; a comment in the line suppresses a false report.
Sources are formatted as clang-format does it."""
import json
import os
import re
from concurrent.futures import ThreadPoolExecutor

from conftest import ROOT, full, run, sources

# The analyzer looks at one function at a time, which is quick. Its check of va_list does not work in this mode.
SHALLOW = ["--checks=-clang-analyzer-valist.*",
           *(f"--extra-arg={word}" for word in ("-Xclang", "-analyzer-config", "-Xclang", "mode=shallow"))]
CPPCHECK = ["cppcheck", "--quiet", "--std=c11", "--error-exitcode=1", "--inline-suppr", "--language=c",
            "--enable=warning,performance,portability", "--library=python", f"-I{ROOT}/include", f"-I{ROOT}/src",
            "--suppress=missingIncludeSystem", "--suppress=arrayIndexThenCheck"]


def tidy(database, file, *more):
    # One process per file: its checks keep state from one file to the next.
    return run(["clang-tidy", "-quiet", "-p", database, f"--config-file={ROOT}/.clang-tidy", *more, file])


def said(done):
    """The findings of a tool; "" if there are none, whatever it printed about system headers."""
    return "" if done.returncode == 0 else done.stdout


def test_clang_tidy_finds_nothing(room, database):
    how = [] if full() else SHALLOW
    known = {entry["file"] for entry in json.loads((database / "compile_commands.json").read_text())}
    files = [file for file in sources(room) if str(file) in known]
    # Compiled only on ARM, on Windows, or if there is MPI.
    assert all(file.name.endswith(("_neon.c", "_windows.c")) or room == "src/cluster/mpi" for file in set(sources(room)) - set(files))
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        found = list(pool.map(lambda file: said(tidy(database, file, *how)), files))
    assert "".join(found) == ""


def test_cppcheck_finds_nothing(room):
    done = run([*CPPCHECK, *sources(room)])
    assert (done.stdout, done.returncode) == ("", 0)


def formatted():
    """The files of `make format`."""
    patterns = re.search(r"^SOURCES = \$\(wildcard (.*)\)$", (ROOT / "Makefile").read_text(), re.M)[1].split()
    assert all(list(ROOT.glob(pattern)) for pattern in patterns)
    return sorted(file for pattern in patterns for file in ROOT.glob(pattern))


def test_sources_are_formatted():
    done = run(["clang-format", "--dry-run", "-Werror", *formatted()])
    assert (done.stdout, done.returncode) == ("", 0)


def test_the_tools_see_mistakes(database, tmp_path):
    """Each tool on a file with a mistake of the kinds that it is here for."""
    wrong = tmp_path / "wrong.c"
    wrong.write_text("#include <stdlib.h>\n"
                     "char *room(int n, int size) { return malloc(n * size); }\n"
                     "int leak(int n) { char *p = malloc((size_t)n); if (!p) return 1; p[0] = 1; return p[0]; }\n"
                     "int over(void) { int a[4] = {0}; return a[4]; }\n")
    plain = run(["clang-tidy", "-quiet", f"--config-file={ROOT}/.clang-tidy", *SHALLOW, wrong, "--", "-std=gnu11"])
    for word in ("bugprone-implicit-widening-of-multiplication-result", "clang-analyzer-unix.Malloc"):
        assert word in plain.stdout
    assert plain.returncode != 0
    assert run(["clang-format", "--dry-run", "-Werror", f"--style=file:{ROOT}/.clang-format", wrong]).returncode != 0
    done = run([*CPPCHECK, wrong])
    assert done.returncode == 1 and "arrayIndexOutOfBounds" in done.stdout and "memleak" in done.stdout
