/* Memory and kernels of a training: how much of each array, and which kernel takes which part of the corpus. */
#include "backend/cuda/cuda_state.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Up to so many topics a warp counts a document on chip with a counter each. */
enum { EZ_WARP_TOPICS = 8192 };
/* Longer documents are shared by a block. */
enum { EZ_WARP_TOKENS = 1024 };
/* A warp takes longer ones one at a time. */
enum { EZ_SINGLE_TOKENS = 256 };
/* Above so many topics a table leaves few blocks to a multiprocessor: it gets all the threads. */
enum { EZ_WIDE_TOPICS = 8192 };
/* Rows of W up to so long are prepared by a warp. */
enum { EZ_WARP_ROW = 4096 };
/* Rows of longer documents are summed by eight lanes. */
enum { EZ_LANE_TOKENS = 2048 };

static uint64_t word_tokens(const ez_token_list *t, uint32_t v)
{
    return t->word_start[v + 1] - t->word_start[v];
}

/* The first word, from `from` on, of at most so many tokens (words come by falling frequency). */
static uint32_t first_word_within(const ez_token_list *t, uint32_t from, uint64_t tokens)
{
    while (from < t->words && word_tokens(t, from) > tokens)
        from++;
    return from;
}

static uint32_t dense_words_of(const ez_token_list *t, const ez_settings *settings)
{
    if (settings->w_format == EZLDA_W_SPARSE)
        return 0;
    return settings->w_format == EZLDA_W_DENSE ? t->words : first_word_within(t, 0, settings->topics);
}

/* Rare words need no table where K is large: their first. */
static uint32_t first_rare_word(const ez_cuda *c)
{
    const ez_token_list *t = c->tokens;
    if (c->state.topics <= EZ_WIDE_TOPICS)
        return t->words;
    return first_word_within(t, c->state.dense_words, EZ_RARE_TOKENS);
}

static uint64_t region_of(const ez_cuda *c)
{
    if (c->settings->balance != EZLDA_BALANCE_SPLIT)
        return UINT64_MAX;
    return c->settings->region ? c->settings->region : EZ_SPLIT_REGION;
}

/* Whether a histogram of K counts fits on chip. */
static bool counts_fit(const ez_cuda *c)
{
    return c->state.topics * sizeof(uint32_t) + 1024 <= (size_t)c->device.shared_limit;
}

/* Tasks of the words up to `last`, largest words first; with out NULL only counted. */
static uint32_t cut_tasks(const ez_cuda *c, uint32_t last, ez_device_task *out)
{
    const ez_token_list *t = c->tokens;
    uint64_t region = region_of(c);
    uint32_t n = 0;
    for (uint32_t v = 0; v < last; v++) {
        uint64_t tokens = word_tokens(t, v);
        for (uint64_t at = 0; at < tokens; n++) {
            uint64_t size = tokens - at < region ? tokens - at : region;
            if (out)
                out[n] = (ez_device_task){
                    .word = v,
                    .begin = (uint32_t)(t->word_start[v] + at),
                    .tokens = (uint32_t)size,
                    .split = tokens > region || !counts_fit(c),
                };
            at += size;
        }
    }
    return n;
}

/* Groups of all rows of D: room for the topics of all tokens too, which pass through there at start and end. */
static uint64_t row_groups(const ez_cuda *c)
{
    const ez_token_list *t = c->tokens;
    uint64_t groups = 0, topics = t->tokens / 8 + 1;
    for (uint64_t d = 0; d < t->docs; d++)
        groups += ez_cuda_row_room(c, t->doc_start[d + 1] - t->doc_start[d]);
    return groups > topics ? groups : topics;
}

/* An array of the state: where its pointer lies, how large it is. */
typedef struct array {
    size_t pointer;
    uint64_t n, size;
    const char *what;
    int zero; /* whether it starts as zeros */
} array;

enum { EZ_ARRAYS = 24 };

