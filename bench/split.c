/* split IN.uci DIR SEED SHARE [DOCS]: shuffles the documents and holds out one in SHARE of them (0:
 * none). DOCS: uses only that many of the shuffled documents.
 *
 * Writes DIR/train.uci and its vocabulary DIR/words.txt (w1, w2, ...), and the same documents as
 * text in DIR/train.txt for the tools that read text: one document per line, tokens in random
 * order, without empty documents. The held-out documents go to DIR/observed.uci and DIR/scored.uci,
 * a random half of each document's tokens in either; documents of one token or none are dropped
 * there. DIR/held.uci and DIR/held.txt have the held-out documents whole. */
#include "uci.h"

static FILE *create(const char *dir, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *f = fopen(path, "w");
    if (!f)
        bench_die("cannot be written", path);
    return f;
}

static uint64_t doc_tokens(const bag *b, uint32_t d)
{
    uint64_t n = 0;
    for (uint64_t i = b->start[d]; i < b->start[d + 1]; i++)
        n += b->count[i];
    return n;
}

static void expand(const bag *b, uint32_t d, uint32_t *tokens)
{
    for (uint64_t i = b->start[d]; i < b->start[d + 1]; i++)
        for (uint32_t c = 0; c < b->count[i]; c++)
            *tokens++ = b->word[i];
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Header lines wait for their numbers: written wide enough at first, then again at the end. */
static void header(FILE *f, uint64_t docs, uint32_t words, uint64_t pairs)
{
    rewind(f);
    fprintf(f, "%-12llu\n%-12u\n%-12llu\n", (unsigned long long)docs, words,
            (unsigned long long)pairs);
}

/* Tokens as one document of a UCI file; returns its distinct words. */
static uint64_t write_pairs(FILE *f, uint64_t doc, uint32_t *tokens, uint64_t n)
{
    uint64_t pairs = 0;
    qsort(tokens, n, sizeof *tokens, ascending);
    for (uint64_t i = 0, j; i < n; i = j, pairs++) {
        for (j = i + 1; j < n && tokens[j] == tokens[i];)
            j++;
        fprintf(f, "%llu %u %llu\n", (unsigned long long)doc, tokens[i] + 1,
                (unsigned long long)(j - i));
    }
    return pairs;
}

static void write_text(FILE *f, uint64_t doc, const uint32_t *tokens, uint64_t n)
{
    if (!n)
        return;
    fprintf(f, "d%llu x", (unsigned long long)doc);
    for (uint64_t i = 0; i < n; i++)
        fprintf(f, " w%u", tokens[i] + 1);
    putc('\n', f);
}

static void write_whole(const bag *b, const char *dir, const char *const names[2],
                        const uint32_t *order, uint32_t n_docs, uint32_t *tokens, uint64_t *state)
{
    FILE *uci = create(dir, names[0]), *text = create(dir, names[1]);
    uint64_t pairs = 0;
    header(uci, 0, b->words, 0);
    for (uint32_t i = 0; i < n_docs; i++) {
        uint64_t n = doc_tokens(b, order[i]);
        expand(b, order[i], tokens);
        bench_shuffle(tokens, n, state);
        write_text(text, i + 1, tokens, n);
        pairs += write_pairs(uci, i + 1, tokens, n);
    }
    header(uci, n_docs, b->words, pairs);
    if (fclose(uci) | fclose(text))
        bench_die("cannot be written", dir);
}

static void write_words(const bag *b, const char *dir)
{
    FILE *f = create(dir, "words.txt");
    for (uint32_t v = 1; v <= b->words; v++)
        fprintf(f, "w%u\n", v);
    if (fclose(f))
        bench_die("cannot be written", dir);
}

static void write_held_out(const bag *b, const char *dir, const uint32_t *order, uint32_t n_docs,
                           uint32_t *tokens, uint64_t *state)
{
    FILE *observed = create(dir, "observed.uci"), *scored = create(dir, "scored.uci");
    uint64_t docs = 0, observed_pairs = 0, scored_pairs = 0;
    header(observed, 0, b->words, 0);
    header(scored, 0, b->words, 0);
    for (uint32_t i = 0; i < n_docs; i++) {
        uint64_t n = doc_tokens(b, order[i]), half = n - n / 2;
        if (n < 2)
            continue;
        docs++;
        expand(b, order[i], tokens);
        bench_shuffle(tokens, n, state);
        observed_pairs += write_pairs(observed, docs, tokens, half);
        scored_pairs += write_pairs(scored, docs, tokens + half, n - half);
    }
    header(observed, docs, b->words, observed_pairs);
    header(scored, docs, b->words, scored_pairs);
    if (fclose(observed) | fclose(scored))
        bench_die("cannot be written", dir);
}

int main(int argc, char **argv)
{
    if (argc != 5 && argc != 6) {
        fprintf(stderr, "usage: split IN.uci DIR SEED SHARE [DOCS]\n");
        return 2;
    }
    bag b = bag_read(argv[1]);
    uint64_t state = strtoull(argv[3], NULL, 10), share = strtoull(argv[4], NULL, 10), longest = 0;
    uint64_t most = argc > 5 ? strtoull(argv[5], NULL, 10) : b.docs;
    uint32_t docs = most < b.docs ? (uint32_t)most : b.docs,
             held = share ? (uint32_t)(docs / share) : 0;
    uint32_t *order = bench_alloc(b.docs, sizeof *order);
    for (uint32_t d = 0; d < b.docs; d++) {
        order[d] = d;
        uint64_t n = doc_tokens(&b, d);
        if (n > longest)
            longest = n;
    }
    uint32_t *tokens = bench_alloc(longest, sizeof *tokens);
    bench_shuffle(order, b.docs, &state);
    if (held)
        write_held_out(&b, argv[2], order, held, tokens, &state);
    write_words(&b, argv[2]);
    write_whole(&b, argv[2], (const char *const[]){"train.uci", "train.txt"}, order + held,
                docs - held, tokens, &state);
    if (held)
        write_whole(&b, argv[2], (const char *const[]){"held.uci", "held.txt"}, order, held, tokens,
                    &state);
    free(order), free(tokens);
    bag_free(&b);
    return 0;
}
