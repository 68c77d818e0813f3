/* Makes the histograms of D and W on the device: D is rebuilt chunk by chunk by the documents pass.
 */
#include "backend/cuda/cuda_histograms.h"

#include "backend/cuda/cuda_backend.h"
#include "backend/cuda/cuda_chunks.h"
#include "backend/cuda/cuda_hybrid_w.h"
#include "backend/cuda/cuda_kernel_table.h"

#include <string.h>

uint64_t ez_cuda_histogram_room(const ez_cuda *c)
{
    return c->tokens->tokens / EZ_HISTOGRAM_CELLS + 1;
}

/* Appends the list of counts without a cell to `out`. */
static ezlda_status read_more(ez_cuda *c, ezlda_context *context, ez_buffer *out)
{
    ez_device *device = &c->device;
    unsigned long long n, *counter = c->state.histograms.words + EZ_COUNT_CELLS;
    EZ_TRY(ez_device_read(device, context, &n, counter, sizeof n));
    if (n == 0)
        return EZLDA_OK;
    EZ_TRY(ez_buffer_reserve(out, context, n * sizeof n));
    EZ_TRY(ez_device_read(device, context, out->data + out->used, c->state.histograms.more,
                          n * sizeof n));
    out->used += n * sizeof n;
    return EZLDA_OK;
}

static ezlda_status histogram_chunk(ez_cuda *c, ezlda_context *context, const ez_chunk *chunk,
                                    const ez_device_state *s)
{
    ez_kernel kernel;
    ez_device_state state = *s;
    EZ_TRY(ez_device_zero(&c->device, context, c->state.work.counters,
                          EZ_COUNTERS * sizeof *c->state.work.counters));
    EZ_TRY(ez_cuda_run_pass(c, context, &chunk->documents, s, false));
    EZ_TRY(ez_cuda_find_kernel(c, context, &kernel, EZ_KERNEL_HISTOGRAM_DOCS, 0));
    return ez_device_launch(&c->device, context, &kernel, kernel.blocks, &state);
}

static ezlda_status histogram_words(ez_cuda *c, ezlda_context *context)
{
    ez_kernel kernel;
    EZ_TRY(ez_cuda_find_kernel(c, context, &kernel, EZ_KERNEL_HISTOGRAM_WORDS, 0));
    return ez_device_launch(&c->device, context, &kernel, kernel.blocks, &c->state);
}

ezlda_status ez_cuda_histograms(ez_backend *backend, ezlda_context *context, ez_histograms *out)
{
    ez_cuda *c = (ez_cuda *)backend;
    ez_device *device = &c->device;
    ez_device_state *s = &c->state;
    size_t cells = (size_t)s->w.topics * EZ_HISTOGRAM_CELLS;
    if (!c->settings->histograms)
        return ez_fail(context, EZLDA_ERROR_INTERNAL, "histograms were not announced");
    ez_histograms_clear(out);
    EZ_TRY(ez_device_enter(device, context));
    EZ_TRY(ez_device_zero(device, context, s->histograms.docs, cells * sizeof *s->histograms.docs));
    EZ_TRY(ez_device_zero(device, context, s->histograms.words,
                          (EZ_COUNT_CELLS + 1) * sizeof *s->histograms.words));
    c->rates_made = false; /* this uses the counters */
    s->rules.score = 1;    /* write the rows of all documents, draw nothing */
    s->rules.decide = 0;
    EZ_TRY(
        ez_cuda_each_chunk(c, context, EZ_CHUNK_TOPICS | EZ_CHUNK_TOKENS, false, histogram_chunk));
    if (!c->settings->fixed)
        EZ_TRY(histogram_words(c, context));
    EZ_TRY(read_more(c, context, &out->docs_more));
    EZ_TRY(
        ez_device_read(device, context, out->docs, s->histograms.docs, cells * sizeof *out->docs));
    EZ_TRY(ez_device_read(device, context, out->words, s->histograms.words,
                          EZ_COUNT_CELLS * sizeof *out->words));
    return ez_device_read(device, context, out->topic_tokens, s->w.topic_tokens,
                          s->w.topics * sizeof *out->topic_tokens);
}
