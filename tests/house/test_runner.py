"""The test runner itself: a test that fails, crashes or ends early must be noticed."""
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from suite.jobs import Job, Outcome, Tally, run_jobs  # noqa: E402
from suite.programs import run_program, unit_jobs  # noqa: E402
from suite.places import Unavailable  # noqa: E402
from suite.pytests import pytest_job, run_pytest  # noqa: E402

PROGRAM = """
#include "check.h"
TEST(good) { CHECK(1 + 1 == 2); CHECK_EQ(2u, 2LL); CHECK_STR("a", "a"); CHECK_NEAR(1.0, 1.1, 0.2); }
#ifdef FAILS
TEST(bad) { %s; }
#endif
TEST(last) { CHECK(check_tmp("x") != NULL); CHECK_EQ(access(check_tmp("."), F_OK), 0); }
TEST_MAIN()
"""


@pytest.fixture
def outcome(build, tmp_path):
    def run(bad=None):
        source, program = tmp_path / "frame.c", tmp_path / "frame"
        source.write_text(PROGRAM % (bad or ""))
        subprocess.run(["gcc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-I", str(ROOT / "include"),
                        "-I", str(ROOT / "tests"), *(["-DFAILS"] if bad else []), str(source), "-o", str(program),
                        "-L", str(build), f"-Wl,-rpath,{build}", "-lezlda", "-lm"], check=True)
        found = run_program([str(program)], dict(os.environ))
        assert bool(found.output) == bool(found.failed)
        return found.passed, found.failed
    return run


def test_all_good(outcome):
    assert outcome() == (2, 0)


@pytest.mark.parametrize("bad", ["CHECK(0)", "CHECK_EQ(1, 2)", 'CHECK_STR("a", NULL)', "CHECK_NEAR(NAN, NAN, 1.0)",
                                 "CHECK_OK(check_context(), EZLDA_ERROR_IO)",
                                 'CHECK_FAILS(check_context(), EZLDA_OK, "")',
                                 'CHECK_FAILS(check_context(), EZLDA_ERROR_IO, "text")'])
def test_a_failed_check_fails_its_test(outcome, bad):
    assert outcome(bad) == (2, 1)


@pytest.mark.parametrize("bad", ["abort()", "exit(0)", "exit(3)"])
def test_an_early_end_is_a_failure(outcome, bad):
    assert outcome(bad) == (1, 1)


def test_a_missing_program_is_a_failure(tmp_path):
    found = run_program([str(tmp_path / "none")], dict(os.environ))
    assert (found.passed, found.failed) == (0, 1)
    jobs = unit_jobs(str(tmp_path), dict(os.environ), "", {})
    assert jobs and all(job.work().failed == 1 for job in jobs)


@pytest.mark.parametrize("text,counts", [
    ("def test_a():\n    pass\n", (1, 0, 0)), ("def test_a():\n    assert False\n", (0, 1, 0)),
    ("import pytest\ndef test_a():\n    pytest.skip('why')\ndef test_b():\n    pass\n", (1, 0, 1)),
    ("import os\ndef test_a():\n    os._exit(0)\n", (0, 1, 0)), ("no python\n", (0, 1, 0)), ("", (0, 1, 0))])
def test_pytest_files_are_counted(tmp_path, text, counts):
    file = tmp_path / "test_counted.py"
    file.write_text(text)
    found = run_pytest([file], dict(os.environ))
    assert (found.passed, found.failed, found.skipped) == counts


def test_jobs_are_reported_and_counted(capsys):
    def breaks():
        raise ValueError("in the frame")
    tally = Tally()
    run_jobs([Job("a", lambda: Outcome(2)), Job("b", lambda: Outcome(1, 1, output="why b\nfailed")), Job("c", breaks),
              Job("d", lambda: None)], 3, tally)
    assert (tally.passed, tally.failed) == (3, 2)
    said = capsys.readouterr().out
    assert "ok   a: 2 passed, 0 failed (" in said and "why b\nfailed\nFAIL b: 1 passed, 1 failed (" in said
    assert "ValueError: in the frame\nFAIL c: " in said and "d:" not in said


def test_unavailable_packages_skip_with_a_reason():
    def nothing():
        raise Unavailable("no packages")

    job = pytest_job("python", "tests/house", {}, "", "test_runner.py", python=nothing)
    outcome = job.work()
    assert (outcome.passed, outcome.failed, outcome.skipped) == (0, 0, 1) and "no packages" in outcome.output
