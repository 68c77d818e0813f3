/* The CUDA backend of one shard: opens it, and runs the passes of an iteration in order. */
#include "backend/cuda/cuda_backend.h"

#include "backend/cuda/cuda_chunks.h"
#include "backend/cuda/cuda_counts.h"
#include "backend/cuda/cuda_histograms.h"
#include "backend/cuda/cuda_inverted_index.h"
#include "backend/cuda/cuda_kernel_choice.h"
#include "backend/cuda/cuda_memory.h"
#include "backend/cuda/cuda_prior_sample.h"
#include "backend/cuda/cuda_topics.h"
#include "backend/cuda/shards/cuda_shard_sum.h"
#include "base/wall_clock.h"

/* Frees what ez_device_close does not. */
static void free_chunks(ez_cuda *c)
{
    ez_device *device = &c->device;
    device->driver->cuCtxSetCurrent(device->cuda);
    device->driver->cuCtxSynchronize(); /* copies may still be running */
    for (uint32_t i = 0; c->chunk && i < c->chunks; i++) {
        ez_device_host_free(device, c->chunk[i].word);
        ez_device_host_free(device, c->chunk[i].place);
        ez_device_host_free(device, c->chunk[i].doc);
        ez_device_host_free(device, c->chunk[i].topic);
    }
    for (int i = 0; i < 2; i++) {
        ez_device_event_close(device, &c->room[i].ev_filled);
        ez_device_event_close(device, &c->room[i].ev_done);
        ez_device_event_close(device, &c->room[i].ev_empty);
    }
    ez_device_stream_close(device, &c->up);
    ez_device_stream_close(device, &c->down);
    ez_cuda_close_sums(c);
    ez_device_event_close(device, &c->ev_tallies_ready);
    ez_device_host_free(device, c->tallies_host);
}

/* If a rank has failed, the device is not closed: work that was started may wait for other ranks,
 * closing NCCL waits for them too, and then the error would never be reported. The end of the
 * process frees the device. */
static void cuda_free(ez_backend *backend)
{
    ez_cuda *c = (ez_cuda *)backend;
    if (!c)
        return;
    bool keep_device = ez_is_distributed(c->settings->group) && c->settings->group->failed;
    if (c->device.cuda && !keep_device)
        free_chunks(c);
    if (!keep_device)
        ez_device_close(&c->device);
    ez_free(c->doc_number);
    ez_free(c->chunk);
    ez_free(c);
}

/* The relative error that early decisions allow for: their own rounding, and that of the integers,
 * which is half a unit in each alpha part (docs/arithmetic.md). */
static float decide_margin(const ez_priors *priors, uint32_t topics, int weight_bits)
{
    double least = priors->alpha[0];
    for (uint32_t k = 1; k < topics; k++)
        least = priors->alpha[k] < least ? priors->alpha[k] : least;
    double smallest =
        least * (double)(1 << EZ_ALPHA_BITS) * (double)((uint64_t)1 << (weight_bits - 1));
    return (float)(0x1p-18 + EZ_TOP / smallest);
}

/* Sets what follows from the priors. */
static void apply_priors(ez_cuda *c, const ez_priors *priors)
{
    c->priors = *priors;
    c->state.priors.weight_bits = ez_weight_bits(c->tokens->longest, priors->alpha_sum);
    c->state.priors.beta = priors->beta;
    c->state.priors.alpha_sum = priors->alpha_sum;
    c->state.priors.margin =
        decide_margin(priors, c->settings->topics, c->state.priors.weight_bits);
}

/* Opens the device and puts the corpus and the arrays on it. */
static ezlda_status open_shard(ez_cuda *c, ezlda_context *context)
{
    ez_device_doc *order = NULL;
    ezlda_status status;
    EZ_TRY(ez_device_open(&c->device, context, c->role.device_number));
    if (c->role.shares_device)
        EZ_TRY(ez_device_own_stream(&c->device, context));
    EZ_TRY(ez_array(&order, context, (size_t)c->state.tokens.docs + 1, sizeof *order,
                    "the order of documents"));
    EZ_TRY_GOTO(ez_cuda_order_documents(c, context, order));
    EZ_TRY_GOTO(ez_cuda_plan_memory(c, context, order));
    EZ_TRY_GOTO(ez_cuda_open_rooms(c, context));
    EZ_TRY_GOTO(ez_cuda_index(c, context, order));
    EZ_TRY_GOTO(ez_cuda_allocate(c, context));
    EZ_TRY_GOTO(ez_cuda_choose_kernels(c, context, order));
    EZ_TRY_GOTO(ez_cuda_open_sums(c, context));
    EZ_TRY_GOTO(ez_device_host_array(&c->device, context, &c->tallies_host, EZ_TALLIES,
                                     sizeof *c->tallies_host, "counters"));
    EZ_TRY_GOTO(ez_device_event_open(&c->device, context, &c->ev_tallies_ready));
done:
    ez_free(order);
    return status;
}

