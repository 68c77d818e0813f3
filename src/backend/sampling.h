/* Inference: all iterations of documents that are fitted to a fixed W; the topics of some
 * iterations are kept as samples. */
#ifndef EZ_SAMPLING_H
#define EZ_SAMPLING_H

#include "backend/backend.h"

/* Iterations 1 .. iterations. The last `samples` of them that are `thin` apart are kept. */
typedef struct ez_sampling {
    uint32_t iterations, samples, thin;
    uint16_t *topic; /* samples * tokens, each sample in document order; the last one is that of the
 last iteration */
    /* Called now and then in the caller's thread with the number of documents done, or an
     * equivalent. */
    ezlda_status (*progress)(uint64_t docs, void *user);
    void *user;
    int64_t score; /* result: the score of the last iteration (see ez_backend_ops) */
} ez_sampling;

/* The number of the sample that an iteration is, from 0; -1: it is not kept. */
static inline int64_t ez_sample_number(const ez_sampling *sampling, uint32_t iteration)
{
    uint32_t left = sampling->iterations - iteration;
    bool kept = left % sampling->thin == 0 && left / sampling->thin < sampling->samples;
    return kept ? (int64_t)sampling->samples - 1 - left / sampling->thin : -1;
}

/* One iteration after another. */
static inline ezlda_status ez_sample_by_iterations(ez_backend *backend, ezlda_context *context,
                                                   const ez_token_list *tokens,
                                                   ez_sampling *sampling)
{
    enum { REPORT_EVERY = 10 };
    const ez_backend_ops *ops = backend->ops;
    ez_iteration done;
    EZ_TRY(ops->start(backend, context));
    for (uint32_t i = 1; i <= sampling->iterations; i++) {
        EZ_TRY(ops->iterate(backend, context, i, &done));
        int64_t number = ez_sample_number(sampling, i);
        if (number >= 0)
            EZ_TRY(
                ops->topics(backend, context, sampling->topic + tokens->tokens * (uint64_t)number));
        if (i % REPORT_EVERY == 0)
            EZ_TRY(sampling->progress(tokens->docs * i / sampling->iterations, sampling->user));
    }
    return ops->score(backend, context, &sampling->score);
}

/* Uses the faster way of the backend, if it has one. */
static inline ezlda_status ez_sample(ez_backend *backend, ezlda_context *context,
                                     const ez_token_list *tokens, ez_sampling *sampling)
{
    if (backend->ops->sample)
        return backend->ops->sample(backend, context, sampling);
    return ez_sample_by_iterations(backend, context, tokens, sampling);
}

#endif
