/* Lists every array of the state with its size, finds the smallest number of chunks that fits into
 * memory, and allocates the arrays. */
#include "backend/cuda/cuda_memory.h"

#include "backend/cuda/cuda_histograms.h"
#include "backend/cuda/cuda_hybrid_w.h"
#include "backend/cuda/cuda_kernel_choice.h"
#include "backend/cuda/cuda_word_regions.h"
#include "backend/cuda/shards/cuda_owned_rows.h"
#include "backend/cuda/shards/cuda_rank_sum.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Eight lanes sum the rows of longer documents. */
enum { EZ_LANE_TOKENS = 2048 };
/* Kernels step through tokens and documents with 32-bit indices, and a step past the end must not
 * overflow. */
#define EZ_TOKENS_MAX (UINT32_MAX - (1u << 24))
/* The most chunks of a corpus. */
enum { EZ_CHUNKS_MAX = 4096 };

uint64_t ez_cuda_row_room(const ez_cuda *c, uint64_t length)
{
    return ez_row_room(length, c->state.w.topics,
                       c->state.d.narrow && length <= c->state.d.lane_tokens);
}

/* An array of the state: the offset of its pointer, and its size. */
typedef struct array {
    size_t pointer;
    uint64_t n, size;
    const char *what;
    int zero; /* it starts as zeros */
} array;

enum { EZ_ARRAYS = 40 };

/* Elements of shards.added: lists of rows of all ranks; or, if devices do not reach each other, a
 * slice of the rows of another shard and its n, or the topics of that slice's words. Whether the
 * other shards can own rows is not known yet. */
static uint64_t added_room(const ez_cuda *c)
{
    bool copies = c->role.slices > 1 && !c->role.reaches_others;
    uint64_t most = ez_cuda_messages_room(c);
    uint64_t slices = copies ? ez_cuda_slice_room(c) : 0;
    uint64_t topics = copies && ez_cuda_may_own_rows(c) ? ez_cuda_owned_room(c) : 0;
    most = most > slices ? most : slices;
    return most > topics ? most : topics;
}

/* All arrays except those of the corpus. */
static int list_arrays(const ez_cuda *c, array out[EZ_ARRAYS])
{
    const ez_device_state *s = &c->state;
    uint64_t quads = s->w.topics / 4 + 1, slots = s->rates.zeros.stride ? EZ_ZERO_SLOTS : 0;
    int n = 0;
    /* clang-format off */
#define EZ_ADD(member, count, what, zero) \
    out[n++] = (array){offsetof(ez_device_state, member), count, sizeof *s->member, what, zero}
    /* clang-format on */
    if (s->w.topics > 32768)
        EZ_ADD(tokens.open, c->chunk_tokens, "open topics", 1);
    EZ_ADD(w.dense, (uint64_t)s->w.dense_words * s->w.stride, "dense rows of W", 1);
    /* Rows leave gaps, which ez_cuda_counts copies with them. */
    EZ_ADD(w.sparse, c->sparse_room, "sparse rows of W", 1);
    EZ_ADD(w.entries, s->w.words - s->w.dense_words, "row lengths of W", 1);
    EZ_ADD(w.start, (uint64_t)s->w.words + 1, "row starts of W", 0);
    EZ_ADD(w.topic_tokens, s->w.topics, "n", 0);
    EZ_ADD(rates.rate, quads * 4, "topic rates", 1);
    EZ_ADD(rates.zeros.order, s->w.topics, "the order of topics", 0);
    EZ_ADD(rates.zeros.q, EZ_ZERO_SLOTS, "alpha parts of count 0", 0);
    EZ_ADD(rates.zeros.weight, slots * s->rates.zeros.stride, "weights of count 0", 1);
    EZ_ADD(rates.zeros.through, slots * (s->w.topics / EZ_ZERO_STEP + 1), "alpha parts of count 0",
           0);
    /* Records of words without a row are not written, but other shards copy them too. */
    EZ_ADD(records.word, s->w.words, "word records", c->role.slices > 1);
    EZ_ADD(records.decide, s->w.words, "word records", c->role.slices > 1);
    if (c->settings->loose_records)
        EZ_ADD(records.loose, (uint64_t)EZ_LOOSE_FIELDS * s->w.words, "word records", 0);
    EZ_ADD(work.barrier, 1, "counters", 1);
    EZ_ADD(work.counters, EZ_COUNTERS, "counters", 1);
    EZ_ADD(work.tally, EZ_TALLIES, "counters", 1);
    EZ_ADD(work.score_sum, 1, "the score", 1);
    EZ_ADD(priors.alpha, (uint64_t)s->w.topics + 1, "alpha", 0);
    EZ_ADD(priors.alpha_scaled, quads * 4, "alpha", 0);
    EZ_ADD(work.scratch, ez_cuda_scratch(c), "scratch", 0);
    if (s->base.words) {
        EZ_ADD(base.word, s->base.words, "base counts", 0);
        EZ_ADD(base.start, (uint64_t)s->base.words + 1, "base counts", 0);
        EZ_ADD(base.entry, ez_cuda_base_entries(c), "base counts", 0);
    }
    if (c->settings->histograms) {
        EZ_ADD(histograms.docs, (uint64_t)s->w.topics * EZ_HISTOGRAM_CELLS, "histograms", 0);
        EZ_ADD(histograms.words, EZ_COUNT_CELLS + 1, "histograms", 0);
        EZ_ADD(histograms.more, ez_cuda_histogram_room(c), "histograms", 0);
    }
    if (c->shards > 1 && !c->settings->fixed) {
        EZ_ADD(shards.added, added_room(c), "counts of other shards", 0);
        EZ_ADD(shards.summed_n, s->w.topics, "counts of all shards", 0);
    }
    EZ_ADD(d.rows, c->chunk_groups * EZ_LANE_WIDTH, "D", 0);
#undef EZ_ADD
    return n;
}

