"""Memory over 1,000 fits: what is freed stays freed."""
import subprocess
import sys

PROGRAM = """
import gc, os, sys
os.environ["OMP_WAIT_POLICY"] = "passive"
import numpy as np
import ezlda

X = np.random.RandomState(0).poisson(0.3, (60, 200))

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

def fit():
    lda = ezlda.LatentDirichletAllocation(5, max_iter=5, max_doc_update_iter=5, random_state=1, n_jobs=1, device="cpu")
    lda.fit_transform(X)
    lda.perplexity(X)
    lda.components_
    lda.model_.topics(3)
    try:
        ezlda.train(lda.model_.corpus_of(X), 1, progress=False)
    except ValueError:
        pass

for _ in range(200):
    fit()
gc.collect()
before, blocks = resident(), sys.getallocatedblocks()
for _ in range(1000):
    fit()
gc.collect()
print(before, resident(), sys.getallocatedblocks() - blocks)
"""


def test_memory_is_stable():
    done = subprocess.run([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True, check=True)
    before, after, blocks = map(int, done.stdout.split())
    assert after - before < 4 << 20, f"{before} bytes, {after} after 1,000 more fits"
    # The interpreter's own caches grow by some hundreds; what every fit leaves behind is a thousand.
    assert blocks < 900, f"{blocks} more objects after 1,000 more fits"
