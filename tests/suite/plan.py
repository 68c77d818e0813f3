"""The list of all jobs of the suite."""
from suite.places import (ROOT, environment, python_of_other_tools, python_of_package, pythons_of_package,
                          sanitized)
from suite.programs import program_job, unit_jobs
from suite.pytests import pytest_job, pytest_jobs

# Seconds of the long jobs; all others take about one.
EXPECTED_S = {
    "test_backends": 13, "test_device_words": 15, "test_device_rows": 8, "test_device_calibration": 4,
    "test_train": 3, "test_import_text": 3,
    "test_chunks": 9, "test_sweep": 6, "test_checkpoint": 5, "test_priors": 2,
    "tests/cluster": 40, "tests/interop": 31, "tests/install": 27, "tests/report": 14, "tests/house": 5,
    "tests/fuzz": 15,
    "test_allocations": 10, "test_files": 14, "test_kills": 6,
    "python": 40, "python-debian": 25,
    "test_source_checks": 90, "test_threads": 10, "test_memcheck": 12,
}
EMULATED_S = {"test_backends": 47, "test_device_words": 52, "test_device_rows": 34, "test_device_base": 8,
              "tests/emulator": 50}
CROSS_S = 94
CROSS_EMULATOR = ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"]


def plain_jobs(build, settings, word):
    jobs = unit_jobs(build, settings, word, EXPECTED_S)
    jobs += pytest_jobs("tests/cli", "tests/cli", settings, word, EXPECTED_S)
    jobs += pytest_jobs("tests/faults", "tests/faults", settings, word, EXPECTED_S)
    for folder in ("tests/house", "tests/install", "tests/cluster"):
        jobs.append(pytest_job(folder, folder, settings, word, seconds=EXPECTED_S[folder]))
    for folder, python in (("tests/interop", lambda: python_of_other_tools(build)),
                           ("tests/report", "/usr/bin/python3")):
        jobs.append(pytest_job(folder, folder, settings, word, python=python, seconds=EXPECTED_S[folder]))
    return jobs


def python_jobs(build, settings, word):
    """The Python package, in the default Python of the machine and in Debian's, there without the thousand fits of
    test_python_leaks.py. Modules are compiled once, when they are first imported."""
    settings = {**settings, "PYTHONPYCACHEPREFIX": str(ROOT / build / "pycache")}
    del settings["PYTHONDONTWRITEBYTECODE"]
    return [pytest_job(f"{build} {name}", "python/tests", settings, word,
                       "test_*.py" if name == "python" else "test_python_[!l]*.py",
                       python=lambda name=name: python_of_package(build, name), seconds=EXPECTED_S[name])
            for name in pythons_of_package()]


def emulated_jobs(build, settings, word, programs=("test_backends", "test_device*"), pattern="test_*.py"):
    """The CUDA backend with an emulated driver: the programs of the CMake target `emulated`, then tests/emulator."""
    settings = {**settings, "EZLDA_TEST_DEVICE": "cuda", "EZLDA_TEST_BRIEF": "1",
                "LD_LIBRARY_PATH": f"{ROOT / build / 'emulated'}:{settings.get('LD_LIBRARY_PATH', '')}"}
    names = sorted(p.stem for name in programs for p in (ROOT / "tests" / "unit").glob(f"{name}.c"))
    jobs = [program_job(f"{build} emulated {name}", [str(ROOT / build / "emulated" / name)], settings, word,
                        EMULATED_S.get(name, 1)) for name in names]
    return jobs + [pytest_job(f"{build} tests/emulator", "tests/emulator", settings, word, pattern,
                              seconds=EMULATED_S["tests/emulator"])]


def static_jobs(build, tsan, settings, word):
    """Checks of the sources by other tools, and small runs of the command under tools that watch it."""
    settings = {**settings, "EZLDA_TSAN": str(ROOT / (tsan or ""))}
    jobs = pytest_jobs("tests/static", "tests/static", settings, word, EXPECTED_S)
    return [job for job in jobs if tsan or not job.title.endswith("test_threads.py")]


def sanitized_jobs(build, settings, word):
    settings = {**sanitized(settings), "EZLDA_TEST_BRIEF": "1"}
    jobs = unit_jobs(build, settings, word, EXPECTED_S)
    jobs += pytest_jobs(f"{build} tests/cli", "tests/cli", settings, word, EXPECTED_S)
    jobs.append(pytest_job(f"{build} tests/fuzz", "tests/fuzz", settings, word, seconds=EXPECTED_S["tests/fuzz"]))
    return jobs + emulated_jobs(build, settings, word, ["test_device"], "test_emulated_fail*.py")


def all_jobs(options):
    word, settings = options.word, environment(options.build, options.device)
    jobs = plain_jobs(options.build, settings, word)
    if options.cross:
        jobs.append(program_job(f"{options.cross} cross_backend_test",
                                CROSS_EMULATOR + [str(ROOT / options.cross / "cross_backend_test")], settings, word,
                                CROSS_S))
    jobs += python_jobs(options.build, settings, word)
    if options.device != "cuda":
        jobs += emulated_jobs(options.build, settings, word)
        jobs += static_jobs(options.build, options.tsan, settings, word)
    if options.asan:
        jobs += sanitized_jobs(options.asan, environment(options.asan, options.device), word)
    return jobs