/* Everything that is allocated once the corpus lies on the device. */
static int list_arrays(const ez_cuda *c, array out[EZ_ARRAYS])
{
    const ez_device_state *s = &c->state;
    uint64_t quads = s->topics / 4 + 1, slots = s->zero_stride ? EZ_ZERO_SLOTS : 0;
    int n = 0;
#define EZ_ADD(member, count, what, zero)                                       \
    out[n++] = (array)                                                          \
    {                                                                           \
        offsetof(ez_device_state, member), count, sizeof *s->member, what, zero \
    }
    if (s->topics > 32768)
        EZ_ADD(open, s->tokens, "open topics", 1);
    EZ_ADD(w_dense, (uint64_t)s->dense_words * s->w_stride, "dense rows of W", 1);
    EZ_ADD(w_sparse, s->tokens - s->sparse_base, "sparse rows of W", 0);
    EZ_ADD(w_entries, s->words - s->dense_words, "row lengths of W", 1);
    EZ_ADD(topic_tokens, s->topics, "n", 0);
    EZ_ADD(rate, quads * 4, "topic rates", 1);
    EZ_ADD(zero_order, s->topics, "the order of topics", 0);
    EZ_ADD(zero_q, EZ_ZERO_SLOTS, "alpha parts of count 0", 0);
    EZ_ADD(zero_weight, slots * s->zero_stride, "weights of count 0", 1);
    EZ_ADD(zero_through, slots * (s->topics / EZ_ZERO_STEP + 1), "alpha parts of count 0", 0);
    EZ_ADD(record, s->words, "word records", 0);
    EZ_ADD(decide_record, s->words, "word records", 0);
    EZ_ADD(task, s->tasks, "tasks", 0);
    EZ_ADD(barrier, 1, "counters", 1);
    EZ_ADD(counters, EZ_COUNTERS, "counters", 1);
    EZ_ADD(tally, EZ_TALLIES, "counters", 1);
    EZ_ADD(score_sum, 1, "the score", 1);
    EZ_ADD(alpha, (uint64_t)s->topics + 1, "alpha", 0);
    EZ_ADD(alpha_scaled, quads * 4, "alpha", 0);
    EZ_ADD(row, row_groups(c) * EZ_LANE_WIDTH, "D", 0);
#undef EZ_ADD
    return n;
}

uint64_t ez_cuda_row_room(const ez_cuda *c, uint64_t length)
{
    return ez_row_room(length, c->state.topics, c->state.narrow && length <= c->state.lane_tokens);
}

/* Sizes that follow from the corpus and the settings. */
static void set_sizes(ez_cuda *c)
{
    const ez_token_list *t = c->tokens;
    ez_device_state *s = &c->state;
    s->narrow = s->topics <= EZ_NARROW_TOPICS;
    s->lane_tokens = EZ_LANE_TOKENS;
    s->dense_words = dense_words_of(t, c->settings);
    s->w_stride = (s->topics / 4 + 1) * 4;
    s->sparse_base = (uint32_t)t->word_start[s->dense_words];
    uint32_t rare = first_rare_word(c);
    s->zero_stride = rare < t->words ? s->w_stride : 0;
    s->tasks = cut_tasks(c, rare, NULL);
}

ezlda_status ez_cuda_check_memory(ez_cuda *c, ezlda_context *context)
{
    const ez_token_list *t = c->tokens;
    array list[EZ_ARRAYS];
    set_sizes(c);
    /* words, place and document of a token in 32 bits, its topic in 16 */
    uint64_t corpus = t->tokens * 14 + (t->docs + 1) * sizeof(ez_device_doc) + (t->words + 1) * sizeof(uint32_t) * 2;
    uint64_t bytes = corpus;
    for (int i = 0, n = list_arrays(c, list); i < n; i++)
        bytes += list[i].n * list[i].size;
    char what[128];
    snprintf(what, sizeof what, "training %llu tokens with %u topics", (unsigned long long)t->tokens, c->state.topics);
    return ez_device_reserve_check(&c->device, context, bytes, what);
}

static ezlda_status upload_priors(ez_cuda *c, ezlda_context *context)
{
    uint32_t topics = c->state.topics;
    size_t padded = (size_t)(topics / 4 + 1) * 4;
    float *alpha = NULL;
    EZ_TRY(ez_array_zero(&alpha, context, padded, sizeof *alpha, "alpha"));
    c->state.alpha_one = c->settings->alpha[0];
    for (uint32_t k = 0; k < topics; k++) {
        alpha[k] = c->settings->alpha[k];
        if (alpha[k] != c->state.alpha_one)
            c->state.alpha_one = 0;
    }
    ezlda_status status =
        ez_device_write(&c->device, context, c->state.alpha, alpha, ((size_t)topics + 1) * sizeof *alpha);
    for (uint32_t k = 0; k < topics; k++)
        alpha[k] = ez_alpha_scaled(alpha[k]);
    if (status == EZLDA_OK)
        status = ez_device_write(&c->device, context, c->state.alpha_scaled, alpha, padded * sizeof *alpha);
    ez_free(alpha);
    return status;
}

ezlda_status ez_cuda_allocate(ez_cuda *c, ezlda_context *context)
{
    array list[EZ_ARRAYS];
    for (int i = 0, n = list_arrays(c, list); i < n; i++) {
        void *memory = NULL;
        EZ_TRY(ez_device_array(&c->device, context, &memory, NULL, list[i].n, list[i].size, list[i].what));
        memcpy((char *)&c->state + list[i].pointer, &memory, sizeof memory);
        if (list[i].zero)
            EZ_TRY(ez_device_zero(&c->device, context, memory, list[i].n * list[i].size));
    }
    if (c->state.zero_stride == 0)
        c->state.zero_weight = NULL;
    EZ_TRY(upload_priors(c, context));
    ez_device_task *task = NULL;
    EZ_TRY(ez_array(&task, context, c->state.tasks, sizeof *task, "tasks"));
    cut_tasks(c, first_rare_word(c), task);
    ezlda_status status = ez_device_write(&c->device, context, c->state.task, task, c->state.tasks * sizeof *task);
    ez_free(task);
    return status;
}

