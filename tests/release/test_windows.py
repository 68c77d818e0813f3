"""The command for Windows, under Wine: what is in the zip, names, paths, line ends, interrupts, the bits of Linux, and the
tests of the command (tests/cli)."""
import os
import re
import signal
import subprocess
import sys
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("EZLDA_BUILD", ROOT / "build"))
RELEASE_BUILD = Path(os.environ.get("EZLDA_RELEASE_BUILD", ROOT / "build-release"))
RUN = ROOT / "release" / "run_windows.sh"
SYSTEM_DLLS = {"ADVAPI32.dll", "KERNEL32.dll", "msvcrt.dll", "SHELL32.dll", "WS2_32.dll", "USER32.dll", "bcrypt.dll", "PSAPI.DLL",
               "ole32.dll"}


@pytest.fixture
def ezlda(windows_environment, tmp_path):
    def run(*arguments, stdin=b"", status=0):
        done = subprocess.run([RUN, *map(str, arguments)], input=stdin, cwd=tmp_path, env=windows_environment, timeout=300,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert done.returncode == status, done
        return done.stdout.decode(), done.stderr.decode()

    return run


def linux(*arguments, cwd):
    return subprocess.run([BUILD / "ezlda", *map(str, arguments)], cwd=cwd, check=True, stdout=subprocess.PIPE, text=True).stdout


def topics_hash(model, cwd):
    return re.search(r"^topics hash +([0-9a-f]{16})", linux("info", model, cwd=cwd), re.M)[1]


TEXT = "the river carries water and fish\nthe lake holds water and boats\nviolins play in the concert hall\n" * 40


# ---- what is shipped ----

def test_the_zip_has_what_a_user_needs(windows_zip):
    with zipfile.ZipFile(windows_zip) as archive:
        names = {name.partition("/")[2] for name in archive.namelist()}
        manual = next(archive.read(name).decode() for name in archive.namelist() if name.endswith("ezlda.txt")
                      and "licences" not in name)
    assert {"ezlda.exe", "ezlda.txt", "README.md"} <= names
    assert {f"licences/{name}.txt" for name in ("ezlda", "zlib", "zstd", "liblzma", "xxhash", "utf8proc", "snowball", "uchardet",
                                                "libxml2", "musl", "gcc", "mingw-w64")} <= names
    assert "--topics" in manual and "\r\n" in manual


def test_no_dll_is_needed_but_those_of_windows(windows_environment):
    headers = subprocess.run(["x86_64-w64-mingw32-objdump", "-p", windows_environment["EZLDA_WINDOWS_COMMAND"]], check=True,
                             stdout=subprocess.PIPE, text=True).stdout
    assert set(re.findall(r"DLL Name: (\S+)", headers)) <= SYSTEM_DLLS
    characteristics = re.search(r"DllCharacteristics\s+([0-9a-f]+)", headers)[1]
    assert int(characteristics, 16) & 0x160 == 0x160  # addresses are random, in 64 bits; data are not executed


def test_vectors_are_moved_unaligned(windows_environment):
    """The stack is aligned to 16 bytes, and gcc believes in more (cmake/EzldaSources.cmake): aligned moves of wider vectors would
    end a run, depending on where the stack is."""
    code = subprocess.run(["x86_64-w64-mingw32-objdump", "-d", "--no-show-raw-insn", windows_environment["EZLDA_WINDOWS_COMMAND"]],
                          check=True, stdout=subprocess.PIPE, text=True).stdout
    assert len(re.findall(r"\tvmov(?:dqu\d*|up[sd])\s.*%[yz]mm", code)) > 100
    assert re.findall(r"\tvmov(?:dqa\d*|ap[sd])\s.*%[yz]mm.*", code) == []


def test_the_wheel_of_python(windows_zip, tmp_path):
    """There is no Python for Windows here, so the extension is read, not run."""
    wheel, = windows_zip.parent.glob("ezlda-*-cp311-abi3-win_amd64.whl")
    assert wheel.stat().st_size < 6_000_000
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    command, = tmp_path.glob("ezlda-*.data/scripts/ezlda.exe")
    with zipfile.ZipFile(windows_zip) as archive:
        assert command.read_bytes() == next(archive.read(name) for name in archive.namelist() if name.endswith("/ezlda.exe"))
    assert {path.stem for path in tmp_path.glob("ezlda-*.dist-info/licenses/*")} >= {"LICENSE", "gcc", "mingw-w64", "zlib", "musl"}
    shown = subprocess.run(["x86_64-w64-mingw32-objdump", "-p", tmp_path / "ezlda" / "_ezlda.pyd"], check=True,
                           stdout=subprocess.PIPE, text=True).stdout
    assert set(re.findall(r"DLL Name: (\S+)", shown)) <= SYSTEM_DLLS | {"python3.dll"}
    assert b"\0PyInit__ezlda\0" in (tmp_path / "ezlda" / "_ezlda.pyd").read_bytes()
    audit = subprocess.run([RELEASE_BUILD / "python" / "bin" / "abi3audit", "--verbose", wheel], stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True)
    found = " ".join(audit.stdout.split())
    assert audit.returncode == 0 and "1 extensions scanned; 0 ABI version mismatches and 0 ABI violations" in found, audit.stdout


# ---- the same bits ----

def test_topics_are_those_of_linux(ezlda, tmp_path):
    linux("synth", "-o", "c.ezc", "--docs", 2000, "--words", 1000, "--length", 80, "--topics", 20, "--seed", 3, "-q", cwd=tmp_path)
    arguments = ["train", "c.ezc", "-k", 50, "-i", 30, "--seed", 7]
    linux(*arguments, "-o", "linux.ezm", cwd=tmp_path)
    ezlda(*arguments, "-o", "windows.ezm")
    ezlda(*arguments, "--threads", 1, "-o", "one.ezm")
    assert len({topics_hash(f"{name}.ezm", tmp_path) for name in ("linux", "windows", "one")}) == 1
    assert "topics hash" in ezlda("info", "windows.ezm")[0]
    tables = [linux("topics", f"{name}.ezm", "--json", cwd=tmp_path) for name in ("linux", "windows")]
    assert tables[0] == tables[1]


def test_files_are_those_of_linux(ezlda, tmp_path):
    """A corpus file is made of the text alone, so that both systems write the same bytes."""
    (tmp_path / "t.txt").write_text(TEXT)
    for run, name in (lambda *a: linux(*a, cwd=tmp_path), "linux.ezc"), (ezlda, "windows.ezc"):
        run("import", "t.txt", "-o", name)
    assert (tmp_path / "linux.ezc").read_bytes() == (tmp_path / "windows.ezc").read_bytes()


# ---- names and paths ----

NAME = "Größe Ω 数据 🐟"


def test_names_in_unicode(ezlda, tmp_path):
    folder = tmp_path / NAME
    folder.mkdir()
    (folder / f"{NAME}.txt").write_text(TEXT)
    out, _ = ezlda("train", f"{NAME}/{NAME}.txt", "-k", 2, "-i", 5, "-o", f"{NAME}/{NAME}.ezm", "--log", f"{NAME}/l.json",
                   "--summary", f"{NAME}/s.json")
    assert f"{NAME}/{NAME}.ezm" in out
    assert sorted(p.name for p in folder.iterdir()) == sorted([f"{NAME}.txt", f"{NAME}.ezm", "l.json", "s.json"])
    assert f"{NAME}/none.ezm: cannot open: No such file or directory" in ezlda("info", f"{NAME}/none.ezm", status=1)[1]


def test_folders_of_files_in_unicode(ezlda, tmp_path):
    for theme in ("Wasser-水", "Musik-音"):
        (tmp_path / NAME / theme).mkdir(parents=True)
        for i in range(8):
            (tmp_path / NAME / theme / f"{i} ü.txt").write_text(TEXT)
    ezlda("import", NAME, "--format", "dir", "-o", "c.ezc")
    linux("import", NAME, "--format", "dir", "-o", "linux.ezc", cwd=tmp_path)
    assert (tmp_path / "linux.ezc").read_bytes() == (tmp_path / "c.ezc").read_bytes()


def test_backslashes_and_drive_letters(ezlda, tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "in" / "t.txt").write_text(TEXT)
    drive = "Z:" + str(tmp_path).replace("/", "\\")  # Wine's drive Z is the root
    ezlda("import", "in\\t.txt", "-o", "out\\c.ezc")
    ezlda("train", f"{drive}\\out\\c.ezc", "-k", 2, "-i", 5, "-o", f"{drive}\\out\\m.ezm")
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["c.ezc", "m.ezm"]
    ezlda("import", "in\\", "--format", "dir", "-o", "files.ezc")
    ezlda("export", "out\\m.ezm", "--to", "csv", "-o", "out\\tables")
    assert (tmp_path / "out" / "tables").is_dir() and not [p for p in tmp_path.rglob("*.tmp*")]
    _, message = ezlda("train", "out\\c.ezc", "-k", 2, "-o", "none\\m.ezm", status=1)
    assert "none" in message and "No such file or directory" in message


def test_long_paths(ezlda, tmp_path):
    """Wine has no limit, but knows the prefix that turns the limit of Windows off."""
    folder = tmp_path
    while len(str(folder)) < 400:
        folder = folder / ("long" * 12)
        folder.mkdir()
    (folder / "t.txt").write_text(TEXT)
    inside = folder.relative_to(tmp_path)
    ezlda("train", inside / "t.txt", "-k", 2, "-i", 5, "-o", inside / "m.ezm", "--checkpoint", inside / "checkpoints")
    assert (folder / "m.ezm").stat().st_size > 0


# ---- what is not there ----

def test_mpi_is_refused(windows_environment, tmp_path):
    (tmp_path / "t.txt").write_text(TEXT)
    done = subprocess.run([RUN, "train", "t.txt", "-k", "2", "-o", "m.ezm"], cwd=tmp_path, stderr=subprocess.PIPE, text=True,
                          env={**windows_environment, "EZLDA_MPI": "openmpi"})
    assert done.returncode == 1 and "an MPI job (openmpi) cannot train together on Windows" in done.stderr


# ---- text and streams ----

def test_line_ends_of_windows(ezlda, tmp_path):
    (tmp_path / "unix.txt").write_bytes(TEXT.encode())
    (tmp_path / "windows.txt").write_bytes(TEXT.replace("\n", "\r\n").encode())
    for name in "unix", "windows":
        ezlda("import", f"{name}.txt", "-o", f"{name}.ezc")
    hashes = [re.search(r"[0-9a-f]{16}", ezlda("info", f"{name}.ezc", "--json")[0])[0] for name in ("unix", "windows")]
    assert hashes[0] == hashes[1]


def test_streams_are_binary(ezlda, tmp_path):
    """Line ends are not translated, and 0x1a does not end the input."""
    (tmp_path / "t.txt").write_text(TEXT)
    ezlda("train", "t.txt", "-k", 2, "-i", 5, "-q", "-o", "m.ezm")
    out, _ = ezlda("topics", "-", stdin=(tmp_path / "m.ezm").read_bytes())
    assert out == ezlda("topics", "m.ezm")[0] and "\r" not in out
    done = ezlda("import", "-", "-o", "s.ezc", stdin=(TEXT[:60] + "\x1a" + TEXT[60:]).encode())
    assert "120 documents" in done[0] + done[1]


def test_text_in_other_encodings(ezlda, tmp_path):
    words = "größe straße müde käse übung " * 30
    (tmp_path / "latin.txt").write_bytes((words + "\n").encode("latin-1") * 40)
    (tmp_path / "utf16.txt").write_bytes("\ufeff".encode("utf-16-le") + ((words + "\n") * 40).encode("utf-16-le"))
    (tmp_path / "utf8.txt").write_text((words + "\n") * 40, encoding="utf-8")
    for name in "latin", "utf16", "utf8":
        ezlda("import", f"{name}.txt", "--unit", "lines", "-o", f"{name}.ezc")
    assert len({(tmp_path / f"{name}.ezc").read_bytes()[64:] for name in ("latin", "utf16", "utf8")}) == 1


# ---- interrupts ----

def test_an_interrupt_stops_after_the_iteration(windows_environment, tmp_path):
    linux("synth", "-o", "c.ezc", "--docs", 4000, "--words", 2000, "--length", 100, "--topics", 20, "--seed", 3, "-q", cwd=tmp_path)
    process = subprocess.Popen([RUN, "train", "c.ezc", "-k", "100", "-i", "100000", "-o", "m.ezm", "--log", "log.json"], cwd=tmp_path,
                               env=windows_environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    log = tmp_path / "log.json"
    while process.poll() is None and not (log.exists() and log.read_bytes().count(b"\n") > 2):
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)  # Wine makes it a Ctrl-C
    out, errors = process.communicate(timeout=120)
    assert process.returncode == 0, (out, errors)
    assert (tmp_path / "m.ezm").exists() and topics_hash("m.ezm", tmp_path)
    assert not [p.name for p in tmp_path.iterdir() if p.name.endswith(".tmp")]


# ---- the tests of the command ----

def test_the_tests_of_the_command(windows_environment):
    """Tests that cannot pass there are listed with a reason in tests/cli/not_on_windows.py."""
    environment = {**windows_environment, "EZLDA_BIN": str(RUN), "EZLDA_TEST_WINDOWS": "1", "EZLDA_TEST_BRIEF": "1"}

    def run(path):
        return subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=short", path], env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    files = sorted((ROOT / "tests" / "cli").glob("test_*.py"))
    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(run, files))
    failed = [one.stdout[-4000:] for one in done if one.returncode not in (0, 5)]  # 5: the whole file is slow
    assert not failed, "\n".join(failed)
    assert sum(int(found[1]) for one in done if (found := re.search(r"(\d+) passed", one.stdout))) > 500
