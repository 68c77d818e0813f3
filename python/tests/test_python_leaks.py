"""Memory over 1,000 rounds of work: what is freed stays freed."""
import os
import subprocess
import sys

import pytest

HEAD = """
import gc, os, sys
os.environ["OMP_WAIT_POLICY"] = "passive"
import numpy as np
import ezlda

X = np.random.RandomState(0).poisson(0.3, (60, 200))

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

"""

FITS = HEAD + """
def work():
    lda = ezlda.LatentDirichletAllocation(5, max_iter=5, max_doc_update_iter=5, random_state=1, n_jobs=1, device="cpu")
    lda.fit_transform(X)
    lda.perplexity(X)
    lda.components_
    lda.model_.topics(3)
    ezlda.train(X, 3, 2, device="cpu", threads=1, progress=False, callback=lambda progress: progress.model() is None)
    try:
        ezlda.train(lda.model_.corpus_of(X), 1, progress=False)
    except ValueError:
        pass

"""

TABLES = HEAD + """
sys.path.insert(0, TESTS)
from arrow_structs import OneArray, array, kept, offsets, schema
model = ezlda.train(X, 4, 5, progress=False)
corpus = model.corpus_of(X)

def work():
    inferencer = model.inferencer(iterations=5)
    inferencer({3: 1, 4: 2})
    ezlda.Corpus.from_arrow(OneArray(schema(b"u"), array(2, [None, offsets(0, 3, 7), b"onetwo."])), stopwords="none")
    try:
        ezlda.Corpus.from_arrow(OneArray(schema(b"u"), array(2, [None, offsets(0, 7, 3), b"onetwo."])))
    except ValueError:
        pass
    ezlda.Corpus.from_texts(iter(["one two", "three"]))
    (corpus[::2] + corpus[[3, 1]])[0]
    model.get_term_topics(3)
    del kept[3:]
"""

LOOP = """
for _ in range(200):
    work()
gc.collect()
before, blocks = resident(), sys.getallocatedblocks()
for _ in range(1000):
    work()
gc.collect()
print(before, resident(), sys.getallocatedblocks() - blocks)
"""


@pytest.mark.parametrize("work", [FITS, TABLES], ids=["fits", "tables"])
def test_memory_is_stable(work):
    program = work.replace("TESTS", repr(os.path.dirname(__file__))) + LOOP
    done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, check=True)
    before, after, blocks = map(int, done.stdout.split())
    assert after - before < 4 << 20, f"{before} bytes, {after} after 1,000 more rounds"
    # The interpreter's own caches grow by some hundreds; what every round leaves behind is a thousand.
    assert blocks < 900, f"{blocks} more objects after 1,000 more rounds"