/* ---- kernels ----------------------------------------------------------------------------------------------------- */

/* Adds a launch over [first, last) to a pass; nothing where that is empty. */
static ezlda_status add(ez_cuda *c, ezlda_context *context, ez_pass *pass, int image, const char *name,
                        unsigned threads, size_t shared, uint32_t first, uint32_t last)
{
    if (first >= last)
        return EZLDA_OK;
    ez_launch *launch = &pass->launch[pass->launches++];
    *launch = (ez_launch){.first = first, .last = last, .counter = c->launches++};
    EZ_TRY(ez_device_kernel(&c->device, context, &launch->kernel, image, name, threads, (unsigned)shared));
    launch->blocks = launch->kernel.blocks;
    return EZLDA_OK;
}

static size_t seen_bytes(uint32_t topics)
{
    return (topics / 32 + 1) * sizeof(uint32_t);
}

static size_t packed_bytes(uint32_t topics)
{
    return (topics / 2 + 1) * sizeof(uint32_t) + seen_bytes(topics);
}

/* Documents of the device's order that are longer than so many tokens. */
static uint32_t documents_longer(const ez_cuda *c, uint64_t tokens)
{
    uint32_t n = 0;
    for (uint64_t d = 0; d < c->tokens->docs; d++)
        n += c->tokens->doc_start[d + 1] - c->tokens->doc_start[d] > tokens;
    return n;
}

static ezlda_status choose_documents(ez_cuda *c, ezlda_context *context)
{
    uint32_t topics = c->state.topics, docs = c->state.docs;
    bool counters = topics <= EZ_WARP_TOPICS;
    uint32_t huge = documents_longer(c, EZ_ENTRY_MAX);
    uint32_t shared = documents_longer(c, counters ? EZ_WARP_TOKENS : EZ_HASH_TOKENS);
    size_t hash = EZ_HASH_SLOTS * sizeof(uint32_t) + seen_bytes(topics);
    EZ_TRY(add(c, context, &c->documents, EZ_IMAGE_DOCUMENTS, "ez_documents_in_memory", 256, 0, 0, huge));
    EZ_TRY(add(c, context, &c->documents, EZ_IMAGE_DOCUMENTS, "ez_documents_by_block", 256, packed_bytes(topics), huge,
               shared));
    return add(c, context, &c->documents, EZ_IMAGE_DOCUMENTS,
               counters ? "ez_documents_by_warp" : "ez_documents_by_hash", EZ_DOCUMENT_WARPS * 32,
               EZ_DOCUMENT_WARPS * (counters ? packed_bytes(topics) : hash), shared, docs);
}

/* Shared memory of the words pass: rooms of the warps, sums of alpha parts every `step` topics, the table. */
static size_t word_bytes(uint32_t topics, uint32_t warps, uint32_t step, bool table)
{
    size_t sums = ((topics + step - 1) / step + 1) / 2 * 2 * sizeof(uint64_t);
    return warps * EZ_WARP_ROOM + sums + (table ? (topics / 4 + 1) * 16 : 0);
}

static ezlda_status choose_words(ez_cuda *c, ezlda_context *context)
{
    uint32_t topics = c->state.topics, rare = first_rare_word(c);
    size_t limit = (size_t)c->device.shared_limit - 2048, wide = word_bytes(topics, EZ_WIDE_WARPS, 32, true);
    const char *name = "ez_words_in_memory";
    unsigned warps = EZ_WORD_WARPS;
    size_t bytes = word_bytes(topics, EZ_WORD_WARPS, 32, false);
    if (topics <= EZ_WIDE_TOPICS && word_bytes(topics, EZ_WORD_WARPS, 4, true) <= limit) {
        name = c->state.narrow ? "ez_words_narrow" : "ez_words";
        bytes = word_bytes(topics, EZ_WORD_WARPS, 4, true);
    } else if (wide <= limit) {
        name = "ez_words_wide";
        warps = EZ_WIDE_WARPS;
        bytes = wide;
    }
    EZ_TRY(add(c, context, &c->words, EZ_IMAGE_WORDS, name, warps * 32, bytes, 0, c->state.tasks));
    return add(c, context, &c->words, EZ_IMAGE_WORDS_RARE, "ez_words_rare", EZ_RARE_WARPS * 32,
               EZ_RARE_WARPS * EZ_WARP_ROOM + (size_t)topics / 16 * 16 + 16, rare, c->state.words);
}

