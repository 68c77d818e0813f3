/* Removes the prior sample from the W of the first shard, draws its topics and scores them there;
 * only sums are read back. */
#include "backend/cuda/cuda_prior_sample.h"

#include "backend/cuda/cuda_prior_sample_handle.h"
#include "backend/sampling.h"

#include <string.h>

static ezlda_status launch(ez_cuda_prior_sample *p, ezlda_context *context, const ez_kernel *kernel,
                           unsigned work, unsigned most)
{
    unsigned blocks = kernel->blocks < most ? kernel->blocks : most;
    blocks = work < blocks ? work : blocks;
    return ez_device_launch(&p->cuda->device, context, kernel, blocks > 0 ? blocks : 1, &p->state);
}

static ezlda_status remove_documents(ez_cuda_prior_sample *p, ezlda_context *context, bool put_back)
{
    p->state.put_back = put_back;
    return launch(p, context, &p->remove, p->state.words.n, UINT32_MAX);
}

static ezlda_status draw_first_topics(ez_cuda_prior_sample *p, ezlda_context *context)
{
    p->state.key = ez_iteration_key(p->state.seed, 0);
    return launch(p, context, &p->start, p->state.list.tokens, UINT32_MAX);
}

static ezlda_status cuda_begin(ez_prior_sample_fit *fit, ezlda_context *context)
{
    ez_cuda_prior_sample *p = (ez_cuda_prior_sample *)fit;
    ez_prior_sample_state *s = &p->state;
    ez_device *device = &p->cuda->device;
    ez_buffer own = {0};
    ezlda_status status;
    EZ_TRY_GOTO(ez_cuda_prior_sample_gather(p, context, &own));
    EZ_TRY_GOTO(ez_device_enter(device, context));
    EZ_TRY_GOTO(ez_device_write(device, context, s->own_topic, own.data, own.used));
    EZ_TRY_GOTO(
        ez_device_write(device, context, s->removed, p->removed, s->topics * sizeof *s->removed));
    EZ_TRY_GOTO(ez_device_zero(device, context, s->counts,
                               (size_t)p->counts_rows * s->topics * sizeof *s->counts));
    p->is_removed = true;
    EZ_TRY_GOTO(remove_documents(p, context, false));
    EZ_TRY_GOTO(launch(p, context, &p->rows, s->words.n, p->counts_rows));
    s->list = p->documents;
    status = draw_first_topics(p, context);
done:
    ez_free(own.data);
    return status;
}

/* Sets the priors, and makes the rates and the records for them. */
static ezlda_status set_priors(ez_cuda_prior_sample *p, ezlda_context *context,
                               const ez_priors *priors, uint64_t longest)
{
    ez_prior_sample_state *s = &p->state;
    s->weight_bits = ez_weight_bits(longest, priors->alpha_sum);
    s->beta = priors->beta;
    s->alpha_sum = priors->alpha_sum;
    EZ_TRY(ez_device_write(&p->cuda->device, context, s->alpha, priors->alpha,
                           s->topics * sizeof *s->alpha));
    EZ_TRY(launch(p, context, &p->rates, (s->topics + p->rates.threads - 1) / p->rates.threads,
                  UINT32_MAX));
    return launch(p, context, &p->records, s->words.n, p->counts_rows);
}

/* One iteration: rows of D, then draws. */
static ezlda_status iterate(ez_cuda_prior_sample *p, ezlda_context *context, uint32_t iteration,
                            uint16_t *keep)
{
    ez_prior_sample_state *s = &p->state;
    s->key = ez_iteration_key(s->seed, iteration);
    s->keep = keep;
    EZ_TRY(launch(p, context, &p->docs_pass, s->list.docs, p->counts_rows));
    return launch(p, context, &p->draw, (s->list.tokens + p->draw.threads - 1) / p->draw.threads,
                  UINT32_MAX);
}

static ezlda_status cuda_sample(ez_prior_sample_fit *fit, ezlda_context *context,
                                const ez_priors *priors, uint32_t done, uint32_t iterations)
{
    ez_cuda_prior_sample *p = (ez_cuda_prior_sample *)fit;
    ez_prior_sample_state *s = &p->state;
    EZ_TRY(ez_device_enter(&p->cuda->device, context));
    EZ_TRY(ez_device_zero(&p->cuda->device, context, s->histograms.docs,
                          p->n_cells * sizeof *s->histograms.docs));
    s->list = p->documents;
    EZ_TRY(set_priors(p, context, priors, p->docs->tokens->longest));
    for (uint32_t i = 1; i <= iterations; i++)
        EZ_TRY(iterate(p, context, done + i, NULL));
    return launch(p, context, &p->tally, s->list.docs, p->counts_rows);
}

/* Reads the list of counts without a cell. */
static ezlda_status read_more(ez_cuda_prior_sample *p, ezlda_context *context, uint64_t n,
                              ez_buffer *out)
{
    out->used = 0;
    if (n == 0)
        return EZLDA_OK;
    EZ_TRY(ez_buffer_reserve(out, context, n * sizeof n));
    EZ_TRY(ez_device_read(&p->cuda->device, context, out->data, p->state.histograms.more,
                          n * sizeof n));
    out->used = n * sizeof n;
    return EZLDA_OK;
}

