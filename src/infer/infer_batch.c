/* Samples the topics of one batch of documents. What a document gets must not depend on the other
 * documents of its batch, so documents that differ in the bits of their weights are sampled one
 * class after the other. */
#include "infer/infer_batch.h"

#include "backend/sampling.h"
#include "base/wall_clock.h"
#include "infer/infer_rows.h"
#include "infer/unseen_score.h"
#include "sampler/arithmetic.h"
#include "tokens/token_shard.h"

#include <stdio.h>
#include <string.h>

ezlda_status ez_infer_report(ez_inference *f, uint64_t docs_done)
{
    f->docs_reported = docs_done > f->docs_reported ? docs_done : f->docs_reported;
    ezlda_infer_progress progress = {
        .docs = f->known.docs, .docs_done = f->docs_reported, .seconds = f->seconds};
    if (f->options.progress && f->options.progress(&progress, f->options.user) != 0)
        return ez_fail(f->context, EZLDA_ERROR_STOPPED, "stopped");
    return EZLDA_OK;
}

/* ---- documents whose weights have the same bits ---- */

/* The list that is being sampled. */
typedef struct sampled_list {
    ez_inference *f;
    uint64_t first_doc;
} sampled_list;

static ezlda_status report_list(uint64_t docs, void *user)
{
    const sampled_list *s = user;
    return ez_infer_report(s->f, s->first_doc + docs);
}

static ezlda_status sample(ez_inference *f, ez_backend *backend, ez_token_list *tokens,
                           uint16_t *samples)
{
    const ezlda_infer_options *o = &f->options;
    sampled_list now = {f, tokens->first_doc};
    ez_sampling sampling = {
        .iterations = o->iterations,
        .samples = o->samples,
        .thin = o->thin,
        .topic = samples,
        .progress = report_list,
        .user = &now,
    };
    double begin = ez_now();
    EZ_TRY(ez_sample(backend, f->context, tokens, &sampling));
    f->seconds += ez_now() - begin;
    f->score += sampling.score;
    return EZLDA_OK;
}

static ezlda_status sample_list(ez_inference *f, ez_token_list *tokens, uint16_t *samples)
{
    ez_backend *backend = NULL;
    uint16_t *start = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&start, f->context, tokens->tokens, sizeof *start, "topics"));
    ez_model_base_start(&f->base, f->context, f->settings.seed, tokens, start);
    f->settings.start_topics = start;
    EZ_TRY_GOTO(ez_backend_open(&backend, f->context, &f->choice, tokens, &f->settings));
    snprintf(f->device, sizeof f->device, "%s", backend->ops->name);
    status = sample(f, backend, tokens, samples);
done:
    if (backend)
        backend->ops->free(backend);
    ez_free(start);
    return status;
}

/* ---- classes of documents ---- */

static int bits_of(const ez_inference *f, uint64_t length)
{
    return ez_weight_bits(length, f->settings.priors.alpha_sum);
}

/* The longest document with as many bits as one of this length, at most `most`. */
static uint64_t end_of_class(const ez_inference *f, uint64_t length, uint64_t most)
{
    uint64_t low = length;
    while (low < most) {
        uint64_t middle = low + (most - low + 1) / 2;
        if (bits_of(f, middle) == bits_of(f, length))
            low = middle;
        else
            most = middle - 1;
    }
    return low;
}

/* Copies the samples of the documents that the list `some` has. */
static void copy_samples(const ez_token_list *all, uint16_t *to, const ez_token_list *some,
                         const uint16_t *from, uint32_t samples)
{
    for (uint32_t s = 0; s < samples; s++)
        for (uint64_t d = 0; d < all->docs; d++)
            memcpy(to + all->tokens * s + all->doc_start[d],
                   from + some->tokens * s + some->doc_start[d],
                   (some->doc_start[d + 1] - some->doc_start[d]) * sizeof *to);
}

