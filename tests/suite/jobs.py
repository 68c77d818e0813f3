"""Jobs of the suite: several run at a time, each is reported when it ends, and all are counted in one tally."""
import dataclasses
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor


@dataclasses.dataclass
class Outcome:
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    output: str = ""  # printed above the line of the job


@dataclasses.dataclass
class Job:
    title: str
    work: Callable[[], Outcome | None]  # None: no test of the job has the name that was asked for
    seconds: float = 1  # about how long it takes on an idle processor: long jobs are started first


class Tally:
    def __init__(self):
        self.passed = self.failed = self.skipped = 0
        self.lock = threading.Lock()

    def add(self, title, outcome, seconds):
        with self.lock:
            self.passed += outcome.passed
            self.failed += outcome.failed
            self.skipped += outcome.skipped
            if outcome.output:
                print(outcome.output, end="" if outcome.output.endswith("\n") else "\n")
            note = f", {outcome.skipped} skipped" if outcome.skipped else ""
            print(f"{'FAIL' if outcome.failed else 'ok  '} {title}: {outcome.passed} passed, {outcome.failed} failed"
                  f"{note} ({seconds:.1f} s)", flush=True)


def run_job(job, tally):
    start = time.monotonic()
    try:
        outcome = job.work()
    except Exception:
        outcome = Outcome(failed=1, output=traceback.format_exc())
    if outcome:
        tally.add(job.title, outcome, time.monotonic() - start)


def run_jobs(jobs, workers, tally):
    pool = ThreadPoolExecutor(workers)
    try:
        running = [pool.submit(run_job, job, tally) for job in sorted(jobs, key=lambda job: -job.seconds)]
        for job in running:
            job.result()
    finally:
        pool.shutdown(cancel_futures=True)