static ezlda_status cuda_counts(ez_prior_sample_fit *fit, ezlda_context *context,
                                ez_prior_sample_counts *out)
{
    ez_cuda_prior_sample *p = (ez_cuda_prior_sample *)fit;
    size_t topics = p->state.topics, docs = topics * EZ_HISTOGRAM_CELLS;
    const uint64_t *met = p->cells + docs, *own = met + EZ_COUNT_CELLS + 1;
    EZ_TRY(ez_device_enter(&p->cuda->device, context));
    EZ_TRY(ez_device_read_async(&p->cuda->device, context, p->cells, p->state.histograms.docs,
                                p->n_cells * sizeof *p->cells));
    EZ_TRY(ez_device_finish(&p->cuda->device, context, "the prior sample"));
    memcpy(out->docs->docs, p->cells, docs * sizeof *p->cells);
    memcpy(out->met, met, EZ_COUNT_CELLS * sizeof *met);
    memcpy(out->own, own, topics * sizeof *own);
    memcpy(out->rest, own + topics, topics * sizeof *own);
    return read_more(p, context, met[EZ_COUNT_CELLS], &out->docs->docs_more);
}

static ezlda_status cuda_score(ez_prior_sample_fit *fit, ezlda_context *context,
                               const ez_priors *priors, int64_t *sum)
{
    ez_cuda_prior_sample *p = (ez_cuda_prior_sample *)fit;
    ez_prior_sample_state *s = &p->state;
    ez_sampling plan = {
        .iterations = EZ_SCORE_ITERATIONS, .samples = EZ_SCORE_SAMPLES, .thin = EZ_SCORE_THIN};
    long long total;
    EZ_TRY(ez_device_enter(&p->cuda->device, context));
    s->list = p->observed;
    EZ_TRY(set_priors(p, context, priors, p->docs->observed->longest));
    EZ_TRY(draw_first_topics(p, context));
    EZ_TRY(ez_device_zero(&p->cuda->device, context, s->score_sum, sizeof *s->score_sum));
    s->samples = EZ_SCORE_SAMPLES;
    for (uint32_t i = 1; i <= EZ_SCORE_ITERATIONS; i++) {
        int64_t number = ez_sample_number(&plan, i);
        EZ_TRY(iterate(p, context, i,
                       number < 0 ? NULL : s->sample + (uint64_t)number * s->list.tokens));
    }
    EZ_TRY(launch(p, context, &p->score, s->list.docs, p->weight_rows));
    EZ_TRY(ez_device_read(&p->cuda->device, context, &total, s->score_sum, sizeof total));
    *sum = total;
    return EZLDA_OK;
}

static ezlda_status cuda_end(ez_prior_sample_fit *fit, ezlda_context *context)
{
    ez_cuda_prior_sample *p = (ez_cuda_prior_sample *)fit;
    if (!p->is_removed)
        return EZLDA_OK;
    p->is_removed = false;
    EZ_TRY(ez_device_enter(&p->cuda->device, context));
    return remove_documents(p, context, true);
}

/* The device frees its arrays when it is closed. */
static void cuda_free(ez_prior_sample_fit *fit)
{
    ez_cuda_prior_sample *p = (ez_cuda_prior_sample *)fit;
    if (!p)
        return;
    if (p->cells) {
        p->cuda->device.driver->cuCtxSetCurrent(p->cuda->device.cuda);
        ez_device_host_free(&p->cuda->device, p->cells);
    }
    for (int m = 0; p->gathering && m < p->shards; m++)
        ez_free(p->gathering[m].topic);
    ez_free(p->gathering);
    ez_free(p->removed);
    ez_free(p);
}

static const ez_prior_sample_ops ops = {
    .begin = cuda_begin,
    .sample = cuda_sample,
    .counts = cuda_counts,
    .score = cuda_score,
    .end = cuda_end,
    .free = cuda_free,
};

/* ---- opening ---- */

/* Whether the device can do it. */
static bool suits(ez_cuda **shard, int shards, const ez_prior_sample_docs *docs)
{
    const ez_token_list *t = docs->tokens;
    if (shard[0]->settings->base || t->tokens > UINT32_MAX / 2)
        return false;
    for (int m = 0; m < shards; m++)
        if (shard[m]->chunks > 1)
            return false;
    for (uint64_t d = 0; d < t->docs; d++)
        if (ez_doc_length(t, d) > EZ_ENTRY_MAX)
            return false;
    return true;
}

ezlda_status ez_cuda_prior_sample_open(ez_cuda **shard, int shards, const uint64_t *first_token,
                                       ezlda_context *context, const ez_prior_sample_docs *docs,
                                       ez_prior_sample_fit **out)
{
    ez_cuda *c = shard[0];
    ez_cuda_prior_sample *p = NULL;
    *out = NULL;
    if (!suits(shard, shards, docs))
        return EZLDA_OK;
    EZ_TRY(ez_array_zero(&p, context, 1, sizeof *p, "the prior sample"));
    *p = (ez_cuda_prior_sample){.base = {&ops}, .docs = docs, .cuda = c, .shards = shards};
    p->state = (ez_prior_sample_state){
        .topics = c->state.w.topics,
        .all_words = c->state.w.words,
        .seed = c->settings->seed,
        .w = c->state.w,
    };
    ezlda_status status;
    EZ_TRY_GOTO(ez_cuda_prior_sample_open_gathering(p, context, shard, first_token));
    EZ_TRY_GOTO(ez_device_enter(&c->device, context));
    status = ez_cuda_prior_sample_arrays(p, context);
done:
    if (status != EZLDA_OK) {
        cuda_free(&p->base);
        p = NULL;
    }
    if (status == EZLDA_ERROR_MEMORY) { /* the host has other memory */
        ez_clear(context);
        status = EZLDA_OK;
    }
    *out = p ? &p->base : NULL;
    return status;
}