ezlda_status ez_cuda_create_shard(ez_cuda **out, ezlda_context *context, ez_token_list *tokens,
                                  const ez_settings *settings, const ez_cuda_role *role)
{
    *out = NULL;
    ez_cuda *c = NULL;
    EZ_TRY(ez_array_zero(&c, context, 1, sizeof *c, "the backend"));
    c->base.ops = &ez_cuda_backend;
    c->tokens = tokens;
    c->settings = settings;
    c->role = *role;
    c->shards = role->slices * (settings->group ? settings->group->ranks : 1);
    c->state = (ez_device_state){
        .range.dealt = settings->balance == EZLDA_BALANCE_NONE,
        .rules = {.g = settings->g ? settings->g : EZ_TOP,
                  .leave_one_out = settings->estimator == EZLDA_LEAVE_ONE_OUT,
                  .three_branch = settings->sampler == EZLDA_THREE_BRANCH},
        .tokens.docs = (uint32_t)tokens->docs,
        .w = {.words = tokens->words, .topics = settings->topics},
        .records.doc_base = ez_doc_key_base(tokens),
    };
    apply_priors(c, &settings->priors);
    ezlda_status status = open_shard(c, context);
    if (status != EZLDA_OK) {
        cuda_free(&c->base);
        return status;
    }
    *out = c;
    return EZLDA_OK;
}

static ezlda_status cuda_create(ez_backend **out, ezlda_context *context, ez_token_list *tokens,
                                const ez_settings *settings, const ez_gpus *gpus)
{
    ez_cuda *c;
    ez_cuda_role alone = {
        .slices = 1,
        .adds_base = ez_is_root(settings->group),
        .shards_to_allocate = 1,
        .device_number = gpus ? gpus->number[0] : 0,
        .memory_halvings = gpus ? gpus->memory_halvings : 0,
    };
    ezlda_status status = ez_cuda_create_shard(&c, context, tokens, settings, &alone);
    *out = c ? &c->base : NULL;
    return status;
}

ezlda_status ez_cuda_run_pass(ez_cuda *c, ezlda_context *context, const ez_pass *pass,
                              const ez_device_state *state, bool in_order)
{
    bool aside = pass->launches > 1 && !in_order && !c->role.shares_device;
    if (aside)
        EZ_TRY(
            ez_device_zero(&c->device, context, state->work.barrier, sizeof *state->work.barrier));
    for (int i = 0; i < pass->launches; i++) {
        const ez_launch *launch = &pass->launch[i];
        ez_device_state s = *state;
        s.range.first = launch->first;
        s.range.last = launch->last;
        s.range.next = s.work.counters + launch->counter;
        if (aside)
            EZ_TRY(ez_device_launch_aside(&c->device, context, &launch->kernel, launch->blocks, &s,
                                          i));
        else
            EZ_TRY(ez_device_launch(&c->device, context, &launch->kernel, launch->blocks, &s));
    }
    return EZLDA_OK;
}

/* Counters start from zero for every chunk. If there is only one, ez_rates or ez_clear has zeroed
 * them. */
static ezlda_status reset_counters(ez_cuda *c, ezlda_context *context)
{
    if (c->chunks == 1)
        return EZLDA_OK;
    return ez_device_zero(&c->device, context, c->state.work.counters,
                          EZ_COUNTERS * sizeof *c->state.work.counters);
}

static ezlda_status count_chunk(ez_cuda *c, ezlda_context *context, const ez_chunk *chunk,
                                const ez_device_state *s)
{
    ez_device_state state = *s;
    state.w.topic_tokens = ez_cuda_counted_n(c);
    EZ_TRY(reset_counters(c, context));
    return ez_cuda_run_pass(c, context, &chunk->count, &state, false);
}

