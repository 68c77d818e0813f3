"""Paths, environments and Python interpreters that tests run with."""
import functools
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PYTHON_LOCK, PYTHONS_MADE = threading.Lock(), set()
LIMIT_S = 1800  # a job that takes longer counts as hanging


def environment(build, device):
    return {**os.environ, "EZLDA_TEST_DEVICE": device, "EZLDA_BUILD": str(ROOT / build),
            "EZLDA_BIN": str(ROOT / build / "ezlda"), "PYTHONDONTWRITEBYTECODE": "1",
            # Tests use more threads than there are processors: waiting threads must not spin.
            "OMP_WAIT_POLICY": "passive"}


def leak_option():
    """LeakSanitizer does not work in some containers (no ptrace). Then the other sanitizers still run."""
    with tempfile.TemporaryDirectory(prefix="ezlda-run-") as scratch:
        source = Path(scratch) / "probe.c"
        source.write_text("int main(void) { return 0; }\n")
        subprocess.run(["clang", "-fsanitize=address", str(source), "-o", f"{scratch}/probe"], check=True)
        done = subprocess.run([f"{scratch}/probe"], env={**os.environ, "ASAN_OPTIONS": "detect_leaks=1"},
                              stderr=subprocess.DEVNULL)
    if done.returncode == 0:
        return "detect_leaks=1"
    print("note: LeakSanitizer does not work here (no ptrace?); leaks are not detected")
    return "detect_leaks=0"


def sanitized(settings):
    return {**settings,
            "ASAN_OPTIONS": leak_option() + ":allocator_may_return_null=1:detect_stack_use_after_return=1",
            "LSAN_OPTIONS": f"suppressions={ROOT}/tests/lsan.supp:print_suppressions=0",
            "UBSAN_OPTIONS": "print_stacktrace=1"}


@functools.cache
def python_with_pytest():
    """A Python with pytest, if possible one with h5py, which the tests of HDF5 files need."""
    for found in ("import pytest, h5py", "import pytest"):
        for python in (sys.executable, "/usr/bin/python3"):
            if Path(python).exists() and subprocess.run([python, "-c", found], stderr=subprocess.DEVNULL).returncode == 0:
                return python
    sys.exit("tests/run: no Python with pytest found (scripts/bootstrap.sh test)")


def python_of_other_tools(build):
    """A Python with the tools that models are exported to and imported from: gensim and pyLDAvis from PyPI. If PyPI cannot
    be reached, it is Debian's Python with gensim; Debian has no pyLDAvis, so its tests are skipped."""
    python = ROOT / build / "other-tools" / "bin" / "python"
    found = "import pytest, gensim, pyLDAvis"
    if python.exists() and subprocess.run([python, "-c", found], stderr=subprocess.DEVNULL).returncode == 0:
        return str(python)
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    make = [["/usr/bin/python3", "-m", "venv", str(python.parent.parent)],
            [str(python), "-m", "pip", "install", "--quiet", "--timeout", "20", "--retries", "1", "pytest", "gensim",
             "pyLDAvis==3.4.1"]]
    try:
        if all(subprocess.run(command, **quiet, timeout=300).returncode == 0 for command in make):
            return str(python)
    except (OSError, subprocess.TimeoutExpired):
        pass
    return "/usr/bin/python3" if Path("/usr/bin/python3").exists() else python_with_pytest()


# Exit status of scripts/python_env.sh.
NO_PACKAGES = 4


class Unavailable(Exception):
    """This machine lacks something that a group of tests needs. They are skipped with this reason."""


def pythons_of_package():
    """The default Python of the machine, and Debian's if that is another one."""
    def real(python):
        say = "import os, sys; print(os.path.realpath(sys.executable))"
        return subprocess.run([python, "-c", say], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    found = {"python": real("python3")}
    if Path("/usr/bin/python3").exists() and real("/usr/bin/python3") != found["python"]:
        found["python-debian"] = "/usr/bin/python3"
    return found


def python_of_package(build, name):
    """A Python with our package, linked with the library of the build. The Makefile has installed the packages of the first
    Python, and the second one uses them."""
    first = ROOT / build / "python"
    with PYTHON_LOCK:
        for folder, python in pythons_of_package().items():
            other = [str(first)] if folder != "python" else []
            if folder in ("python", name) and folder not in PYTHONS_MADE:
                done = subprocess.run([str(ROOT / "scripts" / "python_env.sh"), str(ROOT / build / folder), python,
                                       str(ROOT / build / "libezlda.a"), *other], timeout=LIMIT_S)
                if done.returncode == NO_PACKAGES:
                    raise Unavailable("the packages of the Python tests cannot be installed from PyPI")
                done.check_returncode()
                PYTHONS_MADE.add(folder)
    return str(ROOT / build / name / "bin" / "python")


def device_is_there(build, device):
    """Trains a tiny model on the device. A device that is missing is a failure, never a skip."""
    with tempfile.TemporaryDirectory(prefix="ezlda-run-") as scratch:
        command = [str(ROOT / build / "ezlda"), "synth", "-o", f"{scratch}/c.ezc", "--docs", "10", "--words", "20",
                   "--length", "10", "--topics", "2", "--seed", "1"]
        train = [str(ROOT / build / "ezlda"), "train", f"{scratch}/c.ezc", "-k", "2", "-i", "1", "--device", device,
                 "-o", f"{scratch}/m.ezm"]
        for step in (command, train):
            done = subprocess.run(step, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if done.returncode != 0:
                print(f"FAIL no device '{device}' for this build on this machine:\n{done.stdout.strip()}")
                return False
    return True
