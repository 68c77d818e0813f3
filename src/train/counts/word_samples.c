/* Adds up W of the samples of a run. */
#include "train/counts/word_samples.h"

#include "train/counts/count_rows.h"
#include "train/counts/sum_rows.h"

#include <string.h>

/* The tokens for which docs/arithmetic.md proves the exponents of weights. */
static const uint64_t EZ_TOKENS_MAX = (uint64_t)1 << 36;

uint32_t ez_samples_wanted(uint32_t asked, uint32_t iterations, uint64_t tokens, uint64_t frequency)
{
    uint64_t most = iterations / 2 / EZ_SAMPLES_APART + 1;
    if (iterations < EZ_SAMPLES_FROM)
        return 1;
    if (most > EZ_TOKENS_MAX / (tokens ? tokens : 1))
        most = EZ_TOKENS_MAX / (tokens ? tokens : 1);
    if (most > UINT32_MAX / (frequency ? frequency : 1))
        most = UINT32_MAX / (frequency ? frequency : 1);
    return asked < most ? asked : most > 1 ? (uint32_t)most : 1;
}

bool ez_samples_due(const ez_word_samples *s, uint32_t iteration, uint32_t end)
{
    uint32_t left = end - iteration;
    return s->wanted > 1 && iteration <= end && left <= ez_samples_span(s) &&
           left % EZ_SAMPLES_APART == 0;
}

/* Removes the counts of a row of the base from a row of W; returns the entries that are left. */
static uint64_t subtract(uint16_t *topic, uint32_t *count, uint64_t n, const ez_base_counts *base,
                         uint32_t word)
{
    uint64_t left = 0, b = base->start[word], end = base->start[word + 1];
    for (uint64_t i = 0; i < n; i++) { /* topics ascend in both rows */
        uint32_t more = count[i];
        if (b < end && base->topic[b] == topic[i])
            more -= base->count[b++];
        topic[left] = topic[i];
        count[left] = more;
        left += more > 0;
    }
    return left;
}

/* label: the number in the base of each row's word. */
static void remove_base(ez_w_counts *counts, const ez_base_counts *base, const uint32_t *label)
{
    uint64_t at = 0, first = 0;
    for (uint32_t r = 0; r < counts->rows; r++) {
        uint64_t n = counts->start[r + 1] - first;
        memmove(counts->topic + at, counts->topic + first, n * sizeof *counts->topic);
        memmove(counts->count + at, counts->count + first, n * sizeof *counts->count);
        first = counts->start[r + 1];
        at += subtract(counts->topic + at, counts->count + at, n, base, label[r]);
        counts->start[r + 1] = at;
    }
}

/* The first sample is the sum; the others are added to it. */
static ezlda_status add(ez_word_samples *s, ezlda_context *context, ez_w_counts *counts)
{
    ez_count_rows rows = {counts->rows, counts->start, counts->topic, counts->count};
    if (s->taken > 0)
        return ez_add_rows(&s->rows, context, &rows);
    s->rows = rows;
    counts->start = NULL;
    counts->topic = NULL;
    counts->count = NULL;
    return EZLDA_OK;
}

ezlda_status ez_samples_add(ez_word_samples *s, ezlda_context *context, ez_backend *backend,
                            const ez_token_list *tokens, const ez_base_counts *base)
{
    ez_w_counts counts = {0};
    uint32_t *label = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(ez_word_labels(&label, context, tokens));
    EZ_TRY_GOTO(backend->ops->counts(backend, context, label, tokens->words, &counts));
    if (base)
        remove_base(&counts, base, label);
    EZ_TRY_GOTO(add(s, context, &counts));
    s->taken++;
done:
    ez_w_counts_free(&counts);
    ez_free(label);
    return status;
}

void ez_samples_clear(ez_word_samples *s)
{
    ez_free_rows(&s->rows);
    s->taken = 0;
}
