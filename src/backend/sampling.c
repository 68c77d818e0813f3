#include "backend/sampling.h"

ezlda_status ez_sample_by_iterations(ez_backend *backend, ezlda_context *context,
                                     const ez_token_list *tokens, ez_sampling *sampling)
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

ezlda_status ez_sample(ez_backend *backend, ezlda_context *context, const ez_token_list *tokens,
                       ez_sampling *sampling)
{
    if (backend->ops->sample)
        return backend->ops->sample(backend, context, sampling);
    return ez_sample_by_iterations(backend, context, tokens, sampling);
}
