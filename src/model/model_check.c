/* Checks a model's content. Loops run in parallel and keep the first fault by number, so that the
 * message does not depend on the number of threads. */
#include "base/memory.h"
#include "model/model_layout.h"

#include <limits.h>
#include <math.h>
#include <omp.h>
#include <string.h>

typedef unsigned long long ull; /* for messages */

typedef struct checker {
    const ezlda_model *model;
    ezlda_context *context;
    const char *name; /* starts every message */
    ezlda_status bad;
    int threads;
} checker;

#define FAULT(c, format, ...) ez_fail((c)->context, (c)->bad, "%s: " format, (c)->name, __VA_ARGS__)

static ezlda_status check_settings(const checker *c)
{
    const ez_model_meta *meta = c->model->meta;
    const ez_model_run *run = c->model->run;
    if (!(meta->beta > 0) || !isfinite((double)meta->tokens + meta->words * meta->beta))
        return FAULT(c, "beta: expected a finite number above 0, found %g", meta->beta);
    if (meta->estimator > EZLDA_ESCA)
        return FAULT(c, "estimator: expected 0 or 1, found %u", meta->estimator);
    if (!memchr(run->device, 0, sizeof run->device))
        return FAULT(c, "device: expected a string of at most %zu bytes", sizeof run->device - 1);
    if (run->threads > INT_MAX)
        return FAULT(c, "threads: expected at most %d, found %u", INT_MAX, run->threads);
    uint32_t last = 0;
    for (size_t i = 0; i < c->model->llpt_count; i++) {
        uint32_t iteration = c->model->llpt[i].iteration;
        if (iteration < last || iteration > meta->iterations)
            return FAULT(c, "score %zu: expected an iteration from %u to %u, found %u", i, last,
                         meta->iterations, iteration);
        last = iteration;
    }
    return EZLDA_OK;
}

static ezlda_status check_training(const checker *c)
{
    const double *training = c->model->training;
    for (uint32_t i = 0; training && i <= c->model->meta->topics; i++)
        if (!(training[i] > 0) || !isfinite(training[i]))
            return FAULT(c, "prior %u of the run: expected a finite number above 0, found %g", i,
                         training[i]);
    return EZLDA_OK;
}

static ezlda_status check_found(const checker *c)
{
    const ez_model_ensemble *ensemble = c->model->ensemble;
    if (!ensemble)
        return EZLDA_OK;
    if (ensemble->members < 2 || !(ensemble->threshold >= 0 && ensemble->threshold <= 1))
        return FAULT(c, "members: expected 2 or more, and a threshold from 0 to 1, found %u and %g",
                     ensemble->members, ensemble->threshold);
    for (uint32_t k = 0; k < c->model->meta->topics; k++)
        if (c->model->found[k] > ensemble->members)
            return FAULT(c, "topic %u: found in %u of %u members", k, c->model->found[k],
                         ensemble->members);
    return EZLDA_OK;
}

static ezlda_status check_topics(const checker *c, double *alpha_sum)
{
    const ezlda_model *model = c->model;
    uint64_t tokens = 0;
    *alpha_sum = 0;
    for (uint32_t k = 0; k < model->meta->topics; k++) {
        if (!(model->alpha[k] > 0) || !isfinite(model->alpha[k]))
            return FAULT(c, "alpha of topic %u: expected a finite number above 0, found %g", k,
                         model->alpha[k]);
        *alpha_sum += model->alpha[k];
        if (__builtin_add_overflow(tokens, model->topic_tokens[k], &tokens) ||
            tokens > model->meta->tokens)
            return FAULT(c, "topic %u: tokens of the topics up to it are more than all %llu", k,
                         (ull)model->meta->tokens);
    }
    if (!isfinite(*alpha_sum))
        return FAULT(c, "alpha: expected a finite sum, found %g", *alpha_sum);
    if (tokens != model->meta->tokens)
        return FAULT(c, "tokens of the topics: expected %llu in all, found %llu",
                     (ull)model->meta->tokens, (ull)tokens);
    return EZLDA_OK;
}

