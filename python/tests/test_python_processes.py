"""Other processes: forks, environments of workers."""
import multiprocessing
import os
import subprocess
import sys

import numpy as np
import pytest

import ezlda


def _infer(work):
    model, matrix = work
    return model.infer(matrix, device="cpu", threads=2)


def _train(matrix):
    return ezlda.train(matrix, 4, 5, device="cpu", threads=2, progress=False).topics_hash


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_forked_child_works(matrix, model):
    """Its parent has used the library in several threads, which the child does not have."""
    few = matrix[:20]
    expected = _infer((model, few)), _train(matrix)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        inferred, trained = pool.map_async(_infer, [(model, few)] * 2), pool.map_async(_train, [matrix] * 2)
        for theta in inferred.get(timeout=60):
            np.testing.assert_array_equal(theta, expected[0])
        assert trained.get(timeout=60) == [expected[1]] * 2


@pytest.mark.parametrize("threads", [1, 3])
def test_the_number_of_threads_of_the_environment(threads):
    """As joblib sets it in its workers, that they do not take all processors each."""
    code = ("import ezlda, numpy; X = numpy.ones((9, 9), dtype=int)\n"
            "lda = ezlda.LatentDirichletAllocation(2, max_iter=2, device='cpu').fit(X)\n"
            "print(ezlda.train(X, 2, 2, device='cpu').info['threads'], lda.model_.info['threads'])")
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, "OMP_NUM_THREADS": str(threads)},
                          stdout=subprocess.PIPE, text=True, timeout=120, check=True)
    assert done.stdout.split() == [str(threads)] * 2
