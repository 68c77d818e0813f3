/* Decays a model's counts, hands them to a run as base counts, and adds them to its result. */
#include "train/update/past.h"

#include "base/files/content_hash.h"
#include "model/edits/edit_text.h"
#include "model/word_map.h"
#include "sampler/arithmetic.h"
#include "train/counts/sum_rows.h"

#include <string.h>

/* Decay in fixed point. */
enum { EZ_DECAY_BITS = 32 };

/* The tokens for which docs/arithmetic.md proves the exponents of weights. */
static const uint64_t EZ_PAST_TOKENS_MAX = (uint64_t)1 << 36;

void ez_past_free(ez_past *past)
{
    ez_free(past->left);
    ez_free(past->from);
    ez_free_rows(&past->rows);
    ez_free(past->base_start);
    ez_free(past->base_topic);
    ez_free(past->base_count);
}

ezlda_status ez_past_forget(ez_past *past, ezlda_context *context, const ezlda_model *model,
                            double decay, uint64_t seed)
{
    const ez_model_meta *meta = model->meta;
    uint64_t factor = (uint64_t)(decay * (double)((uint64_t)1 << EZ_DECAY_BITS) + 0.5);
    past->model = model;
    past->facts.updates = (model->past ? model->past->updates : 0) + 1;
    past->facts.docs = (model->past ? model->past->docs : 0) + meta->docs;
    past->draws = ez_iteration_key(ez_mix(seed), past->facts.updates);
    uint64_t parts[3] = {ez_model_hash(model), factor, seed};
    past->key = ez_hash_bytes(parts, sizeof parts);
    if (past->facts.updates == 0)
        return ez_fail(context, EZLDA_ERROR_UNSUPPORTED, "more than %u updates of one model",
                       UINT32_MAX);
    EZ_TRY(ez_array(&past->left, context, meta->words, sizeof *past->left, "the past"));
    for (uint32_t v = 0; v < meta->words; v++) {
        uint64_t u = ez_draw(ez_word_key(past->draws, v), 0, 0) >> EZ_DECAY_BITS;
        past->left[v] = (model->word_tokens[v] * factor + u) >> EZ_DECAY_BITS;
        past->facts.tokens += past->left[v];
    }
    return EZLDA_OK;
}

/* A row of `sum` tokens becomes one of `target`: the first i entries together become
 * (their tokens * target + r) / sum, rounded down, with r from [0, sum). The row then has `target`
 * tokens, each entry its share, rounded up or down at random. Returns the entries that are left;
 * topic and count may be NULL. */
static uint64_t scale_row(const ez_rows *rows, uint64_t row, uint64_t sum, uint64_t target,
                          uint64_t u, uint16_t *topic, uint32_t *count)
{
    __extension__ typedef unsigned __int128 wide;
    uint64_t through = 0, before = 0, n = 0, r = ez_mulhi(u, sum);
    for (uint64_t e = rows->start[row]; e < rows->start[row + 1] && target > 0; e++) {
        through += ez_rows_count(rows, e);
        uint64_t now = (uint64_t)(((wide)through * target + r) / sum);
        if (now == before)
            continue;
        if (topic) {
            topic[n] = rows->topic[e];
            count[n] = (uint32_t)(now - before);
        }
        before = now;
        n++;
    }
    return n;
}

/* What is left of rows of the model that have `samples` times the tokens of W; the result has
 * `wanted` times those that are left. */
static ezlda_status scale_rows(ez_count_rows *out, ezlda_context *context, const ez_past *past,
                               const ez_rows *rows, uint64_t samples, uint64_t wanted)
{
    const uint64_t *tokens = past->model->word_tokens;
    out->rows = past->words;
    EZ_TRY(ez_array(&out->start, context, (size_t)past->words + 1, sizeof *out->start, "the past"));
    for (int fill = 0; fill < 2; fill++) {
#pragma omp parallel for schedule(dynamic, 256) num_threads(ez_threads(context))
        for (uint32_t i = 0; i < past->words; i++) {
            uint32_t v = past->from[i];
            uint64_t n = 0;
            if (v != EZ_NO_WORD)
                n = scale_row(rows, v, tokens[v] * samples, past->left[v] * wanted,
                              ez_draw(ez_word_key(past->draws, v), 1, 0),
                              fill ? out->topic + out->start[i] : NULL,
                              fill ? out->count + out->start[i] : NULL);
            if (!fill)
                out->start[i + 1] = n;
        }
        if (fill)
            break;
        out->start[0] = 0;
        for (uint32_t i = 0; i < past->words; i++)
            out->start[i + 1] += out->start[i];
        uint64_t entries = out->start[past->words];
        EZ_TRY(ez_array(&out->topic, context, entries, sizeof *out->topic, "the past"));
        EZ_TRY(ez_array(&out->count, context, entries, sizeof *out->count, "the past"));
    }
    return EZLDA_OK;
}

ezlda_status ez_past_rows(ez_past *past, ezlda_context *context)
{
    return scale_rows(&past->rows, context, past, &past->model->word_rows, 1, 1);
}

/* Whether the row of a relabelled word is used as it is. */
static bool is_used(const ez_past *past, const ez_token_list *tokens, uint32_t v)
{
    return past->whole_rows || ez_word_frequency(tokens, v) > 0;
}

/* Copies the row of relabelled word v; returns its entries. */
static uint64_t copy_row(ez_past *past, const ez_token_list *tokens, uint32_t v, uint64_t at)
{
    uint64_t first = past->rows.start[tokens->original[v]],
             n = past->rows.start[tokens->original[v] + 1] - first;
    memcpy(past->base_topic + at, past->rows.topic + first, n * sizeof *past->base_topic);
    memcpy(past->base_count + at, past->rows.count + first, n * sizeof *past->base_count);
    return n;
}

