"""The rules of the source tree that a machine can check."""
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ["include", "src", "cli", "python", "tests", "bench", "cmake", "scripts", "docs", "r"]
CODE = {".c", ".h", ".cu", ".cuh", ".py", ".sh", ".cmake"}
COMMENTED = {".c", ".h", ".cu", ".cuh"}

# Calls go one way: which rooms under src/ a room may include from.
LAYERS = {
    "base": {"base"},
    "numeric": {"base", "numeric"},
    "cluster": {"base", "cluster"},
    "sampler": {"sampler"},
    "corpus": {"base", "numeric", "corpus"},
    "tokens": {"base", "sampler", "corpus", "tokens"},
    "model": {"base", "corpus", "model"},
    "compare": {"base", "numeric", "corpus", "model", "compare"},
    "tree": {"base", "numeric", "model", "corpus", "tree"},
    "backend": {"base", "cluster", "sampler", "tokens", "backend"},
    "infer": {"base", "sampler", "corpus", "tokens", "model", "backend", "infer"},
    "train": {"base", "numeric", "cluster", "sampler", "corpus", "tokens", "model", "backend", "infer", "train"},
    "ensemble": {"base", "corpus", "tokens", "model", "compare", "train", "ensemble"},
    "export": {"base", "numeric", "corpus", "tokens", "model", "train", "export"},
    "eval": {"base", "numeric", "sampler", "corpus", "tokens", "model", "infer", "eval"},
    "sweep": {"base", "numeric", "corpus", "model", "compare", "train", "eval", "sweep"},
    "posterior": {"base", "numeric", "corpus", "model", "posterior"},
    "report": {"base", "numeric", "corpus", "model", "compare", "tree", "eval", "export", "report"},
    "effect": {"base", "numeric", "corpus", "model", "posterior", "report", "effect"},
}


def files(rooms, suffixes=None):
    for room in rooms:
        for path in sorted((ROOT / room).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts and (suffixes is None or path.suffix in suffixes):
                yield path


def texts():
    """Every text file of ours, that is not data."""
    for path in list(files(ROOMS)) + sorted(ROOT.glob("*.md")) + [ROOT / "CMakeLists.txt", ROOT / "Makefile"]:
        data = "data" in path.parts or path.is_relative_to(ROOT / "tests" / "fuzz" / "corpus")
        if path.suffix in CODE | {".md", ".txt", ".in", ""} and not data:
            yield path, path.read_text(encoding="utf-8")


def hits(pattern, found):
    for path, text in found:
        for number, line in enumerate(text.splitlines(), 1):
            if re.search(pattern, line):
                yield f"{path.relative_to(ROOT)}:{number}: {line.strip()}"


def includes(path):
    return re.findall(r'^\s*#\s*include\s+"([^"]+)"', path.read_text(encoding="utf-8"), re.M)


def without_comments_and_strings(text):
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', lambda m: "\n" * m[0].count("\n"), text, flags=re.S)


def code_of(rooms):
    """C sources and headers without comments and strings."""
    return [(p, without_comments_and_strings(p.read_text(encoding="utf-8"))) for p in files(rooms, {".c", ".h"})]


def arguments(text):
    """The arguments of a call, from behind its opening parenthesis."""
    found, depth, start = [], 0, 0
    for i, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if depth < 0 or (letter == "," and depth == 0):
            found.append(text[start:i])
            start = i + 1
        if depth < 0:
            return found
    return found


def test_no_unfinished_work():
    marks = "|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X:", "HA" + "CK:", "for " + "now\\b",
                      "not yet " + "implemented"])
    assert list(hits(rf"\b(?:{marks})", texts())) == []


def test_no_traces_of_the_workshop():
    traces = "|".join(["/wo" + "rk/", "(?i:issue" + r") #?\d"])
    assert list(hits(traces, texts())) == []


def test_source_file_names_are_unique():
    seen = {}
    for path in files(ROOMS, CODE):
        seen.setdefault(path.name, []).append(str(path.relative_to(ROOT)))
    assert {name: where for name, where in seen.items() if len(where) > 1 and name != "conftest.py"} == {}


def opening_comment(text):
    """The words of the comment that a C file opens with, on one line; "" if it opens with something else. Feature-test
    macros may stand before the comment."""
    text = re.sub(r"\A(?:\s*#\s*define _\w+[^\n]*\n)+", "", text)
    found = re.match(r"\s*(?:/\*(.*?)\*/|((?://[^\n]*\n\s*)+))", text, re.S)
    if not found:
        return ""
    return " ".join(re.sub(r"^\s*(?:\*|//)", "", line).strip() for line in (found[1] or found[2]).splitlines()).strip()


