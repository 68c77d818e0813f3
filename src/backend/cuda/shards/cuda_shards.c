/* Several GPUs: documents dealt out to members, W on each. A device may be named several times. The
 * members' work is started one after another and runs side by side; sums keep its order by events
 * (cuda_shard_sum.c). */
#include "backend/cuda/cuda_state.h"
#include "base/wall_clock.h"
#include "tokens/token_shard.h"

#include <string.h>

typedef struct member {
    ez_token_list *tokens;
    ez_settings settings;
    uint64_t first_token;
} member;

typedef struct members_backend {
    ez_backend base;
    const ez_settings *settings;
    int n;
    member *member;
    ez_cuda **cuda; /* n */
    bool reach;     /* kernels of each can read what lies on the others' devices */
} members_backend;

static void members_free(ez_backend *backend)
{
    members_backend *b = (members_backend *)backend;
    if (!b)
        return;
    for (int m = 0; m < b->n; m++) {
        if (b->cuda && b->cuda[m])
            ez_cuda_backend.free(&b->cuda[m]->base);
        if (b->member)
            ez_token_list_free(b->member[m].tokens);
    }
    ez_free(b->member);
    ez_free(b->cuda);
    ez_free(b);
}

/* How often the device of member m is named, from member `from` on. */
static unsigned times_named(const ez_gpus *gpus, int m, int from)
{
    unsigned n = 0;
    for (int i = from; i < gpus->n; i++)
        n += gpus->number[i] == gpus->number[m];
    return n;
}

static ezlda_status create_member(members_backend *b, ezlda_context *context,
                                  const ez_token_list *tokens, const ez_gpus *gpus, int m,
                                  uint64_t first, uint64_t last)
{
    const ez_settings *s = b->settings;
    member *mine = &b->member[m];
    EZ_TRY(ez_token_list_shard(&mine->tokens, context, tokens, first, last));
    mine->first_token = tokens->doc_start[first];
    mine->settings = *s;
    /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): a device is named at least where it is named
     */
    mine->settings.device_memory = s->device_memory / times_named(gpus, m, 0);
    if (s->device_memory && !mine->settings.device_memory)
        mine->settings.device_memory = 1; /* 0 would be no limit */
    if (s->start_topics)
        mine->settings.start_topics = s->start_topics + mine->first_token;
    ez_cuda_role place = {
        .slice = m,
        .slices = b->n,
        .adds_base = m == 0 && ez_is_root(s->group),
        .reaches_others = b->reach,
        .shares_device = times_named(gpus, m, 0) > 1,
        .to_come = times_named(gpus, m, m),
        .device_number = gpus->number[m],
        .memory_halvings = gpus->memory_halvings,
    };
    return ez_cuda_create_member(&b->cuda[m], context, mine->tokens, &mine->settings, &place);
}

/* Document frequencies of all, where each member has counted those of its own. */
static ezlda_status sum_doc_frequencies(members_backend *b, ezlda_context *context)
{
    uint32_t words = b->member[0].tokens->words, *sum = NULL, *own = NULL;
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
        uint32_t **out = &b->member[m].tokens->doc_frequency;
        EZ_TRY_GOTO(ez_array(out, context, words, sizeof **out, "document frequencies"));
        memcpy(*out, sum, words * sizeof *sum);
    }
done:
    ez_free(sum);
    ez_free(own);
    return status;
}

static ezlda_status create_all(members_backend *b, ezlda_context *context, ez_token_list *tokens,
                               const ez_gpus *gpus)
{
    uint64_t *first = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(ez_array_zero(&b->member, context, (size_t)b->n, sizeof *b->member, "devices"));
    EZ_TRY_GOTO(ez_array_zero(&b->cuda, context, (size_t)b->n, sizeof *b->cuda, "devices"));
    EZ_TRY_GOTO(ez_array(&first, context, (size_t)b->n + 1, sizeof *first, "devices"));
    ez_token_list_cut(tokens, b->n, first);
    for (int m = 0; m < b->n; m++)
        EZ_TRY_GOTO(create_member(b, context, tokens, gpus, m, first[m], first[m + 1]));
    EZ_TRY_GOTO(ez_cuda_agree_to_gather(b->cuda, b->n, context));
    if (!tokens->doc_frequency)
        status = sum_doc_frequencies(b, context);
done:
    ez_free(first);
    return status;
}

static ezlda_status members_create(ez_backend **out, ezlda_context *context, ez_token_list *tokens,
                                   const ez_settings *settings, const ez_gpus *gpus)
{
    *out = NULL;
    members_backend *b = NULL;
    EZ_TRY(ez_array_zero(&b, context, 1, sizeof *b, "the backend"));
    b->base.ops = &ez_cuda_members_backend;
    b->settings = settings;
    b->n = gpus->n;
    b->reach = true;
    for (int m = 1; m < b->n; m++)
        b->reach = b->reach && gpus->number[m] == gpus->number[0];
    ezlda_status status = create_all(b, context, tokens, gpus);
    if (status != EZLDA_OK) {
        members_free(&b->base);
        return status;
    }
    *out = &b->base;
    return EZLDA_OK;
}

static ezlda_status members_start(ez_backend *backend, ezlda_context *context)
{
    members_backend *b = (members_backend *)backend;
    for (int m = 0; m < b->n; m++) {
        EZ_TRY(ez_device_enter(&b->cuda[m]->device, context));
        EZ_TRY(ez_cuda_start_topics(b->cuda[m], context));
        EZ_TRY(ez_cuda_count(b->cuda[m], context));
    }
    EZ_TRY(ez_cuda_sum_members(b->cuda, b->n, context, b->settings->group));
    for (int m = 0; m < b->n; m++) {
        EZ_TRY(ez_device_enter(&b->cuda[m]->device, context));
        EZ_TRY(ez_device_finish(&b->cuda[m]->device, context, "the start"));
    }
    return EZLDA_OK;
}

