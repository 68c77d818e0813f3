"""Test programs: unit tests (tests/check.h) and others that end with the same summary line."""
import os
import re
import subprocess

from suite.jobs import Job, Outcome
from suite.places import LIMIT_S, ROOT


def run_program(command, environment, word=""):
    """Its output is shown if it fails. A program that ends without its summary line has failed."""
    try:
        done = subprocess.run(command + ([word] if word else []), env=environment, cwd=ROOT, timeout=LIMIT_S,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        output, code = done.stdout, done.returncode
    except subprocess.TimeoutExpired as late:
        output, code = (late.stdout or b"").decode(errors="replace") + "\n(stopped: it ran past the time limit)\n", -1
    except OSError as error:
        output, code = f"{error}\n", -1
    passed = len(re.findall(r"^ok \S+$", output, re.M))
    failed = len(re.findall(r"^FAIL \S+$", output, re.M))
    summary = re.search(r"^check: (\d+) passed, (\d+) failed$", output, re.M)
    if word and summary and not passed and not failed:
        return None
    whole = summary and (int(summary[1]), int(summary[2])) == (passed, failed)
    if not failed and (not whole or code != 0):
        failed += 1
        output += f"(ended with status {code} and {'its' if whole else 'no proper'} summary line)\n"
    return Outcome(passed, failed, output=output if failed else "")


def program_job(title, command, environment, word, seconds=1):
    return Job(title, lambda: run_program(command, environment, word), seconds)


def unit_jobs(build, environment, word, expected):
    """One job per program of tests/unit; `expected` has the seconds of the long ones."""
    jobs = []
    for name in sorted(p.stem for p in (ROOT / "tests" / "unit").glob("test_*.c")):
        program = ROOT / build / "tests" / name
        if os.access(program, os.X_OK):
            jobs.append(program_job(f"{build} {name}", [str(program)], environment, word, expected.get(name, 1)))
        else:
            missing = Outcome(failed=1, output=f"{build}/tests/{name} was not built")
            jobs.append(Job(f"{build} {name}", lambda missing=missing: missing))
    return jobs