static uint32_t tasks_of_words(const ez_cuda *c, uint32_t last)
{
    return cut_tasks(c, last, NULL);
}

static ezlda_status choose_count(ez_cuda *c, ezlda_context *context)
{
    const ez_token_list *t = c->tokens;
    const ez_device_state *s = &c->state;
    uint32_t tasks = tasks_of_words(c, s->dense_words), few = first_word_within(t, s->dense_words, 32);
    uint32_t huge = first_word_within(t, s->dense_words, EZ_ENTRY_MAX);
    size_t table = s->topics * sizeof(uint32_t);
    bool fits = counts_fit(c);
    EZ_TRY(add(c, context, &c->clear, EZ_IMAGE_COUNT, "ez_clear", 256, 0, 0, tasks > 0 ? tasks : 1));
    c->clear.launch[0].last = tasks;
    EZ_TRY(add(c, context, &c->count, EZ_IMAGE_COUNT, fits ? "ez_count_dense" : "ez_count_dense_in_memory",
               s->topics > EZ_WIDE_TOPICS ? 1024 : 256, fits ? table : 0, 0, tasks));
    EZ_TRY(add(c, context, &c->count, EZ_IMAGE_COUNT, "ez_count_sparse_in_memory", 256, 0, s->dense_words, huge));
    EZ_TRY(add(c, context, &c->count, EZ_IMAGE_COUNT, "ez_count_sparse", 256, packed_bytes(s->topics), huge, few));
    return add(c, context, &c->count, EZ_IMAGE_COUNT, "ez_count_few", 256, 0, few, s->words);
}

static ezlda_status choose_prepare(ez_cuda *c, ezlda_context *context)
{
    const ez_device_state *s = &c->state;
    uint32_t by_warp = first_word_within(c->tokens, s->dense_words, EZ_WARP_ROW);
    bool short_rows = s->topics <= EZ_WARP_ROW, in_registers = s->topics <= EZ_REGISTER_TOPICS;
    if (short_rows)
        by_warp = s->dense_words;
    EZ_TRY(add(c, context, &c->rates, EZ_IMAGE_RATES, "ez_rates", 256, 0, 0, 1));
    c->rates.launch[0].blocks = (s->topics + 255) / 256;
    if (s->dense_words < s->words) {
        EZ_TRY(add(c, context, &c->rates, EZ_IMAGE_RATES, "ez_order_zeros", 256, 0, 0, 1));
        c->rates.launch[1].blocks = (s->topics + 7) / 8;
        EZ_TRY(add(c, context, &c->rates, EZ_IMAGE_RATES, "ez_sum_zeros", 1024, 0, 0, 1));
        c->rates.launch[2].blocks = EZ_ZERO_SLOTS;
    }
    EZ_TRY(add(c, context, &c->prepare, EZ_IMAGE_PREPARE,
               in_registers ? "ez_prepare_in_registers"
               : short_rows ? "ez_prepare_dense"
                            : "ez_prepare_dense_by_block",
               short_rows ? 256 : 1024, 0, 0, s->dense_words));
    EZ_TRY(
        add(c, context, &c->prepare, EZ_IMAGE_PREPARE, "ez_prepare_sparse_by_block", 1024, 0, s->dense_words, by_warp));
    return add(c, context, &c->prepare, EZ_IMAGE_PREPARE, "ez_prepare_sparse", 256, 0, by_warp, s->words);
}

/* Counters or tables that do not fit on chip, a part for each block. */
static ezlda_status allocate_scratch(ez_cuda *c, ezlda_context *context)
{
    static const char *const kernels[] = {"ez_documents_in_memory", "ez_words_in_memory", "ez_count_sparse_in_memory"};
    const ez_pass *passes[] = {&c->documents, &c->words, &c->count};
    size_t most = 0, size = (size_t)c->state.topics + 8 + c->state.topics / 32;
    for (int p = 0; p < 3; p++)
        for (int i = 0; i < passes[p]->launches; i++) {
            const ez_launch *launch = &passes[p]->launch[i];
            if (strcmp(launch->kernel.name, kernels[p]) == 0 && launch->blocks * size > most)
                most = launch->blocks * size;
        }
    return ez_device_array(&c->device, context, &c->state.scratch, NULL, most, sizeof *c->state.scratch, "scratch");
}

ezlda_status ez_cuda_choose_kernels(ez_cuda *c, ezlda_context *context)
{
    EZ_TRY(choose_prepare(c, context));
    EZ_TRY(choose_documents(c, context));
    EZ_TRY(choose_words(c, context));
    EZ_TRY(choose_count(c, context));
    return allocate_scratch(c, context);
}
