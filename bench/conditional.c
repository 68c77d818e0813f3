/* conditional TRAIN.uci OUT RULE TOPICS ITERATIONS SEED PRIORS [START]: trains LDA by one of six
 * conditionals, for the study in bench/notes/conditional.md. RULE says from which counts a token is
 * removed before its topic is drawn, and when counts change:
 *
 * - esca: from none; all tokens of an iteration are drawn from the counts of the previous one.
 * - d: from D, as the library's leave-one-out does; counts as before.
 * - dwn: from D, W and n; counts as before.
 * - half: as dwn, but each token is drawn with probability 1/2 in an iteration.
 * - dwn-a2: as dwn, but drawn with half of alpha.
 * - gibbs: from D, W and n; counts change with every draw (collapsed Gibbs sampling).
 *
 * PRIORS: fixed (alpha = 50/K, beta = 0.01), or fitted from the counts every tenth iteration from
 * the 20th on. START: keyword (the default) or random. Writes the topics as heldout.c reads them:
 * OUT.last of the last iteration, OUT.mean summed over ten iterations, ten apart, and OUT.alpha.
 * The result does not depend on the number of threads. */
#include <math.h>
#include <string.h>

#include "conditional.h"

typedef enum rule { RULE_ESCA, RULE_D, RULE_DWN, RULE_HALF, RULE_DWN_A2, RULE_GIBBS } rule;

enum { SAMPLES = 10, APART = 10, FIRST_FIT = 20, FIT_EVERY = 10 };

/* ---- tokens and counts ---- */

static state make_state(const bag *b, uint32_t topics, uint64_t seed)
{
    state s = {.docs = b->docs, .words = b->words, .topics = topics, .tokens = b->tokens};
    s.seed = seed;
    s.word_start = bench_alloc((size_t)b->words + 2, sizeof *s.word_start);
    s.doc_start = bench_alloc((size_t)b->docs + 1, sizeof *s.doc_start);
    s.row_start = bench_alloc((size_t)b->docs + 1, sizeof *s.row_start);
    s.row_length = bench_alloc(b->docs, sizeof *s.row_length);
    s.place = bench_alloc(b->tokens, sizeof *s.place);
    s.doc = bench_alloc(b->tokens, sizeof *s.doc);
    s.word = bench_alloc(b->tokens, sizeof *s.word);
    s.topic = bench_alloc(b->tokens, sizeof *s.topic);
    s.row = bench_alloc(b->tokens, sizeof *s.row);
    s.W = bench_alloc((size_t)b->words * topics, sizeof *s.W);
    s.n = bench_alloc(topics, sizeof *s.n);
    s.alpha = bench_alloc(topics, sizeof *s.alpha);
    for (uint64_t i = 0; i < b->pairs; i++)
        s.word_start[b->word[i] + 2] += b->count[i];
    for (uint32_t v = 0; v < b->words; v++)
        s.word_start[v + 2] += s.word_start[v + 1];
    uint64_t at = 0;
    for (uint32_t d = 0; d < b->docs; d++) {
        s.doc_start[d] = s.row_start[d] = at;
        for (uint64_t i = b->start[d]; i < b->start[d + 1]; i++)
            for (uint32_t c = 0; c < b->count[i]; c++) {
                uint64_t place = s.word_start[b->word[i] + 1]++;
                s.doc[place] = d, s.word[place] = b->word[i], s.place[at++] = place;
            }
    }
    s.doc_start[b->docs] = s.row_start[b->docs] = at;
    return s;
}

static void free_state(state *s)
{
    free(s->word_start), free(s->doc_start), free(s->row_start), free(s->row_length);
    free(s->place), free(s->doc), free(s->word), free(s->topic), free(s->row);
    free(s->W), free(s->n), free(s->alpha);
}

static void count_words(state *s)
{
    memset(s->W, 0, (size_t)s->words * s->topics * sizeof *s->W);
    memset(s->n, 0, s->topics * sizeof *s->n);
    for (uint64_t i = 0; i < s->tokens; i++)
        s->W[(size_t)s->word[i] * s->topics + s->topic[i]]++, s->n[s->topic[i]]++;
}

static void make_rows(state *s)
{
#pragma omp parallel
    {
        uint32_t *slot = bench_alloc(s->topics, sizeof *slot); /* entry of a topic, from 1 */
#pragma omp for schedule(dynamic, 64)
        for (uint32_t d = 0; d < s->docs; d++) {
            entry *row = s->row + s->row_start[d];
            uint32_t n = 0;
            for (uint64_t i = s->doc_start[d]; i < s->doc_start[d + 1]; i++) {
                uint32_t k = s->topic[s->place[i]];
                if (!slot[k])
                    row[n] = (entry){.topic = k}, slot[k] = ++n;
                row[slot[k] - 1].count++;
            }
            for (uint32_t i = 0; i < n; i++)
                slot[row[i].topic] = 0;
            s->row_length[d] = n;
        }
        free(slot);
    }
}

/* ---- the start ---- */