def says_what_it_holds(comment):
    """Whether an opening comment is more than a name or a reference to another file."""
    return len(re.sub(r"(?i)\bsee \S+\.", "", comment).split()) >= 4


@pytest.mark.parametrize("text, good", [
    ("/* Reads one CSV record at a time. */\n#include <stdio.h>\n", True),
    ("#define _GNU_SOURCE\n/* Reads one CSV record at a time. */\n", True),
    ("/* Reads one CSV\n * record at a time. */\n#define _GNU_SOURCE\n", True),
    ("// Reads one CSV record\n// at a time.\nint x;\n", True),
    ("/* See csv.h. */\n", False),
    ("/* csv.c */\n", False),
    ("#include <stdio.h>\n/* Reads one CSV record at a time. */\n", False),
    ("#ifndef CSV_H\n#define CSV_H\n/* Reads one CSV record at a time. */\n", False),
    ("", False)])
def test_an_opening_comment_is_recognised(text, good):
    assert says_what_it_holds(opening_comment(text)) == good


def test_every_file_opens_with_what_it_holds():
    bare = [str(p.relative_to(ROOT)) for p in files(["include", "src", "cli", "python/src", "r/src"], COMMENTED)
            if not says_what_it_holds(opening_comment(p.read_text(encoding="utf-8")))]
    assert bare == []


def test_every_file_of_r_opens_with_what_it_holds():
    found = [(p, p.read_text(encoding="utf-8").splitlines()[0]) for p in files(["r"], {".R"})]
    assert found and [str(p.relative_to(ROOT)) for p, line in found if not re.match(r"# (?:\S+ ){3}", line)] == []


def rooms_without_readme(root):
    rooms = [folder for folder in sorted((root / "src").iterdir()) if folder.is_dir()] + [root / "cli"]
    return [str(room.relative_to(root)) for room in rooms if not (room / "README.md").is_file()]


def test_every_room_has_a_readme(tmp_path):
    for folder in ("src/named", "src/bare", "cli"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "src" / "named" / "README.md").touch()
    assert rooms_without_readme(tmp_path) == ["src/bare", "cli"]
    assert rooms_without_readme(ROOT) == []


def test_text_is_clean():
    assert list(hits(r"[ \t]+$|\r", ((p, t) for p, t in texts()))) == []
    assert [str(p) for p, t in texts() if t and not t.endswith("\n")] == []


def test_includes_go_one_way():
    wrong = []
    for path in files(["src"], {".c", ".h", ".cu", ".cuh"}):
        room = path.relative_to(ROOT / "src").parts[0]
        assert room in LAYERS, f"src/{room}: a room without a place in the layers"
        for name in includes(path):
            if name == "ezlda.h":
                continue
            if not (ROOT / "src" / name).is_file():
                wrong.append(f"{path.relative_to(ROOT)}: {name} is not a path below src/")
            elif name.split("/")[0] not in LAYERS[room]:
                wrong.append(f"{path.relative_to(ROOT)}: {room} may not include {name}")
    assert wrong == []


@pytest.mark.parametrize("room", ["cli", "python", "r"])
def test_command_and_extension_use_only_the_public_header(room):
    own = {p.name for p in files([room], {".h"})} | {"ezlda.h"}
    own |= {str(p.relative_to(ROOT / room)) for p in files([room], {".h"})}
    assert [f"{p.relative_to(ROOT)}: {name}" for p in files([room]) if p.suffix in {".c", ".h"}
            for name in includes(p) if name not in own] == []


def test_headers_are_guarded():
    """All but the templates that are meant to be included several times."""
    headers = [p for p in files(["include", "src", "cli", "python", "r", "tests", "bench"], {".h"})
               if not p.stem.endswith(("_loop", "_loops"))]
    bare = [str(p.relative_to(ROOT)) for p in headers
            if not re.search(r"^#ifndef (\w+_H)\n#define \1$", p.read_text(encoding="utf-8"), re.M)]
    assert bare == []


def test_the_library_never_prints_or_exits():
    calls = r"(?<![\w.>])(?:printf|puts|putchar|perror|exit|_exit|abort|assert)\s*\(|\bstd(?:out|err)\b"
    assert list(hits(calls, ((p, without_comments_and_strings(p.read_text(encoding="utf-8")))
                             for p in files(["src"], {".c", ".h"})))) == []


