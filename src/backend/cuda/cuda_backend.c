/* The CUDA backend: the order of the passes. */
#include "backend/cuda/cuda_state.h"
#include "base/wall_clock.h"

static void free_chunks(ez_cuda *c)
{
    ez_device *device = &c->device;
    device->driver->cuCtxSetCurrent(device->cuda);
    device->driver->cuCtxSynchronize(); /* copies may still be under way */
    for (uint32_t i = 0; c->chunk && i < c->chunks; i++) {
        ez_device_host_free(device, c->chunk[i].word);
        ez_device_host_free(device, c->chunk[i].place);
        ez_device_host_free(device, c->chunk[i].doc);
        ez_device_host_free(device, c->chunk[i].topic);
    }
    for (int i = 0; i < 2; i++) {
        ez_device_event_close(device, &c->room[i].ready);
        ez_device_event_close(device, &c->room[i].done);
        ez_device_event_close(device, &c->room[i].empty);
    }
    ez_device_stream_close(device, &c->up);
    ez_device_stream_close(device, &c->down);
    ez_cuda_close_sums(c);
    ez_device_event_close(device, &c->asked);
    ez_device_host_free(device, c->told);
}

/* What was started here may wait for other ranks, and NCCL's end does: of a rank that fails, the
 * device's side is left to the end of its process, so that the failure is told. */
static void cuda_free(ez_backend *backend)
{
    ez_cuda *c = (ez_cuda *)backend;
    if (!c)
        return;
    bool leave = ez_is_distributed(c->settings->group) && c->settings->group->failed;
    if (c->device.cuda && !leave)
        free_chunks(c);
    if (!leave)
        ez_device_close(&c->device);
    ez_free(c->chunk);
    ez_free(c);
}

/* What early decisions allow for: their own roundings, and those of the integers, which are half of
 * one in each alpha part (docs/arithmetic.md). */
static float decide_margin(const ez_priors *priors, uint32_t topics, int weight_bits)
{
    double least = priors->alpha[0];
    for (uint32_t k = 1; k < topics; k++)
        least = priors->alpha[k] < least ? priors->alpha[k] : least;
    double smallest =
        least * (double)(1 << EZ_ALPHA_BITS) * (double)((uint64_t)1 << (weight_bits - 1));
    return (float)(0x1p-18 + EZ_TOP / smallest);
}

/* What of the state follows from the priors. */
static void take_priors(ez_cuda *c, const ez_priors *priors)
{
    c->priors = *priors;
    c->state.weight_bits = ez_weight_bits(c->tokens->longest, priors->alpha_sum);
    c->state.beta = priors->beta;
    c->state.alpha_sum = priors->alpha_sum;
    c->state.margin = decide_margin(priors, c->settings->topics, c->state.weight_bits);
}

static ezlda_status fill(ez_cuda *c, ezlda_context *context)
{
    ez_device_doc *order = NULL;
    ezlda_status status;
    EZ_TRY(ez_device_open(&c->device, context, c->device_number));
    if (c->shares_device)
        EZ_TRY(ez_device_own_stream(&c->device, context));
    EZ_TRY(ez_array(&order, context, (size_t)c->state.docs + 1, sizeof *order,
                    "the order of documents"));
    EZ_TRY_GOTO(ez_cuda_order_documents(c, context, order));
    EZ_TRY_GOTO(ez_cuda_plan_memory(c, context, order));
    EZ_TRY_GOTO(ez_cuda_open_rooms(c, context));
    EZ_TRY_GOTO(ez_cuda_index(c, context, order));
    EZ_TRY_GOTO(ez_cuda_allocate(c, context));
    EZ_TRY_GOTO(ez_cuda_plan_kernels(c, context, order));
    EZ_TRY_GOTO(ez_cuda_open_sums(c, context));
    EZ_TRY_GOTO(ez_device_host_array(&c->device, context, &c->told, EZ_TALLIES, sizeof *c->told,
                                     "counters"));
    EZ_TRY_GOTO(ez_device_event_open(&c->device, context, &c->asked));
done:
    ez_free(order);
    return status;
}