static ezlda_status prepare(members_backend *b, ezlda_context *context, uint32_t iteration)
{
    bool there = ez_cuda_has_records(b->cuda[0], iteration);
    for (int m = 0; m < b->n; m++)
        EZ_TRY(ez_cuda_prepare(b->cuda[m], context, iteration));
    return there ? EZLDA_OK : ez_cuda_share_records(b->cuda, b->n, context);
}

static ezlda_status members_iterate(ez_backend *backend, ezlda_context *context, uint32_t iteration,
                                    ez_iteration *done)
{
    members_backend *b = (members_backend *)backend;
    double begin = ez_now();
    *done = (ez_iteration){0};
    EZ_TRY(prepare(b, context, iteration));
    for (int m = 0; m < b->n; m++) {
        EZ_TRY(ez_device_enter(&b->cuda[m]->device, context));
        EZ_TRY(ez_cuda_sample(b->cuda[m], context));
        EZ_TRY(ez_cuda_count(b->cuda[m], context));
    }
    EZ_TRY(ez_cuda_sum_members(b->cuda, b->n, context, b->settings->group));
    for (int m = 0; m < b->n; m++)
        EZ_TRY(ez_cuda_ask_tallies(b->cuda[m], context));
    if (!b->settings->fixed) /* without sums nothing tells that the others have taken the records of
                                this one */
        EZ_TRY(prepare(b, context, iteration + 1));
    for (int m = 0; m < b->n; m++) {
        ez_iteration part;
        EZ_TRY(ez_cuda_take_tallies(b->cuda[m], context, &part));
        done->undecided += part.undecided;
        done->moved += part.moved;
    }
    for (int m = 0; m < b->n; m++)
        ez_cuda_note_time(b->cuda[m], iteration, ez_now() - begin);
    return EZLDA_OK;
}

static ezlda_status members_score(ez_backend *backend, ezlda_context *context, int64_t *sum)
{
    members_backend *b = (members_backend *)backend;
    *sum = 0;
    EZ_TRY(prepare(b, context, 0));
    for (int m = 0; m < b->n; m++) {
        EZ_TRY(ez_device_enter(&b->cuda[m]->device, context));
        EZ_TRY(ez_cuda_sample(b->cuda[m], context));
    }
    for (int m = 0; m < b->n; m++) {
        int64_t part;
        EZ_TRY(ez_device_enter(&b->cuda[m]->device, context));
        EZ_TRY(ez_cuda_take_score(b->cuda[m], context, &part));
        *sum += part;
    }
    return EZLDA_OK;
}

static ezlda_status members_priors(ez_backend *backend, ezlda_context *context,
                                   const ez_priors *priors)
{
    members_backend *b = (members_backend *)backend;
    for (int m = 0; m < b->n; m++)
        EZ_TRY(ez_cuda_backend.priors(&b->cuda[m]->base, context, priors));
    return EZLDA_OK;
}

/* D is dealt out, W is the same on all. */
static ezlda_status add_histograms(members_backend *b, ezlda_context *context, int m,
                                   ez_histograms *out)
{
    ez_histograms part = {0};
    ezlda_status status;
    EZ_TRY_GOTO(ez_histograms_init(&part, context, out->topics));
    EZ_TRY_GOTO(ez_cuda_histograms(&b->cuda[m]->base, context, &part));
    memset(part.words, 0, sizeof part.words);
    memset(part.topic_tokens, 0, out->topics * sizeof *part.topic_tokens);
    part.words_more.used = 0;
    status = ez_histograms_add(out, context, &part);
done:
    ez_histograms_free(&part);
    return status;
}

static ezlda_status members_histograms(ez_backend *backend, ezlda_context *context,
                                       ez_histograms *out)
{
    members_backend *b = (members_backend *)backend;
    EZ_TRY(ez_cuda_histograms(&b->cuda[0]->base, context, out));
    for (int m = 1; m < b->n; m++)
        EZ_TRY(add_histograms(b, context, m, out));
    return EZLDA_OK;
}

static ezlda_status members_topics(ez_backend *backend, ezlda_context *context, uint16_t *out)
{
    members_backend *b = (members_backend *)backend;
    for (int m = 0; m < b->n; m++)
        EZ_TRY(ez_cuda_backend.topics(&b->cuda[m]->base, context, out + b->member[m].first_token));
    return EZLDA_OK;
}

static void members_memory(const ez_backend *backend, ez_device_memory *out)
{
    const members_backend *b = (const members_backend *)backend;
    *out = (ez_device_memory){.free = UINT64_MAX};
    for (int m = 0; m < b->n; m++) {
        ez_device_memory part;
        ez_cuda_backend.memory(&b->cuda[m]->base, &part);
        out->bytes += part.bytes;
        out->peak += part.peak;
        out->free = part.free < out->free ? part.free : out->free;
        out->chunks = part.chunks > out->chunks ? part.chunks : out->chunks;
    }
}

const ez_backend_ops ez_cuda_members_backend = {
    .name = "cuda",
    .create = members_create,
    .start = members_start,
    .iterate = members_iterate,
    .priors = members_priors,
    .histograms = members_histograms,
    .score = members_score,
    .topics = members_topics,
    .memory = members_memory,
    .free = members_free,
};
