"""Small corpora whose documents and words take every path of the CUDA trainer."""
import random


def import_bags(ezlda, path, docs, *options):
    """A corpus of the given counts by word."""
    text = "".join(f"{len(d)} " + " ".join(f"{w}:{n}" for w, n in sorted(d.items())) + "\n" for d in docs)
    path.with_suffix(".ldac").write_text(text)
    assert ezlda("import", path.with_suffix(".ldac"), "-o", path, "-q", *options).status == 0
    return path


def draw_bags(lengths, words, seed):
    draw = random.Random(seed)
    docs = []
    for length in lengths:
        docs.append({})
        for _ in range(length):
            word = int(draw.expovariate(8) * words) % words
            docs[-1][word] = docs[-1].get(word, 0) + 1
    return docs


MIXED_LENGTHS = [0, 1, 2, 31, 32, 33, 127, 128, 129, 300, 1100, 1200, 2100] + [40] * 40

CORPORA = {
    "tiny": draw_bags([0, 1, 20] + [30] * 12, 40, 1),
    "small": draw_bags([40] * 100, 250, 2),
    "mixed": draw_bags(MIXED_LENGTHS, 200, 3),
    # Memory goes to the tokens: it fits into less in chunks.
    "few words": draw_bags([150] * 80, 30, 5),
    # A document and a word of more than 65,535 tokens, a word of more than 4,096.
    "skewed": [{0: 66000}, {1: 4500}] + draw_bags([0, 5, 1100, 300] + [20] * 20, 100, 4),
}