ezlda_status ez_cuda_create_member(ez_cuda **out, ezlda_context *context, ez_token_list *tokens,
                                   const ez_settings *settings, const ez_cuda_role *place)
{
    *out = NULL;
    ez_cuda *c = NULL;
    EZ_TRY(ez_array_zero(&c, context, 1, sizeof *c, "the backend"));
    c->base.ops = &ez_cuda_backend;
    c->tokens = tokens;
    c->settings = settings;
    c->slice = place->slice;
    c->slices = place->slices;
    c->members = place->slices * (settings->group ? settings->group->ranks : 1);
    c->adds_base = place->adds_base;
    c->reaches_others = place->reaches_others;
    c->shares_device = place->shares_device;
    c->to_come = place->to_come;
    c->device_number = place->device_number;
    c->memory_halvings = place->memory_halvings;
    c->state = (ez_device_state){
        .docs = (uint32_t)tokens->docs,
        .words = tokens->words,
        .topics = settings->topics,
        .g = settings->g ? settings->g : EZ_TOP,
        .leave_one_out = settings->estimator == EZLDA_LEAVE_ONE_OUT,
        .three_branch = settings->sampler == EZLDA_THREE_BRANCH,
        .doc_base = tokens->first_doc,
        .dealt = settings->balance == EZLDA_BALANCE_NONE,
    };
    take_priors(c, &settings->priors);
    ezlda_status status = fill(c, context);
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
        .to_come = 1,
        .device_number = gpus ? gpus->number[0] : 0,
        .memory_halvings = gpus ? gpus->memory_halvings : 0,
    };
    ezlda_status status = ez_cuda_create_member(&c, context, tokens, settings, &alone);
    *out = c ? &c->base : NULL;
    return status;
}

ezlda_status ez_cuda_run_pass(ez_cuda *c, ezlda_context *context, const ez_pass *pass,
                              const ez_device_state *state, bool in_order)
{
    bool aside = pass->launches > 1 && !in_order && !c->shares_device;
    if (aside)
        EZ_TRY(ez_device_zero(&c->device, context, state->barrier, sizeof *state->barrier));
    for (int i = 0; i < pass->launches; i++) {
        const ez_launch *launch = &pass->launch[i];
        ez_device_state s = *state;
        s.first_doc = s.first_word = s.first_task = launch->first;
        s.last_doc = s.last_word = s.last_task = launch->last;
        s.next = s.counters + launch->counter;
        if (aside)
            EZ_TRY(ez_device_launch_aside(&c->device, context, &launch->kernel, launch->blocks, &s,
                                          i));
        else
            EZ_TRY(ez_device_launch(&c->device, context, &launch->kernel, launch->blocks, &s));
    }
    return EZLDA_OK;
}

/* Every chunk takes its work from zero; an only one finds the counters so. */
static ezlda_status reset_counters(ez_cuda *c, ezlda_context *context)
{
    if (c->chunks == 1)
        return EZLDA_OK;
    return ez_device_zero(&c->device, context, c->state.counters,
                          EZ_COUNTERS * sizeof *c->state.counters);
}

static ezlda_status count_chunk(ez_cuda *c, ezlda_context *context, const ez_chunk *chunk,
                                const ez_device_state *s)
{
    ez_device_state state = *s;
    state.topic_tokens = ez_cuda_counted_n(c);
    EZ_TRY(reset_counters(c, context));
    return ez_cuda_run_pass(c, context, &chunk->count, &state, false);
}

ezlda_status ez_cuda_count(ez_cuda *c, ezlda_context *context)
{
    ez_device_state s = c->state;
    if (c->settings->fixed)
        return EZLDA_OK;
    c->records_for = 0;
    s.task = c->chunk[0].task;
    s.word_start = c->chunk[0].word_start;
    s.topic_tokens = ez_cuda_counted_n(c);
    EZ_TRY(ez_cuda_run_pass(c, context, &c->clear, &s, true));
    if (c->chunks > 1)
        EZ_TRY(ez_device_zero(&c->device, context, s.w_dense,
                              (size_t)s.dense_words * s.w_stride * sizeof *s.w_dense));
    if (ez_cuda_adds_up(c))
        EZ_TRY(
            ez_device_zero(&c->device, context, s.w_sparse, c->sparse_room * sizeof *s.w_sparse));
    EZ_TRY(ez_cuda_each_chunk(c, context, EZ_CHUNK_TOPICS, false, count_chunk));
    return c->adds_base ? ez_cuda_run_pass(c, context, &c->base_counts, &s, true) : EZLDA_OK;
}

