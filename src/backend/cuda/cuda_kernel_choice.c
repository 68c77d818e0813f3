/* Chooses the kernels of every pass: by K, by what fits on chip, by the lengths of documents and by
 * the frequencies of words. */
#include "backend/cuda/cuda_kernel_choice.h"

#include "backend/cuda/cuda_backend.h"
#include "backend/cuda/cuda_hybrid_w.h"
#include "backend/cuda/cuda_kernel_table.h"
#include "backend/cuda/cuda_word_regions.h"
#include "backend/cuda/shards/cuda_owned_rows.h"

/* Up to this K a warp counts a document on chip, with one counter per topic. */
enum { EZ_WARP_TOPICS = 8192 };
/* The longest documents that a warp works on; a block shares longer ones. */
enum { EZ_WARP_TOKENS = 1024 };
/* A warp takes longer documents one at a time. */
enum { EZ_SINGLE_TOKENS = 256 };
/* Above this K a table leaves room for few blocks per multiprocessor, so blocks have more threads.
 */
enum { EZ_WIDE_TOPICS = 8192 };
/* The longest rows of W that a warp prepares. */
enum { EZ_WARP_ROW = 4096 };
/* Bytes of static shared memory of ez_words_patched. */
enum { EZ_PATCHED_STATIC = 7168 };

/* Whether a block can have this much dynamic shared memory: static variables and the driver need
 * some too. */
static bool fits_on_chip(const ez_cuda *c, size_t bytes)
{
    return bytes + 2048 <= (size_t)c->device.shared_limit;
}

bool ez_cuda_counts_fit(const ez_cuda *c)
{
    return fits_on_chip(c, c->state.w.topics * sizeof(uint32_t));
}

unsigned ez_cuda_count_threads(const ez_cuda *c)
{
    return c->state.w.topics > EZ_WIDE_TOPICS ? 1024 : 256;
}

static size_t seen_bytes(uint32_t topics)
{
    return (topics / 32 + 1) * sizeof(uint32_t);
}

static size_t packed_bytes(uint32_t topics)
{
    return (topics / 2 + 1) * sizeof(uint32_t) + seen_bytes(topics);
}

/* Shared memory of ez_words_patched: rooms of the warps and a slot for each topic. */
static size_t patched_bytes(uint32_t topics)
{
    return (size_t)EZ_PATCHED_WARPS * EZ_WARP_ROOM + (size_t)topics / 16 * 16 + 16;
}

/* Shared memory of the words pass: rooms of the warps, sums of alpha parts every `step` topics, the
 * table. */
static size_t word_bytes(uint32_t topics, uint32_t warps, uint32_t step, bool table)
{
    size_t sums = (((size_t)topics + step - 1) / step + 1) / 2 * 2 * sizeof(uint64_t);
    return (size_t)warps * EZ_WARP_ROOM + sums + (table ? ((size_t)topics / 4 + 1) * 16 : 0);
}

uint32_t ez_cuda_first_warp_word(const ez_cuda *c)
{
    if (c->state.w.topics <= EZ_WARP_WORD_TOPICS) {
        uint64_t tokens = EZ_WARP_WORD_TOKENS * (uint64_t)c->chunks * (unsigned)c->shards;
        return ez_cuda_first_row_within(c, 0, tokens < EZ_ENTRY_MAX ? tokens : EZ_ENTRY_MAX);
    }
    if (c->state.w.topics <= EZ_WIDE_TOPICS ||
        !fits_on_chip(c, patched_bytes(c->state.w.topics) + EZ_PATCHED_STATIC))
        return c->tokens->words;
    return ez_cuda_first_row_within(c, c->state.w.dense_words, EZ_PATCHED_TOKENS);
}

/* ---- launches ---- */

/* Adds a launch over [first, last) to a pass; does nothing if that is empty. */
static ezlda_status add(ez_cuda *c, ezlda_context *context, ez_pass *pass, ez_kernel_id id,
                        size_t shared, uint32_t first, uint32_t last)
{
    if (first >= last)
        return EZLDA_OK;
    ez_launch *launch = &pass->launch[pass->launches++];
    *launch = (ez_launch){.first = first, .last = last, .counter = c->launches++};
    EZ_TRY(ez_cuda_find_kernel(c, context, &launch->kernel, id, shared));
    launch->blocks = launch->kernel.blocks;
    return EZLDA_OK;
}

