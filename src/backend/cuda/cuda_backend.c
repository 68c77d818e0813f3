/* The CUDA backend's handle: memory of the device, kernels chosen by K, the order of the passes. */
#include "backend/backend.h"
#include "backend/cuda/device.h"
#include "backend/cuda/kernels/device_state.h"
#include "backend/start.h"
#include "base/memory.h"
#include "sampler/log2_fixed.h"

#include <string.h>

/* Tokens of a task (paper: large words are dissected at 10,000). */
enum { EZ_DEVICE_REGION = 10000 };
/* A warp counts a document on chip up to so many topics; threads of each kernel. */
enum { EZ_WARP_TOPICS = 8192, DOCUMENT_WARPS = 4, WORD_THREADS = 256 };
/* Above so many topics a table leaves room for one block a multiprocessor only: it gets all the threads. */
enum { EZ_WIDE_TOPICS = 12288 };

typedef struct ez_cuda {
    ez_backend base;
    const ez_token_list *tokens;
    const ez_settings *settings;
    ez_device device;
    ez_device_state state;
    ez_kernel rates, prepare, documents, words, count, clear;
    bool documents_by_block, count_in_memory;
} ez_cuda;

static void free_state(ez_cuda *c)
{
    ez_device_state *s = &c->state;
    void *const arrays[] = {s->doc_start, s->word,   s->place, s->doc,   s->topic,   s->open,      s->word_start,
                            s->w,         s->record, s->rate,  s->row,   s->next,    s->scratch,   s->topic_tokens,
                            s->row_room,  s->row_of, s->task,  s->tally, s->doc_log, s->score_sum, s->alpha_scaled};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        ez_device_free(&c->device, arrays[i], 0);
}

static void cuda_free(ez_backend *backend)
{
    ez_cuda *c = (ez_cuda *)backend;
    if (!c)
        return;
    if (c->device.cuda) {
        c->device.driver->cuCtxSetCurrent(c->device.cuda);
        free_state(c);
    }
    ez_device_close(&c->device);
    ez_free(c);
}

/* Tasks of the words, largest words first; with out NULL only counted. */
static uint32_t cut_tasks(const ez_token_list *t, ez_device_task *out)
{
    uint32_t n = 0;
    for (uint32_t v = 0; v < t->words; v++) {
        uint64_t tokens = t->word_start[v + 1] - t->word_start[v];
        for (uint64_t at = 0; at < tokens; at += EZ_DEVICE_REGION, n++)
            if (out)
                out[n] = (ez_device_task){
                    .word = v,
                    .begin = (uint32_t)(t->word_start[v] + at),
                    .tokens = (uint32_t)(tokens - at < EZ_DEVICE_REGION ? tokens - at : EZ_DEVICE_REGION),
                    .split = tokens > EZ_DEVICE_REGION,
                };
    }
    return n;
}

/* Narrows starts to 32 bits, as the device keeps them. */
static ezlda_status upload_starts(ez_cuda *c, ezlda_context *context, uint32_t **out, const uint64_t *start, uint64_t n,
                                  const char *what)
{
    uint32_t *narrow = NULL;
    EZ_TRY(ez_array(&narrow, context, n + 1, sizeof *narrow, what));
    for (uint64_t i = 0; i <= n; i++)
        narrow[i] = (uint32_t)start[i];
    ezlda_status status = ez_device_array(&c->device, context, out, narrow, n + 1, sizeof *narrow, what);
    ez_free(narrow);
    return status;
}

/* The inverted index: the place in T of each token in document order. */
static void find_places(const ez_token_list *t, uint32_t b, uint32_t *cursor, uint32_t *place)
{
    memcpy(cursor, ez_block_cursor(t, b), t->words * sizeof *cursor);
    for (uint64_t i = t->doc_start[t->block_doc[b]]; i < t->doc_start[t->block_doc[b + 1]]; i++)
        place[i] = cursor[t->word[i]]++;
}

