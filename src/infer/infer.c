/* Infers the topics of new documents: batches of documents are sampled by a backend whose W is the
 * model's and does not change. */
#include "base/options_struct.h"
#include "infer/infer_batch.h"
#include "model/model_layout.h"
#include "sampler/log2_fixed.h"

#include <math.h>
#include <string.h>

/* Tokens of a batch: enough to keep any device busy, few compared with its memory. */
static const uint64_t EZ_BATCH_TOKENS = (uint64_t)1 << 26;

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

ezlda_status ez_inference_options(ez_inference *f, const ezlda_infer_options *options)
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
static ezlda_status set_priors(ez_inference *f)
{
    const ez_model_meta *meta = f->model->meta;
    const double least = 1e-9, most_alpha = 100, most_beta = 100;
    if (meta->beta > most_beta)
        return ez_fail(f->context, EZLDA_ERROR_UNSUPPORTED,
                       "beta is %g in this model; topics can be inferred with %g at most",
                       meta->beta, most_beta);
    f->settings.priors.beta = (float)fmax(f->model->phi.beta, least);
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

ezlda_status ez_inference_settings(ez_inference *f)
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

/* No token can be sampled. */
static void warn_of_prior(ezlda_context *context, const ez_known_docs *known)
{
    if (known->unseen_tokens > 0)
        ez_warn(context, "none of the corpus' words has a token in the model, so all rows are the "
                         "prior");
    else if (known->unknown_tokens > 0)
        ez_warn(context,
                "the model knows none of the corpus' %u words, so all rows are the prior: were "
                "both made in the same way (language, case, stems)?",
                known->unknown_words);
}

static ezlda_status infer_range(ez_inference *f, const ezlda_corpus *corpus, ez_doc_range range)
{
    uint64_t most = f->options.batch ? f->options.batch : EZ_BATCH_TOKENS;
    const ez_known_docs *known = &f->known;
    EZ_TRY(ez_inference_settings(f));
    EZ_TRY(ez_hasher_create(&f->hasher, f->context));
    EZ_TRY(ez_known_docs_open(&f->known, f->context, corpus, f->model));
    if (known->before[known->blocks] == 0)
        warn_of_prior(f->context, known);
    uint64_t end = (range.last + EZ_CORPUS_BLOCK - 1) / EZ_CORPUS_BLOCK;
    for (uint64_t first = range.first / EZ_CORPUS_BLOCK, last; first < end; first = last) {
        last = first + 1;
        while (last < end && known->before[last + 1] - known->before[first] <= most)
            last++;
        EZ_TRY(ez_infer_batch(f, first, last));
    }
    return EZLDA_OK;
}

/* Infers a range of documents, with no more threads than the work is worth. */
static ezlda_status infer(ez_inference *f, const ezlda_corpus *corpus, ez_doc_range range)
{
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(corpus, &sizes);
    int threads = ez_threads_begin(f->context, ez_product(sizes.tokens, f->options.iterations));
    ezlda_status status = infer_range(f, corpus, range);
    ez_threads_end(f->context, threads);
    return status;
}

static ezlda_status fill_info(ez_inference *f, ezlda_infer_info *info)
{
    uint64_t tokens = f->known.before[f->known.blocks] + f->known.unseen_tokens;
    double scale = (double)(1 << EZ_LOG2_BITS);
    ezlda_infer_info all = {
        .size = sizeof all,
        .docs = f->known.docs,
        .tokens = tokens,
        .docs_without = f->known.without,
        .unknown_tokens = f->known.unknown_tokens,
        .unknown_words = f->known.unknown_words,
        .llpt = tokens ? (double)f->score / scale / (double)tokens : NAN,
        .seconds_sampling = f->seconds,
        .unseen_tokens = f->known.unseen_tokens,
    };
    memcpy(all.device, f->device, sizeof all.device);
    EZ_TRY(ez_hasher_finish(f->hasher, f->context, &all.topics_hash));
    ez_struct_write(info, &all, sizeof all);
    return EZLDA_OK;
}

void ez_inference_close(ez_inference *f)
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
    ez_inference f = {.context = context, .model = model, .take = take, .to.user = user};
    ezlda_status status = ez_inference_options(&f, options);
    if (status == EZLDA_OK)
        status = infer(&f, corpus, range);
    ez_inference_close(&f);
    return status;
}

ezlda_status ez_infer_all(ezlda_infer_info *info, ezlda_context *context, const ezlda_model *model,
                          const ezlda_corpus *corpus, const ezlda_infer_options *options,
                          const ez_row_receiver *to)
{
    ez_inference f = {.context = context, .model = model, .to = *to};
    ez_corpus_sizes sizes;
    ezlda_status status;
    ez_corpus_sizes_of(corpus, &sizes);
    EZ_TRY_GOTO(ez_inference_options(&f, options));
    EZ_TRY_GOTO(infer(&f, corpus, (ez_doc_range){0, sizes.docs}));
    if (info)
        status = fill_info(&f, info);
done:
    ez_inference_close(&f);
    return status;
}

ezlda_status ezlda_infer(ezlda_infer_info *info, ezlda_context *context, const ezlda_model *model,
                         const ezlda_corpus *corpus, const ezlda_infer_options *options,
                         ezlda_doc_row_fn row, void *user)
{
    const ez_row_receiver to = {.row = row, .user = user};
    ez_clear(context);
    EZ_TRY(ez_needs(context, model, "a model"));
    EZ_TRY(ez_needs(context, corpus, "a corpus"));
    return ez_infer_all(info, context, model, corpus, options, &to);
}

void ezlda_doc_row_shares(const ezlda_model *model, const ezlda_doc_row *row, double *theta)
{
    double all = (double)row->tokens + model->alpha_sum;
    for (uint32_t k = 0; k < model->meta->topics; k++)
        theta[k] = model->alpha[k] / all;
    for (size_t i = 0; i < row->n; i++)
        theta[row->topic[i]] = ez_row_share(model, row, i);
}
