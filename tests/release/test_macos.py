"""The library and the command compile for macOS, for Apple's and for Intel's processors, with warnings as errors. Nothing
is linked or run: zig brings the headers of macOS, and the compiler is clang. The headers of other libraries are those of
this machine."""
import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("EZLDA_RELEASE_BUILD", ROOT / "build-release"))
HEADERS = ["zlib.h", "zstd.h", "zstd_errors.h", "lzma.h", "lzma", "xxhash.h", "xxh3.h", "utf8proc.h", "libstemmer.h", "uchardet",
           "libxml2/libxml", "unicode"]
FLAGS = ["-std=gnu11", "-O1", "-fopenmp", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror", "-ffp-contract=off",
         "-fno-math-errno", "-fvisibility=hidden", "-Wno-enum-float-conversion", "-DEZLDA_LIBXML2", "-DEZLDA_HAVE_UCHARDET",
         '-DEZLDA_MODULE_FOLDER="lib/ezlda"']
VECTORS = {"_avx2.c": ["-mavx2"],
           # zig turns off the registers of 512 bits unless they are asked for.
           "_avx512.c": ["-mevex512", *(f"-mavx512{kind}" for kind in ("f", "dq", "bw", "vl", "cd"))]}


@pytest.fixture(scope="session")
def zig():
    """The compiler that the release builds use (release/toolchain.sh), which comes from PyPI."""
    BUILD.mkdir(parents=True, exist_ok=True)
    script = f'BUILD="{BUILD}"; . "{ROOT}/release/toolchain.sh"; zig_program'
    found = subprocess.run(["sh", "-ec", script], check=True, stdout=subprocess.PIPE, text=True)
    return found.stdout.strip()


@pytest.fixture(scope="session")
def headers(tmp_path_factory):
    """Headers that are the same on every system. /usr/include itself would bring those of Linux's C library."""
    folder = tmp_path_factory.mktemp("headers")
    for name in HEADERS:
        found = [path for path in (Path("/usr/include") / name, *Path("/usr/include").glob(f"*-linux-gnu/{name}")) if path.exists()]
        assert found, f"{name}: not found"
        (shutil.copytree if found[0].is_dir() else shutil.copy)(found[0], folder / Path(name).name)
    shutil.copy(next(Path("/usr/include").glob("**/zconf.h")), folder)
    shutil.copy(next(Path("/usr/lib").glob("llvm-*/lib/clang/*/include/omp.h")), folder)
    return folder


@pytest.fixture(scope="session")
def page(tmp_path_factory):
    """What cmake/EzldaReport.cmake makes: the parts of the report, their sizes and hashes."""
    folder = tmp_path_factory.mktemp("page")
    definitions = [f'-DEZ_PAGE_FOLDER="{folder}"']
    for part, name in ("PAGE", "page.html"), ("STYLE", "style.css"), ("SCRIPT", "script.js"):
        (folder / name).write_text("x")
        definitions += [f"-DEZ_{part}_BYTES=1", f'-DEZ_{part}_HASH="00"']
    return definitions


def sources(processor):
    unusable = ("_windows.c", "_neon.c") if processor == "x86_64" else ("_windows.c", "_avx2.c", "_avx512.c")
    for path in sorted([*(ROOT / "src").rglob("*.c"), *(ROOT / "cli").rglob("*.c")]):
        if not path.name.endswith(unusable) and "/cluster/mpi/" not in str(path) and "/backend/cuda/" not in str(path):
            yield path


@pytest.fixture(scope="session", params=["aarch64", "x86_64"])
def compiles(request, zig, headers, page, tmp_path_factory):
    cache = str(BUILD / "zig-cache")
    environment = {**os.environ, "ZIG_GLOBAL_CACHE_DIR": cache, "ZIG_LOCAL_CACHE_DIR": cache}
    out = tmp_path_factory.mktemp("objects")

    def run(path):
        vectors = [flag for ending, flags in VECTORS.items() if path.name.endswith(ending) for flag in flags]
        done = subprocess.run([zig, "cc", "-target", f"{request.param}-macos", "-c", "-o", out / f"{path.stem}.o", *FLAGS, *vectors,
                               *page, "-I", ROOT / "include", "-I", ROOT / "src", "-I", ROOT / "cli", "-isystem", headers,
                               "-isystem", headers / "uchardet", path],
                              env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.stdout if done.returncode else ""

    run.processor = request.param
    return run


def test_every_source_compiles(compiles):
    files = list(sources(compiles.processor))
    assert len(files) > 250
    with ThreadPoolExecutor(2) as pool:
        failed = [text for text in pool.map(compiles, files) if text]
    assert not failed, "\n".join(failed)[:8000]


def test_a_call_that_macos_lacks_is_found(compiles, tmp_path):
    wrong = tmp_path / "wrong.c"
    wrong.write_text("#define _GNU_SOURCE\n#include <sys/mman.h>\nvoid *f(void *a);\n"
                     "void *f(void *a)\n{\n    return mremap(a, 1, 2, 1);\n}\n")
    assert re.search("mremap", compiles(wrong))
