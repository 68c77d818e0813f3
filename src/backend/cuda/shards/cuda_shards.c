/* The backend of several GPUs: the documents are dealt out to shards, one per named device, and
 * every shard has all of W. A device may be named several times. The steps of all shards are
 * started one after another and run at the same time; events order the sums (cuda_shard_sum.c). */
#include "backend/cuda/cuda_backend.h"
#include "backend/cuda/cuda_counts.h"
#include "backend/cuda/cuda_histograms.h"
#include "backend/cuda/cuda_prior_sample.h"
#include "backend/cuda/cuda_topics.h"
#include "backend/cuda/shards/cuda_owned_rows.h"
#include "backend/cuda/shards/cuda_shard_sum.h"
#include "base/wall_clock.h"
#include "tokens/token_shard.h"

#include <string.h>

/* What a shard has of its own: documents, and settings that name its device and memory. */
typedef struct shard {
    ez_token_list *tokens;
    ez_settings settings;
    uint64_t first_token;
} shard;

typedef struct shards_backend {
    ez_backend base;
    const ez_settings *settings;
    int n;
    shard *shard;
    ez_cuda **cuda; /* n */
    bool reach;     /* kernels of each can read the memory of the others' devices */
} shards_backend;

static void shards_free(ez_backend *backend)
{
    shards_backend *b = (shards_backend *)backend;
    if (!b)
        return;
    for (int m = 0; m < b->n; m++) {
        if (b->cuda && b->cuda[m])
            ez_cuda_backend.free(&b->cuda[m]->base);
        if (b->shard)
            ez_token_list_free(b->shard[m].tokens);
    }
    ez_free(b->shard);
    ez_free(b->cuda);
    ez_free(b);
}

/* How often the device of shard m is named, from shard `from` on. */
static unsigned times_named(const ez_gpus *gpus, int m, int from)
{
    unsigned n = 0;
    for (int i = from; i < gpus->n; i++)
        n += gpus->number[i] == gpus->number[m];
    return n;
}

static ezlda_status create_shard(shards_backend *b, ezlda_context *context,
                                 const ez_token_list *tokens, const ez_gpus *gpus, int m,
                                 uint64_t first, uint64_t last)
{
    const ez_settings *s = b->settings;
    shard *mine = &b->shard[m];
    EZ_TRY(ez_token_list_shard(&mine->tokens, context, tokens, first, last));
    mine->first_token = tokens->doc_start[first];
    mine->settings = *s;
    /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): shard m names its device, so
     * the count is not 0 */
    mine->settings.device_memory = s->device_memory / times_named(gpus, m, 0);
    if (s->device_memory && !mine->settings.device_memory)
        mine->settings.device_memory = 1; /* 0 would be no limit */
    if (s->start_topics)
        mine->settings.start_topics = s->start_topics + mine->first_token;
    ez_cuda_role role = {
        .slice = m,
        .slices = b->n,
        .adds_base = m == 0 && ez_is_root(s->group),
        .reaches_others = b->reach,
        .shares_device = times_named(gpus, m, 0) > 1,
        .shards_to_allocate = times_named(gpus, m, m),
        .device_number = gpus->number[m],
        .memory_halvings = gpus->memory_halvings,
    };
    return ez_cuda_create_shard(&b->cuda[m], context, mine->tokens, &mine->settings, &role);
}

/* Gives every shard the document frequencies of all; each has counted those of its own documents.
 */
static ezlda_status sum_doc_frequencies(shards_backend *b, ezlda_context *context)
{
    uint32_t words = b->shard[0].tokens->words, *sum = NULL, *own = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(ez_array_zero(&sum, context, words, sizeof *sum, "document frequencies"));
    EZ_TRY_GOTO(ez_array(&own, context, words, sizeof *own, "document frequencies"));
    for (int m = 0; m < b->n; m++) {
        ez_cuda *c = b->cuda[m];
        EZ_TRY_GOTO(ez_device_enter(&c->device, context));
        EZ_TRY_GOTO(
            ez_device_read(&c->device, context, own, c->index.doc_frequency, words * sizeof *own));
        for (uint32_t v = 0; v < words; v++)
            sum[v] += own[v];
    }
    for (int m = 0; m < b->n; m++) {
        uint32_t **out = &b->shard[m].tokens->doc_frequency;
        EZ_TRY_GOTO(ez_array(out, context, words, sizeof **out, "document frequencies"));
        memcpy(*out, sum, words * sizeof *sum);
    }
done:
    ez_free(sum);
    ez_free(own);
    return status;
}