/* Cuts the documents into n chunks with similar numbers of tokens, and notes the sizes of the
 * largest. `out` may be NULL. */
static void cut_chunks(ez_cuda *c, const ez_device_doc *order, uint32_t n, ez_chunk *out)
{
    uint64_t all = c->tokens->tokens, before = 0;
    uint32_t d = 0;
    c->chunk_tokens = 0;
    c->chunk_groups = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t end = (uint64_t)((unsigned __int128)all * (i + 1) / n), tokens = 0, groups = 0;
        uint32_t first = d;
        for (; d < c->state.tokens.docs && (i + 1 == n || before + tokens < end); d++) {
            tokens += order[d].begin;
            groups += ez_cuda_row_room(c, order[d].begin);
        }
        before += tokens;
        groups = groups > tokens / 8 + 1
                     ? groups
                     : tokens / 8 + 1; /* D's array also holds topics, at start and end */
        c->chunk_tokens = tokens > c->chunk_tokens ? (uint32_t)tokens : c->chunk_tokens;
        c->chunk_groups = groups > c->chunk_groups ? groups : c->chunk_groups;
        if (out)
            out[i] = (ez_chunk){.first_doc = first, .docs = d - first, .tokens = (uint32_t)tokens};
    }
}

/* Bytes on the device with n chunks. A token has a word, a place and a document of 32 bits each,
 * and a topic of 16 bits. While a single chunk is put in order, the starts of documents use memory
 * that is allocated for counts later. */
static uint64_t predict(ez_cuda *c, const ez_device_doc *order, uint32_t n)
{
    array list[EZ_ARRAYS];
    uint64_t words = c->state.w.words,
             regions = c->tokens->tokens / ez_cuda_region_tokens(c) / n + 1;
    c->rooms = n > 1 ? 2 : 1;
    cut_chunks(c, order, n, NULL);
    if (c->chunk_groups > UINT32_MAX)
        return UINT64_MAX;
    uint64_t bytes =
        (uint64_t)c->rooms * 14 * c->chunk_tokens +
        ((uint64_t)c->state.tokens.docs + n) * sizeof(ez_device_doc) +
        n * ((words + 1) * sizeof(uint32_t) + (words + regions) * sizeof(ez_device_task));
    c->counts_bytes = 0;
    for (int i = 0, arrays = list_arrays(c, list); i < arrays; i++)
        c->counts_bytes += list[i].n * list[i].size;
    uint64_t starts = n == 1 ? ((uint64_t)c->state.tokens.docs + 1) * sizeof *c->index.start : 0;
    bytes += c->counts_bytes > starts ? c->counts_bytes : starts;
    return bytes + words * (sizeof *c->index.doc_frequency + sizeof *c->index.rarity);
}

/* Sets the sizes that follow from the corpus, the settings and the number of chunks. */
static void set_sizes(ez_cuda *c)
{
    ez_device_state *s = &c->state;
    s->d.narrow = s->w.topics <= EZ_NARROW_TOPICS;
    s->d.lane_tokens = EZ_LANE_TOKENS;
    s->w.dense_words = ez_cuda_dense_words(c);
    s->w.stride = (s->w.topics / 4 + 1) * 4;
    ez_cuda_measure_rows(c);
    ez_cuda_cut_slices(c);
    c->first_owned = ez_cuda_first_owned_word(c);
    s->rates.zeros.stride = ez_cuda_first_warp_word(c) < s->w.words ? s->w.stride : 0;
}

/* The smallest number of chunks that fits into `limit` (in larger steps above 16); 0 if none does.
 * *least: the fewest bytes with which it would. */
