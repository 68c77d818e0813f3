/* Fits the prior sample on the host: by the CPU backend, from rows of W without
 * the sample. Defines the held-out score. */
#include "train/priors/prior_sample_on_host.h"

#include "backend/sampling.h"
#include "sampler/log2_fixed.h"
#include "train/priors/rest_rows.h"

#include <omp.h>
#include <string.h>

typedef struct host_prior_sample {
    ez_prior_sample_fit base;
    ez_backend *backend; /* backend of the run */
    ez_token_list *tokens;
    const ez_settings *settings; /* settings of the run */
    const ez_prior_sample_docs *docs;
    /* From `begin` to `end`. */
    ez_rest_rows rest;
    uint16_t *topic; /* tokens of the documents: first topics */
    ez_settings fixed;
    ez_backend *fitted; /* the documents, on the CPU */
} host_prior_sample;

static ezlda_status host_begin(ez_prior_sample_fit *fit, ezlda_context *context)
{
    host_prior_sample *h = (host_prior_sample *)fit;
    ez_token_list *t = h->docs->tokens;
    EZ_TRY(ez_rest_rows_make(&h->rest, context, h->backend, h->tokens, h->settings, h->docs));
    EZ_TRY(ez_array(&h->topic, context, t->tokens, sizeof *h->topic, "topics"));
    ez_model_base_start(&h->rest.base, context, h->settings->seed, t, h->topic);
    return EZLDA_OK;
}

static ez_settings fixed_settings(const host_prior_sample *h, const ez_priors *priors,
                                  const uint16_t *start)
{
    return (ez_settings){
        .topics = h->settings->topics,
        .seed = h->settings->seed,
        .priors = *priors,
        .estimator = EZLDA_LEAVE_ONE_OUT,
        .start_topics = start,
        .base = &h->rest.base.counts,
        .fixed = true,
        .histograms = true,
    };
}

static ezlda_status host_sample(ez_prior_sample_fit *fit, ezlda_context *context,
                                const ez_priors *priors, uint32_t done, uint32_t iterations)
{
    host_prior_sample *h = (host_prior_sample *)fit;
    ez_iteration unused;
    if (h->fitted) {
        EZ_TRY(h->fitted->ops->priors(h->fitted, context, priors));
    } else {
        h->fixed = fixed_settings(h, priors, h->topic);
        EZ_TRY(ez_cpu_backend.create(&h->fitted, context, h->docs->tokens, &h->fixed, NULL));
        EZ_TRY(h->fitted->ops->start(h->fitted, context));
    }
    for (uint32_t i = 1; i <= iterations; i++)
        EZ_TRY(h->fitted->ops->iterate(h->fitted, context, done + i, &unused));
    return EZLDA_OK;
}

