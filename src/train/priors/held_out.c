/* Splits the tokens of the prior sample, infers the topics of one half and scores the other. */
#include "train/priors/held_out.h"

#include "backend/sampling.h"
#include "sampler/log2_fixed.h"

#include <omp.h>

/* Iterations of the inference, and the samples over which a document's topics are averaged. */
enum { ITERATIONS = 20, SAMPLES = 5, THIN = 2 };

/* ---- the two halves ---- */

typedef struct halves {
    uint64_t *start;         /* documents+1: places in `word` */
    uint32_t *word;          /* observed tokens, words numbered as in the run's list */
    uint64_t n_word, scored; /* tokens of either half */
} halves;

/* Whether a token is observed: one bit of its own random number. */
static bool is_observed(uint64_t key, uint32_t word, uint64_t doc, uint32_t occurrence)
{
    return ez_draw(ez_word_key(key, word), doc, occurrence) >> 63;
}

static void split_document(ez_held_out *held, halves *h, const ez_token_list *sample, uint64_t key,
                           uint64_t d)
{
    uint32_t occurrence = 0;
    for (uint64_t i = sample->doc_start[d]; i < sample->doc_start[d + 1]; i++) {
        uint32_t v = sample->word[i];
        occurrence = i > sample->doc_start[d] && sample->word[i - 1] == v ? occurrence + 1 : 0;
        if (is_observed(key, v, d, occurrence))
            h->word[h->n_word++] = sample->original[v];
        else
            held->scored[h->scored++] = v;
    }
}

ezlda_status ez_held_out_init(ez_held_out *held, ezlda_context *context, const ez_prior_sample *p,
                              uint64_t seed)
{
    const ez_token_list *sample = p->sample;
    halves h = {0};
    ezlda_status status = EZLDA_OK;
    if (!sample)
        return EZLDA_OK;
    EZ_TRY_GOTO(ez_array(&held->scored_start, context, sample->docs + 1, sizeof *held->scored_start,
                         "the held-out score"));
    EZ_TRY_GOTO(ez_array(&held->scored, context, sample->tokens, sizeof *held->scored,
                         "the held-out score"));
    EZ_TRY_GOTO(ez_array(&h.start, context, sample->docs + 1, sizeof *h.start, "document starts"));
    EZ_TRY_GOTO(ez_array(&h.word, context, sample->tokens, sizeof *h.word, "words"));
    h.start[0] = held->scored_start[0] = 0;
    for (uint64_t d = 0; d < sample->docs; d++) {
        split_document(held, &h, sample, ez_iteration_key(seed, 0), d);
        h.start[d + 1] = h.n_word;
        held->scored_start[d + 1] = h.scored;
    }
    if (h.n_word == 0 || h.scored == 0)
        goto done;
    ez_token_subset subset = {.frequency = p->rest, .longest = p->tokens->longest};
    status = ez_token_list_create_subset(&held->observed, context, sample->docs, p->tokens->words,
                                         h.start, h.word, &subset);
    h.start = NULL; /* the list owns them now */
    h.word = NULL;
done:
    ez_free(h.start);
    ez_free(h.word);
    return status;
}

void ez_held_out_free(ez_held_out *held)
{
    ez_token_list_free(held->observed);
    ez_free(held->scored_start);
    ez_free(held->scored);
}

/* ---- the score ---- */

typedef struct scoring {
    const ez_held_out *held;
    const ez_model_base *base;
    const ez_priors *priors;
    uint32_t topics;
    double *rate;          /* topics: 1 / (tokens of the topic + V * beta) */
    const uint16_t *topic; /* SAMPLES times the topics of the observed tokens */
} scoring;

static ezlda_status make_rates(scoring *s, ezlda_context *context, uint32_t words)
{
    const ez_model_base *base = s->base;
    double beta_sum = (double)s->priors->beta * words;
    EZ_TRY(ez_array_zero(&s->rate, context, s->topics, sizeof *s->rate, "the held-out score"));
    for (uint64_t i = 0; i < base->start[words]; i++)
        s->rate[base->topic[i]] += base->count[i];
    for (uint32_t k = 0; k < s->topics; k++)
        s->rate[k] = 1 / (s->rate[k] + beta_sum);
    return EZLDA_OK;
}