static ezlda_status upload_places(ez_cuda *c, ezlda_context *context)
{
    const ez_token_list *t = c->tokens;
    uint32_t *place = NULL;
    EZ_TRY(ez_array(&place, context, t->tokens, sizeof *place, "the inverted index"));
    ezlda_status status = EZLDA_OK;
#pragma omp parallel num_threads(ez_threads(context))
    {
        uint32_t *cursor = NULL;
        ezlda_status mine = ez_array(&cursor, context, t->words, sizeof *cursor, "word cursors");
#pragma omp for schedule(dynamic, 1)
        for (uint32_t b = 0; b < t->blocks; b++)
            if (mine == EZLDA_OK)
                find_places(t, b, cursor, place);
        ez_free(cursor);
        if (mine != EZLDA_OK) {
#pragma omp critical(ez_cuda_status)
            status = mine;
        }
    }
    if (status == EZLDA_OK)
        status = ez_device_array(&c->device, context, &c->state.place, place, t->tokens, sizeof *place,
                                 "the inverted index");
    ez_free(place);
    return status;
}

/* Room for the rows of D, and log2 of what a document's line is measured by. */
static ezlda_status upload_rows(ez_cuda *c, ezlda_context *context)
{
    const ez_token_list *t = c->tokens;
    ez_device_state *s = &c->state;
    uint32_t *room = NULL;
    int64_t *logs = NULL;
    uint64_t groups = 0;
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&room, context, t->docs, sizeof *room, "rows of D"));
    EZ_TRY_GOTO(ez_array(&logs, context, t->docs, sizeof *logs, "document lengths"));
    for (uint64_t d = 0; d < t->docs; d++) {
        uint64_t length = t->doc_start[d + 1] - t->doc_start[d];
        uint64_t entries = (length < s->topics ? length : s->topics) + length / EZ_ENTRY_MAX;
        room[d] = (uint32_t)groups;
        groups += (entries + EZ_LANE_WIDTH - 1) / EZ_LANE_WIDTH;
        logs[d] = ez_log2_fixed_double((double)length + c->settings->alpha_sum);
    }
    EZ_TRY_GOTO(ez_device_array(&c->device, context, &s->row_room, room, t->docs, sizeof *room, "rows of D"));
    EZ_TRY_GOTO(ez_device_array(&c->device, context, &s->doc_log, logs, t->docs, sizeof *logs, "document lengths"));
    EZ_TRY_GOTO(ez_device_array(&c->device, context, &s->row_of, NULL, t->docs, sizeof *s->row_of, "rows of D"));
    EZ_TRY_GOTO(ez_device_array(&c->device, context, &s->row, NULL, groups * EZ_LANE_WIDTH, sizeof *s->row, "D"));
done:
    ez_free(room);
    ez_free(logs);
    return status;
}

static ezlda_status upload_tokens(ez_cuda *c, ezlda_context *context)
{
    const ez_token_list *t = c->tokens;
    ez_device_state *s = &c->state;
    ez_device *device = &c->device;
    EZ_TRY(upload_starts(c, context, &s->doc_start, t->doc_start, t->docs, "document starts"));
    EZ_TRY(upload_starts(c, context, &s->word_start, t->word_start, t->words, "word starts"));
    EZ_TRY(ez_device_array(device, context, &s->word, t->word, t->tokens, sizeof *s->word, "words of the tokens"));
    EZ_TRY(ez_device_array(device, context, &s->doc, t->doc, t->tokens, sizeof *s->doc, "documents of the tokens"));
    EZ_TRY(ez_device_array(device, context, &s->topic, NULL, t->tokens, sizeof *s->topic, "topics"));
    if (s->topics > 32768)
        EZ_TRY(ez_device_array(device, context, &s->open, NULL, t->tokens, sizeof *s->open, "open topics"));
    EZ_TRY(upload_places(c, context));
    ez_device_task *task = NULL;
    s->tasks = cut_tasks(t, NULL);
    EZ_TRY(ez_array(&task, context, s->tasks, sizeof *task, "tasks"));
    cut_tasks(t, task);
    ezlda_status status = ez_device_array(device, context, &s->task, task, s->tasks, sizeof *task, "tasks");
    ez_free(task);
    return status;
}

static ezlda_status upload_priors(ez_cuda *c, ezlda_context *context)
{
    uint32_t topics = c->state.topics;
    float *scaled = NULL;
    EZ_TRY(ez_array(&scaled, context, (size_t)topics + 1, sizeof *scaled, "alpha"));
    for (uint32_t k = 0; k < topics; k++)
        scaled[k] = ez_alpha_scaled(c->settings->alpha[k]);
    scaled[topics] = 0;
    ezlda_status status = ez_device_array(&c->device, context, &c->state.alpha_scaled, scaled, (size_t)topics + 1,
                                          sizeof *scaled, "alpha");
    ez_free(scaled);
    return status;
}