static ezlda_status check_doc_start(const checker *c)
{
    const uint64_t *start = c->model->doc_start;
    uint64_t docs = c->model->meta->docs, first_bad = UINT64_MAX;
#pragma omp parallel for schedule(static) num_threads(c->threads) reduction(min : first_bad)
    for (uint64_t d = 0; d < docs; d++)
        if (start[d] > start[d + 1] && d < first_bad)
            first_bad = d;
    if (first_bad != UINT64_MAX)
        return FAULT(c, "document %llu: begins at token %llu and ends at %llu", (ull)first_bad,
                     (ull)start[first_bad], (ull)start[first_bad + 1]);
    uint64_t tokens = ez_model_own_tokens(c->model);
    if (start[0] != 0 || start[docs] != tokens)
        return FAULT(c, "documents: expected tokens 0 to %llu, found %llu to %llu", (ull)tokens,
                     (ull)start[0], (ull)start[docs]);
    return EZLDA_OK;
}

/* Each zero byte must have its large count, and each large count its zero byte. */
static ezlda_status check_large(const checker *c, const char *what, const ez_rows *rows)
{
    uint64_t zeros = 0, entries = rows->entries;
#pragma omp parallel for schedule(static) num_threads(c->threads) reduction(+ : zeros)
    for (uint64_t e = 0; e < entries; e++)
        zeros += !rows->count[e];
    if (zeros != rows->n_large)
        return FAULT(c, "counts by %s: %llu are marked as large, %zu large ones are there", what,
                     (ull)zeros, rows->n_large);
    for (size_t i = 0; i < rows->n_large; i++) {
        const ez_large_count *large = &rows->large[i];
        if (large->entry >= entries || (i && large->entry <= large[-1].entry) ||
            rows->count[large->entry])
            return FAULT(
                c,
                "counts by %s: large count %zu is of entry %llu, which is not the next one marked",
                what, i, (ull)large->entry);
        if (large->count <= EZ_SMALL_COUNT_MAX || large->count > UINT32_MAX)
            return FAULT(c, "counts by %s: large count %zu: expected %d to %u, found %llu", what, i,
                         EZ_SMALL_COUNT_MAX + 1, UINT32_MAX, (ull)large->count);
    }
    return EZLDA_OK;
}

/* Adds a row to the sums by topic; false if its offsets or topics are wrong. */
static int add_row(const ez_rows *rows, uint64_t row, uint32_t topics, uint64_t *by_topic,
                   uint64_t *sum)
{
    uint64_t first = rows->start[row], end = rows->start[row + 1];
    uint32_t expected = 0; /* the smallest topic that may follow */
    *sum = 0;
    if (first > end || end > rows->entries)
        return 0;
    for (uint64_t e = first; e < end; e++) {
        uint32_t topic = rows->topic[e], count = ez_rows_count(rows, e);
        if (topic < expected || topic >= topics)
            return 0;
        expected = topic + 1;
        by_topic[topic] += count;
        *sum += count;
    }
    return 1;
}

static ezlda_status row_fault(const checker *c, const char *what, const ez_rows *rows, uint64_t row)
{
    uint64_t first = rows->start[row], end = rows->start[row + 1];
    if (first > end || end > rows->entries)
        return FAULT(c, "%s %llu: its entries begin at %llu and end at %llu of %llu", what,
                     (ull)row, (ull)first, (ull)end, (ull)rows->entries);
    uint32_t topics = c->model->meta->topics, expected = 0;
    uint64_t sum = 0;
    for (uint64_t e = first; e < end; e++) {
        uint32_t topic = rows->topic[e];
        if (topic < expected || topic >= topics)
            return FAULT(c, "%s %llu: expected a topic from %u to %u, found %u", what, (ull)row,
                         expected, topics - 1, topic);
        expected = topic + 1;
        sum += ez_rows_count(rows, e);
    }
    return FAULT(c, "%s %llu: its counts add up to %llu, which is not its length", what, (ull)row,
                 (ull)sum);
}

/* The documents of an updated model have some of a topic's tokens (`some`), else all of them. */
static ezlda_status compare_topics(const checker *c, const char *what, const uint64_t *expected,
                                   const uint64_t *sums, size_t stride, bool some)
{
    for (uint32_t k = 0; k < c->model->meta->topics; k++) {
        uint64_t sum = 0;
        for (int t = 0; t < c->threads; t++)
            sum += sums[(size_t)t * stride + k];
        if (some ? sum > expected[k] : sum != expected[k])
            return FAULT(c, "topic %u: expected %s%llu tokens, found %llu in the rows of the %ss",
                         k, some ? "at most " : "", (ull)expected[k], (ull)sum, what);
    }
    return EZLDA_OK;
}

