/* Collapsed Gibbs sampling, the exact sampler that the study of conditionals compares with: tokens
 * are drawn one after the other, and every draw sees the counts that the previous one left. */
#include "conditional.h"

/* Topics of each word with their counts, unordered; the list of word v begins at word_start[v]. */
typedef struct lists {
    entry *list;
    uint32_t *length;
} lists;

/* The document at hand: its counts, factor[k] = (D + alpha) / (n + V*beta), and their sum. */
typedef struct document {
    uint32_t *D;
    double *factor, sum;
} document;

static lists make_lists(const state *s)
{
    lists l = {bench_alloc(s->tokens, sizeof *l.list), bench_alloc(s->words, sizeof *l.length)};
    for (uint32_t v = 0; v < s->words; v++)
        for (uint32_t k = 0; k < s->topics; k++) {
            uint32_t count = s->W[(size_t)v * s->topics + k];
            if (count)
                l.list[s->word_start[v] + l.length[v]++] = (entry){k, count};
        }
    return l;
}

static void refresh(const state *s, document *d, uint32_t k)
{
    double now = (d->D[k] + s->alpha[k]) / ((double)s->n[k] + s->words * s->beta);
    d->sum += now - d->factor[k];
    d->factor[k] = now;
}

/* Adds a token to the counts (by = 1) or removes it (by = -1). */
static void count(state *s, lists *l, document *d, uint32_t v, uint32_t k, int by)
{
    entry *list = l->list + s->word_start[v];
    uint32_t i = 0, *n = &l->length[v];
    while (i < *n && list[i].topic != k)
        i++;
    if (i == *n)
        list[(*n)++] = (entry){.topic = k};
    list[i].count += (uint32_t)by;
    if (!list[i].count)
        list[i] = list[--*n];
    s->W[(size_t)v * s->topics + k] += (uint32_t)by;
    s->n[k] += (uint64_t)(int64_t)by;
    d->D[k] += (uint32_t)by;
    refresh(s, d, k);
}

static uint32_t draw(const state *s, const lists *l, const document *d, uint32_t v, double u)
{
    const entry *list = l->list + s->word_start[v];
    double sum = 0;
    uint32_t i, k = 0, n = l->length[v];
    for (i = 0; i < n; i++)
        sum += list[i].count * d->factor[list[i].topic];
    double x = u * (sum + s->beta * d->sum);
    if (x < sum) {
        for (i = 0; i + 1 < n && (x -= list[i].count * d->factor[list[i].topic]) >= 0;)
            i++;
        return list[i].topic;
    }
    for (x = (x - sum) / s->beta; k + 1 < s->topics && (x -= d->factor[k]) >= 0;)
        k++;
    return k;
}

/* Sums are made from scratch for each document, so that roundings do not add up. */
static void open_document(const state *s, document *d)
{
    d->sum = 0;
    for (uint32_t k = 0; k < s->topics; k++)
        d->factor[k] = 0, refresh(s, d, k);
}

void iterate_gibbs(state *s, uint64_t iteration)
{
    lists l = make_lists(s);
    document d = {bench_alloc(s->topics, sizeof *d.D), bench_alloc(s->topics, sizeof *d.factor), 0};
    for (uint32_t doc = 0; doc < s->docs; doc++) {
        for (uint64_t i = s->doc_start[doc]; i < s->doc_start[doc + 1]; i++)
            d.D[s->topic[s->place[i]]]++;
        open_document(s, &d);
        for (uint64_t i = s->doc_start[doc]; i < s->doc_start[doc + 1]; i++) {
            uint64_t t = s->place[i];
            count(s, &l, &d, s->word[t], s->topic[t], -1);
            s->topic[t] = draw(s, &l, &d, s->word[t], uniform(s, iteration, t));
            count(s, &l, &d, s->word[t], s->topic[t], 1);
        }
        for (uint64_t i = s->doc_start[doc]; i < s->doc_start[doc + 1]; i++)
            d.D[s->topic[s->place[i]]] = 0;
    }
    free(l.list), free(l.length), free(d.D), free(d.factor);
}
