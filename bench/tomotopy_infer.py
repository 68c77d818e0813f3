"""Trains with tomotopy and infers the topics of other documents. Runs in the environment that has tomotopy.

train TEXT MODEL K ALPHA BETA THREADS SEED ITERATIONS: saves a model; prints nothing.
infer MODEL TEXT THREADS ITERATIONS SCHEME TOGETHER DOCS: the first DOCS documents (0: all); SCHEME is a name of
tomotopy.ParallelScheme, TOGETHER 0 (each document by itself) or 1. Prints a JSON object: documents, tokens that the
model knows, seconds by the clock and of all threads in the call of infer alone, without making the documents."""

import json
import sys
import time

import tomotopy
from tomotopy_train import load


def train(text, path, topics, alpha, beta, threads, seed, iterations):
    model = load(text, int(topics), float(alpha), float(beta), int(seed))
    model.train(int(iterations), workers=int(threads))
    model.save(path, full=False)


def infer(path, text, threads, iterations, scheme, together, count):
    model = tomotopy.LDAModel.load(path)
    with open(text, encoding="ascii") as lines:
        docs = [doc for doc in (model.make_doc(line.split()[2:]) for line in lines) if len(doc.words)]
    docs = docs[:int(count) or len(docs)]
    begin, cpu = time.monotonic(), time.process_time()
    model.infer(docs, iterations=int(iterations), workers=int(threads), together=together == "1",
                parallel=tomotopy.ParallelScheme[scheme])
    print(json.dumps({"seconds": time.monotonic() - begin, "cpu_seconds": time.process_time() - cpu, "docs": len(docs),
                      "tokens": sum(len(doc.words) for doc in docs)}))


{"train": train, "infer": infer}[sys.argv[1]](*sys.argv[2:])