/* Fills weight[k] with theta of document d times the rate of topic k, and *even with their sum
 * times beta: what a word without counts would have. */
static void weigh_topics(const scoring *s, uint64_t d, double *weight, double *even)
{
    const ez_token_list *t = s->held->observed;
    uint64_t first = t->doc_start[d], last = t->doc_start[d + 1];
    double all = (double)(last - first) + s->priors->alpha_sum;
    for (uint32_t k = 0; k < s->topics; k++)
        weight[k] = (double)s->priors->alpha[k];
    for (uint32_t sample = 0; sample < SAMPLES; sample++)
        for (uint64_t i = first; i < last; i++)
            weight[s->topic[sample * t->tokens + i]] += 1.0 / SAMPLES;
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
    for (uint64_t j = s->held->scored_start[d]; j < s->held->scored_start[d + 1]; j++) {
        uint32_t v = s->held->scored[j];
        double p = even;
        for (uint64_t i = base->start[v]; i < base->start[v + 1]; i++)
            p += weight[base->topic[i]] * base->count[i];
        sum += ez_log2_fixed_share(p);
    }
    return sum;
}

static ezlda_status score_documents(const scoring *s, ezlda_context *context, double *score)
{
    uint64_t docs = s->held->observed->docs, threads = (uint64_t)ez_threads(context);
    double *weight = NULL;
    int64_t sum = 0;
    EZ_TRY(ez_array(&weight, context, ez_product(threads, s->topics), sizeof *weight,
                    "the held-out score"));
#pragma omp parallel for schedule(dynamic, 8) num_threads(ez_threads(context)) reduction(+ : sum)
    for (uint64_t d = 0; d < docs; d++)
        sum += score_document(s, d, weight + (size_t)omp_get_thread_num() * s->topics);
    ez_free(weight);
    *score = (double)sum / (double)(1 << EZ_LOG2_BITS) / (double)s->held->scored_start[docs];
    return EZLDA_OK;
}

static ezlda_status no_progress(uint64_t docs, void *user)
{
    (void)docs;
    (void)user;
    return EZLDA_OK;
}

/* Samples the topics of the observed half. */
static ezlda_status infer(const ez_held_out *held, ezlda_context *context,
                          const ez_settings *settings, uint16_t *topic)
{
    ez_backend *backend = NULL;
    ez_sampling sampling = {.iterations = ITERATIONS,
                            .samples = SAMPLES,
                            .thin = THIN,
                            .topic = topic,
                            .progress = no_progress};
    ezlda_status status = ez_cpu_backend.create(&backend, context, held->observed, settings, NULL);
    if (status == EZLDA_OK)
        status = ez_sample(backend, context, held->observed, &sampling);
    if (backend)
        backend->ops->free(backend);
    return status;
}

ezlda_status ez_held_out_score(const ez_held_out *held, ezlda_context *context,
                               const ez_prior_sample_run *run, const ez_priors *priors,
                               double *score)
{
    ez_token_list *observed = held->observed;
    ez_settings settings = run->settings;
    uint16_t *start = NULL, *topic = NULL;
    scoring s = {held, &run->base, priors, settings.topics, NULL, NULL};
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&start, context, observed->tokens, sizeof *start, "topics"));
    EZ_TRY_GOTO(
        ez_array(&topic, context, ez_product(observed->tokens, SAMPLES), sizeof *topic, "topics"));
    ez_model_base_start(&run->base, context, settings.seed, observed, start);
    settings.start_topics = start;
    settings.priors = *priors;
    settings.histograms = false;
    EZ_TRY_GOTO(infer(held, context, &settings, topic));
    s.topic = topic;
    EZ_TRY_GOTO(make_rates(&s, context, observed->words));
    status = score_documents(&s, context, score);
done:
    ez_free(start);
    ez_free(topic);
    ez_free(s.rate);
    return status;
}
