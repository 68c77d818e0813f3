/* Recommends a number of topics. All rows are scored on the same documents, some of which are
 * harder than others for every model, so rows are compared document by document. */
#include "eval/perplexity.h"
#include "sweep/sweep.h"

#include <math.h>

/* ---- documents of a row ---- */

/* The runs of a row, and their documents as read last. */
typedef struct reader {
    ezlda_context *context;
    ez_read_docs *read;
    void *user;
    uint32_t seeds;
    ez_buffer one;
} reader;

/* Adds a run's documents to those of its row; the first run clears them. */
static ezlda_status add_run(ez_buffer *row, reader *r, const ezlda_sweep_run *run, double share,
                            double unigram_share)
{
    r->one.used = 0;
    EZ_TRY(r->read(&r->one, run, r->user));
    if (!row->used && r->one.used) {
        EZ_TRY(ez_buffer_append(row, r->context, r->one.data, r->one.used));
        ez_doc_score *sum = (ez_doc_score *)(void *)row->data;
        for (size_t d = 0; d < row->used / sizeof *sum; d++)
            sum[d].model = sum[d].unigram = 0;
    }
    ez_doc_score *sum = (ez_doc_score *)(void *)row->data;
    const ez_doc_score *doc = (const ez_doc_score *)(const void *)r->one.data;
    bool same = row->used == r->one.used;
    for (size_t d = 0; same && d < row->used / sizeof *sum; d++) {
        same = sum[d].tokens == doc[d].tokens;
        sum[d].model += share * doc[d].model;
        sum[d].unigram += unigram_share * doc[d].unigram;
    }
    return same ? EZLDA_OK
                : ez_fail(r->context, EZLDA_ERROR_FORMAT,
                          "models of %u topics were scored on different tokens", run->topics);
}

/* A row's perplexity is the mean over its seeds. To first order, its logarithm is the mean of the
 * seeds' logarithms, each weighted by its share of the sum of perplexities. So the documents'
 * log-likelihoods are weighted the same way. */
static ezlda_status read_row(ez_buffer *row, reader *r, const ezlda_sweep_run *runs)
{
    double sum = 0, unigram = 0;
    row->used = 0;
    for (uint32_t i = 0; i < r->seeds; i++) {
        sum += runs[i].completion.perplexity;
        unigram += runs[i].completion.unigram;
    }
    for (uint32_t i = 0; i < r->seeds; i++)
        EZ_TRY(add_run(row, r, &runs[i], runs[i].completion.perplexity / sum,
                       runs[i].completion.unigram / unigram));
    return EZLDA_OK;
}

/* ---- differences ---- */

/* The variance that the choice of seeds adds to a row's log perplexity; 0 for a single seed. */
static double seed_variance(const ezlda_sweep_row *row)
{
    double part = row->spread / row->perplexity;
    return row->runs > 1 ? part * part / row->runs : 0;
}

/* Converts the error of log(a / b) to the unit of a and b, so that a - b is as many errors as the
 * logarithm is. */
static double in_points(double error, double a, double b)
{
    double ratio = log1p((a - b) / b);
    return error * (ratio == 0 ? b : (a - b) / ratio);
}

static ezlda_status compare(ezlda_sweep_row *row, ezlda_context *context, const ez_buffer *docs,
                            const ezlda_sweep_row *best, const ez_buffer *best_docs)
{
    const ez_doc_score *mine = (const ez_doc_score *)(const void *)docs->data;
    const ez_doc_score *its = (const ez_doc_score *)(const void *)best_docs->data;
    size_t n = docs->used / sizeof *mine;
    ez_score_sums differ = {0}, gain = {0};
    bool same = docs->used == best_docs->used;
    for (size_t d = 0; same && d < n; d++) {
        same = mine[d].tokens == its[d].tokens;
        ez_score_add(&differ, mine[d].tokens, its[d].model - mine[d].model);
        ez_score_add(&gain, mine[d].tokens, mine[d].model - mine[d].unigram);
    }
    if (!same)
        return ez_fail(context, EZLDA_ERROR_FORMAT,
                       "models of %u and %u topics were scored on different tokens", row->topics,
                       best->topics);
    double of_docs = ez_ratio_error(&differ), of_gain = ez_ratio_error(&gain);
    double error =
        row == best ? 0 : sqrt(of_docs * of_docs + seed_variance(row) + seed_variance(best));
    row->to_best = row->perplexity - best->perplexity;
    row->to_best_error = in_points(error, row->perplexity, best->perplexity);
    row->to_unigram = row->perplexity - row->unigram;
    row->to_unigram_error =
        in_points(sqrt(of_gain * of_gain + seed_variance(row)), row->perplexity, row->unigram);
    return EZLDA_OK;
}

static ezlda_status compare_rows(ezlda_sweep_scores *scores, reader *r, const ezlda_sweep_row *best)
{
    ez_buffer best_docs = {0}, docs = {0};
    ezlda_status status;
    EZ_TRY_GOTO(
        read_row(&best_docs, r, scores->runs + (size_t)(best - scores->rows) * scores->seeds));
    for (size_t i = 0; i < scores->info.rows; i++) {
        EZ_TRY_GOTO(read_row(&docs, r, scores->runs + i * scores->seeds));
        EZ_TRY_GOTO(compare(&scores->rows[i], r->context, &docs, best, &best_docs));
    }
done:
    ez_free(best_docs.data);
    ez_free(docs.data);
    return status;
}

/* ---- advice ---- */

/* Topics of the row with the largest value (sign -1: the smallest); ties: the first row; 0 if all
 * are NaN. */
static uint32_t best_row(const ezlda_sweep_scores *scores, size_t offset, int sign,
                         const ezlda_sweep_row **row)
{
    double top = NAN;
    *row = NULL;
    for (size_t i = 0; i < scores->info.rows; i++) {
        double value =
            sign * *(const double *)(const void *)((const char *)&scores->rows[i] + offset);
        if (isnan(value) || (*row && value <= top))
            continue;
        top = value;
        *row = &scores->rows[i];
    }
    return *row ? (*row)->topics : 0;
}

ezlda_status ez_sweep_advise(ezlda_sweep_scores *scores, ezlda_context *context, ez_read_docs *read,
                             void *user)
{
    ezlda_sweep_info *info = &scores->info;
    const ezlda_sweep_row *best;
    reader r = {context, read, user, scores->seeds, {0}};
    if (info->runs_done < info->runs || info->rows < 2)
        return EZLDA_OK;
    info->best_npmi = best_row(scores, offsetof(ezlda_sweep_row, npmi), 1, &best);
    info->best_stability = best_row(scores, offsetof(ezlda_sweep_row, stability), 1, &best);
    info->best_perplexity = best_row(scores, offsetof(ezlda_sweep_row, perplexity), -1, &best);
    if (!best)
        return EZLDA_OK;
    ezlda_status status = compare_rows(scores, &r, best);
    ez_free(r.one.data);
    EZ_TRY(status);
    for (size_t i = info->rows; i-- > 0;) {
        const ezlda_sweep_row *row = &scores->rows[i];
        if (row->to_best <= (isnan(row->to_best_error) ? 0 : row->to_best_error))
            info->recommended = row->topics;
    }
    return EZLDA_OK;
}