def test_allocations_are_checked_in_one_place():
    calls = r"(?<![\w.>])(?:malloc|calloc|realloc|aligned_alloc|posix_memalign|strdup|strndup|asprintf)\s*\("
    homes = {"os_maps_posix.c", "os_maps_windows.c", "context.c"}
    assert list(hits(calls, ((p, without_comments_and_strings(p.read_text(encoding="utf-8")))
                             for p in files(["src"], {".c", ".h"}) if p.name not in homes))) == []


def test_sizes_are_multiplied_in_one_place():
    """Numbers of elements too: ez_product, so that what does not fit is an allocation that fails."""
    wrong = []
    for path in files(["src"], {".c", ".h"}):
        text = without_comments_and_strings(path.read_text(encoding="utf-8"))
        for call in re.finditer(r"\bez_array(?:_zero)?\(", text):
            number = arguments(text[call.end():])[2].strip()
            if path.name != "memory.h" and re.search(r"[\w)\]] \* [\w(]", number):
                wrong.append(f"{path.relative_to(ROOT)}: {number}")
    assert wrong == []


def test_allocations_outside_the_library_do_not_multiply():
    """The command and the packages: calloc looks whether the product fits; before realloc, __builtin_mul_overflow does."""
    wrong = []
    for path, text in code_of(["cli", "python/src", "r/src"]):
        assert not re.search(r"(?<![\w.>])(?:aligned_alloc|posix_memalign|alloca|PyMem_Malloc|PyMem_Realloc)\s*\(", text), path
        for call in re.finditer(r"(?<![\w.>])(?:malloc|realloc)\(", text):
            size = arguments(text[call.end():])[-1].strip()
            if re.search(r"[\w)\]] \* [\w(]", size):
                wrong.append(f"{path.relative_to(ROOT)}: {size}")
    assert wrong == []


# What any file may include: the headers of C11, threads and OpenMP, and the libraries that ezlda links.
EVERYWHERE = {f"{name}.h" for name in (
    "assert ctype errno float inttypes limits locale math signal stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib "
    "string time pthread omp iconv immintrin emmintrin arm_neon zlib zstd lzma xxhash utf8proc libstemmer uchardet hdf5").split()}


def foreign_includes(rooms):
    """Headers of an operating system, outside of the files that are for one system."""
    for path in files(rooms, {".c", ".h"}):
        text = path.read_text(encoding="utf-8")
        room, one_system = path.parent.relative_to(ROOT).as_posix(), path.stem.endswith(("_posix", "_windows"))
        if one_system and room not in ("src/base/os", "cli"):
            yield f"{path.relative_to(ROOT)}: a file for one system outside of src/base/os and cli"
        for name in re.findall(r"^\s*#\s*include\s+<([^>]+)>", text, re.M):
            if name not in EVERYWHERE and not name.startswith("libxml/") and not one_system and path.name != "os_windows.h":
                yield f"{path.relative_to(ROOT)}: <{name}>"


def test_the_operating_system_is_called_in_one_room():
    """src/base/os, and cli/platform_*.c for the command. The module of an MPI implementation is for clusters."""
    assert [hit for hit in foreign_includes(["src", "cli"]) if not hit.startswith("src/cluster/mpi/")] == []


# Names that another system does not have, or that take no UTF-8 there.
LACKING = ("fopen freopen rename remove tmpfile strndup getline getdelim reallocarray memmem memrchr strchrnul strcasecmp "
           "strncasecmp strtok_r asprintf vasprintf open_memstream fmemopen aligned_alloc gmtime_r localtime_r clock_gettime "
           "timespec_get nanosleep usleep sleep getpid isatty fileno fseeko ftello dup fdopen setenv").split()


def test_calls_that_a_system_lacks_are_made_in_one_room():
    calls = rf"(?<![\w.>])(?:{'|'.join(LACKING)})\s*\("
    assert list(hits(calls, ((p, t) for p, t in code_of(["src", "cli"])
                             if not p.stem.endswith(("_posix", "_windows")) and p.parent.name != "mpi"))) == []


def test_every_system_has_a_file_behind_each_header():
    stems = {system: {p.name.removesuffix(f"_{system}.c") for room in ("src/base/os", "cli") for p in (ROOT / room).glob(f"*_{system}.c")}
             for system in ("posix", "windows")}
    stems["windows"] -= {"os"}  # what the files for Windows share
    assert stems["posix"] == stems["windows"] and len(stems["posix"]) > 8