/* How many documents of the chunk, which are the first ones, are longer than `tokens`. */
static uint32_t documents_longer(const ez_chunk *chunk, const ez_device_doc *order, uint64_t tokens)
{
    uint32_t lo = 0, hi = chunk->docs;
    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        if (order[chunk->first_doc + middle].begin > tokens)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

static ezlda_status choose_documents(ez_cuda *c, ezlda_context *context, ez_chunk *chunk,
                                     const ez_device_doc *order)
{
    uint32_t topics = c->state.w.topics;
    bool counters =
        topics <= EZ_WARP_TOPICS && fits_on_chip(c, EZ_DOCUMENT_WARPS * packed_bytes(topics));
    uint32_t shared = documents_longer(chunk, order, counters ? EZ_WARP_TOKENS : EZ_HASH_TOKENS);
    uint32_t huge = fits_on_chip(c, packed_bytes(topics))
                        ? documents_longer(chunk, order, EZ_ENTRY_MAX)
                        : shared;
    uint32_t single = documents_longer(chunk, order, EZ_SINGLE_TOKENS);
    size_t hash = EZ_HASH_SLOTS * sizeof(uint32_t) + seen_bytes(topics);
    ez_pass *pass = &chunk->documents;
    chunk->single_docs = single > shared ? single - shared : 0;
    EZ_TRY(add(c, context, pass, EZ_KERNEL_DOCUMENTS_IN_MEMORY, 0, 0, huge));
    EZ_TRY(add(c, context, pass, EZ_KERNEL_DOCUMENTS_BY_BLOCK, packed_bytes(topics), huge, shared));
    return add(c, context, pass,
               counters ? EZ_KERNEL_DOCUMENTS_BY_WARP : EZ_KERNEL_DOCUMENTS_BY_HASH,
               EZ_DOCUMENT_WARPS * (counters ? packed_bytes(topics) : hash), shared, chunk->docs);
}

static ezlda_status choose_words(ez_cuda *c, ezlda_context *context, ez_chunk *chunk,
                                 uint32_t tasks)
{
    uint32_t topics = c->state.w.topics, first_warp_word = ez_cuda_first_warp_word(c);
    size_t wide = word_bytes(topics, EZ_WIDE_WARPS, 32, true);
    ez_kernel_id id = EZ_KERNEL_WORDS_IN_MEMORY;
    size_t bytes = word_bytes(topics, EZ_WORD_WARPS, 32, false);
    if (topics <= EZ_WIDE_TOPICS && fits_on_chip(c, word_bytes(topics, EZ_WORD_WARPS, 4, true))) {
        id = c->state.d.narrow ? EZ_KERNEL_WORDS_NARROW : EZ_KERNEL_WORDS;
        bytes = word_bytes(topics, EZ_WORD_WARPS, 4, true);
    } else if (fits_on_chip(c, wide)) {
        id = EZ_KERNEL_WORDS_WIDE;
        bytes = wide;
    }
    EZ_TRY(add(c, context, &chunk->words, id, bytes, 0, tasks));
    if (topics <= EZ_WARP_WORD_TOPICS)
        return add(c, context, &chunk->words,
                   c->state.d.narrow ? EZ_KERNEL_WORDS_BY_WARP_NARROW : EZ_KERNEL_WORDS_BY_WARP,
                   (size_t)EZ_WARP_WORD_WARPS * ez_warp_word_bytes(topics), first_warp_word,
                   c->state.w.words);
    return add(c, context, &chunk->words, EZ_KERNEL_WORDS_PATCHED, patched_bytes(topics),
               first_warp_word, c->state.w.words);
}

/* The first word whose sparse row a warp counts. Words from `few` on, with at most 32 tokens, have
 * a kernel of their own. */
static uint32_t first_counted_by_warp(const ez_cuda *c, uint32_t few)
{
    if (c->state.w.topics > EZ_WARP_COUNT_TOPICS ||
        !fits_on_chip(c, EZ_WARP_COUNT_WARPS * packed_bytes(c->state.w.topics)))
        return few;
    return ez_first_word_within(c->tokens, c->state.w.dense_words, EZ_WARP_COUNT_TOKENS);
}

static ezlda_status choose_count(ez_cuda *c, ezlda_context *context, ez_chunk *chunk,
                                 uint32_t dense_tasks)
{
    const ez_token_list *t = c->tokens;
    const ez_device_state *s = &c->state;
    uint32_t few = ez_first_word_within(t, s->w.dense_words, 32),
             some = first_counted_by_warp(c, few), huge = few;
    bool fits = ez_cuda_counts_fit(c);
    if (fits_on_chip(c, packed_bytes(s->w.topics)))
        huge = ez_first_word_within(t, s->w.dense_words, EZ_ENTRY_MAX);
    ez_pass *pass = &chunk->count;
    EZ_TRY(add(c, context, pass, fits ? EZ_KERNEL_COUNT_DENSE : EZ_KERNEL_COUNT_DENSE_IN_MEMORY,
               fits ? s->w.topics * sizeof(uint32_t) : 0, 0, dense_tasks));
    if (ez_cuda_w_is_hashed(c))
        return add(c, context, pass, EZ_KERNEL_COUNT_HASHED,
                   s->w.topics <= EZ_CHIP_SUMS ? s->w.topics * sizeof(uint32_t) : 0,
                   s->w.dense_words, s->w.words);
    EZ_TRY(add(c, context, pass, EZ_KERNEL_COUNT_SPARSE_IN_MEMORY, 0, s->w.dense_words, huge));
    EZ_TRY(add(c, context, pass, EZ_KERNEL_COUNT_SPARSE, packed_bytes(s->w.topics), huge, some));
    EZ_TRY(add(c, context, pass, EZ_KERNEL_COUNT_BY_WARP,
               EZ_WARP_COUNT_WARPS * packed_bytes(s->w.topics), some, few));
    return add(c, context, pass, EZ_KERNEL_COUNT_BY_LANES, 0, few, s->w.words);
}

/* What comes before all counting and after it. */
static ezlda_status choose_clear_and_base(ez_cuda *c, ezlda_context *context, uint32_t dense_tasks)
{
    EZ_TRY(add(c, context, &c->clear, EZ_KERNEL_CLEAR, 0, 0, 1));
    c->clear.launch[0].last = c->chunks > 1 ? 0 : dense_tasks;
    return add(c, context, &c->base_counts, EZ_KERNEL_ADD_BASE, 0, 0, c->state.base.words);
}

/* Adds a launch over the words of [first, last) that are in the own slice. Loose records are not
 * shared: then it is over all of them. */
static ezlda_status add_slice(ez_cuda *c, ezlda_context *context, ez_kernel_id id, uint32_t first,
                              uint32_t last)
{
    uint32_t from = c->slice_word[c->role.slice], to = c->slice_word[c->role.slice + 1];
    if (c->settings->loose_records)
        from = 0, to = c->state.w.words;
    return add(c, context, &c->prepare, id, 0, first > from ? first : from, last < to ? last : to);
}

static ezlda_status choose_prepare(ez_cuda *c, ezlda_context *context)
{
    const ez_device_state *s = &c->state;
    uint32_t by_warp = ez_first_word_within(c->tokens, s->w.dense_words, EZ_WARP_ROW);
    bool short_rows = s->w.topics <= EZ_WARP_ROW, in_registers = s->w.topics <= EZ_REGISTER_TOPICS;
    if (short_rows)
        by_warp = s->w.dense_words;
    EZ_TRY(add(c, context, &c->rates, EZ_KERNEL_RATES, 0, 0, 1));
    c->rates.launch[0].blocks = (s->w.topics + 255) / 256;
    if (s->w.dense_words < s->w.words) {
        EZ_TRY(add(c, context, &c->rates, EZ_KERNEL_ORDER_ZEROS, 0, 0, 1));
        c->rates.launch[1].blocks = (s->w.topics + 7) / 8;
        EZ_TRY(add(c, context, &c->rates, EZ_KERNEL_SUM_ZEROS, 0, 0, 1));
        c->rates.launch[2].blocks = EZ_ZERO_SLOTS;
    }
    EZ_TRY(add_slice(c, context,
                     in_registers ? EZ_KERNEL_PREPARE_IN_REGISTERS
                     : short_rows ? EZ_KERNEL_PREPARE_DENSE
                                  : EZ_KERNEL_PREPARE_DENSE_BY_BLOCK,
                     0, s->w.dense_words));
    EZ_TRY(add_slice(c, context, EZ_KERNEL_PREPARE_SPARSE_BY_BLOCK, s->w.dense_words, by_warp));
    return add_slice(c, context, EZ_KERNEL_PREPARE_SPARSE, by_warp, s->w.words);
}

/* Whether a kernel needs scratch: for long documents, for tables, or for rows of frequent words. */
static bool needs_scratch(const ez_cuda *c)
{
    const ez_token_list *t = c->tokens;
    uint32_t topics = c->state.w.topics, v = c->state.w.dense_words;
    bool tables =
        fits_on_chip(c, topics <= EZ_WIDE_TOPICS ? word_bytes(topics, EZ_WORD_WARPS, 4, true)
                                                 : word_bytes(topics, EZ_WIDE_WARPS, 32, true));
    return !tables || !fits_on_chip(c, packed_bytes(topics)) || t->longest > EZ_ENTRY_MAX ||
           (v < t->words && ez_word_frequency(t, v) > EZ_ENTRY_MAX);
}

uint64_t ez_cuda_scratch(const ez_cuda *c)
{
    if (!needs_scratch(c))
        return 0;
    uint64_t size = (uint64_t)c->state.w.topics + 8 + c->state.w.topics / 32;
    return size * EZ_SCRATCH_BLOCKS * (unsigned)c->device.processors;
}

static ezlda_status choose_for_chunk(ez_cuda *c, ezlda_context *context, ez_chunk *chunk,
                                     const ez_device_doc *order, uint32_t *word_start)
{
    EZ_TRY(ez_device_read(&c->device, context, word_start, chunk->word_start,
                          ((size_t)c->state.w.words + 1) * sizeof *word_start));
    EZ_TRY(ez_cuda_upload_tasks(c, context, chunk, word_start));
    uint32_t dense_tasks = ez_cuda_cut_tasks(c, word_start, c->state.w.dense_words, NULL);
    c->launches = 0; /* counters are zeroed for every chunk */
    EZ_TRY(choose_documents(c, context, chunk, order));
    EZ_TRY(choose_words(c, context, chunk,
                        ez_cuda_cut_tasks(c, word_start, ez_cuda_first_warp_word(c), NULL)));
    EZ_TRY(choose_count(c, context, chunk, dense_tasks));
    return chunk == c->chunk ? choose_clear_and_base(c, context, dense_tasks) : EZLDA_OK;
}

ezlda_status ez_cuda_choose_kernels(ez_cuda *c, ezlda_context *context, const ez_device_doc *order)
{
    uint32_t *word_start = NULL;
    EZ_TRY(choose_prepare(c, context));
    EZ_TRY(ez_array(&word_start, context, (size_t)c->state.w.words + 1, sizeof *word_start,
                    "word starts"));
    ezlda_status status = EZLDA_OK;
    for (uint32_t i = 0; i < c->chunks && status == EZLDA_OK; i++)
        status = choose_for_chunk(c, context, &c->chunk[i], order, word_start);
    ez_free(word_start);
    return status;
}

/* Adds a launch over the words of [first, last) that this shard owns. */
static ezlda_status add_owned(ez_cuda *c, ezlda_context *context, ez_kernel_id id, size_t shared,
                              uint32_t first, uint32_t last)
{
    uint32_t from = ez_cuda_owned_word(c, c->role.slice),
             to = ez_cuda_owned_word(c, c->role.slice + 1);
    return add(c, context, &c->count_owned, id, shared, first > from ? first : from,
               last < to ? last : to);
}

ezlda_status ez_cuda_choose_owned_kernels(ez_cuda *c, ezlda_context *context)
{
    const ez_device_state *s = &c->state;
    uint32_t few = ez_first_word_within(c->tokens, s->w.dense_words, 32),
             some = first_counted_by_warp(c, few);
    uint32_t *word_start = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(
        ez_array(&word_start, context, (size_t)s->w.words + 1, sizeof *word_start, "word starts"));
    EZ_TRY_GOTO(ez_device_read(&c->device, context, word_start, c->chunk->word_start,
                               ((size_t)s->w.words + 1) * sizeof *word_start));
    for (int i = 0; i <= c->role.slices; i++)
        c->owned_token[i] = word_start[ez_cuda_owned_word(c, i)];
    uint32_t tasks = ez_cuda_cut_tasks(c, word_start, c->first_owned, NULL);
    size_t counts = s->w.topics * sizeof(uint32_t);
    ez_pass *pass = &c->chunk->count;
    pass->launches = 0;
    c->clear.launch[0].last = tasks;
    EZ_TRY_GOTO(add(c, context, pass, EZ_KERNEL_COUNT_DENSE, counts, 0, tasks));
    EZ_TRY_GOTO(add_owned(c, context, EZ_KERNEL_OWNED_DENSE, counts, 0, s->w.dense_words));
    EZ_TRY_GOTO(add_owned(c, context, EZ_KERNEL_OWNED_SPARSE, packed_bytes(s->w.topics),
                          s->w.dense_words, some));
    EZ_TRY_GOTO(add_owned(c, context, EZ_KERNEL_OWNED_BY_WARP,
                          EZ_WARP_COUNT_WARPS * packed_bytes(s->w.topics), some, few));
    status = add_owned(c, context, EZ_KERNEL_OWNED_BY_LANES, 0, few, s->w.words);
done:
    ez_free(word_start);
    return status;
}
