/* heldout COUNTS OBSERVED.uci SCORED.uci ALPHA [em|gibbs] [DOCS]: document-completion perplexity.
 *
 * COUNTS is text: "V K BETA", then one line per word, in order, of topic:count pairs (topics
 * from 0). The topics are phi[k][v] = (count + BETA) / (sum over words + V*BETA). Or COUNTS has the
 * topics themselves: "phi V K" and a newline, then K floats of 32 bits for each word. With phi
 * fixed, theta of each document is inferred from its observed half, and the tokens of its scored
 * half are predicted: perplexity = 2^(-mean log2 sum_k theta_k phi_kv). Every tool's topics go
 * through the same procedure, one of two:
 *
 * - em: theta_k ~ n_k + ALPHA, n the expected counts, by 100 steps of EM from the uniform theta. It
 *   climbs a concave function, so there are neither seeds nor local optima.
 * - gibbs: the mean of theta over sweeps 21 to 60 of collapsed Gibbs sampling. It is slower,
 *   noisier and closer to the posterior mean: a check that the order of the tools does not depend
 *   on the procedure.
 *
 * ALPHA: a number for every topic, or a file with K of them. DOCS: scores only that many documents,
 * the first ones. */
#include <math.h>
#include <string.h>

#include "uci.h"

enum { EM_STEPS = 100, SWEEPS = 60, BURN_IN = 20 };

typedef struct topics {
    uint32_t words, topics;
    float *phi; /* by word: row v holds p(v | k) for all k */
} topics;

static topics read_phi(FILE *f, const char *path)
{
    topics t = {0};
    if (fscanf(f, "phi %u %u", &t.words, &t.topics) != 2 || getc(f) != '\n')
        bench_die("expected phi V K", path);
    size_t n = (size_t)t.words * t.topics;
    t.phi = bench_alloc(n, sizeof *t.phi);
    if (fread(t.phi, sizeof *t.phi, n, f) != n)
        bench_die("ends before the topics its header promises", path);
    fclose(f);
    return t;
}

static topics read_topics(const char *path)
{
    topics t = {0};
    FILE *f = fopen(path, "r");
    double beta;
    if (!f)
        bench_die("cannot be opened", path);
    int first = ungetc(getc(f), f);
    if (first == 'p')
        return read_phi(f, path);
    if (fscanf(f, "%u %u %lf", &t.words, &t.topics, &beta) != 3)
        bench_die("expected V K BETA", path);
    size_t K = t.topics;
    t.phi = bench_alloc((size_t)t.words * K, sizeof *t.phi);
    double *n = bench_alloc(K, sizeof *n);
    while (getc_unlocked(f) != '\n')
        continue;
    for (size_t v = 0; v < t.words; v++) {
        for (int c; (c = getc_unlocked(f)) != '\n';) {
            uint64_t k, count;
            if (c == ' ' || c == '\t' || c == '\r')
                continue;
            ungetc(c, f);
            if (!bench_number(f, &k) || k >= K || getc_unlocked(f) != ':' ||
                !bench_number(f, &count))
                bench_die("expected topic:count", path);
            t.phi[v * K + k] = (float)count, n[k] += (double)count;
        }
    }
    for (size_t k = 0; k < K; k++)
        n[k] = 1 / (n[k] + beta * t.words);
    for (size_t v = 0; v < t.words; v++)
        for (size_t k = 0; k < K; k++)
            t.phi[v * K + k] = (float)((t.phi[v * K + k] + beta) * n[k]);
    free(n);
    fclose(f);
    return t;
}

static float *read_alpha(const char *text, size_t n)
{
    char *end;
    float *alpha = bench_alloc(n, sizeof *alpha), same = strtof(text, &end);
    FILE *f = *end ? fopen(text, "r") : NULL;
    if (*end && !f)
        bench_die("neither a number nor a file that can be opened", text);
    for (size_t k = 0; k < n; k++) {
        if (!f)
            alpha[k] = same;
        else if (fscanf(f, "%f", &alpha[k]) != 1)
            bench_die("expected a number for each topic", text);
    }
    if (f)
        fclose(f);
    return alpha;
}

static float dot(const float *a, const float *b, size_t n)
{
    float s = 0;
#pragma omp simd reduction(+ : s)
    for (size_t k = 0; k < n; k++)
        s += a[k] * b[k];
    return s;
}

