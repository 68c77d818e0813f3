/* Runs a chain whose prior is a regression. */
#include "effect/estimate.h"

#include "posterior/chain_run.h"

#include <string.h>

void ez_estimate_free(ez_estimate *e)
{
    ez_group_words_free(&e->words);
    ez_field_values_free(&e->groups);
    ez_regression_close(&e->regression);
    ez_design_free(&e->design);
    ez_free(e->topic);
}

uint32_t ez_estimate_place(const ez_estimate *e, uint32_t topic)
{
    for (uint32_t t = 0; t < e->topics; t++)
        if (e->topic[t] == topic)
            return t;
    return UINT32_MAX;
}

ezlda_status ez_estimate_topics(ez_estimate *e, ezlda_context *context, const uint32_t *topics,
                                size_t n)
{
    uint32_t all = e->model->meta->topics;
    EZ_TRY(ez_array(&e->topic, context, all, sizeof *e->topic, "topics"));
    if (topics && n > all)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "%zu topics of a model that has %u", n, all);
    for (uint32_t k = 0; !topics && k < all; k++)
        if (!ezlda_model_topic_hidden(e->model, k))
            e->topic[e->topics++] = k;
    for (size_t i = 0; topics && i < n; i++) {
        if (topics[i] >= all || ez_estimate_place(e, topics[i]) != UINT32_MAX)
            return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                           "topics: expected different numbers from 0 to %u, found %u%s", all - 1,
                           topics[i], topics[i] < all ? " again" : "");
        e->topic[e->topics++] = topics[i];
    }
    return e->topics ? EZLDA_OK : ez_fail(context, EZLDA_ERROR_ARGUMENT, "no topics are given");
}

static ezlda_status update(void *user, ezlda_context *context, const ez_chain *chain,
                           uint32_t round, bool keep)
{
    ez_estimate *e = user;
    EZ_TRY(ez_regression_update(&e->regression, context, chain, round, keep));
    return keep && e->words.groups ? ez_group_words_add(&e->words, context, chain) : EZLDA_OK;
}

ezlda_status ez_estimate_run(ez_estimate *e, ezlda_context *context, const ezlda_corpus *corpus,
                             const ezlda_sampling_options *sampling)
{
    ez_chain *chain = NULL;
    ezlda_sampling_options options;
    ezlda_status status;
    EZ_TRY(ez_sampling_read(&options, context, sampling));
    EZ_TRY(ez_regression_open(&e->regression, context, &e->design, e->model, options.samples,
                              options.seed));
    if (e->groups.level)
        EZ_TRY(ez_group_words_open(&e->words, context, e->model, e->topic, e->topics,
                                   e->groups.level, e->groups.levels));
    EZ_TRY_GOTO(ez_chain_open(&chain, context, e->model, corpus, options.seed));
    e->own = ez_chain_is_own(chain);
    ez_chain_set_prior(chain, ez_regression_prior, &e->regression);
    status = ez_sampling_run(chain, context, &options, update, e);
done:
    ez_chain_close(chain);
    return status;
}