static ezlda_status allocate_counts(ez_cuda *c, ezlda_context *context)
{
    ez_device_state *s = &c->state;
    ez_device *device = &c->device;
    size_t cells;
    if (!ez_mul_size(s->words, s->topics, &cells))
        return ez_fail(context, EZLDA_ERROR_MEMORY, "W of %u x %u counts is too large", s->words, s->topics);
    EZ_TRY(ez_device_array(device, context, &s->w, NULL, cells, sizeof *s->w, "W"));
    EZ_TRY(ez_device_array(device, context, &s->topic_tokens, NULL, s->topics, sizeof *s->topic_tokens, "n"));
    EZ_TRY(ez_device_array(device, context, &s->rate, NULL, s->topics, sizeof *s->rate, "topic rates"));
    EZ_TRY(ez_device_array(device, context, &s->record, NULL, s->words, sizeof *s->record, "word records"));
    EZ_TRY(ez_device_array(device, context, &s->next, NULL, EZ_NEXT_COUNTERS, sizeof *s->next, "counters"));
    EZ_TRY(ez_device_array(device, context, &s->tally, NULL, EZ_TALLIES, sizeof *s->tally, "counters"));
    return ez_device_array(device, context, &s->score_sum, NULL, 1, sizeof *s->score_sum, "the score");
}

/* Kernels for this K: what fits on chip stays there. */
static ezlda_status choose_kernels(ez_cuda *c, ezlda_context *context)
{
    ez_device *device = &c->device;
    uint32_t topics = c->state.topics;
    size_t limit = (size_t)device->shared_limit - 4096, bits = (topics + 31) / 32;
    size_t counts = DOCUMENT_WARPS * ((topics + 2) / 2 + bits) * sizeof(uint32_t);
    size_t sums = bits * sizeof(uint64_t), table = topics * sizeof(uint32_t);
    bool small = topics <= 4096, table_fits = sums + table <= limit;
    c->documents_by_block = topics > EZ_WARP_TOPICS || c->tokens->longest > EZ_ENTRY_MAX;
    c->count_in_memory = table > limit;
    bool wide = table_fits && topics > EZ_WIDE_TOPICS;
    const char *word_kernel = !table_fits                         ? "ez_words_in_memory"
                              : wide                              ? "ez_words_wide"
                              : c->tokens->longest > EZ_ENTRY_MAX ? "ez_words_long"
                                                                  : "ez_words";
    EZ_TRY(ez_device_kernel(device, context, &c->rates, EZ_IMAGE_PREPARE, "ez_rates", 256, 0));
    EZ_TRY(ez_device_kernel(device, context, &c->prepare, EZ_IMAGE_PREPARE,
                            small ? "ez_prepare_by_warp" : "ez_prepare_by_block", small ? 256 : 1024, 0));
    EZ_TRY(ez_device_kernel(device, context, &c->documents, EZ_IMAGE_DOCUMENTS,
                            c->documents_by_block ? "ez_documents_by_block" : "ez_documents_by_warp",
                            c->documents_by_block ? 256 : DOCUMENT_WARPS * 32,
                            c->documents_by_block ? 0 : (unsigned)counts));
    EZ_TRY(ez_device_kernel(device, context, &c->words, EZ_IMAGE_WORDS, word_kernel, wide ? 1024 : WORD_THREADS,
                            (unsigned)(sums + (table_fits ? table : 0))));
    EZ_TRY(ez_device_kernel(device, context, &c->clear, EZ_IMAGE_COUNT, "ez_clear_split_rows", 256, 0));
    EZ_TRY(ez_device_kernel(device, context, &c->count, EZ_IMAGE_COUNT,
                            c->count_in_memory ? "ez_count_words_in_memory" : "ez_count_words", wide ? 1024 : 256,
                            c->count_in_memory ? 0 : (unsigned)table));
    size_t scratch = 0;
    if (c->documents_by_block)
        scratch = (size_t)c->documents.blocks * (topics + 1 + bits);
    if (!table_fits && scratch < (size_t)c->words.blocks * topics)
        scratch = (size_t)c->words.blocks * topics;
    return ez_device_array(device, context, &c->state.scratch, NULL, scratch, sizeof *c->state.scratch, "scratch");
}