static void em(const topics *t, const bag *b, uint32_t d, const float *alpha, float *theta,
               float *next)
{
    size_t K = t->topics;
    for (size_t k = 0; k < K; k++)
        theta[k] = 1;
    for (int step = 0; step < EM_STEPS; step++) {
        memset(next, 0, K * sizeof *next);
        for (uint64_t i = b->start[d]; i < b->start[d + 1]; i++) {
            const float *row = t->phi + b->word[i] * K;
            float share = (float)b->count[i] / dot(theta, row, K);
#pragma omp simd
            for (size_t k = 0; k < K; k++)
                next[k] += share * row[k];
        }
        for (size_t k = 0; k < K; k++)
            theta[k] = theta[k] * next[k] + alpha[k];
    }
}

static uint32_t draw(const float *n, const float *row, float *sums, size_t K, uint64_t *state)
{
    float s = 0;
    for (size_t k = 0; k < K; k++)
        sums[k] = s += n[k] * row[k];
    float x = (float)((double)(bench_random(state) >> 11) * 0x1p-53 * (double)s);
    uint32_t k = 0;
    while (k + 1 < K && sums[k] <= x)
        k++;
    return k;
}

/* n holds counts + alpha throughout. */
static void gibbs(const topics *t, const bag *b, uint32_t d, const float *alpha, float *theta,
                  float *sums)
{
    size_t K = t->topics, at = 0;
    uint64_t state = 0x5EED + d, len = 0;
    for (uint64_t i = b->start[d]; i < b->start[d + 1]; i++)
        len += b->count[i];
    uint32_t *z = bench_alloc(len, sizeof *z);
    float *n = bench_alloc(K, sizeof *n);
    for (size_t k = 0; k < K; k++)
        n[k] = alpha[k], theta[k] = 0;
    for (int sweep = 0; sweep < SWEEPS; sweep++, at = 0) {
        for (uint64_t i = b->start[d]; i < b->start[d + 1]; i++) {
            for (uint32_t c = 0; c < b->count[i]; c++, at++) {
                if (sweep)
                    n[z[at]] -= 1;
                z[at] = draw(n, t->phi + b->word[i] * K, sums, K, &state);
                n[z[at]] += 1;
            }
        }
        if (sweep >= BURN_IN)
            for (size_t k = 0; k < K; k++)
                theta[k] += n[k];
    }
    free(z), free(n);
}

int main(int argc, char **argv)
{
    if (argc < 5 || argc > 7) {
        fprintf(stderr, "usage: heldout COUNTS OBSERVED.uci SCORED.uci ALPHA [em|gibbs] [DOCS]\n");
        return 2;
    }
    topics t = read_topics(argv[1]);
    bag observed = bag_read(argv[2]), scored = bag_read(argv[3]);
    float *alpha = read_alpha(argv[4], t.topics);
    int sampling = argc > 5 && !strcmp(argv[5], "gibbs");
    uint32_t docs = observed.docs;
    if (argc > 6 && strtoull(argv[6], NULL, 10) < docs)
        docs = (uint32_t)strtoull(argv[6], NULL, 10);
    if (observed.docs != scored.docs || observed.words != t.words || scored.words != t.words)
        bench_die("documents or words do not match the other files", argv[1]);
    double sum = 0;
    uint64_t tokens = 0;
#pragma omp parallel reduction(+ : sum, tokens)
    {
        float *theta = bench_alloc(t.topics, sizeof *theta),
              *work = bench_alloc(t.topics, sizeof *work);
#pragma omp for schedule(dynamic, 8)
        for (uint32_t d = 0; d < docs; d++) {
            double total = 0;
            (sampling ? gibbs : em)(&t, &observed, d, alpha, theta, work);
            for (size_t k = 0; k < t.topics; k++)
                total += (double)theta[k];
            for (uint64_t i = scored.start[d]; i < scored.start[d + 1]; i++) {
                double p =
                    (double)dot(theta, t.phi + (size_t)scored.word[i] * t.topics, t.topics) / total;
                sum += scored.count[i] * log2(p);
                tokens += scored.count[i];
            }
        }
        free(theta), free(work);
    }
    printf("%.3f\n", exp2(-sum / (double)tokens));
    free(t.phi), free(alpha);
    bag_free(&observed), bag_free(&scored);
    return 0;
}
