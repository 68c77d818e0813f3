/* Minka's fixed-point steps for the priors of the study of conditionals, from the counts of one
 * sample. They are the same for every conditional, so that a comparison shows the conditional. */
#include <math.h>

#include "conditional.h"

enum { STEPS = 5, TABLE = 64 };

static double digamma(double x)
{
    double shift = 0;
    for (; x < 10; x++)
        shift -= 1 / x;
    double y = 1 / (x * x);
    return shift + log(x) - 0.5 / x - y * (1.0 / 12 - y * (1.0 / 120 - y / 252));
}

/* table[c] = digamma(c + x) - digamma(x) for small c. */
static void tabulate(double *table, double x)
{
    table[0] = 0;
    for (int c = 1; c < TABLE; c++)
        table[c] = table[c - 1] + 1 / (x + c - 1);
}

static double rise(const double *table, double x, uint64_t count)
{
    return count < TABLE ? table[count] : digamma((double)count + x) - digamma(x);
}

static double keep(double x)
{
    return x < 1e-6 ? 1e-6 : x > 100 ? 100 : x;
}

static void step_alpha(state *s, double *table, double *sum)
{
    double total = 0, lengths = 0;
    for (uint32_t k = 0; k < s->topics; k++) {
        tabulate(table + (size_t)k * TABLE, s->alpha[k]);
        total += s->alpha[k], sum[k] = 0;
    }
    for (uint32_t d = 0; d < s->docs; d++) {
        lengths += digamma((double)(s->doc_start[d + 1] - s->doc_start[d]) + total);
        for (uint32_t i = 0; i < s->row_length[d]; i++) {
            entry e = s->row[s->row_start[d] + i];
            sum[e.topic] += rise(table + (size_t)e.topic * TABLE, s->alpha[e.topic], e.count);
        }
    }
    lengths -= s->docs * digamma(total);
    for (uint32_t k = 0; k < s->topics; k++)
        s->alpha[k] = keep(s->alpha[k] * sum[k] / lengths);
}

static void step_beta(state *s, double *table)
{
    double up = 0, down = 0, all = s->words * s->beta;
    tabulate(table, s->beta);
    for (size_t i = 0; i < (size_t)s->words * s->topics; i++)
        if (s->W[i])
            up += rise(table, s->beta, s->W[i]);
    for (uint32_t k = 0; k < s->topics; k++)
        down += digamma((double)s->n[k] + all) - digamma(all);
    s->beta = keep(s->beta * up / (s->words * down));
}

void fit_priors(state *s)
{
    double *table = bench_alloc((size_t)s->topics * TABLE, sizeof *table);
    double *sum = bench_alloc(s->topics, sizeof *sum);
    for (int i = 0; i < STEPS; i++)
        step_alpha(s, table, sum), step_beta(s, table);
    free(table), free(sum);
}