/* Checks rows of words, whose sums go to row_sums, or rows of D, whose sums must be the lengths
 * given by `offsets`. The other argument is NULL. expected: the sums by topic. */
static ezlda_status check_rows(const checker *c, const char *what, const ez_rows *rows,
                               const uint64_t *expected, uint64_t *row_sums,
                               const uint64_t *offsets)
{
    if (rows->start[0] != 0 || rows->start[rows->rows] != rows->entries)
        return FAULT(c, "rows of the %ss: expected entries 0 to %llu, found %llu to %llu", what,
                     (ull)rows->entries, (ull)rows->start[0], (ull)rows->start[rows->rows]);
    EZ_TRY(check_large(c, what, rows));
    uint32_t topics = c->model->meta->topics;
    size_t stride = ((size_t)topics + 7) / 8 * 8;
    uint64_t first_bad = UINT64_MAX, *sums = NULL;
    EZ_TRY(ez_array_zero(&sums, c->context, ez_product((size_t)c->threads, stride), sizeof *sums,
                         "the sums by topic"));
#pragma omp parallel for schedule(dynamic, 128) num_threads(c->threads) reduction(min : first_bad)
    for (uint64_t r = 0; r < rows->rows; r++) {
        uint64_t sum;
        int good = add_row(rows, r, topics, sums + (size_t)omp_get_thread_num() * stride, &sum);
        if (row_sums)
            row_sums[r] = sum;
        else
            good = good && sum == offsets[r + 1] - offsets[r];
        if (!good && r < first_bad)
            first_bad = r;
    }
    ezlda_status status = first_bad != UINT64_MAX ? row_fault(c, what, rows, first_bad)
                                                  : compare_topics(c, what, expected, sums, stride,
                                                                   !row_sums && c->model->past);
    ez_free(sums);
    return status;
}

/* Whether a document's tokens have the topics that its row counts. `seen` is clear before and
 * after. */
static int tokens_match(const ezlda_model *model, uint64_t doc, uint64_t *seen)
{
    const ez_rows *rows = &model->doc_rows;
    int good = 1;
    for (uint64_t i = model->doc_start[doc]; i < model->doc_start[doc + 1]; i++) {
        if (model->token_topics[i] >= model->meta->topics)
            good = 0;
        else
            seen[model->token_topics[i]]++;
    }
    for (uint64_t e = rows->start[doc]; e < rows->start[doc + 1]; e++)
        good &= seen[rows->topic[e]] == ez_rows_count(rows, e);
    for (uint64_t i = model->doc_start[doc]; i < model->doc_start[doc + 1]; i++)
        if (model->token_topics[i] < model->meta->topics)
            seen[model->token_topics[i]] = 0;
    return good;
}

static ezlda_status check_token_topics(const checker *c)
{
    size_t stride = ((size_t)c->model->meta->topics + 7) / 8 * 8;
    uint64_t docs = c->model->meta->docs, first_bad = UINT64_MAX, *seen = NULL;
    EZ_TRY(ez_array_zero(&seen, c->context, ez_product((size_t)c->threads, stride), sizeof *seen,
                         "the sums by topic"));
#pragma omp parallel for schedule(dynamic, 128) num_threads(c->threads) reduction(min : first_bad)
    for (uint64_t d = 0; d < docs; d++)
        if (!tokens_match(c->model, d, seen + (size_t)omp_get_thread_num() * stride) &&
            d < first_bad)
            first_bad = d;
    ez_free(seen);
    if (first_bad != UINT64_MAX)
        return FAULT(c, "document %llu: the topics of its tokens are not those of its row",
                     (ull)first_bad);
    return EZLDA_OK;
}

