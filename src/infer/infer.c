/* Infers the topics of new documents: batches of documents are sampled by a backend whose W is the
 * model's and does not change. */
#include "backend/choose_device.h"
#include "backend/sampling.h"
#include "base/files/content_hash.h"
#include "base/options_struct.h"
#include "base/wall_clock.h"
#include "infer/infer_rows.h"
#include "infer/infer_topics.h"
#include "infer/known_docs.h"
#include "infer/model_base.h"
#include "model/model_layout.h"
#include "sampler/log2_fixed.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Tokens of a batch: enough to keep any device busy, few compared with its memory. */
static const uint64_t EZ_BATCH_TOKENS = (uint64_t)1 << 26;

typedef struct inference {
    ezlda_context *context;
    const ezlda_model *model;
    ezlda_infer_options options;
    ez_device_choice choice;
    ezlda_doc_row_fn row;
    ez_batch_fn take; /* receives whole batches; then row is not used */
    void *user;
    ez_known_docs known;
    ez_model_base base;
    bool has_base;
    ez_settings settings;
    float *alpha;
    ez_hasher *hasher;
    double score; /* sum of log2 p */
    double seconds;
    char device[64];
} inference;

/* The arrays of a batch, freed at its end. */
typedef struct batch {
    ez_token_list *tokens;
    ez_backend *backend;
    uint16_t *start, *samples;
    uint64_t *unknown;
} batch;

void ezlda_infer_options_init_sized(ezlda_infer_options *options, size_t size)
{
    ezlda_infer_options defaults = {
        .size = sizeof defaults, .iterations = 100, .seed = 1, .device = "auto"};
    ez_options_init(options, size, &defaults, sizeof defaults);
}

/* By default, samples come from the second half of the iterations: at most ten, five iterations
 * apart. */
static void choose_samples(ezlda_infer_options *o)
{
    enum { SAMPLES = 10, APART = 5 };
    if (o->thin == 0) {
        uint32_t fit =
            o->samples > 1 ? (o->iterations - 1) / (o->samples - 1) : o->iterations / (2 * SAMPLES);
        o->thin = fit > APART ? APART : fit > 0 ? fit : 1;
    }
    if (o->samples == 0) {
        uint32_t fit = o->iterations / 2 / o->thin;
        o->samples = fit > SAMPLES ? SAMPLES : fit > 0 ? fit : 1;
    }
}

static ezlda_status check_options(inference *f, const ezlda_infer_options *options)
{
    ezlda_infer_options *out = &f->options;
    ezlda_infer_options_init(out);
    EZ_TRY(ez_options_read(out, sizeof *out, f->context, options, "infer"));
    if (out->iterations < 1)
        return ez_fail(f->context, EZLDA_ERROR_ARGUMENT, "iterations is 0; expected at least 1");
    EZ_TRY(ez_device_parse(&f->choice, f->context, out->device));
    choose_samples(out);
    if ((uint64_t)(out->samples - 1) * out->thin >= out->iterations)
        return ez_fail(f->context, EZLDA_ERROR_ARGUMENT,
                       "%u samples, %u iterations apart, take %llu iterations; there are %u",
                       out->samples, out->thin,
                       (unsigned long long)(out->samples - 1) * out->thin + 1, out->iterations);
    return EZLDA_OK;
}

/* The sampler's integer weights are made for priors in the range of training. Models from other
 * tools may have larger ones, which is an error; smaller ones are raised to a billionth, which
 * makes no difference. */
static ezlda_status set_priors(inference *f)
{
    const ez_model_meta *meta = f->model->meta;
    const double least = 1e-9, most_alpha = 100, most_beta = 100;
    if (meta->beta > most_beta)
        return ez_fail(f->context, EZLDA_ERROR_UNSUPPORTED,
                       "beta is %g in this model; topics can be inferred with %g at most",
                       meta->beta, most_beta);
    f->settings.priors.beta = (float)fmax(meta->beta, least);
    for (uint32_t k = 0; k < meta->topics; k++) {
        if (f->model->alpha[k] > most_alpha)
            return ez_fail(
                f->context, EZLDA_ERROR_UNSUPPORTED,
                "alpha of topic %u is %g in this model; topics can be inferred with %g at most", k,
                f->model->alpha[k], most_alpha);
        f->alpha[k] = (float)fmax(f->model->alpha[k], least);
        f->settings.priors.alpha_sum += (double)f->alpha[k];
    }
    return EZLDA_OK;
}

