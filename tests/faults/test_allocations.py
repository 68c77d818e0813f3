"""Every allocation of a small run fails once, in turn: the command ends with a clear error, or succeeds and has written
what it writes without the failure. Nothing half written is left. In a sanitized build, nothing leaks either.

Normally every 7th allocation is failed; EZLDA_FAULTS_FULL=1 asks for all of them (fail_allocation.c).
"""
import concurrent.futures
import os
import subprocess

import pytest

from fault_steps import STEPS, content, fault, run

STRIDE = 1 if os.environ.get("EZLDA_FAULTS_FULL") else 7


def fault_of(step, inputs, out, whole, which):
    try:
        done = run(step, inputs, out, EZLDA_FAIL_ALLOCATION=which)
    except subprocess.TimeoutExpired:
        return f"{step}, allocation {which}: no end in sight"
    return fault(done, f"{step}, allocation {which}", content(out), whole)


@pytest.mark.parametrize("step", STEPS)
def test_every_allocation_may_fail(step, inputs, expected, tmp_path):
    whole, count = expected[step].content, expected[step].allocations
    assert count > 10
    cases = [str(n) for n in range(1, count + 1, STRIDE)] + [f"{n}+" for n in range(4, count + 1, 5 * STRIDE)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        faults = pool.map(lambda which: fault_of(step, inputs, tmp_path / which, whole, which), cases)
        faults = [text for text in faults if text]
    assert not faults, f"{len(faults)} of {len(cases)} failures\n" + "\n\n".join(faults[:5])