static ezlda_status check_strings(const checker *c, const char *what, const ez_column *strings)
{
    uint64_t bad = ez_column_check(strings, c->threads);
    if (bad == strings->n)
        return EZLDA_OK;
    return FAULT(c,
                 "strings of the %ss: expected %llu terminated ones in UTF-8, number %llu is not",
                 what, (ull)strings->n, (ull)bad);
}

/* Each sample has all tokens, so the rows of the sum have `samples` times those of W. */
static ezlda_status check_phi(const checker *c, uint64_t *sums)
{
    const ezlda_model *model = c->model;
    const ez_phi *phi = &model->phi;
    if (phi->rows.start == model->word_rows.start)
        return EZLDA_OK;
    if (phi->samples < 2 || phi->samples > UINT32_MAX / 2)
        return FAULT(c, "samples: expected 2 to %u, found %u", UINT32_MAX / 2, phi->samples);
    EZ_TRY(check_rows(c, "sampled word", &phi->rows, phi->topic_tokens, sums, NULL));
    for (uint32_t v = 0; v < model->meta->words; v++)
        if (sums[v] != model->word_tokens[v] * phi->samples)
            return FAULT(c, "sampled word %u: expected %u times %llu tokens, found %llu", v,
                         phi->samples, (ull)model->word_tokens[v], (ull)sums[v]);
    return EZLDA_OK;
}

static ezlda_status check_samples(const checker *c)
{
    const ezlda_samples *samples = &c->model->samples;
    if (!samples->samples)
        return EZLDA_OK;
    uint64_t groups = ez_sample_groups(samples->docs), n = groups * samples->samples;
    uint64_t first_bad = UINT64_MAX, bytes = samples->rows_bytes;
    double alpha_sum = 0;
    for (uint32_t k = 0; k < samples->topics; k++) {
        if (!(samples->alpha[k] >= 0) || !isfinite(samples->alpha[k]))
            return FAULT(c, "alpha of topic %u in the samples: expected a finite number, found %g",
                         k, samples->alpha[k]);
        alpha_sum += samples->alpha[k];
    }
    if (!(alpha_sum > 0) || !isfinite(alpha_sum))
        return FAULT(c, "alpha in the samples: expected a finite sum above 0, found %g", alpha_sum);
    if (samples->start[0] != 0 || samples->start[n] != bytes)
        return FAULT(c, "samples: expected bytes 0 to %llu, found %llu to %llu", (ull)bytes,
                     (ull)samples->start[0], (ull)samples->start[n]);
#pragma omp parallel for schedule(static) num_threads(c->threads) reduction(min : first_bad)
    for (uint64_t g = 0; g < n; g++)
        if ((samples->start[g] > samples->start[g + 1] || samples->start[g + 1] > bytes ||
             !ez_sample_group_good(samples, g, c->model->doc_start)) &&
            g < first_bad)
            first_bad = g;
    if (first_bad != UINT64_MAX)
        return FAULT(c,
                     "sample %llu: documents %llu to %llu: expected rows of topics that ascend, "
                     "with the documents' tokens",
                     (ull)(first_bad / groups), (ull)(first_bad % groups * EZ_SAMPLE_GROUP),
                     (ull)(first_bad % groups * EZ_SAMPLE_GROUP + EZ_SAMPLE_GROUP - 1));
    return EZLDA_OK;
}

ezlda_status ez_model_check(ezlda_model *model, ezlda_context *context, const char *name,
                            ezlda_status bad)
{
    checker checks = {model, context, name, bad, ez_threads(context)}, *c = &checks;
    EZ_TRY(check_settings(c));
    EZ_TRY(check_training(c));
    EZ_TRY(check_found(c));
    EZ_TRY(check_topics(c, &model->alpha_sum));
    EZ_TRY(check_doc_start(c));
    EZ_TRY(check_rows(c, "word", &model->word_rows, model->topic_tokens, model->word_tokens, NULL));
    EZ_TRY(check_phi(c, model->phi_word_tokens));
    EZ_TRY(
        check_rows(c, "document", &model->doc_rows, model->topic_tokens, NULL, model->doc_start));
    if (model->token_topics)
        EZ_TRY(check_token_topics(c));
    EZ_TRY(check_samples(c));
    EZ_TRY(check_strings(c, "word", &model->words));
    return model->names.index ? check_strings(c, "document", &model->names) : EZLDA_OK;
}