static ezlda_status create_all(shards_backend *b, ezlda_context *context, ez_token_list *tokens,
                               const ez_gpus *gpus)
{
    uint64_t *first = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(ez_array_zero(&b->shard, context, (size_t)b->n, sizeof *b->shard, "devices"));
    EZ_TRY_GOTO(ez_array_zero(&b->cuda, context, (size_t)b->n, sizeof *b->cuda, "devices"));
    EZ_TRY_GOTO(ez_array(&first, context, (size_t)b->n + 1, sizeof *first, "devices"));
    ez_token_list_cut(tokens, b->n, first);
    for (int m = 0; m < b->n; m++)
        EZ_TRY_GOTO(create_shard(b, context, tokens, gpus, m, first[m], first[m + 1]));
    EZ_TRY_GOTO(ez_cuda_agree_on_owned_rows(b->cuda, b->n, context));
    if (!tokens->doc_frequency)
        status = sum_doc_frequencies(b, context);
done:
    ez_free(first);
    return status;
}

static ezlda_status shards_create(ez_backend **out, ezlda_context *context, ez_token_list *tokens,
                                  const ez_settings *settings, const ez_gpus *gpus)
{
    *out = NULL;
    shards_backend *b = NULL;
    EZ_TRY(ez_array_zero(&b, context, 1, sizeof *b, "the backend"));
    b->base.ops = &ez_cuda_shards_backend;
    b->settings = settings;
    b->n = gpus->n;
    b->reach = true;
    for (int m = 1; m < b->n; m++)
        b->reach = b->reach && gpus->number[m] == gpus->number[0];
    ezlda_status status = create_all(b, context, tokens, gpus);
    if (status != EZLDA_OK) {
        shards_free(&b->base);
        return status;
    }
    *out = &b->base;
    return EZLDA_OK;
}

static ezlda_status shards_start(ez_backend *backend, ezlda_context *context)
{
    shards_backend *b = (shards_backend *)backend;
    for (int m = 0; m < b->n; m++) {
        EZ_TRY(ez_device_enter(&b->cuda[m]->device, context));
        EZ_TRY(ez_cuda_start_topics(b->cuda[m], context));
        EZ_TRY(ez_cuda_count(b->cuda[m], context));
    }
    EZ_TRY(ez_cuda_sum_shards(b->cuda, b->n, context, b->settings->group));
    for (int m = 0; m < b->n; m++) {
        EZ_TRY(ez_device_enter(&b->cuda[m]->device, context));
        EZ_TRY(ez_device_finish(&b->cuda[m]->device, context, "the start"));
    }
    return EZLDA_OK;
}

static ezlda_status prepare(shards_backend *b, ezlda_context *context, uint32_t iteration)
{
    bool there = ez_cuda_has_records(b->cuda[0], iteration);
    for (int m = 0; m < b->n; m++)
        EZ_TRY(ez_cuda_prepare(b->cuda[m], context, iteration));
    return there ? EZLDA_OK : ez_cuda_share_records(b->cuda, b->n, context);
}

static ezlda_status shards_iterate(ez_backend *backend, ezlda_context *context, uint32_t iteration,
                                   ez_iteration *done)
{
    shards_backend *b = (shards_backend *)backend;
    double begin = ez_now();
    *done = (ez_iteration){0};
    EZ_TRY(prepare(b, context, iteration));
    for (int m = 0; m < b->n; m++) {
        EZ_TRY(ez_device_enter(&b->cuda[m]->device, context));
        EZ_TRY(ez_cuda_sample(b->cuda[m], context));
        EZ_TRY(ez_cuda_count(b->cuda[m], context));
    }
    EZ_TRY(ez_cuda_sum_shards(b->cuda, b->n, context, b->settings->group));
    for (int m = 0; m < b->n; m++)
        EZ_TRY(ez_cuda_request_tallies(b->cuda[m], context));
    /* A fixed W has no sums, so nothing would say that the other shards have copied these records.
     */
    if (!b->settings->fixed)
        EZ_TRY(prepare(b, context, iteration + 1));
    for (int m = 0; m < b->n; m++) {
        ez_iteration one;
        EZ_TRY(ez_cuda_wait_tallies(b->cuda[m], context, &one));
        done->undecided += one.undecided;
        done->moved += one.moved;
    }
    for (int m = 0; m < b->n; m++)
        ez_cuda_note_time(b->cuda[m], iteration, ez_now() - begin);
    return EZLDA_OK;
}