ezlda_status ez_cuda_count(ez_cuda *c, ezlda_context *context)
{
    ez_device_state s = c->state;
    if (c->settings->fixed)
        return EZLDA_OK;
    c->records_for = 0;
    s.tokens.task = c->chunk[0].task;
    s.tokens.word_start = c->chunk[0].word_start;
    s.w.topic_tokens = ez_cuda_counted_n(c);
    EZ_TRY(ez_cuda_run_pass(c, context, &c->clear, &s, true));
    if (c->chunks > 1)
        EZ_TRY(ez_device_zero(&c->device, context, s.w.dense,
                              (size_t)s.w.dense_words * s.w.stride * sizeof *s.w.dense));
    if (ez_cuda_w_is_hashed(c))
        EZ_TRY(
            ez_device_zero(&c->device, context, s.w.sparse, c->sparse_room * sizeof *s.w.sparse));
    EZ_TRY(ez_cuda_each_chunk(c, context, EZ_CHUNK_TOPICS, false, count_chunk));
    return c->role.adds_base ? ez_cuda_run_pass(c, context, &c->base_counts, &s, true) : EZLDA_OK;
}

/* Counts W and n, and sums them over ranks. */
static ezlda_status count_words(ez_cuda *c, ezlda_context *context)
{
    EZ_TRY(ez_cuda_count(c, context));
    return ez_cuda_sum_shards(&c, 1, context, c->settings->group);
}

static ezlda_status cuda_start(ez_backend *backend, ezlda_context *context)
{
    ez_cuda *c = (ez_cuda *)backend;
    EZ_TRY(ez_device_enter(&c->device, context));
    EZ_TRY(ez_cuda_start_topics(c, context));
    EZ_TRY(count_words(c, context));
    return ez_device_finish(&c->device, context, "the start");
}

static ezlda_status sample_chunk(ez_cuda *c, ezlda_context *context, const ez_chunk *chunk,
                                 const ez_device_state *s)
{
    EZ_TRY(reset_counters(c, context));
    EZ_TRY(ez_cuda_run_pass(c, context, &chunk->documents, s, false));
    return ez_cuda_run_pass(c, context, &chunk->words, s, false);
}

ezlda_status ez_cuda_sample(ez_cuda *c, ezlda_context *context)
{
    c->rates_made = false; /* the counters will not be zero any more */
    return ez_cuda_each_chunk(c, context, EZ_CHUNK_TOPICS | EZ_CHUNK_TOKENS, !c->state.rules.score,
                              sample_chunk);
}

/* With a larger margin, early decisions decide too little to pay. */
static const float EZ_MARGIN_MAX = 0x1p-8f;

/* Every 32nd iteration is a trial: it runs the other way, with or without early decisions. If it is
 * faster than the last iteration, that way is kept. */
enum { EZ_TRIAL_EVERY = 32, EZ_TRIAL_AT = 8 };

static bool is_trial(const ez_cuda *c, uint32_t iteration)
{
    return c->settings->g == 0 && c->settings->sampler == EZLDA_MANY_BRANCH &&
           iteration % EZ_TRIAL_EVERY == EZ_TRIAL_AT;
}

static bool decides(const ez_cuda *c, uint32_t iteration)
{
    if (c->settings->sampler == EZLDA_TWO_BRANCH || c->state.priors.margin > EZ_MARGIN_MAX)
        return false;
    return c->no_decisions == is_trial(c, iteration);
}

void ez_cuda_note_time(ez_cuda *c, uint32_t iteration, double seconds)
{
    if (!is_trial(c, iteration))
        c->seconds = seconds;
    else if (seconds < c->seconds)
        c->no_decisions = !c->no_decisions;
}

/* A score draws nothing, so records with the keys of any iteration will do. */
bool ez_cuda_has_records(const ez_cuda *c, uint32_t iteration)
{
    return c->records_for != 0 && (c->records_for == iteration || iteration == 0);
}

/* Rates of the topics and weights of count 0. Also zeroes the counters. */
static ezlda_status make_rates(ez_cuda *c, ezlda_context *context)
{
    c->rates_made = true;
    return ez_cuda_run_pass(c, context, &c->rates, &c->state, true);
}

ezlda_status ez_cuda_prepare(ez_cuda *c, ezlda_context *context, uint32_t iteration)
{
    ez_device_state *s = &c->state;
    EZ_TRY(ez_device_enter(&c->device, context));
    s->records.iteration_key = ez_iteration_key(c->settings->seed, iteration);
    s->rules.score = iteration == 0;
    s->rules.decide = iteration > 0 && decides(c, iteration);
    if (!c->rates_made)
        EZ_TRY(make_rates(c, context));
    if (ez_cuda_has_records(c, iteration))
        return EZLDA_OK;
    c->records_for = iteration;
    return ez_cuda_run_pass(c, context, &c->prepare, s, false);
}