/* The count of a word in a topic, without the documents. */
static uint32_t count_of(const ez_model_base *base, uint32_t word, uint16_t topic)
{
    uint64_t lo = base->start[word], hi = base->start[word + 1];
    while (lo < hi) {
        uint64_t middle = lo + (hi - lo) / 2;
        if (base->topic[middle] < topic)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo < base->start[word + 1] && base->topic[lo] == topic ? base->count[lo] : 0;
}

static ezlda_status host_counts(ez_prior_sample_fit *fit, ezlda_context *context,
                                ez_prior_sample_counts *out)
{
    host_prior_sample *h = (host_prior_sample *)fit;
    const ez_token_list *t = h->docs->tokens;
    uint32_t topics = h->settings->topics;
    EZ_TRY(h->fitted->ops->histograms(h->fitted, context, out->docs));
    EZ_TRY(h->fitted->ops->topics(h->fitted, context, h->topic));
    memset(out->met, 0, EZ_COUNT_CELLS * sizeof *out->met);
    memset(out->own, 0, topics * sizeof *out->own);
    for (uint64_t i = 0; i < t->tokens; i++) {
        out->met[ez_count_cell(count_of(&h->rest.base, t->word[i], h->topic[i]))]++;
        out->own[h->topic[i]]++;
    }
    memcpy(out->rest, h->rest.topic_tokens, topics * sizeof *out->rest);
    return EZLDA_OK;
}

/* ---- the score ---- */

typedef struct scoring {
    const ez_prior_sample_docs *docs;
    const ez_model_base *base;
    const ez_priors *priors;
    uint32_t topics;
    double *rate;    /* topics: 1 / (tokens of the topic + V * beta) */
    uint16_t *start; /* first topics of the observed tokens */
    uint16_t *topic; /* EZ_SCORE_SAMPLES times the topics of the observed tokens */
} scoring;

static ezlda_status make_rates(scoring *s, ezlda_context *context, const uint64_t *topic_tokens)
{
    double beta_sum = (double)s->priors->beta * s->docs->tokens->words;
    EZ_TRY(ez_array(&s->rate, context, s->topics, sizeof *s->rate, "the held-out score"));
    for (uint32_t k = 0; k < s->topics; k++)
        s->rate[k] = 1 / ((double)topic_tokens[k] + beta_sum);
    return EZLDA_OK;
}

/* Fills weight[k] with theta of document d times the rate of topic k, and *even with their sum
 * times beta: what a word without counts would have. */
static void weigh_topics(const scoring *s, uint64_t d, double *weight, double *even)
{
    const ez_token_list *t = s->docs->observed;
    uint64_t first = t->doc_start[d], last = t->doc_start[d + 1];
    double all = (double)(last - first) + s->priors->alpha_sum;
    for (uint32_t k = 0; k < s->topics; k++)
        weight[k] = (double)s->priors->alpha[k];
    for (uint32_t sample = 0; sample < EZ_SCORE_SAMPLES; sample++)
        for (uint64_t i = first; i < last; i++)
            weight[s->topic[sample * t->tokens + i]] += 1.0 / EZ_SCORE_SAMPLES;
    *even = 0;
    for (uint32_t k = 0; k < s->topics; k++) {
        weight[k] = weight[k] / all * s->rate[k];
        *even += weight[k];
    }
    *even *= (double)s->priors->beta;
}

static int64_t score_document(const scoring *s, uint64_t d, double *weight)
{
    const ez_model_base *base = s->base;
    double even;
    int64_t sum = 0;
    weigh_topics(s, d, weight, &even);
    for (uint64_t j = s->docs->scored_start[d]; j < s->docs->scored_start[d + 1]; j++) {
        uint32_t v = s->docs->scored[j];
        double p = even;
        for (uint64_t i = base->start[v]; i < base->start[v + 1]; i++)
            p += weight[base->topic[i]] * base->count[i];
        sum += ez_log2_fixed_share(p);
    }
    return sum;
}

static ezlda_status score_documents(const scoring *s, ezlda_context *context, int64_t *out)
{
    uint64_t docs = s->docs->observed->docs, threads = (uint64_t)ez_threads(context);
    double *weight = NULL;
    int64_t sum = 0;
    EZ_TRY(ez_array(&weight, context, ez_product(threads, s->topics), sizeof *weight,
                    "the held-out score"));
#pragma omp parallel for schedule(dynamic, 8) num_threads(ez_threads(context)) reduction(+ : sum)
    for (uint64_t d = 0; d < docs; d++)
        sum += score_document(s, d, weight + (size_t)omp_get_thread_num() * s->topics);
    ez_free(weight);
    *out = sum;
    return EZLDA_OK;
}

static ezlda_status no_progress(uint64_t docs, void *user)
{
    (void)docs;
    (void)user;
    return EZLDA_OK;
}

/* Samples the topics of the observed half. */
static ezlda_status infer(const scoring *s, ezlda_context *context, const ez_settings *settings)
{
    ez_backend *backend = NULL;
    ez_sampling sampling = {.iterations = EZ_SCORE_ITERATIONS,
                            .samples = EZ_SCORE_SAMPLES,
                            .thin = EZ_SCORE_THIN,
                            .topic = s->topic,
                            .progress = no_progress};
    ez_token_list *observed = s->docs->observed;
    ezlda_status status = ez_cpu_backend.create(&backend, context, observed, settings, NULL);
    if (status == EZLDA_OK)
        status = ez_sample(backend, context, observed, &sampling);
    if (backend)
        backend->ops->free(backend);
    return status;
}

static ezlda_status host_score(ez_prior_sample_fit *fit, ezlda_context *context,
                               const ez_priors *priors, int64_t *sum)
{
    const host_prior_sample *h = (const host_prior_sample *)fit;
    ez_token_list *observed = h->docs->observed;
    scoring s = {
        .docs = h->docs, .base = &h->rest.base, .priors = priors, .topics = h->settings->topics};
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&s.start, context, observed->tokens, sizeof *s.start, "topics"));
    EZ_TRY_GOTO(ez_array(&s.topic, context, ez_product(observed->tokens, EZ_SCORE_SAMPLES),
                         sizeof *s.topic, "topics"));
    ez_model_base_start(&h->rest.base, context, h->settings->seed, observed, s.start);
    ez_settings settings = fixed_settings(h, priors, s.start);
    settings.histograms = false;
    EZ_TRY_GOTO(infer(&s, context, &settings));
    EZ_TRY_GOTO(make_rates(&s, context, h->rest.topic_tokens));
    status = score_documents(&s, context, sum);
done:
    ez_free(s.start);
    ez_free(s.topic);
    ez_free(s.rate);
    return status;
}

static void close_documents(host_prior_sample *h)
{
    if (h->fitted)
        h->fitted->ops->free(h->fitted);
    h->fitted = NULL;
    ez_free(h->topic);
    h->topic = NULL;
    ez_rest_rows_free(&h->rest);
}

/* W was only read. */
static ezlda_status host_end(ez_prior_sample_fit *fit, ezlda_context *context)
{
    (void)context;
    close_documents((host_prior_sample *)fit);
    return EZLDA_OK;
}

static void host_free(ez_prior_sample_fit *fit)
{
    if (fit)
        close_documents((host_prior_sample *)fit);
    ez_free(fit);
}

static const ez_prior_sample_ops ops = {
    .begin = host_begin,
    .sample = host_sample,
    .counts = host_counts,
    .score = host_score,
    .end = host_end,
    .free = host_free,
};

ezlda_status ez_prior_sample_on_host(ez_prior_sample_fit **out, ezlda_context *context,
                                     ez_backend *backend, ez_token_list *tokens,
                                     const ez_settings *settings, const ez_prior_sample_docs *docs)
{
    host_prior_sample *h = NULL;
    *out = NULL;
    EZ_TRY(ez_array_zero(&h, context, 1, sizeof *h, "the prior sample"));
    *h = (host_prior_sample){{&ops}, backend, tokens, settings, docs, .fitted = NULL};
    *out = &h->base;
    return EZLDA_OK;
}