static ezlda_status shards_score(ez_backend *backend, ezlda_context *context, int64_t *sum)
{
    shards_backend *b = (shards_backend *)backend;
    *sum = 0;
    EZ_TRY(prepare(b, context, 0));
    for (int m = 0; m < b->n; m++) {
        EZ_TRY(ez_device_enter(&b->cuda[m]->device, context));
        EZ_TRY(ez_cuda_sample(b->cuda[m], context));
    }
    for (int m = 0; m < b->n; m++) {
        int64_t one;
        EZ_TRY(ez_device_enter(&b->cuda[m]->device, context));
        EZ_TRY(ez_cuda_read_score(b->cuda[m], context, &one));
        *sum += one;
    }
    return EZLDA_OK;
}

static ezlda_status shards_priors(ez_backend *backend, ezlda_context *context,
                                  const ez_priors *priors)
{
    shards_backend *b = (shards_backend *)backend;
    for (int m = 0; m < b->n; m++)
        EZ_TRY(ez_cuda_backend.priors(&b->cuda[m]->base, context, priors));
    return EZLDA_OK;
}

/* Adds the histogram of D of shard m; W is the same on all shards. */
static ezlda_status add_histograms(shards_backend *b, ezlda_context *context, int m,
                                   ez_histograms *out)
{
    ez_histograms one = {0};
    ezlda_status status;
    EZ_TRY_GOTO(ez_histograms_init(&one, context, out->topics));
    EZ_TRY_GOTO(ez_cuda_histograms(&b->cuda[m]->base, context, &one));
    memset(one.words, 0, EZ_COUNT_CELLS * sizeof *one.words);
    memset(one.topic_tokens, 0, out->topics * sizeof *one.topic_tokens);
    status = ez_histograms_add(out, context, &one);
done:
    ez_histograms_free(&one);
    return status;
}

static ezlda_status shards_histograms(ez_backend *backend, ezlda_context *context,
                                      ez_histograms *out)
{
    shards_backend *b = (shards_backend *)backend;
    EZ_TRY(ez_cuda_histograms(&b->cuda[0]->base, context, out));
    for (int m = 1; m < b->n; m++)
        EZ_TRY(add_histograms(b, context, m, out));
    return EZLDA_OK;
}

static ezlda_status shards_counts(ez_backend *backend, ezlda_context *context, const uint32_t *word,
                                  uint32_t rows, ez_w_counts *out)
{
    shards_backend *b = (shards_backend *)backend;
    for (int m = 0; m < b->n; m++) { /* what this shard copies from the others must be there */
        EZ_TRY(ez_device_enter(&b->cuda[m]->device, context));
        EZ_TRY(ez_device_finish(&b->cuda[m]->device, context, "rows of W"));
    }
    return ez_cuda_counts(b->cuda[0], context, word, rows, out);
}

static ezlda_status shards_prior_sample(ez_backend *backend, ezlda_context *context,
                                        const ez_prior_sample_docs *docs, ez_prior_sample_fit **out)
{
    shards_backend *b = (shards_backend *)backend;
    uint64_t first_token[EZ_DEVICES_MAX + 1] = {0};
    for (int m = 0; m < b->n; m++)
        first_token[m] = b->shard[m].first_token;
    first_token[b->n] = first_token[b->n - 1] + b->shard[b->n - 1].tokens->tokens;
    return ez_cuda_prior_sample_open(b->cuda, b->n, first_token, context, docs, out);
}

static ezlda_status shards_topics(ez_backend *backend, ezlda_context *context, uint16_t *out)
{
    shards_backend *b = (shards_backend *)backend;
    for (int m = 0; m < b->n; m++)
        EZ_TRY(ez_cuda_backend.topics(&b->cuda[m]->base, context, out + b->shard[m].first_token));
    return EZLDA_OK;
}

static void shards_memory(const ez_backend *backend, ez_device_memory *out)
{
    const shards_backend *b = (const shards_backend *)backend;
    *out = (ez_device_memory){.free = UINT64_MAX};
    for (int m = 0; m < b->n; m++) {
        ez_device_memory one;
        ez_cuda_backend.memory(&b->cuda[m]->base, &one);
        out->bytes += one.bytes;
        out->peak += one.peak;
        out->free = one.free < out->free ? one.free : out->free;
        out->chunks = one.chunks > out->chunks ? one.chunks : out->chunks;
    }
}

const ez_backend_ops ez_cuda_shards_backend = {
    .name = "cuda",
    .create = shards_create,
    .start = shards_start,
    .iterate = shards_iterate,
    .priors = shards_priors,
    .histograms = shards_histograms,
    .counts = shards_counts,
    .prior_sample = shards_prior_sample,
    .score = shards_score,
    .topics = shards_topics,
    .memory = shards_memory,
    .free = shards_free,
};