static ezlda_status make_settings(inference *f)
{
    const ez_model_meta *meta = f->model->meta;
    EZ_TRY(ez_array(&f->alpha, f->context, meta->topics, sizeof *f->alpha, "alpha"));
    f->settings = (ez_settings){
        .topics = meta->topics,
        .seed = f->options.seed,
        .priors.alpha = f->alpha,
        .estimator = EZLDA_LEAVE_ONE_OUT,
        .device_memory = f->options.device_memory,
        .base = &f->base.counts,
        .fixed = true,
    };
    return set_priors(f);
}

static ezlda_status report(const inference *f, uint64_t docs_done)
{
    ezlda_infer_progress progress = {
        .docs = f->known.docs, .docs_done = docs_done, .seconds = f->seconds};
    if (f->options.progress && f->options.progress(&progress, f->options.user) != 0)
        return ez_fail(f->context, EZLDA_ERROR_STOPPED, "stopped");
    return EZLDA_OK;
}

/* The batch that is being sampled. */
typedef struct sampled_batch {
    const inference *f;
    uint64_t first_doc;
} sampled_batch;

static ezlda_status report_batch(uint64_t docs, void *user)
{
    const sampled_batch *s = user;
    return report(s->f, s->first_doc + docs);
}

static ezlda_status sample(inference *f, batch *b)
{
    const ezlda_infer_options *o = &f->options;
    sampled_batch now = {f, b->tokens->first_doc};
    ez_sampling sampling = {
        .iterations = o->iterations,
        .samples = o->samples,
        .thin = o->thin,
        .topic = b->samples,
        .progress = report_batch,
        .user = &now,
    };
    uint64_t tokens = b->tokens->tokens;
    double begin = ez_now();
    EZ_TRY(ez_sample(b->backend, f->context, b->tokens, &sampling));
    f->seconds += ez_now() - begin;
    f->score += (double)sampling.score / (double)(1 << EZ_LOG2_BITS);
    return ez_hasher_add(f->hasher, f->context, b->samples + tokens * (o->samples - 1),
                         tokens * sizeof *b->samples);
}

static ezlda_status sample_batch(inference *f, batch *b)
{
    uint64_t tokens = b->tokens->tokens;
    size_t all;
    if (!ez_mul_size(tokens, f->options.samples, &all))
        return ez_fail(f->context, EZLDA_ERROR_MEMORY, "%u samples are too many",
                       f->options.samples);
    if (!f->has_base)
        EZ_TRY(ez_model_base_make(&f->base, f->context, f->model, b->tokens->original));
    f->has_base = true;
    EZ_TRY(ez_array(&b->samples, f->context, all, sizeof *b->samples, "samples"));
    EZ_TRY(ez_array(&b->start, f->context, tokens, sizeof *b->start, "topics"));
    ez_model_base_start(&f->base, f->context, f->settings.seed, b->tokens, b->start);
    f->settings.start_topics = b->start;
    EZ_TRY(ez_backend_open(&b->backend, f->context, &f->choice, b->tokens, &f->settings));
    snprintf(f->device, sizeof f->device, "%s", b->backend->ops->name);
    return sample(f, b);
}

static ezlda_status run_batch(inference *f, uint64_t first, uint64_t last)
{
    batch b = {0};
    uint64_t docs = ez_known_docs_before(&f->known, last) - ez_known_docs_before(&f->known, first);
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&b.unknown, f->context, docs, sizeof *b.unknown, "unknown words"));
    EZ_TRY_GOTO(ez_known_docs_tokens(&f->known, f->context, first, last, f->model->meta->words,
                                     f->model->word_tokens, &b.tokens, b.unknown));
    if (b.tokens->tokens > 0)
        EZ_TRY_GOTO(sample_batch(f, &b));
    if (b.backend)
        b.backend->ops->free(b.backend);
    b.backend = NULL;
    if (f->take)
        f->take(b.tokens,
                b.tokens->tokens ? b.samples + b.tokens->tokens * (f->options.samples - 1) : NULL,
                f->user);
    else
        EZ_TRY_GOTO(ez_infer_rows(f->context, b.tokens, b.samples, f->options.samples,
                                  f->settings.topics, b.unknown, f->row, f->user));
    status = report(f, ez_known_docs_before(&f->known, last));
