/* The end of a run: counts the topics, joins the ranks and makes the model. */
#include "backend/device_ahead.h"
#include "corpus/corpus.h"
#include "model/model_layout.h"
#include "train/counts/count_chunks.h"
#include "train/counts/count_rows.h"
#include "train/counts/join_ranks.h"
#include "train/training.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

ezlda_status ez_training_parts(ez_training *t, ezlda_context *context, ez_model_parts *parts)
{
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(t->corpus, &sizes);
    *parts = (ez_model_parts){
        .topics = t->settings.topics,
        .words = t->tokens->words,
        .docs = t->out_of_core ? ez_out_of_core_docs(t->out_of_core) : t->tokens->docs,
        .tokens = ez_training_own_tokens(t),
        .scratch = t->scratch,
        .iterations = t->done,
        .iterations_run = t->done - t->before,
        .seed = t->settings.seed,
        .beta = t->priors.beta == (float)t->options.beta ? t->options.beta : (double)t->priors.beta,
        .estimator = t->settings.estimator,
        .start = t->settings.start,
        .seconds_sampling = t->seconds,
        .seconds_tokens = t->seconds_tokens,
        .seconds_open = t->seconds_open,
        .seconds_setup = t->seconds_setup,
        .seconds_checks = t->seconds_checks,
        .skipped = t->done > t->before ? 1 - ez_share(t->last.undecided, t->all_tokens) : 0,
        .moved = ez_share(t->last.moved, t->all_tokens),
        .corpus_hash = sizes.hash,
        .threads = t->ops == &ez_reference_backend ? 1 : ez_threads(t->context),
        .llpt_count = t->llpt.used / sizeof(ez_llpt_entry),
    };
    ez_device_memory memory = {0};
    if (t->ops->memory)
        t->ops->memory(t->backend, &memory);
    parts->device_memory_peak = memory.peak;
    parts->chunks = t->out_of_core ? t->out_of_core->source.chunks : memory.chunks;
    memcpy(parts->stopped, t->stopped, sizeof parts->stopped);
    int ranks = t->options.group ? t->options.group->ranks : 1;
    snprintf(parts->device, sizeof parts->device, ranks > 1 ? "%s, %d ranks" : "%s", t->ops->name,
             ranks);
    EZ_TRY(ez_array(&parts->llpt, context, parts->llpt_count, sizeof *parts->llpt, "scores"));
    if (t->llpt.used)
        memcpy(parts->llpt, t->llpt.data, t->llpt.used);
    EZ_TRY(ez_array(&parts->alpha, context, parts->topics, sizeof *parts->alpha, "alpha"));
    for (uint32_t k = 0; k < parts->topics; k++)
        parts->alpha[k] = (double)t->alpha[k];
    return EZLDA_OK;
}

/* Closing a device takes time, so a thread does it while the topics are counted. */
static void *free_backend(void *user)
{
    ez_training *t = user;
    t->ops->free(t->backend);
    ez_close_ahead(t->context);
    return NULL;
}

static ezlda_status collect_and_free(ez_training *t, ez_model_parts *parts, const uint16_t *topic)
{
    pthread_t thread;
    bool aside = pthread_create(&thread, NULL, free_backend, t) == 0;
    if (!aside)
        free_backend(t);
    ezlda_status status = ez_count_model(parts, t->context, t->tokens, topic);
    if (aside)
        pthread_join(thread, NULL);
    t->backend = NULL;
    return status;
}

/* Out of core: the topics of this rank are in the scratch file, and counting needs the backend's
 * memory. */
static ezlda_status collect_scratch(ez_training *t, ez_model_parts *parts, uint16_t **topic)
{
    ez_out_of_core *o = t->out_of_core;
    EZ_TRY(t->ops->topics(t->backend, t->context, o->source.topic));
    free_backend(t);
    t->backend = NULL;
    *topic = o->source.topic;
    o->source.topic = NULL;
    ezlda_status status = ez_count_chunks(parts, t->context, o, *topic);
    if (status != EZLDA_ERROR_IO)
        return status;
    ez_warn(t->context, "%s; the counts are kept in memory", ezlda_error_message(t->context));
    ez_clear(t->context);
    parts->scratch = NULL;
    return ez_count_chunks(parts, t->context, o, *topic);
}

/* Takes the rows of W and n from the backend. */
static ezlda_status take_words(ez_training *t, ez_model_parts *parts)
{
    ez_w_counts counts = {0};
    uint32_t *label = NULL;
    ezlda_status status = ez_word_labels(&label, t->context, t->tokens);
    if (status == EZLDA_OK)
        status = t->ops->counts(t->backend, t->context, label, parts->words, &counts);
    ez_free(label);
    parts->word_rows = (ez_count_rows){counts.rows, counts.start, counts.topic, counts.count};
    parts->topic_tokens = counts.topic_tokens;
    return status;
}

/* A backend's W has the counts of all ranks and of seeds, too. */
static bool has_own_w(const ez_training *t)
{
    return !t->settings.base && !ez_is_distributed(t->options.group);
}

static ezlda_status collect(ez_training *t, ez_model_parts *parts, uint16_t **topic)
{
    if (t->out_of_core)
        return collect_scratch(t, parts, topic);
    EZ_TRY(ez_array(topic, t->context, t->tokens->tokens, sizeof **topic, "topics"));
    EZ_TRY(t->ops->topics(t->backend, t->context, *topic));
    if (has_own_w(t))
        EZ_TRY(take_words(t, parts));
    EZ_TRY(collect_and_free(t, parts, *topic));
    return parts->topic_tokens ? EZLDA_OK
                               : ez_count_model_words(parts, t->context, t->tokens, *topic);
}

/* Hands over the sum of the samples, if there is one. */
static void take_samples(ez_training *t, ez_model_parts *parts)
{
    if (t->samples.taken < 2)
        return;
    parts->samples = t->samples.taken;
    parts->phi_rows = t->samples.rows;
    t->samples.rows = (ez_count_rows){0};
}

ezlda_status ez_training_model(ez_training *t, ezlda_model **out)
{
    ez_model_parts parts;
    uint16_t *topic = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(ez_training_parts(t, t->context, &parts));
    parts.training = t->run_priors;
    t->run_priors = NULL;
    EZ_TRY_GOTO(collect(t, &parts, &topic));
    ez_token_list_free(t->tokens);
    t->tokens = NULL;
    if (ez_is_distributed(t->options.group))
        EZ_TRY_GOTO(ez_join_ranks(&parts, t->context, t->options.group, &topic));
    if (!ez_is_root(t->options.group))
        goto done;
    if (t->options.keep_topics) {
        parts.token_topics = topic;
        topic = NULL;
    }
    take_samples(t, &parts);
    if (t->past)
        EZ_TRY_GOTO(ez_past_add(t->past, t->context, &parts));
    EZ_TRY_GOTO(ez_corpus_unchanged(t->corpus, t->context));
    EZ_TRY_GOTO(ez_model_create(out, t->context, &parts, t->corpus));
done:
    ez_free(topic);
    ez_model_parts_free(&parts);
    return status;
}