/* Documents with each word. */
static uint32_t *document_frequency(const state *s)
{
    uint32_t *docs = bench_alloc(s->words, sizeof *docs);
    for (uint64_t i = 0; i < s->tokens; i++)
        if (i == s->word_start[s->word[i]] || s->doc[i] != s->doc[i - 1])
            docs[s->word[i]]++;
    return docs;
}

/* The first n words of a document by falling salience; returns how many there are. */
static uint32_t keywords(const state *s, uint32_t d, const uint32_t *docs, uint32_t *key,
                         double *salience, uint32_t most)
{
    uint32_t n = 0;
    for (uint64_t i = s->doc_start[d], j; i < s->doc_start[d + 1]; i = j) {
        uint32_t v = s->word[s->place[i]], at;
        for (j = i + 1; j < s->doc_start[d + 1] && s->word[s->place[j]] == v;)
            j++;
        double x = (double)(j - i) * log((double)s->docs / docs[v]);
        for (at = n; at > 0 && salience[at - 1] < x; at--)
            if (at < most)
                key[at] = key[at - 1], salience[at] = salience[at - 1];
        if (at < most)
            key[at] = v, salience[at] = x, n += n < most;
    }
    return n;
}

static void start_keyword(state *s)
{
    uint32_t *docs = document_frequency(s);
    for (uint32_t d = 0; d < s->docs; d++) {
        uint64_t length = s->doc_start[d + 1] - s->doc_start[d];
        uint32_t most = (uint32_t)((length + 255) / 256), key[4096];
        double salience[4096];
        if (s->docs / s->topics < 4 && most < 32)
            most = length > 512 ? 32 : (uint32_t)((length + 15) / 16);
        most = keywords(s, d, docs, key, salience, most < 4096 ? most : 4096);
        for (uint64_t i = s->doc_start[d]; i < s->doc_start[d + 1]; i++) {
            uint32_t v = key[(uint32_t)(uniform(s, 0, s->place[i]) * most)];
            s->topic[s->place[i]] = (uint32_t)(uniform(s, 0, s->tokens + v) * s->topics);
        }
    }
    free(docs);
}

static void start_random(state *s)
{
    for (uint64_t i = 0; i < s->tokens; i++)
        s->topic[i] = (uint32_t)(uniform(s, 0, i) * s->topics);
}

/* ---- synchronous draws ---- */

/* A word's weights f[k] = (W + beta) / (n + V*beta), and q[k], the sum of alpha*f up to k. */
static void weigh(const state *s, uint32_t v, const double *rate, double *f, double *q)
{
    double sum = 0;
    for (uint32_t k = 0; k < s->topics; k++) {
        f[k] = (s->W[(size_t)v * s->topics + k] + s->beta) * rate[k];
        q[k] = sum += s->alpha[k] * f[k];
    }
}

static uint32_t search(const double *q, uint32_t from, uint32_t to, double x)
{
    while (from < to) {
        uint32_t middle = (from + to) / 2;
        if (q[middle] > x)
            to = middle;
        else
            from = middle + 1;
    }
    return from;
}

/* What one token's draw depends on besides its word's weights: its own topic o weighs `own`, and o
 * has `removed` tokens less in the document's row of D. */
typedef struct token {
    const entry *row;
    uint32_t length, o, removed;
    double own;
} token;

static double in_row(const token *t, uint32_t i, const double *f)
{
    entry e = t->row[i];
    return e.topic == t->o ? (e.count - t->removed) * t->own : e.count * f[e.topic];
}

static uint32_t draw(const state *s, const token *t, const double *f, const double *q, double u)
{
    uint32_t o = t->o, i = 0;
    double sum = 0, change = s->alpha[o] * (t->own - f[o]);
    for (i = 0; i < t->length; i++)
        sum += in_row(t, i, f);
    double x = u * (sum + q[s->topics - 1] + change);
    if (x < sum) {
        for (i = 0; i + 1 < t->length && (x -= in_row(t, i, f)) >= 0;)
            i++;
        return t->row[i].topic;
    }
    x -= sum;
    if (o && x < q[o - 1])
        return search(q, 0, o - 1, x);
    if (x < q[o] + change || o + 1 == s->topics)
        return o;
    return search(q, o + 1, s->topics - 1, x - change);
}

static token make_token(const state *s, rule r, uint64_t i, double f)
{
    uint32_t d = s->doc[i], o = s->topic[i];
    token t = {s->row + s->row_start[d], s->row_length[d], o, r != RULE_ESCA, f};
    if (r >= RULE_DWN)
        t.own = (s->W[(size_t)s->word[i] * s->topics + o] - 1 + s->beta) /
                ((double)s->n[o] - 1 + s->words * s->beta);
    return t;
}