done:
    if (b.backend)
        b.backend->ops->free(b.backend);
    ez_token_list_free(b.tokens);
    ez_free(b.start);
    ez_free(b.samples);
    ez_free(b.unknown);
    return status;
}

static ezlda_status infer(inference *f, const ezlda_corpus *corpus, ez_doc_range range)
{
    uint64_t most = f->options.batch ? f->options.batch : EZ_BATCH_TOKENS;
    const ez_known_docs *known = &f->known;
    EZ_TRY(make_settings(f));
    EZ_TRY(ez_hasher_create(&f->hasher, f->context));
    EZ_TRY(ez_known_docs_open(&f->known, f->context, corpus, f->model));
    if (known->before[known->blocks] == 0 && known->unknown_tokens > 0)
        ez_warn(f->context,
                "the model knows none of the corpus' %u words, so all rows are the prior: were "
                "both made in the same way (language, case, stems)?",
                known->unknown_words);
    uint64_t end = (range.last + EZ_CORPUS_BLOCK - 1) / EZ_CORPUS_BLOCK;
    for (uint64_t first = range.first / EZ_CORPUS_BLOCK, last; first < end; first = last) {
        last = first + 1;
        while (last < end && known->before[last + 1] - known->before[first] <= most)
            last++;
        EZ_TRY(run_batch(f, first, last));
    }
    return EZLDA_OK;
}

static ezlda_status fill_info(inference *f, ezlda_infer_info *info)
{
    uint64_t tokens = f->known.before[f->known.blocks];
    ezlda_infer_info all = {
        .size = sizeof all,
        .docs = f->known.docs,
        .tokens = tokens,
        .docs_without = f->known.without,
        .unknown_tokens = f->known.unknown_tokens,
        .unknown_words = f->known.unknown_words,
        .llpt = tokens ? f->score / (double)tokens : NAN,
        .seconds_sampling = f->seconds,
    };
    memcpy(all.device, f->device, sizeof all.device);
    EZ_TRY(ez_hasher_finish(f->hasher, f->context, &all.topics_hash));
    ez_struct_write(info, &all, sizeof all);
    return EZLDA_OK;
}

static void close_inference(inference *f)
{
    ez_known_docs_close(&f->known);
    ez_model_base_free(&f->base);
    ez_hasher_free(f->hasher);
    ez_free(f->alpha);
}

ezlda_status ez_infer_topics(const ezlda_model *model, ezlda_context *context,
                             const ezlda_corpus *corpus, ez_doc_range range,
                             const ezlda_infer_options *options, ez_batch_fn take, void *user)
{
    inference f = {.context = context, .model = model, .take = take, .user = user};
    ezlda_status status = check_options(&f, options);
    if (status == EZLDA_OK)
        status = infer(&f, corpus, range);
    close_inference(&f);
    return status;
}

ezlda_status ezlda_infer(ezlda_infer_info *info, ezlda_context *context, const ezlda_model *model,
                         const ezlda_corpus *corpus, const ezlda_infer_options *options,
                         ezlda_doc_row_fn row, void *user)
{
    inference f = {.context = context, .model = model, .row = row, .user = user};
    ez_corpus_sizes sizes;
    ezlda_status status;
    ez_clear(context);
    EZ_TRY(ez_needs(context, model, "a model"));
    EZ_TRY(ez_needs(context, corpus, "a corpus"));
    ez_corpus_sizes_of(corpus, &sizes);
    EZ_TRY_GOTO(check_options(&f, options));
    EZ_TRY_GOTO(infer(&f, corpus, (ez_doc_range){0, sizes.docs}));
    if (info)
        status = fill_info(&f, info);
done:
    close_inference(&f);
    return status;
}

void ezlda_doc_row_shares(const ezlda_model *model, const ezlda_doc_row *row, double *theta)
{
    double all = (double)row->tokens + model->alpha_sum;
    for (uint32_t k = 0; k < model->meta->topics; k++)
        theta[k] = model->alpha[k] / all;
    for (size_t i = 0; i < row->n; i++)
        theta[row->topic[i]] = (row->count[i] + model->alpha[row->topic[i]]) / all;
}
