"""Jobs that run pytest over files of a folder."""
import subprocess
import tempfile
import xml.etree.ElementTree
from pathlib import Path

from suite.jobs import Job, Outcome
from suite.places import LIMIT_S, ROOT, Unavailable, python_with_pytest


def counted(report):
    """Counts tests, failures, errors and skips in a JUnit report; all are 0 if pytest wrote none."""
    counts = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
    if report.exists():
        for suite in xml.etree.ElementTree.parse(report).getroot().iter("testsuite"):
            for key in counts:
                counts[key] += int(suite.get(key, 0))
    return counts


def run_pytest(files, environment, word="", python=None):
    with tempfile.TemporaryDirectory(prefix="ezlda-run-") as scratch:
        report = Path(scratch) / "report.xml"
        command = [python or python_with_pytest(), "-m", "pytest", "-q", "--no-header", "--tb=short", "-rs", "-p",
                   "no:cacheprovider", f"--basetemp={scratch}/tmp", f"--junitxml={report}", *map(str, files)]
        try:
            # CI=1: pytest does not shorten differences.
            done = subprocess.run(command + (["-k", word] if word else []), env={**environment, "CI": "1"}, cwd=ROOT,
                                  timeout=LIMIT_S, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                  errors="replace")
            output, code = done.stdout, done.returncode
        except subprocess.TimeoutExpired as late:
            output, code = (late.stdout or b"").decode(errors="replace") + "\n(stopped: it ran past the time limit)\n", -1
        counts, whole = counted(report), report.exists()
    if word and code == 5:  # pytest's status for "no test has that name"
        return None
    failed = counts["failures"] + counts["errors"]
    passed = max(counts["tests"] - failed - counts["skipped"], 0)
    if not failed and (code != 0 or not whole):
        failed = 1
        output += f"(ended with status {code} and {'a' if whole else 'no'} report)\n"
    return Outcome(passed, failed, counts["skipped"], output if failed or counts["skipped"] else "")


def pytest_job(title, folder, environment, word, pattern="test_*.py", python=None, seconds=1):
    """One job for the files of a folder. `python` is an interpreter, or a function that returns one."""
    files = sorted(p.relative_to(ROOT) for p in (ROOT / folder).glob(pattern))

    def run():
        try:
            return run_pytest(files, environment, word, python() if callable(python) else python)
        except Unavailable as reason:
            return Outcome(0, 0, len(files), f"SKIPPED [{len(files)} files] {reason}\n")

    return Job(title, run, seconds)


def pytest_jobs(title, folder, environment, word, expected, **keywords):
    """One job per file; `expected` has the seconds of the long ones."""
    return [pytest_job(f"{title}/{file.name}", folder, environment, word, file.name,
                       seconds=expected.get(file.stem, 1), **keywords)
            for file in sorted((ROOT / folder).glob("test_*.py"))]
