"""TEXT PREFIX K ALPHA BETA THREADS SEED V WITH_Z OPTIMIZE_INTERVAL BURN_IN POINT...: trains with tomotopy and stops at
each point. OPTIMIZE_INTERVAL: iterations from one fit of alpha to the next, 0: it stays (beta always does).

Prints a JSON object for each point (iteration; seconds of sampling so far, a list by blocks of five iterations; the sum
of alpha), and writes PREFIX.POINT.counts and PREFIX.POINT.alpha (as heldout.c reads them) and, if asked, PREFIX.POINT.z
(as llpt.c reads them). Runs in the environment that has tomotopy."""

import json
import sys
import time

import numpy
import tomotopy


def load(path, topics, alpha, beta, seed, optimize_interval=0, burn_in=0):
    model = tomotopy.LDAModel(k=topics, alpha=alpha, eta=beta, seed=seed)
    model.optim_interval, model.burn_in = optimize_interval, burn_in
    with open(path, encoding="ascii") as lines:
        for line in lines:
            model.add_doc(line.split()[2:])
    return model


def write(model, prefix, words, beta, with_z):
    topics = model.k
    number = numpy.array([int(word[1:]) - 1 for word in model.used_vocabs])
    documents = [(number[doc.words], numpy.array(doc.topics)) for doc in model.docs]
    keys = numpy.concatenate([word * topics + topic for word, topic in documents])
    keys, counts = numpy.unique(keys, return_counts=True)
    rows = [[] for _ in range(words)]
    for key, count in zip(keys.tolist(), counts.tolist()):
        rows[key // topics].append(f"{key % topics}:{count}")
    with open(f"{prefix}.counts", "w", encoding="ascii") as out:
        out.write(f"{words} {topics} {beta:g}\n")
        out.writelines(" ".join(row) + "\n" for row in rows)
    with open(f"{prefix}.alpha", "w", encoding="ascii") as out:
        out.writelines(f"{float(alpha):.9g}\n" for alpha in model.alpha)
    if with_z:
        with open(f"{prefix}.z", "w", encoding="ascii") as out:
            for word, topic in documents:
                pairs = " ".join(f"{w}:{k}" for w, k in zip(word.tolist(), topic.tolist()))
                out.write(f"{len(word)} {pairs}\n")


def main():
    text, prefix = sys.argv[1:3]
    topics, alpha, beta = int(sys.argv[3]), float(sys.argv[4]), float(sys.argv[5])
    threads, seed, words, with_z, optimize_interval, burn_in = map(int, sys.argv[6:12])
    model = load(text, topics, alpha, beta, seed, optimize_interval, burn_in)
    model.train(0, workers=threads)
    done, seconds = 0, []
    for point in map(int, sys.argv[12:]):
        while done < point:
            block = min(5, point - done)
            start = time.monotonic()
            model.train(block, workers=threads)
            seconds.append((seconds[-1] if seconds else 0.0) + time.monotonic() - start)
            done += block
        write(model, f"{prefix}.{point}", words, beta, with_z)
        print(json.dumps({"iteration": point, "seconds": seconds,
                          "alpha_sum": float(sum(model.alpha))}), flush=True)


if __name__ == "__main__":
    main()