/* Sums by topic that are still to be placed in the rows of words without a token. */
typedef struct unused_sums {
    uint64_t *left; /* topics */
    uint64_t most;  /* counts of a row; low, because a word with many makes rows dense */
    uint32_t topics, next;
} unused_sums;

static ezlda_status sum_unused(unused_sums *r, ezlda_context *context, const ez_past *past,
                               const ez_token_list *tokens)
{
    enum { ROW = 65535 };
    uint64_t sum = 0, rows = 0;
    EZ_TRY(ez_array_zero(&r->left, context, r->topics, sizeof *r->left, "the past"));
    for (uint32_t v = 0; v < tokens->words; v++) {
        uint32_t w = tokens->original[v];
        if (is_used(past, tokens, v))
            continue;
        rows++;
        for (uint64_t e = past->rows.start[w]; e < past->rows.start[w + 1]; e++) {
            r->left[past->rows.topic[e]] += past->rows.count[e];
            sum += past->rows.count[e];
        }
    }
    r->most = rows > 0 && (sum + rows - 1) / rows > ROW ? (sum + rows - 1) / rows : ROW;
    return EZLDA_OK;
}

/* Fills one row from what is left; returns its entries. */
static uint64_t fill_row(ez_past *past, unused_sums *r, uint64_t at)
{
    uint64_t n = 0, room = r->most;
    while (r->next < r->topics && room > 0) {
        uint64_t count = r->left[r->next] < room ? r->left[r->next] : room;
        if (count > 0) {
            past->base_topic[at + n] = (uint16_t)r->next;
            past->base_count[at + n++] = (uint32_t)count;
        }
        r->left[r->next] -= count;
        room -= count;
        r->next += r->left[r->next] == 0;
    }
    return n;
}

ezlda_status ez_past_base(ez_past *past, ezlda_context *context, const ez_token_list *tokens,
                          const ez_base_counts **base)
{
    unused_sums r = {.topics = past->model->meta->topics};
    /* a row that is filled ends inside a topic, so each has at most one entry more */
    uint64_t room = past->rows.start[past->words] + r.topics + tokens->words, at = 0;
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&past->base_start, context, (size_t)tokens->words + 1,
                         sizeof *past->base_start, "the past"));
    EZ_TRY_GOTO(ez_array(&past->base_topic, context, room, sizeof *past->base_topic, "the past"));
    EZ_TRY_GOTO(ez_array(&past->base_count, context, room, sizeof *past->base_count, "the past"));
    EZ_TRY_GOTO(sum_unused(&r, context, past, tokens));
    for (uint32_t v = 0; v < tokens->words; v++) {
        past->base_start[v] = at;
        at += is_used(past, tokens, v) ? copy_row(past, tokens, v, at) : fill_row(past, &r, at);
    }
    past->base_start[tokens->words] = at;
    past->base = (ez_base_counts){past->base_start, past->base_topic, past->base_count, NULL};
    *base = &past->base;
done:
    ez_free(r.left);
    return status;
}

/* Multiplies counts by the number of samples that they stand for. */
static void repeat_rows(ez_count_rows *rows, uint32_t samples)
{
    for (uint64_t i = 0; i < rows->start[rows->rows]; i++)
        rows->count[i] *= samples;
}

/* Samples of the words of the new model: as many as the update made, else as many as the past has,
 * of which the new documents then repeat their last. 0: W alone. */
static uint32_t samples_of(const ez_past *past, const ez_model_parts *parts)
{
    uint64_t tokens = past->facts.tokens + parts->tokens, samples = parts->samples;
    if (samples == 0 && past->model->phi.samples > 1)
        samples = past->model->phi.samples;
    bool fits = samples == 0 || (past->most_frequent <= UINT32_MAX / samples &&
                                 tokens <= EZ_PAST_TOKENS_MAX / samples);
    return fits ? (uint32_t)samples : 0;
}

/* Adds the past to the sampled words. */
static ezlda_status add_samples(const ez_past *past, ezlda_context *context, ez_model_parts *parts)
{
    const ez_phi *phi = &past->model->phi;
    uint32_t samples = samples_of(past, parts);
    ez_count_rows rows = {0};
    if (samples == 0)
        return EZLDA_OK;
    if (parts->samples == 0) {
        EZ_TRY(ez_copy_rows(&parts->phi_rows, context, &parts->word_rows));
        repeat_rows(&parts->phi_rows, samples);
        parts->samples = samples;
    }
    ezlda_status status = scale_rows(&rows, context, past, &phi->rows, phi->samples, samples);
    if (status == EZLDA_OK)
        status = ez_add_rows(&parts->phi_rows, context, &rows);
    ez_free_rows(&rows);
    return status;
}

ezlda_status ez_past_add(ez_past *past, ezlda_context *context, ez_model_parts *parts)
{
    EZ_TRY(add_samples(past, context, parts));
    EZ_TRY(ez_add_rows(&parts->word_rows, context, &past->rows));
    for (uint64_t i = 0; i < past->rows.start[past->words]; i++)
        parts->topic_tokens[past->rows.topic[i]] += past->rows.count[i];
    parts->past = past->facts;
    parts->past_rules = past->model->rules;
    return past->model->edits ? ez_edits_settle(&parts->edits, context, past->model->edits)
                              : EZLDA_OK;
}
