"""The R package: assembled, checked by R as a submission is, and its C code under the checks of ours."""
import json
import os
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("EZLDA_BUILD", ROOT / "build"))
GLUE = sorted((ROOT / "r" / "src").glob("*.c"))
# Notes that r/README.md explains.
KNOWN_NOTES = {"checking compilation flags used", "checking installed package size"}
SETTINGS = {**os.environ, "EZLDA_CUDA": "OFF", "EZLDA_BIN": str(BUILD / "ezlda"), "OMP_THREAD_LIMIT": "2", "LC_ALL": "C.UTF-8",
            "MAKEFLAGS": f"-j{os.cpu_count()}",
            "_R_CHECK_CRAN_INCOMING_": "false", "_R_CHECK_FORCE_SUGGESTS_": "true", "_R_CHECK_SYSTEM_CLOCK_": "false"}


def run(*command, **more):
    return subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", **more)


@pytest.fixture(scope="session")
def package():
    done = run(ROOT / "scripts" / "r_package.sh", BUILD, env=SETTINGS)
    assert done.returncode == 0, done.stdout
    return ROOT / done.stdout.split()[-1]


@pytest.fixture(scope="session")
def checked(package, tmp_path_factory):
    """The folder and the log of R CMD check."""
    folder = tmp_path_factory.mktemp("check")
    done = run("R", "CMD", "check", "--as-cran", "--no-manual", package, cwd=folder, env=SETTINGS)
    return folder / "ezlda.Rcheck", done.stdout


def test_the_package_is_portable(package):
    with tarfile.open(package) as archive:
        members = archive.getmembers()
    names = [member.name for member in members]
    assert max(len(name.encode()) for name in names) <= 100
    assert all(member.isfile() or member.isdir() for member in members)
    assert "ezlda/src/libezlda/include/ezlda.h" in names and "ezlda/src/libezlda/src/train/train.c" in names
    assert "ezlda/inst/doc/ezlda.html" in names
    assert not [name for name in names if name.endswith((".o", ".so", "Makevars"))]


def test_the_check_finds_nothing(checked):
    _, log = checked
    results = re.findall(r"^\* (checking .*?) \.\.\.(?:.|\n(?!\* ))*? (ERROR|WARNING|NOTE)$", log, re.M)
    assert [result for result in results if result[1] != "NOTE"] == [], log
    assert {what for what, _ in results} <= KNOWN_NOTES, log
    assert re.search(r"^Status: (?:OK|\d+ NOTEs?)$", log, re.M), log


def test_the_tests_compared_with_the_command(checked):
    folder, log = checked
    output = (folder / "tests" / "testthat.Rout").read_text()
    found = re.search(r"\[ FAIL (\d+) \| WARN (\d+) \| SKIP (\d+) \| PASS (\d+) \]", output)
    assert found and found[1] == "0" and int(found[4]) > 150, output
    assert "EZLDA_BIN does not name the command" not in output


def test_the_version_is_that_of_the_library(package):
    header = (ROOT / "include" / "ezlda.h").read_text()
    parts = [re.search(rf"EZLDA_VERSION_{part} (\d+)$", header, re.M)[1] for part in ("MAJOR", "MINOR", "PATCH")]
    assert package.name == f"ezlda_{'.'.join(parts)}.tar.gz"
    assert f"\nVersion: {'.'.join(parts)}\n" in (ROOT / "r" / "DESCRIPTION").read_text()


def test_manual_pages_are_those_of_the_comments(tmp_path):
    shutil.copytree(ROOT / "r", tmp_path / "r")
    done = run("Rscript", "-e", 'roxygen2::roxygenise("r", load_code = roxygen2::load_source)', cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    for file in [ROOT / "r" / "NAMESPACE", *sorted((ROOT / "r" / "man").glob("*.Rd"))]:
        assert (tmp_path / file.relative_to(ROOT)).read_text() == file.read_text(), file
    assert len(list((tmp_path / "r" / "man").iterdir())) == len(list((ROOT / "r" / "man").iterdir()))


def test_options_are_those_of_python():
    """Every training option of the Python package is an argument of ezlda()."""
    options = (ROOT / "python" / "ezlda" / "options.py").read_text()
    python = set(re.findall(r"^    (\w+):", re.search(r"class TrainOptions.*?\n\n\n", options, re.S)[0], re.M))
    signature = re.search(r"^ezlda <- function\((.*?)\) \{", (ROOT / "r" / "R" / "train.R").read_text(), re.S | re.M)[1]
    arguments = set(re.findall(r"(\w+)(?: = |,|$)", signature))
    assert python and sorted(python - arguments) == []


def flags():
    include = run("R", "CMD", "config", "--cppflags").stdout.split()
    return ["-std=gnu11", "-Wall", "-Wextra", f"-I{ROOT}/include", *include]


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_the_glue_compiles_without_warnings(compiler):
    done = run(compiler, *flags(), "-Wconversion", "-Wshadow", "-Werror", "-fsyntax-only", *GLUE)
    assert (done.stdout, done.returncode) == ("", 0)


def test_clang_tidy_finds_nothing(tmp_path):
    commands = [{"directory": str(ROOT), "file": str(file), "arguments": ["cc", *flags(), "-c", str(file)]} for file in GLUE]
    (tmp_path / "compile_commands.json").write_text(json.dumps(commands))
    done = run("clang-tidy", "-quiet", "-p", tmp_path, f"--config-file={ROOT}/.clang-tidy", *GLUE)
    assert done.returncode == 0, done.stdout


def test_cppcheck_finds_nothing():
    done = run("cppcheck", "--quiet", "--std=c11", "--error-exitcode=1", "--inline-suppr", "--language=c",
               "--enable=warning,performance,portability", f"-I{ROOT}/include", "--suppress=missingIncludeSystem",
               "--suppress=unknownMacro", *GLUE)
    assert (done.stdout, done.returncode) == ("", 0)


GC = """
library(ezlda, lib.loc = Sys.getenv("EZLDA_R_LIBRARY"))
corpus <- ezlda_corpus(list(c("iron", "steel"), c("pear", "plum"), c("iron", "pear")))
gctorture2(3)
corpus <- ezlda_corpus(list(a = c("iron", "steel"), b = c("pear", "plum"), c = c("iron", "pear")))
model <- suppressMessages(ezlda(corpus, 2, 3, threads = 1, callback = function(p) FALSE))
both <- posterior(model)
found <- try(read_model("nowhere"), silent = TRUE)
words <- top_words(model)
shares <- predict(model, list("iron", "pear"), iterations = 5, threads = 1)
wrong <- try(ezlda(corpus, 2, 3, seed = -1), silent = TRUE)
gctorture2(0)
stopifnot(identical(both, posterior(model)), inherits(found, "try-error"), nrow(words) > 2, dim(shares) == 2)
cat("survived\\n")
"""


def test_the_glue_survives_a_collection_at_every_chance(checked, tmp_path):
    folder, _ = checked
    (tmp_path / "gc.R").write_text(GC)
    done = run("Rscript", tmp_path / "gc.R", env={**SETTINGS, "EZLDA_R_LIBRARY": str(folder)}, cwd=tmp_path)
    assert done.returncode == 0 and "survived" in done.stdout, done.stdout
