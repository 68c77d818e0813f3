"""Inputs of the small runs, and what they write if nothing fails."""
import collections

import pytest

from fault_steps import STEPS, content, run, write_inputs

Whole = collections.namedtuple("Whole", "content allocations calls")


@pytest.fixture(scope="session")
def inputs(tmp_path_factory):
    return write_inputs(tmp_path_factory.mktemp("inputs"))


@pytest.fixture(scope="session")
def expected(inputs, tmp_path_factory):
    """Runs without a failure: what is written, how many allocations there are, and how many calls of each name."""
    results = {}
    for step in STEPS:
        out = tmp_path_factory.mktemp("whole") / step
        count, calls = out.parent / "count", out.parent / "calls"
        done = run(step, inputs, out, EZLDA_COUNT_ALLOCATIONS=str(count), EZLDA_COUNT_IO=str(calls))
        assert done.returncode == 0, (step, done)
        numbers = dict(line.split() for line in calls.read_text().splitlines())
        results[step] = Whole(content(out), int(count.read_text()), {name: int(n) for name, n in numbers.items()})
        for path in out.iterdir():
            path.rename(inputs / path.name)
    return results