static void iterate(state *s, rule r, uint64_t iteration)
{
    double *rate = bench_alloc(s->topics, sizeof *rate);
    for (uint32_t k = 0; r == RULE_DWN_A2 && k < s->topics; k++)
        s->alpha[k] /= 2;
    for (uint32_t k = 0; k < s->topics; k++)
        rate[k] = 1 / ((double)s->n[k] + s->words * s->beta);
    make_rows(s);
#pragma omp parallel
    {
        double *f = bench_alloc(s->topics, sizeof *f), *q = bench_alloc(s->topics, sizeof *q);
#pragma omp for schedule(dynamic, 16)
        for (uint32_t v = 0; v < s->words; v++) {
            if (s->word_start[v] == s->word_start[v + 1])
                continue;
            weigh(s, v, rate, f, q);
            for (uint64_t i = s->word_start[v]; i < s->word_start[v + 1]; i++) {
                if (r == RULE_HALF && uniform(s, iteration, s->tokens + i) < 0.5)
                    continue;
                token one = make_token(s, r, i, f[s->topic[i]]);
                s->topic[i] = draw(s, &one, f, q, uniform(s, iteration, i));
            }
        }
        free(f), free(q);
    }
    for (uint32_t k = 0; r == RULE_DWN_A2 && k < s->topics; k++)
        s->alpha[k] *= 2;
    free(rate);
    count_words(s);
}

/* ---- the run ---- */

static void set_priors(state *s, int fitted)
{
    double sum = fitted ? (double)s->tokens / s->docs / 10 : 50;
    for (uint32_t k = 0; k < s->topics; k++)
        s->alpha[k] = sum / s->topics;
    s->beta = 0.01;
}

static FILE *create(const char *out, const char *ending)
{
    char path[4096];
    snprintf(path, sizeof path, "%s.%s", out, ending);
    FILE *f = fopen(path, "w");
    if (!f)
        bench_die("cannot be written", path);
    return f;
}

static void write_counts(const state *s, const uint32_t *W, double beta, const char *out,
                         const char *ending)
{
    FILE *f = create(out, ending);
    fprintf(f, "%u %u %.9g\n", s->words, s->topics, beta);
    for (uint32_t v = 0; v < s->words; v++) {
        for (uint32_t k = 0; k < s->topics; k++)
            if (W[(size_t)v * s->topics + k])
                fprintf(f, "%u:%u ", k, W[(size_t)v * s->topics + k]);
        putc('\n', f);
    }
    if (fclose(f))
        bench_die("cannot be written", out);
}

static void write_all(const state *s, const uint32_t *sum, double beta, const char *out)
{
    write_counts(s, s->W, s->beta, out, "last");
    write_counts(s, sum, beta, out, "mean");
    FILE *f = create(out, "alpha");
    double total = 0;
    for (uint32_t k = 0; k < s->topics; k++) {
        fprintf(f, "%.9g\n", s->alpha[k]);
        total += s->alpha[k];
    }
    if (fclose(f))
        bench_die("cannot be written", out);
    printf("%.6g %.6g\n", total, s->beta);
}

static void train(state *s, rule r, uint64_t iterations, int fitted, const char *out)
{
    uint32_t *sum = bench_alloc((size_t)s->words * s->topics, sizeof *sum);
    double beta = 0;
    count_words(s);
    for (uint64_t i = 1; i <= iterations; i++) {
        if (r == RULE_GIBBS)
            iterate_gibbs(s, i);
        else
            iterate(s, r, i);
        if (fitted && i >= FIRST_FIT && i % FIT_EVERY == 0)
            make_rows(s), fit_priors(s);
        if ((iterations - i) % APART == 0 && (iterations - i) / APART < SAMPLES) {
            for (size_t j = 0; j < (size_t)s->words * s->topics; j++)
                sum[j] += s->W[j];
            beta += s->beta;
        }
    }
    write_all(s, sum, beta, out);
    free(sum);
}

static int which(const char *text, const char *const *names)
{
    for (int i = 0; names[i]; i++)
        if (!strcmp(text, names[i]))
            return i;
    bench_die("is not one of the names that the program's first comment lists", text);
}

int main(int argc, char **argv)
{
    static const char *const rules[] = {"esca", "d", "dwn", "half", "dwn-a2", "gibbs", NULL},
                             *const priors[] = {"fixed", "fitted", NULL},
                             *const starts[] = {"keyword", "random", NULL};
    if (argc < 8 || argc > 9) {
        fprintf(stderr, "usage: conditional TRAIN.uci OUT RULE TOPICS ITERATIONS SEED PRIORS "
                        "[START]\n");
        return 2;
    }
    bag b = bag_read(argv[1]);
    uint64_t topics = strtoull(argv[4], NULL, 10);
    if (!topics || topics > 65536 || !b.docs)
        bench_die("expected 1 to 65536 topics, and documents", argv[4]);
    state s = make_state(&b, (uint32_t)topics, strtoull(argv[6], NULL, 10));
    int fitted = which(argv[7], priors);
    bag_free(&b);
    set_priors(&s, fitted);
    if (argc > 8 && which(argv[8], starts))
        start_random(&s);
    else
        start_keyword(&s);
    train(&s, (rule)which(argv[3], rules), strtoull(argv[5], NULL, 10), fitted, argv[2]);
    free_state(&s);
    return 0;
}