static ezlda_status fill(ez_cuda *c, ezlda_context *context)
{
    EZ_TRY(ez_device_open(&c->device, context, 0));
    EZ_TRY(upload_tokens(c, context));
    EZ_TRY(upload_rows(c, context));
    EZ_TRY(upload_priors(c, context));
    EZ_TRY(allocate_counts(c, context));
    return choose_kernels(c, context);
}

static ezlda_status cuda_create(ez_backend **out, ezlda_context *context, const ez_token_list *tokens,
                                const ez_settings *settings)
{
    *out = NULL;
    ez_cuda *c = NULL;
    EZ_TRY(ez_array_zero(&c, context, 1, sizeof *c, "the backend"));
    c->base.ops = &ez_cuda_backend;
    c->tokens = tokens;
    c->settings = settings;
    c->state = (ez_device_state){
        .docs = (uint32_t)tokens->docs,
        .words = tokens->words,
        .tokens = (uint32_t)tokens->tokens,
        .topics = settings->topics,
        .weight_bits = ez_weight_bits(tokens->longest, settings->alpha_sum),
        .g = settings->g ? settings->g : EZ_TOP,
        .leave_one_out = settings->estimator == EZLDA_LEAVE_ONE_OUT,
        .three_branch = settings->sampler == EZLDA_THREE_BRANCH,
        .beta = settings->beta,
    };
    ezlda_status status = fill(c, context);
    if (status != EZLDA_OK) {
        cuda_free(&c->base);
        return status;
    }
    *out = &c->base;
    return EZLDA_OK;
}

/* W and n from the topics. */
static ezlda_status count_words(ez_cuda *c, ezlda_context *context)
{
    ez_device_state *s = &c->state;
    EZ_TRY(ez_device_zero(&c->device, context, s->next, EZ_NEXT_COUNTERS * sizeof *s->next));
    EZ_TRY(ez_device_zero(&c->device, context, s->topic_tokens, s->topics * sizeof *s->topic_tokens));
    if (c->count_in_memory)
        EZ_TRY(ez_device_zero(&c->device, context, s->w, (size_t)s->words * s->topics * sizeof *s->w));
    else
        EZ_TRY(ez_device_launch(&c->device, context, &c->clear, c->clear.blocks, s));
    return ez_device_launch(&c->device, context, &c->count, c->count.blocks, s);
}

static ezlda_status scatter_start(ez_cuda *c, ezlda_context *context, uint16_t *topic)
{
    const ez_token_list *t = c->tokens;
    ezlda_status status = EZLDA_OK;
#pragma omp parallel num_threads(ez_threads(context))
    {
        ez_start_scratch scratch;
        uint32_t *cursor = NULL;
        uint16_t *mine_topic = NULL;
        ezlda_status mine = ez_start_scratch_init(&scratch, context, t);
        if (mine == EZLDA_OK)
            mine = ez_array(&cursor, context, t->words, sizeof *cursor, "word cursors");
        if (mine == EZLDA_OK)
            mine = ez_array(&mine_topic, context, t->longest, sizeof *mine_topic, "a document");
#pragma omp for schedule(dynamic, 1)
        for (uint32_t b = 0; b < t->blocks; b++) {
            if (mine != EZLDA_OK)
                continue;
            memcpy(cursor, ez_block_cursor(t, b), t->words * sizeof *cursor);
            for (uint64_t d = t->block_doc[b]; d < t->block_doc[b + 1]; d++) {
                ez_start_document(t, c->settings, d, mine_topic, &scratch);
                for (uint64_t i = t->doc_start[d]; i < t->doc_start[d + 1]; i++)
                    topic[cursor[t->word[i]]++] = mine_topic[i - t->doc_start[d]];
            }
        }
        ez_start_scratch_free(&scratch);
        ez_free(cursor);
        ez_free(mine_topic);
        if (mine != EZLDA_OK) {
#pragma omp critical(ez_cuda_status)
            status = mine;
        }
    }
    return status;
}