def test_nothing_is_executed():
    """No shell, no other program, no code out of a file: what is opened at run time is the driver, MPI and ICU."""
    calls = r"(?<![\w.>])(?:system|popen|fork|vfork|exec[lv]p?e?|execvpe|posix_spawnp?|wordexp|mktemp|tmpnam|gets|CreateProcess\w*|ShellExecute\w*)\s*\("
    assert list(hits(calls, code_of(["src", "cli", "python/src", "r/src"]))) == []
    def callers(names):
        return {path.name for path, text in code_of(["src", "cli", "python/src", "r/src"]) if re.search(rf"\b(?:{names})\s*\(", text)}

    assert callers("dlopen|LoadLibrary\\w*") == {"os_libraries_posix.c", "os_libraries_windows.c"}
    users = callers("ez_os_library_open") - {"os_libraries.h", "os_libraries_posix.c", "os_libraries_windows.c"}
    assert users == {"driver.c", "icu_words.c", "mpi_group.c", "nccl.c"}
    unsafe = r"^\s*(?:import|from) (?:pickle|marshal|shelve|subprocess)\b|\b(?:eval|exec)\(|allow_pickle=True"
    assert list(hits(unsafe, ((p, p.read_text(encoding="utf-8")) for p in files(["python/ezlda"], {".py"})))) == []


def test_nothing_waits_by_a_clock_that_is_set():
    """A clock that is set back would make a pause of seconds one of hours."""
    assert list(hits(r"\bCLOCK_REALTIME\b|\bgettimeofday\b", code_of(["src", "cli", "python/src", "r/src"]))) == []
    for path, text in code_of(["src", "cli", "python/src", "r/src"]):
        if "pthread_cond_timedwait(" in text:
            assert "pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)" in text, path


def test_no_flags_that_change_results():
    flags = "march=" + "native|fast-" + "math|O" + "fast"
    build = [ROOT / "CMakeLists.txt", ROOT / "Makefile", *files(["cmake"])]
    assert list(hits(flags, ((p, p.read_text(encoding="utf-8")) for p in build))) == []


@pytest.fixture(scope="module")
def declared():
    header = without_comments_and_strings((ROOT / "include" / "ezlda.h").read_text(encoding="utf-8"))
    return set(re.findall(r"EZLDA_API\b[^;(]*?\b(ezlda_\w+)\s*\(", header))


def symbols(*arguments, fields=3):
    lines = subprocess.run(["nm", *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    return {line.split()[-1] for line in lines if len(line.split()) == fields}


def test_exactly_the_public_calls_are_exported(build, declared):
    exported = symbols("-D", "--defined-only", str(build / "libezlda.so"))
    assert exported == declared


def test_internal_names_have_our_prefix(build):
    names = symbols("--defined-only", "--extern-only", str(build / "libezlda.a"))
    assert sorted(n for n in names if not n.startswith(("ez_", "ezlda_", ".gomp_critical_"))) == []


def readelf(*arguments):
    return subprocess.run(["readelf", "-W", *map(str, arguments)], check=True, stdout=subprocess.PIPE, text=True).stdout


@pytest.mark.parametrize("name", ["ezlda", "libezlda.so"])
def test_what_is_shipped_is_hardened(build, name):
    dynamic = readelf("-hld", build / name)
    assert "DYN (Position-Independent Executable" in dynamic or name.endswith(".so")
    assert "GNU_RELRO" in dynamic and "BIND_NOW" in dynamic and "TEXTREL" not in dynamic
    assert re.search(r"GNU_STACK.* RW ", dynamic)
    assert not re.search(r"LOAD.* RWE ", dynamic)
    assert "libezlda.so" not in readelf("-d", build / name) or name.endswith(".so")
    called = symbols("-D", "--undefined-only", str(build / name), fields=2)
    assert any(call.startswith("__stack_chk_fail") for call in called), called
    assert any(re.match(r"__\w+_chk\b", call) for call in called), called


def test_jumps_are_marked(build):
    """x86-64: every object of ours may run with indirect branch tracking and shadow stacks."""
    archive = build / "libezlda.a"
    if "X86-64" not in readelf("-h", archive):
        pytest.skip("not x86-64")
    notes = re.split(r"^File: ", readelf("-n", archive), flags=re.M)[1:]
    assert notes and [note.splitlines()[0] for note in notes if not re.search("IBT, SHSTK", note)] == []