/* Samples the documents of [least, most] tokens. */
static ezlda_status sample_class(ez_inference *f, const ez_token_list *all, uint64_t least,
                                 uint64_t most, uint16_t *samples)
{
    ez_token_list *some = NULL;
    uint16_t *own = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(ez_token_list_of_lengths(&some, f->context, all, least, most));
    if (some->tokens == 0)
        goto done;
    EZ_TRY_GOTO(ez_array(&own, f->context, ez_product(some->tokens, f->options.samples),
                         sizeof *own, "samples"));
    EZ_TRY_GOTO(sample_list(f, some, own));
    copy_samples(all, samples, some, own, f->options.samples);
done:
    ez_token_list_free(some);
    ez_free(own);
    return status;
}

static uint64_t shortest_of(const ez_token_list *t)
{
    uint64_t shortest = t->longest;
    for (uint64_t d = 0; d < t->docs; d++) {
        uint64_t length = t->doc_start[d + 1] - t->doc_start[d];
        shortest = length > 0 && length < shortest ? length : shortest;
    }
    return shortest;
}

ezlda_status ez_infer_sample(ez_inference *f, ez_token_list *tokens, uint16_t *samples)
{
    uint64_t shortest = shortest_of(tokens), longest = tokens->longest;
    if (bits_of(f, shortest) == bits_of(f, longest))
        return sample_list(f, tokens, samples);
    for (uint64_t least = shortest, most; least <= longest; least = most + 1) {
        most = end_of_class(f, least, longest);
        EZ_TRY(sample_class(f, tokens, least, most, samples));
    }
    return EZLDA_OK;
}

/* ---- a batch ---- */

/* The arrays of a batch, freed at its end. */
typedef struct batch {
    ez_token_list *tokens;
    uint16_t *samples;
    ez_other_tokens *other;
} batch;

/* The topics after the last iteration. */
static const uint16_t *last_sample(const ez_inference *f, const batch *b)
{
    return b->tokens->tokens ? b->samples + b->tokens->tokens * (f->options.samples - 1) : NULL;
}

static ezlda_status sample_batch(ez_inference *f, batch *b)
{
    uint64_t tokens = b->tokens->tokens;
    size_t all;
    if (tokens == 0)
        return EZLDA_OK;
    if (!ez_mul_size(tokens, f->options.samples, &all))
        return ez_fail(f->context, EZLDA_ERROR_MEMORY, "%u samples are too many",
                       f->options.samples);
    if (!f->has_base)
        EZ_TRY(ez_model_base_make(&f->base, f->context, f->model, b->tokens->original));
    f->has_base = true;
    EZ_TRY(ez_array(&b->samples, f->context, all, sizeof *b->samples, "samples"));
    EZ_TRY(ez_infer_sample(f, b->tokens, b->samples));
    return ez_hasher_add(f->hasher, f->context, last_sample(f, b), tokens * sizeof *b->samples);
}

static ezlda_status pass_on(const ez_inference *f, const batch *b)
{
    if (!f->take)
        return ez_infer_rows(f->context, b->tokens, b->samples, f->options.samples,
                             f->settings.topics, b->other, &f->to);
    f->take(b->tokens, last_sample(f, b), f->to.user);
    return EZLDA_OK;
}

ezlda_status ez_infer_batch(ez_inference *f, uint64_t first, uint64_t last)
{
    batch b = {0};
    uint64_t end = ez_known_docs_before(&f->known, last);
    uint64_t docs = end - ez_known_docs_before(&f->known, first);
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&b.other, f->context, docs, sizeof *b.other, "unknown words"));
    EZ_TRY_GOTO(
        ez_known_docs_tokens(&f->known, f->context, first, last, f->model, &b.tokens, b.other));
    EZ_TRY_GOTO(sample_batch(f, &b));
    EZ_TRY_GOTO(ez_unseen_score(&f->score, f->context, f->model, &f->settings.priors, b.tokens,
                                last_sample(f, &b), b.other));
    EZ_TRY_GOTO(pass_on(f, &b));
    status = ez_infer_report(f, end);
done:
    ez_token_list_free(b.tokens);
    ez_free(b.samples);
    ez_free(b.other);
    return status;
}