static uint32_t count_chunks(ez_cuda *c, const ez_device_doc *order, uint64_t limit,
                             uint64_t *least)
{
    uint32_t n = 1,
             most = c->state.tokens.docs < EZ_CHUNKS_MAX ? c->state.tokens.docs : EZ_CHUNKS_MAX;
    most = most ? most : 1; /* a shard may have no documents */
    *least = UINT64_MAX;
    for (; n <= most; n += n < 16 ? 1 : n / 8) {
        c->chunks = n;
        set_sizes(c);
        uint64_t bytes = predict(c, order, n);
        if (bytes <= limit)
            return n;
        *least = bytes < *least ? bytes : *least;
    }
    return 0;
}

ezlda_status ez_cuda_plan_memory(ez_cuda *c, ezlda_context *context, const ez_device_doc *order)
{
    uint64_t free_bytes, least, limit = c->settings->device_memory;
    char what[128];
    const ez_token_list *t = c->tokens;
    if (t->tokens > EZ_TOKENS_MAX || t->docs > EZ_TOKENS_MAX || t->longest > INT32_MAX)
        return ez_fail(context, EZLDA_ERROR_UNSUPPORTED,
                       "%llu tokens in %llu documents, the longest of %llu: cuda takes at most %u "
                       "of each, and documents "
                       "of %d tokens",
                       (unsigned long long)t->tokens, (unsigned long long)t->docs,
                       (unsigned long long)t->longest, EZ_TOKENS_MAX, INT32_MAX);
    EZ_TRY(ez_device_free_memory(&c->device, context, &free_bytes));
    c->free_bytes = free_bytes;
    free_bytes = (free_bytes - free_bytes / 32) / c->role.shards_to_allocate;
    limit = limit && limit < free_bytes ? limit : free_bytes;
    limit >>= c->role.memory_halvings;
    c->chunks = count_chunks(c, order, limit, &least);
    if (c->sparse_room + c->state.w.sparse_base > UINT32_MAX)
        return ez_fail(context, EZLDA_ERROR_UNSUPPORTED,
                       "sparse rows of W have %llu entries and cuda takes at most %u; --w-format "
                       "dense has none",
                       (unsigned long long)c->sparse_room, UINT32_MAX);
    if (c->chunks == 0) {
        snprintf(what, sizeof what, "training %llu tokens%s with %u topics, however it is cut,",
                 (unsigned long long)c->tokens->tokens, c->role.slices > 1 ? " (one shard)" : "",
                 c->state.w.topics);
        if (least == UINT64_MAX)
            return ez_fail(context, EZLDA_ERROR_UNSUPPORTED,
                           "%s has more entries of D than cuda takes", what);
        return ez_device_no_room(&c->device, context, what, least, limit);
    }
    EZ_TRY(ez_array_zero(&c->chunk, context, c->chunks, sizeof *c->chunk, "chunks"));
    cut_chunks(c, order, c->chunks, c->chunk);
    if (c->chunks > 1)
        ez_note(context, "device memory: the corpus passes through it in %u chunks", c->chunks);
    return EZLDA_OK;
}

ezlda_status ez_cuda_upload_priors(ez_cuda *c, ezlda_context *context)
{
    uint32_t topics = c->state.w.topics;
    size_t padded = (size_t)(topics / 4 + 1) * 4;
    float *alpha = NULL;
    EZ_TRY(ez_array_zero(&alpha, context, padded, sizeof *alpha, "alpha"));
    c->state.priors.alpha_one = c->priors.alpha[0];
    for (uint32_t k = 0; k < topics; k++) {
        alpha[k] = c->priors.alpha[k];
        if (alpha[k] != c->state.priors.alpha_one)
            c->state.priors.alpha_one = 0;
    }
    ezlda_status status = ez_device_write(&c->device, context, c->state.priors.alpha, alpha,
                                          ((size_t)topics + 1) * sizeof *alpha);
    for (uint32_t k = 0; k < topics; k++)
        alpha[k] = ez_alpha_scaled(alpha[k]);
    if (status == EZLDA_OK)
        status = ez_device_write(&c->device, context, c->state.priors.alpha_scaled, alpha,
                                 padded * sizeof *alpha);
    ez_free(alpha);
    return status;
}

ezlda_status ez_cuda_allocate(ez_cuda *c, ezlda_context *context)
{
    array list[EZ_ARRAYS];
    for (int i = 0, n = list_arrays(c, list); i < n; i++) {
        void *memory = NULL;
        EZ_TRY(ez_device_array(&c->device, context, &memory, NULL, list[i].n, list[i].size,
                               list[i].what));
        memcpy((char *)&c->state + list[i].pointer, &memory, sizeof memory);
        if (list[i].zero)
            EZ_TRY(ez_device_zero(&c->device, context, memory, list[i].n * list[i].size));
    }
    if (c->state.rates.zeros.stride == 0)
        c->state.rates.zeros.weight = NULL;
    EZ_TRY(ez_cuda_upload_priors(c, context));
    return ez_cuda_upload_rows(c, context);
}
