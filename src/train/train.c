#include "backend/backend.h"
#include "backend/device_ahead.h"
#include "base/memory.h"
#include "corpus/corpus.h"
#include "model/model_layout.h"
#include "sampler/log2_fixed.h"
#include "train/collect.h"
#include "train/converge.h"
#include "tokens/corpus_tokens.h"
#include "train/init_topics.h"
#include "train/priors.h"
#include "train/seeds.h"
#include "train/train_options.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* One training: everything that is freed at its end. */
typedef struct training {
    ezlda_context *context;
    const ezlda_corpus *corpus;
    ezlda_train_options options;
    ez_settings settings;
    float *alpha;
    const ez_backend_ops *ops;
    ez_token_list *tokens;
    ez_backend *backend;
    double seconds_tokens, seconds_open, seconds_setup;
    double seconds; /* of sampling */
    ez_iteration last;
    uint32_t done;   /* iterations, with those of the model that it continues from */
    uint32_t before; /* iterations of that model */
    ez_buffer llpt;
    ez_seeds seeds;
    uint16_t *start_topics;
    ez_prior_fit *fit; /* NULL: the priors stay */
    ez_converge converge;
    char stopped[192];
} training;

/* Larger corpora take so long to expand that it is worth a wait to know whether the device is there. */
static const uint64_t EZ_SOON_EXPANDED = (uint64_t)1 << 28;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double share(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

/* LLPT after the iterations done, appended to the history. */
static ezlda_status score(training *t, double *llpt)
{
    int64_t sum;
    EZ_TRY(t->ops->score(t->backend, t->context, &sum));
    *llpt = (double)sum / (double)(1 << EZ_LOG2_BITS) / (double)t->tokens->tokens;
    ez_llpt_entry entry = {.iteration = t->done, .seconds = t->seconds, .llpt = *llpt};
    return ez_buffer_append(&t->llpt, t->context, &entry, sizeof entry);
}

static uint32_t last_iteration(const training *t)
{
    return t->before + t->options.iterations;
}

static bool scored_iteration(const training *t)
{
    uint32_t every = t->options.eval_every;
    return t->done == last_iteration(t) || (every > 0 && t->done % every == 0);
}

/* New priors after an iteration, where it is time for them. */
static ezlda_status fit_priors(training *t)
{
    const ezlda_train_options *o = &t->options;
    if (!t->fit || t->done <= o->optimize_burn_in || t->done % o->optimize_interval != 0)
        return EZLDA_OK;
    return ez_prior_fit_run(t->fit, t->context, t->backend, &t->settings, t->alpha);
}

/* Tells the caller about the last iteration; *stop is set where it wants no more. */
static void report(training *t, double iteration_seconds, double llpt, bool *stop)
{
    if (!t->options.progress)
        return;
    ezlda_progress progress = {
        .iteration = t->done,
        .iterations = last_iteration(t),
        .tokens = t->tokens->tokens,
        .seconds = t->seconds,
        .iteration_seconds = iteration_seconds,
        .skipped = 1 - share(t->last.undecided, t->tokens->tokens),
        .moved = share(t->last.moved, t->tokens->tokens),
        .llpt = llpt,
    };
    if (t->options.progress(&progress, t->options.user) != 0) {
        *stop = true;
        snprintf(t->stopped, sizeof t->stopped, "stopped after iteration %u of %u", t->done, last_iteration(t));
    }
}

static ezlda_status run(training *t)
{
    bool stop = false;
    double first = now();
    EZ_TRY(t->ops->start(t->backend, t->context));
    t->seconds = now() - first;
    while (t->done < last_iteration(t) && !stop) {
        double begin = now(), llpt = NAN;
        EZ_TRY(t->ops->iterate(t->backend, t->context, t->done + 1, &t->last));
        t->done++;
        EZ_TRY(fit_priors(t));
        double seconds = now() - begin;
        t->seconds += seconds;
        if (scored_iteration(t)) {
            EZ_TRY(score(t, &llpt));
            stop = ez_converge_score(&t->converge, t->done, llpt, share(t->last.moved, t->tokens->tokens), t->stopped,
                                     sizeof t->stopped);
        }
        report(t, seconds, llpt, &stop);
    }
    double llpt;
    return t->done > t->before && scored_iteration(t) ? EZLDA_OK : score(t, &llpt);
}

static ezlda_status fill_parts(training *t, ez_model_parts *parts)
{
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(t->corpus, &sizes);
    *parts = (ez_model_parts){
        .topics = t->settings.topics,
        .words = t->tokens->words,
        .docs = t->tokens->docs,
        .tokens = t->tokens->tokens,
        .iterations = t->done,
        .iterations_run = t->done - t->before,
        .seed = t->settings.seed,
        .beta = t->fit ? (double)t->settings.beta : t->options.beta,
        .estimator = t->settings.estimator,
        .seconds_sampling = t->seconds,
        .seconds_tokens = t->seconds_tokens,
        .seconds_open = t->seconds_open,
        .seconds_setup = t->seconds_setup,
        .skipped = t->done > t->before ? 1 - share(t->last.undecided, t->tokens->tokens) : 0,
        .moved = share(t->last.moved, t->tokens->tokens),
        .corpus_hash = sizes.hash,
        .threads = t->ops == &ez_reference_backend ? 1 : ez_threads(t->context),
        .llpt_count = t->llpt.used / sizeof(ez_llpt_entry),
    };
    ez_device_memory memory = {0};
    if (t->ops->memory)
        t->ops->memory(t->backend, &memory);
    parts->device_memory_peak = memory.peak;
    parts->chunks = memory.chunks;
    memcpy(parts->stopped, t->stopped, sizeof parts->stopped);
    snprintf(parts->device, sizeof parts->device, "%s", t->ops->name);
    EZ_TRY(ez_array(&parts->llpt, t->context, parts->llpt_count, sizeof *parts->llpt, "scores"));
    if (t->llpt.used)
        memcpy(parts->llpt, t->llpt.data, t->llpt.used);
    EZ_TRY(ez_array(&parts->alpha, t->context, parts->topics, sizeof *parts->alpha, "alpha"));
    for (uint32_t k = 0; k < parts->topics; k++)
        parts->alpha[k] = (double)t->alpha[k];
    return EZLDA_OK;
}

/* Giving a device back takes time, and nothing waits for it but the end. */
static void *free_backend(void *user)
{
    training *t = user;
    t->ops->free(t->backend);
    ez_close_ahead(t->context);
    return NULL;
}

static ezlda_status collect_and_free(training *t, ez_model_parts *parts, const uint16_t *topic)
{
    pthread_t thread;
    bool aside = pthread_create(&thread, NULL, free_backend, t) == 0;
    if (!aside)
        free_backend(t);
    ezlda_status status = ez_collect_counts(parts, t->context, t->tokens, topic);
    if (aside)
        pthread_join(thread, NULL);
    t->backend = NULL;
    return status;
}

static ezlda_status make_model(training *t, ezlda_model **out)
{
    ez_model_parts parts;
    uint16_t *topic = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(fill_parts(t, &parts));
    EZ_TRY_GOTO(ez_array(&topic, t->context, t->tokens->tokens, sizeof *topic, "topics"));
    EZ_TRY_GOTO(t->ops->topics(t->backend, t->context, topic));
    EZ_TRY_GOTO(collect_and_free(t, &parts, topic));
    ez_token_list_free(t->tokens);
    t->tokens = NULL;
    if (t->options.keep_topics) {
        parts.token_topics = topic;
        topic = NULL;
    }
    EZ_TRY_GOTO(ez_model_create(out, t->context, &parts, t->corpus));
done:
    ez_free(topic);
    ez_model_parts_free(&parts);
    return status;
}

/* Topics to start from, where these are not the backend's affair. */
static ezlda_status prepare_start(training *t)
{
    const ezlda_train_options *o = &t->options;
    if (o->n_seeds)
        EZ_TRY(ez_seeds_make(&t->seeds, t->context, t->corpus, t->tokens, o));
    if (o->n_seeds)
        t->settings.base = &t->seeds.counts;
    if (!o->n_seeds && !o->init)
        return EZLDA_OK;
    EZ_TRY(ez_array(&t->start_topics, t->context, t->tokens->tokens, sizeof *t->start_topics, "topics"));
    if (o->init) {
        EZ_TRY(ez_init_topics(t->start_topics, t->context, t->corpus, t->tokens, o));
        t->before = t->done = o->init->meta->iterations;
    } else {
        EZ_TRY(ez_token_list_index(t->tokens, t->context));
        EZ_TRY(ez_seeds_start(&t->seeds, t->context, t->tokens, &t->settings, t->start_topics));
    }
    t->settings.start_topics = t->start_topics;
    return EZLDA_OK;
}

static ezlda_status prepare_fit(training *t)
{
    if (t->options.optimize_interval == 0)
        return EZLDA_OK;
    EZ_TRY(ez_array_zero(&t->fit, t->context, 1, sizeof *t->fit, "the priors"));
    t->settings.histograms = true;
    return ez_prior_fit_init(t->fit, t->context, t->tokens, t->settings.topics, t->options.symmetric_alpha != 0);
}

static ezlda_status train(training *t, ezlda_model **out)
{
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(t->corpus, &sizes);
    if (sizes.tokens == 0)
        return ez_fail(t->context, EZLDA_ERROR_ARGUMENT, "the corpus has no tokens: nothing to train on");
    EZ_TRY(ez_settings_make(&t->settings, &t->alpha, t->context, &t->options));
    ez_open_ahead(t->context, t->options.device);
    if (sizes.tokens > EZ_SOON_EXPANDED)
        EZ_TRY(ez_backend_find(&t->ops, &t->settings.device_number, t->context, t->options.device));
    double begin = now();
    EZ_TRY(ez_corpus_tokens(&t->tokens, t->context, t->corpus));
    EZ_TRY(prepare_start(t));
    EZ_TRY(prepare_fit(t));
    t->seconds_tokens = now() - begin;
    ez_wait_ahead(t->context);
    t->seconds_open = now() - begin - t->seconds_tokens;
    EZ_TRY(ez_backend_open(&t->backend, t->context, t->options.device, t->tokens, &t->settings));
    t->seconds_setup = now() - begin - t->seconds_tokens - t->seconds_open;
    t->ops = t->backend->ops;
    EZ_TRY(run(t));
    return make_model(t, out);
}

ezlda_status ezlda_train(ezlda_model **out, ezlda_context *context, const ezlda_corpus *corpus,
                         const ezlda_train_options *options)
{
    ez_clear(context);
    *out = NULL;
    training t = {.context = context, .corpus = corpus};
    ezlda_status status = ez_train_options_take(&t.options, context, options);
    t.converge.gain = t.options.converged_gain;
    if (t.converge.gain > 0 && t.options.eval_every == 0)
        t.options.eval_every = EZ_CONVERGE_EVERY;
    if (status == EZLDA_OK)
        status = train(&t, out);
    if (t.backend)
        t.backend->ops->free(t.backend);
    ez_close_ahead(context);
    ez_token_list_free(t.tokens);
    ez_free(t.alpha);
    ez_free(t.llpt.data);
    ez_seeds_free(&t.seeds);
    ez_free(t.start_topics);
    if (t.fit)
        ez_prior_fit_free(t.fit);
    ez_free(t.fit);
    return status;
}
