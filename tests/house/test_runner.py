"""The frame itself: a test that fails, crashes or ends early must be seen."""
import importlib.machinery
import importlib.util
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

PROGRAM = """
#include "check.h"
TEST(good) { CHECK(1 + 1 == 2); CHECK_EQ(2u, 2LL); CHECK_STR("a", "a"); CHECK_NEAR(1.0, 1.1, 0.2); }
#ifdef FAILS
TEST(bad) { %s; }
#endif
TEST(last) { CHECK(check_tmp("x") != NULL); CHECK_EQ(access(check_tmp("."), F_OK), 0); }
TEST_MAIN()
"""


@pytest.fixture(scope="module")
def runner():
    loader = importlib.machinery.SourceFileLoader("suite_runner", str(ROOT / "tests" / "run"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("suite_runner", loader))
    loader.exec_module(module)
    return module


@pytest.fixture
def outcome(runner, build, tmp_path):
    def run(bad=None):
        source, program = tmp_path / "frame.c", tmp_path / "frame"
        source.write_text(PROGRAM % (bad or ""))
        subprocess.run(["gcc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-I", str(ROOT / "include"),
                        "-I", str(ROOT / "tests"), *(["-DFAILS"] if bad else []), str(source), "-o", str(program),
                        "-L", str(build), f"-Wl,-rpath,{build}", "-lezlda", "-lm"], check=True)
        tally = runner.Tally()
        runner.run_program(tally, "frame", [str(program)], dict(os.environ), "")
        return tally.passed, tally.failed
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


def test_a_missing_program_is_a_failure(runner, tmp_path):
    tally = runner.Tally()
    runner.run_program(tally, "none", [str(tmp_path / "none")], dict(os.environ), "")
    assert (tally.passed, tally.failed) == (0, 1)