static ezlda_status cuda_start(ez_backend *backend, ezlda_context *context)
{
    ez_cuda *c = (ez_cuda *)backend;
    uint16_t *topic = NULL;
    EZ_TRY(ez_device_enter(&c->device, context));
    EZ_TRY(ez_array(&topic, context, c->tokens->tokens, sizeof *topic, "topics"));
    ezlda_status status = scatter_start(c, context, topic);
    if (status == EZLDA_OK)
        status = ez_device_write(&c->device, context, c->state.topic, topic, c->tokens->tokens * sizeof *topic);
    ez_free(topic);
    if (status == EZLDA_OK)
        status = count_words(c, context);
    return status == EZLDA_OK ? ez_device_finish(&c->device, context, "the start") : status;
}

static ezlda_status run_passes(ez_cuda *c, ezlda_context *context)
{
    ez_device_state *s = &c->state;
    EZ_TRY(ez_device_zero(&c->device, context, s->next, EZ_NEXT_COUNTERS * sizeof *s->next));
    EZ_TRY(ez_device_zero(&c->device, context, s->tally, EZ_TALLIES * sizeof *s->tally));
    EZ_TRY(ez_device_zero(&c->device, context, s->score_sum, sizeof *s->score_sum));
    EZ_TRY(ez_device_launch(&c->device, context, &c->rates, (s->topics + 255) / 256, s));
    EZ_TRY(ez_device_launch(&c->device, context, &c->prepare, c->prepare.blocks, s));
    EZ_TRY(ez_device_launch(&c->device, context, &c->documents, c->documents.blocks, s));
    return ez_device_launch(&c->device, context, &c->words, c->words.blocks, s);
}

static ezlda_status cuda_iterate(ez_backend *backend, ezlda_context *context, uint32_t iteration, ez_iteration *done)
{
    ez_cuda *c = (ez_cuda *)backend;
    ez_device_state *s = &c->state;
    unsigned long long tally[EZ_TALLIES];
    EZ_TRY(ez_device_enter(&c->device, context));
    s->iteration_key = ez_iteration_key(c->settings->seed, iteration);
    s->score = 0;
    s->decide = c->settings->sampler != EZLDA_TWO_BRANCH;
    EZ_TRY(run_passes(c, context));
    EZ_TRY(count_words(c, context));
    EZ_TRY(ez_device_finish(&c->device, context, "an iteration"));
    EZ_TRY(ez_device_read(&c->device, context, tally, s->tally, sizeof tally));
    *done = (ez_iteration){.undecided = tally[EZ_TALLY_OPEN], .moved = tally[EZ_TALLY_MOVED]};
    return EZLDA_OK;
}

static ezlda_status cuda_score(ez_backend *backend, ezlda_context *context, int64_t *sum)
{
    ez_cuda *c = (ez_cuda *)backend;
    long long total;
    EZ_TRY(ez_device_enter(&c->device, context));
    c->state.score = 1;
    c->state.decide = 0;
    EZ_TRY(run_passes(c, context));
    EZ_TRY(ez_device_finish(&c->device, context, "scoring"));
    EZ_TRY(ez_device_read(&c->device, context, &total, c->state.score_sum, sizeof total));
    *sum = total;
    return EZLDA_OK;
}

static ezlda_status cuda_topics(ez_backend *backend, ezlda_context *context, uint16_t *out)
{
    ez_cuda *c = (ez_cuda *)backend;
    const ez_token_list *t = c->tokens;
    uint16_t *topic = NULL;
    uint32_t *place = NULL;
    ezlda_status status;
    EZ_TRY(ez_device_enter(&c->device, context));
    EZ_TRY_GOTO(ez_array(&topic, context, t->tokens, sizeof *topic, "topics"));
    EZ_TRY_GOTO(ez_array(&place, context, t->tokens, sizeof *place, "the inverted index"));
    EZ_TRY_GOTO(ez_device_read(&c->device, context, topic, c->state.topic, t->tokens * sizeof *topic));
    EZ_TRY_GOTO(ez_device_read(&c->device, context, place, c->state.place, t->tokens * sizeof *place));
#pragma omp parallel for schedule(static) num_threads(ez_threads(context))
    for (uint64_t i = 0; i < t->tokens; i++)
        out[i] = topic[place[i]];
done:
    ez_free(topic);
    ez_free(place);
    return status;
}

const ez_backend_ops ez_cuda_backend = {
    .name = "cuda",
    .create = cuda_create,
    .start = cuda_start,
    .iterate = cuda_iterate,
    .score = cuda_score,
    .topics = cuda_topics,
    .free = cuda_free,
};
