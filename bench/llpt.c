/* llpt Z V K ALPHA BETA: log2-likelihood per token, as the ezLDA paper defines it, from the topic
 * of every token.
 *
 * Z is text, one document per line: the number of tokens, then word:topic pairs, both from 0 ("3
 * 17:4 17:9 2:4"): what WarpLDA writes and what the benchmark makes of other tools' states. Words
 * may be numbered in any way: only V matters. */
#include <math.h>
#include <string.h>

#include "uci.h"

typedef struct assignments {
    uint64_t docs, tokens, room, doc_room;
    uint32_t *word, *topic;
    uint64_t *start;
} assignments;

static void add_token(assignments *z, uint64_t word, uint64_t topic)
{
    if (z->tokens == z->room) {
        z->room = z->room ? 2 * z->room : 1 << 20;
        z->word = realloc(z->word, z->room * sizeof *z->word);
        z->topic = realloc(z->topic, z->room * sizeof *z->topic);
        if (!z->word || !z->topic)
            bench_die("out of memory", "realloc");
    }
    z->word[z->tokens] = (uint32_t)word, z->topic[z->tokens++] = (uint32_t)topic;
}

static void end_doc(assignments *z)
{
    if (z->docs + 2 > z->doc_room) {
        z->doc_room = z->doc_room ? 2 * z->doc_room : 1 << 16;
        z->start = realloc(z->start, z->doc_room * sizeof *z->start);
        if (!z->start)
            bench_die("out of memory", "realloc");
        z->start[0] = 0;
    }
    z->start[++z->docs] = z->tokens;
}

static assignments read_z(const char *path, uint64_t words, uint64_t topics)
{
    assignments z = {0};
    FILE *f = strcmp(path, "-") ? fopen(path, "r") : stdin;
    uint64_t n, word, topic;
    if (!f)
        bench_die("cannot be opened", path);
    while (bench_number(f, &n)) {
        for (uint64_t i = 0; i < n; i++) {
            if (!bench_number(f, &word) || getc_unlocked(f) != ':' || !bench_number(f, &topic))
                bench_die("expected word:topic", path);
            if (word >= words || topic >= topics)
                bench_die("a word or topic out of range", path);
            add_token(&z, word, topic);
        }
        end_doc(&z);
    }
    if (!z.tokens)
        bench_die("holds no token", path);
    return z;
}

/* Tokens by word, so that one word's row of What is dense at a time. */
static uint64_t *by_word(const assignments *z, uint64_t words, uint32_t *doc)
{
    uint64_t *at = bench_alloc(words + 2, sizeof *at);
    for (uint64_t i = 0; i < z->tokens; i++)
        at[z->word[i] + 2]++;
    for (uint64_t v = 1; v <= words; v++)
        at[v + 1] += at[v];
    for (uint64_t d = 0; d < z->docs; d++)
        for (uint64_t i = z->start[d]; i < z->start[d + 1]; i++)
            doc[at[z->word[i] + 1]++] = (uint32_t)d;
    return at;
}

static double score(const assignments *z, uint64_t words, uint64_t topics, double alpha,
                    double beta)
{
    double sum = 0, k_alpha = alpha * (double)topics, *r = bench_alloc(topics, sizeof *r);
    uint32_t *doc = bench_alloc(z->tokens, sizeof *doc);
    uint64_t *w_start = by_word(z, words, doc), *fill = bench_alloc(words + 1, sizeof *fill);
    uint32_t *w_topic = bench_alloc(z->tokens, sizeof *w_topic);
    for (uint64_t i = 0; i < z->tokens; i++) {
        w_topic[w_start[z->word[i]] + fill[z->word[i]]++] = z->topic[i];
        r[z->topic[i]] += 1;
    }
    for (uint64_t k = 0; k < topics; k++)
        r[k] = 1 / (r[k] + beta * (double)words);
#pragma omp parallel reduction(+ : sum)
    {
        double *row = bench_alloc(topics, sizeof *row);
#pragma omp for schedule(dynamic, 16)
        for (uint64_t v = 0; v < words; v++) {
            double smooth = 0;
            for (uint64_t k = 0; k < topics; k++)
                row[k] = beta;
            for (uint64_t i = w_start[v]; i < w_start[v + 1]; i++)
                row[w_topic[i]] += 1;
            for (uint64_t k = 0; k < topics; k++)
                smooth += alpha * (row[k] *= r[k]);
            for (uint64_t i = w_start[v]; i < w_start[v + 1]; i++) {
                uint64_t from = z->start[doc[i]], to = z->start[doc[i] + 1];
                double p = smooth;
                for (uint64_t j = from; j < to; j++)
                    p += row[z->topic[j]];
                sum += log2(p / ((double)(to - from) + k_alpha));
            }
        }
        free(row);
    }
    free(r), free(doc), free(w_start), free(fill), free(w_topic);
    return sum / (double)z->tokens;
}

int main(int argc, char **argv)
{
    if (argc != 6) {
        fprintf(stderr, "usage: llpt Z V K ALPHA BETA\n");
        return 2;
    }
    uint64_t words = strtoull(argv[2], NULL, 10), topics = strtoull(argv[3], NULL, 10);
    assignments z = read_z(argv[1], words, topics);
    printf("%.6f\n", score(&z, words, topics, strtod(argv[4], NULL), strtod(argv[5], NULL)));
    free(z.word), free(z.topic), free(z.start);
    return 0;
}