ezlda_status ez_cuda_request_tallies(ez_cuda *c, ezlda_context *context)
{
    EZ_TRY(ez_device_enter(&c->device, context));
    return ez_device_request(&c->device, context, c->tallies_host, c->state.work.tally,
                             EZ_TALLIES * sizeof *c->tallies_host, &c->ev_tallies_ready);
}

ezlda_status ez_cuda_wait_tallies(ez_cuda *c, ezlda_context *context, ez_iteration *done)
{
    EZ_TRY(ez_device_enter(&c->device, context));
    EZ_TRY(ez_device_await(&c->device, context, &c->ev_tallies_ready, "counters"));
    *done = (ez_iteration){.undecided = c->tallies_host[EZ_TALLY_OPEN],
                           .moved = c->tallies_host[EZ_TALLY_MOVED]};
    return EZLDA_OK;
}

static ezlda_status cuda_iterate(ez_backend *backend, ezlda_context *context, uint32_t iteration,
                                 ez_iteration *done)
{
    ez_cuda *c = (ez_cuda *)backend;
    double begin = ez_now();
    EZ_TRY(ez_cuda_prepare(c, context, iteration));
    EZ_TRY(ez_cuda_sample(c, context));
    EZ_TRY(count_words(c, context));
    EZ_TRY(ez_cuda_request_tallies(c, context));
    EZ_TRY(ez_cuda_prepare(c, context, iteration + 1));
    EZ_TRY(ez_cuda_wait_tallies(c, context, done));
    ez_cuda_note_time(c, iteration, ez_now() - begin);
    return EZLDA_OK;
}

ezlda_status ez_cuda_read_score(ez_cuda *c, ezlda_context *context, int64_t *sum)
{
    long long total;
    EZ_TRY(ez_device_read(&c->device, context, &total, c->state.work.score_sum, sizeof total));
    *sum = total;
    return EZLDA_OK;
}

static ezlda_status cuda_score(ez_backend *backend, ezlda_context *context, int64_t *sum)
{
    ez_cuda *c = (ez_cuda *)backend;
    EZ_TRY(ez_cuda_prepare(c, context, 0));
    EZ_TRY(ez_cuda_sample(c, context));
    return ez_cuda_read_score(c, context, sum);
}

static ezlda_status cuda_topics(ez_backend *backend, ezlda_context *context, uint16_t *out)
{
    ez_cuda *c = (ez_cuda *)backend;
    EZ_TRY(ez_device_enter(&c->device, context));
    return ez_cuda_read_topics(c, context, out);
}

static ezlda_status cuda_priors(ez_backend *backend, ezlda_context *context,
                                const ez_priors *priors)
{
    ez_cuda *c = (ez_cuda *)backend;
    EZ_TRY(ez_device_enter(&c->device, context));
    apply_priors(c, priors);
    c->rates_made = false;
    c->records_for = 0;
    return ez_cuda_upload_priors(c, context);
}

static ezlda_status cuda_counts(ez_backend *backend, ezlda_context *context, const uint32_t *word,
                                uint32_t rows, ez_w_counts *out)
{
    return ez_cuda_counts((ez_cuda *)backend, context, word, rows, out);
}

static ezlda_status cuda_prior_sample_open(ez_backend *backend, ezlda_context *context,
                                           const ez_prior_sample_docs *docs,
                                           ez_prior_sample_fit **out)
{
    ez_cuda *c = (ez_cuda *)backend;
    uint64_t first_token[] = {0, c->tokens->tokens};
    return ez_cuda_prior_sample_open(&c, 1, first_token, context, docs, out);
}

static void cuda_memory(const ez_backend *backend, ez_device_memory *out)
{
    const ez_cuda *c = (const ez_cuda *)backend;
    *out = (ez_device_memory){
        .bytes = c->device.bytes, .peak = c->device.peak_bytes, .chunks = c->chunks};
    out->free = c->free_bytes - (c->free_bytes < out->bytes ? c->free_bytes : out->bytes);
}

const ez_backend_ops ez_cuda_backend = {
    .name = "cuda",
    .create = cuda_create,
    .start = cuda_start,
    .iterate = cuda_iterate,
    .priors = cuda_priors,
    .histograms = ez_cuda_histograms,
    .counts = cuda_counts,
    .prior_sample = cuda_prior_sample_open,
    .score = cuda_score,
    .topics = cuda_topics,
    .memory = cuda_memory,
    .free = cuda_free,
};
