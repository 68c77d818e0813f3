#!/usr/bin/env python3
"""Writes documents with text, dates and groups for bench/serve_views.py: bench/serve_corpus.py DOCS TOKENS OUT.jsonl

Words are drawn from 200 topics over 50,000 words, two topics per document, so that they look like words of abstracts to
an index: the most frequent in a tenth of the documents, most in a few hundred of a million.
"""
import sys

import numpy as np

TOPICS, WORDS, BLOCK = 200, 50000, 2000


def words():
    letters = np.array(list("aeioubcdfglmnprstv"))
    draw = np.random.default_rng(1)
    found = dict.fromkeys("".join(draw.choice(letters, draw.integers(4, 10))) for _ in range(2 * WORDS))
    return np.array(list(found)[:WORDS], dtype=object)


def main(docs, tokens, path):
    names, draw = words(), np.random.default_rng(2)
    weight = 1 / np.arange(10, WORDS + 10) ** 0.9
    tables = [np.cumsum(p / p.sum()) for p in (weight[draw.permutation(WORDS)] * draw.gamma(0.3, size=WORDS) for _ in range(TOPICS))]
    with open(path, "w", encoding="ascii") as file:
        for first in range(0, docs, BLOCK):
            n = min(BLOCK, docs - first)
            lines = np.empty((n, tokens), dtype=np.int64)
            pairs = draw.integers(0, TOPICS, (n, 2))
            for d in range(n):
                half = tokens * 2 // 3
                lines[d, :half] = np.searchsorted(tables[pairs[d, 0]], draw.random(half))
                lines[d, half:] = np.searchsorted(tables[pairs[d, 1]], draw.random(tokens - half))
            lines = draw.permuted(lines, axis=1)
            for d, line in enumerate(names[np.minimum(lines, WORDS - 1)]):
                i = first + d
                file.write(f'{{"id":"paper {i}","text":"{" ".join(line)}.","date":"{1980 + i * 45 // docs}-{1 + i % 12:02}-'
                           f'{1 + i % 28:02}","journal":"J{i % 37}","country":"C{i * i % 11}"}}\n')


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