/* W and n from the topics, and what is added to them. */
static ezlda_status count_words(ez_cuda *c, ezlda_context *context)
{
    EZ_TRY(ez_cuda_count(c, context));
    return ez_cuda_sum_members(&c, 1, context, c->settings->group);
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
    c->rates_made = false; /* the counters will not stay zero */
    return ez_cuda_each_chunk(c, context, EZ_CHUNK_TOPICS | EZ_CHUNK_TOKENS, !c->state.score,
                              sample_chunk);
}

/* Bounds that must allow for more than this decide too little to be worth it. */
static const float EZ_MARGIN_MAX = 0x1p-8f;

/* Now and then an iteration is run the other way, with or without early decisions: the faster way
 * stays. */
enum { EZ_TRIAL_EVERY = 32, EZ_TRIAL_AT = 8 };

static bool is_trial(const ez_cuda *c, uint32_t iteration)
{
    return c->settings->g == 0 && c->settings->sampler == EZLDA_MANY_BRANCH &&
           iteration % EZ_TRIAL_EVERY == EZ_TRIAL_AT;
}

static bool decides(const ez_cuda *c, uint32_t iteration)
{
    if (c->settings->sampler == EZLDA_TWO_BRANCH || c->state.margin > EZ_MARGIN_MAX)
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

/* A score draws nothing, so the keys in the records do not matter to it. */
bool ez_cuda_has_records(const ez_cuda *c, uint32_t iteration)
{
    return c->records_for != 0 && (c->records_for == iteration || iteration == 0);
}

/* Rates of the topics, and what depends on them and the priors alone; counters are zeroed. */
static ezlda_status make_rates(ez_cuda *c, ezlda_context *context)
{
    c->rates_made = true;
    return ez_cuda_run_pass(c, context, &c->rates, &c->state, true);
}

ezlda_status ez_cuda_prepare(ez_cuda *c, ezlda_context *context, uint32_t iteration)
{
    ez_device_state *s = &c->state;
    EZ_TRY(ez_device_enter(&c->device, context));
    s->iteration_key = ez_iteration_key(c->settings->seed, iteration);
    s->score = iteration == 0;
    s->decide = iteration > 0 && decides(c, iteration);
    if (!c->rates_made)
        EZ_TRY(make_rates(c, context));
    if (ez_cuda_has_records(c, iteration))
        return EZLDA_OK;
    c->records_for = iteration;
    return ez_cuda_run_pass(c, context, &c->prepare, s, false);
}

ezlda_status ez_cuda_ask_tallies(ez_cuda *c, ezlda_context *context)
{
    EZ_TRY(ez_device_enter(&c->device, context));
    return ez_device_ask(&c->device, context, c->told, c->state.tally, EZ_TALLIES * sizeof *c->told,
                         &c->asked);
}

ezlda_status ez_cuda_take_tallies(ez_cuda *c, ezlda_context *context, ez_iteration *done)
{
    EZ_TRY(ez_device_enter(&c->device, context));
    EZ_TRY(ez_device_await(&c->device, context, &c->asked, "counters"));
    *done = (ez_iteration){.undecided = c->told[EZ_TALLY_OPEN], .moved = c->told[EZ_TALLY_MOVED]};
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
    EZ_TRY(ez_cuda_ask_tallies(c, context));
    EZ_TRY(ez_cuda_prepare(c, context, iteration + 1));
    EZ_TRY(ez_cuda_take_tallies(c, context, done));
    ez_cuda_note_time(c, iteration, ez_now() - begin);
    return EZLDA_OK;
}

ezlda_status ez_cuda_take_score(ez_cuda *c, ezlda_context *context, int64_t *sum)
{
    long long total;
    EZ_TRY(ez_device_read(&c->device, context, &total, c->state.score_sum, sizeof total));
    *sum = total;
    return EZLDA_OK;
}

static ezlda_status cuda_score(ez_backend *backend, ezlda_context *context, int64_t *sum)
{
    ez_cuda *c = (ez_cuda *)backend;
    EZ_TRY(ez_cuda_prepare(c, context, 0));
    EZ_TRY(ez_cuda_sample(c, context));
    return ez_cuda_take_score(c, context, sum);
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
    take_priors(c, priors);
    c->rates_made = false;
    c->records_for = 0;
    return ez_cuda_upload_priors(c, context);
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
    .score = cuda_score,
    .topics = cuda_topics,
    .memory = cuda_memory,
    .free = cuda_free,
};
