/* uci.h - reading UCI bags of words, and random numbers, for the benchmark's own small programs. */
#ifndef BENCH_UCI_H
#define BENCH_UCI_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Documents are numbered from 0, words too; the pairs of document d are start[d] .. start[d + 1]
 * - 1. */
typedef struct bag {
    uint32_t docs, words;
    uint64_t pairs, tokens;
    uint64_t *start;
    uint32_t *word, *count;
} bag;

_Noreturn static inline void bench_die(const char *what, const char *path)
{
    fprintf(stderr, "bench: %s: %s\n", path, what);
    exit(1);
}

static inline void *bench_alloc(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size);
    if (!p)
        bench_die("out of memory", "calloc");
    return p;
}

/* The next unsigned number of a file; 0 at its end or at anything that is none. */
static inline int bench_number(FILE *f, uint64_t *out)
{
    int c;
    do
        c = getc_unlocked(f);
    while (c == ' ' || c == '\n' || c == '\r' || c == '\t');
    if (c < '0' || c > '9')
        return 0;
    uint64_t x = 0;
    for (; c >= '0' && c <= '9'; c = getc_unlocked(f))
        x = x * 10 + (uint64_t)(c - '0');
    ungetc(c, f);
    *out = x;
    return 1;
}

/* Triples must come by document, as they do in every UCI file. */
static inline bag bag_read(const char *path)
{
    bag b = {0};
    FILE *f = fopen(path, "r");
    uint64_t docs, words, doc, word, count, at = 0, last = 0;
    if (!f)
        bench_die("cannot be opened", path);
    if (!bench_number(f, &docs) || !bench_number(f, &words) || !bench_number(f, &b.pairs) ||
        docs >= UINT32_MAX || words >= UINT32_MAX)
        bench_die("no UCI header (documents, words, pairs)", path);
    b.docs = (uint32_t)docs, b.words = (uint32_t)words;
    b.start = bench_alloc(docs + 1, sizeof *b.start);
    b.word = bench_alloc(b.pairs, sizeof *b.word);
    b.count = bench_alloc(b.pairs, sizeof *b.count);
    for (; at < b.pairs; at++) {
        if (!bench_number(f, &doc) || !bench_number(f, &word) || !bench_number(f, &count))
            bench_die("ends before the pairs its header promises", path);
        if (doc < last)
            bench_die("documents are not in order", path);
        if (!doc || doc > docs || !word || word > words || count > UINT32_MAX)
            bench_die("a document or word out of range", path);
        while (last < doc)
            b.start[last++] = at;
        b.word[at] = (uint32_t)word - 1, b.count[at] = (uint32_t)count;
        b.tokens += count;
    }
    while (last <= docs)
        b.start[last++] = at;
    fclose(f);
    return b;
}

static inline void bag_free(bag *b)
{
    free(b->start), free(b->word), free(b->count);
}

/* SplitMix64. */
static inline uint64_t bench_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static inline uint64_t bench_below(uint64_t *state, uint64_t n)
{
    return (uint64_t)(((unsigned __int128)bench_random(state) * n) >> 64);
}

static inline void bench_shuffle(uint32_t *x, uint64_t n, uint64_t *state)
{
    for (uint64_t i = n; i > 1; i--) {
        uint64_t j = bench_below(state, i);
        uint32_t t = x[i - 1];
        x[i - 1] = x[j], x[j] = t;
    }
}

#endif
