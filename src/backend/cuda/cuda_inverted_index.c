/* Puts the corpus on the device, chunk by chunk: orders the documents by length and lets the device
 * sort their tokens by word into T and the inverted index. */
#include "backend/cuda/cuda_inverted_index.h"

#include "backend/cuda/cuda_kernel_table.h"
#include "backend/cuda/cuda_memory.h"
#include "backend/start.h"

#include <stdlib.h>
#include <string.h>

/* The most ranges of documents that are sorted at once, and the most bytes of their cursors. */
enum { EZ_RANGES_MAX = 2048 };
static const uint64_t EZ_CURSOR_BYTES = 256u << 20;

/* Longer documents, which are few, share a bucket. */
enum { EZ_LENGTH_BUCKETS = 1 << 16 };

static uint32_t bucket_of(uint64_t length)
{
    return length < EZ_LENGTH_BUCKETS - 1 ? (uint32_t)(EZ_LENGTH_BUCKETS - 1 - length) : 0;
}

static int by_falling_length(const void *a, const void *b)
{
    const ez_device_doc *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin > y->begin ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* A counting sort; the bucket of the longest documents is then sorted by comparisons. */
ezlda_status ez_cuda_order_documents(ez_cuda *c, ezlda_context *context, ez_device_doc *order)
{
    const ez_token_list *t = c->tokens;
    uint32_t *next = NULL;
    EZ_TRY(ez_array_zero(&next, context, EZ_LENGTH_BUCKETS + 1, sizeof *next, "document lengths"));
    for (uint64_t d = 0; d < t->docs; d++)
        next[bucket_of(ez_doc_length(t, d)) + 1]++;
    for (uint32_t b = 0; b < EZ_LENGTH_BUCKETS; b++)
        next[b + 1] += next[b];
    for (uint64_t d = 0; d < t->docs; d++)
        order[next[bucket_of(ez_doc_length(t, d))]++] =
            (ez_device_doc){.number = (uint32_t)d, .begin = (uint32_t)ez_doc_length(t, d)};
    qsort(order, next[0], sizeof *order, by_falling_length);
    ez_free(next);
    return EZLDA_OK;
}

/* Uploads the chunk's documents: docs + 1. */
static ezlda_status upload_documents(ez_cuda *c, ezlda_context *context, ez_chunk *chunk,
                                     const ez_device_doc *order, ez_device_doc *doc)
{
    uint64_t begin = 0, row = 0;
    for (uint32_t i = 0; i < chunk->docs; i++) {
        uint64_t length = order[chunk->first_doc + i].begin;
        doc[i] =
            (ez_device_doc){(uint32_t)begin, (uint32_t)row, 0, order[chunk->first_doc + i].number};
        begin += length;
        row += ez_cuda_row_room(c, length);
    }
    doc[chunk->docs] = (ez_device_doc){(uint32_t)begin, (uint32_t)row, 0, 0};
    return ez_device_array(&c->device, context, &chunk->doc_of, doc, (size_t)chunk->docs + 1,
                           sizeof *doc, "documents");
}

/* Uploads ranges of documents with similar numbers of tokens. They and their cursors use memory
 * that is allocated for counts later. */
static ezlda_status upload_ranges(ez_cuda *c, ezlda_context *context, const ez_device_doc *doc)
{
    ez_index_state *x = &c->index;
    uint64_t room = c->counts_bytes < EZ_CURSOR_BYTES ? c->counts_bytes : EZ_CURSOR_BYTES, d = 0;
    uint64_t fit = room / (sizeof *x->cursor * ((uint64_t)x->words + 2));
    x->ranges = fit == 0 ? 1 : fit < EZ_RANGES_MAX ? (uint32_t)fit : EZ_RANGES_MAX;
    uint32_t *first = NULL;
    EZ_TRY(ez_array(&first, context, (size_t)x->ranges + 1, sizeof *first, "ranges of documents"));
    for (uint32_t r = 0; r < x->ranges; r++) {
        uint64_t want = (uint64_t)x->tokens * r / x->ranges;
        while (d < x->docs && doc[d].begin < want)
            d++;
        first[r] = (uint32_t)d;
    }
    first[0] = 0;
    first[x->ranges] = x->docs;
    ezlda_status status =
        ez_device_array(&c->device, context, &x->range_doc, first, (size_t)x->ranges + 1,
                        sizeof *first, "ranges of documents");
    ez_free(first);
    return status;
}

static ezlda_status launch_index(ez_cuda *c, ezlda_context *context, ez_kernel_id id)
{
    ez_kernel kernel;
    EZ_TRY(ez_cuda_find_kernel(c, context, &kernel, id, 0));
    return ez_device_launch(&c->device, context, &kernel, kernel.blocks, &c->index);
}

/* Launches a kernel with one warp per range. */
static ezlda_status launch_ranges(ez_cuda *c, ezlda_context *context, ez_kernel_id id)
{
    ez_kernel kernel;
    EZ_TRY(ez_cuda_find_kernel(c, context, &kernel, id, 0));
    unsigned warps = kernel.threads / 32;
    return ez_device_launch(&c->device, context, &kernel, (c->index.ranges + warps - 1) / warps,
                            &c->index);
}

/* Orders the words of the only chunk on the device. Its array of documents, which is not in use
 * yet, holds them in the order of the corpus. */
static ezlda_status lay_on_device(ez_cuda *c, ezlda_context *context)
{
    const ez_token_list *t = c->tokens;
    ez_index_state *x = &c->index;
    uint32_t *start = NULL;
    EZ_TRY(ez_array(&start, context, t->docs + 1, sizeof *start, "document starts"));
    for (uint64_t d = 0; d <= t->docs; d++)
        start[d] = (uint32_t)t->doc_start[d];
    ezlda_status status = ez_device_array(&c->device, context, &x->start, start, t->docs + 1,
                                          sizeof *start, "document starts");
    ez_free(start);
    EZ_TRY(status);
    x->corpus_word = x->doc;
    EZ_TRY(
        ez_device_write(&c->device, context, x->corpus_word, t->word, t->tokens * sizeof *t->word));
    EZ_TRY(launch_index(c, context, EZ_KERNEL_LAY_WORDS));
    EZ_TRY(ez_device_finish(&c->device, context, "the order of documents"));
    ez_device_free(&c->device, x->start);
    return EZLDA_OK;
}

/* Orders the words of one of several chunks on the host, where they stay. */
static ezlda_status lay_on_host(ez_cuda *c, ezlda_context *context, ez_chunk *chunk,
                                const ez_device_doc *doc)
{
    const ez_token_list *t = c->tokens;
    ez_device *device = &c->device;
    size_t n = chunk->tokens;
    EZ_TRY(ez_device_host_array(device, context, &chunk->word, n, sizeof *chunk->word,
                                "words of the tokens"));
    EZ_TRY(ez_device_host_array(device, context, &chunk->place, n, sizeof *chunk->place,
                                "the inverted index"));
    EZ_TRY(ez_device_host_array(device, context, &chunk->doc, n, sizeof *chunk->doc,
                                "documents of the tokens"));
    EZ_TRY(ez_device_host_array(device, context, &chunk->topic, n, sizeof *chunk->topic, "topics"));
#pragma omp parallel for schedule(static) num_threads(ez_threads(context))
    for (uint32_t i = 0; i < chunk->docs; i++)
        memcpy(chunk->word + doc[i].begin, t->word + t->doc_start[doc[i].number],
               (doc[i + 1].begin - doc[i].begin) * sizeof *t->word);
    return ez_device_write(device, context, c->index.word, chunk->word, n * sizeof *chunk->word);
}

/* Fills in word_start: the device has put the number of tokens of each word there. */
static ezlda_status place_words(ez_cuda *c, ezlda_context *context)
{
    ez_index_state *x = &c->index;
    uint32_t *start = NULL, sum = 0;
    EZ_TRY(launch_index(c, context, EZ_KERNEL_TOTAL_RANGES));
    EZ_TRY(ez_array(&start, context, (size_t)x->words + 1, sizeof *start, "word starts"));
    ezlda_status status =
        ez_device_read(&c->device, context, start, x->word_start, x->words * sizeof *start);
    for (uint32_t v = 0; v <= x->words && status == EZLDA_OK; v++) {
        uint32_t tokens = v < x->words ? start[v] : 0;
        start[v] = sum;
        sum += tokens;
    }
    if (status == EZLDA_OK)
        status = ez_device_write(&c->device, context, x->word_start, start,
                                 ((size_t)x->words + 1) * sizeof *start);
    ez_free(start);
    return status;
}

static ezlda_status sort_tokens(ez_cuda *c, ezlda_context *context)
{
    ez_index_state *x = &c->index;
    ez_device *device = &c->device;
    size_t cells = (size_t)x->ranges * x->words;
    EZ_TRY(ez_device_array(device, context, &x->cursor, NULL, cells, sizeof *x->cursor,
                           "word cursors"));
    EZ_TRY(ez_device_zero(device, context, x->cursor, cells * sizeof *x->cursor));
    EZ_TRY(launch_ranges(c, context, EZ_KERNEL_TALLY_RANGES));
    EZ_TRY(place_words(c, context));
    EZ_TRY(launch_index(c, context, EZ_KERNEL_PLACE_RANGES));
    EZ_TRY(launch_ranges(c, context, EZ_KERNEL_PLACE_TOKENS));
    EZ_TRY(ez_device_finish(device, context, "sorting the tokens"));
    ez_device_free(device, x->cursor);
    ez_device_free(device, x->range_doc);
    return EZLDA_OK;
}

/* Puts the keys of the documents' draws in place of their numbers, which the device has needed to
 * order the words. The numbers stay on the host. */
static ezlda_status upload_keys(ez_cuda *c, ezlda_context *context, const ez_chunk *chunk,
                                ez_device_doc *doc)
{
    if (!c->tokens->doc_key)
        return EZLDA_OK;
    if (!c->doc_number)
        EZ_TRY(ez_array(&c->doc_number, context, c->state.tokens.docs, sizeof *c->doc_number,
                        "the order of documents"));
    for (uint32_t i = 0; i < chunk->docs; i++) {
        c->doc_number[chunk->first_doc + i] = doc[i].number;
        doc[i].number = c->tokens->doc_key[doc[i].number];
    }
    return ez_device_write(&c->device, context, chunk->doc_of, doc, chunk->docs * sizeof *doc);
}

static ezlda_status index_chunk(ez_cuda *c, ezlda_context *context, ez_chunk *chunk,
                                const ez_device_doc *order, ez_device_doc *doc)
{
    ez_index_state *x = &c->index;
    ez_device *device = &c->device;
    EZ_TRY(upload_documents(c, context, chunk, order, doc));
    EZ_TRY(ez_device_array(device, context, &chunk->word_start, NULL, (size_t)x->words + 1,
                           sizeof(uint32_t), "word starts"));
    x->docs = chunk->docs;
    x->tokens = chunk->tokens;
    x->doc_of = chunk->doc_of;
    x->word_start = chunk->word_start;
    EZ_TRY(upload_ranges(c, context, doc));
    if (c->chunks == 1)
        EZ_TRY(lay_on_device(c, context));
    else
        EZ_TRY(lay_on_host(c, context, chunk, doc));
    EZ_TRY(sort_tokens(c, context));
    EZ_TRY(upload_keys(c, context, chunk, doc));
    if (c->chunks == 1)
        return EZLDA_OK;
    EZ_TRY(ez_device_read(device, context, chunk->place, x->place,
                          chunk->tokens * sizeof *chunk->place));
    return ez_device_read(device, context, chunk->doc, x->doc, chunk->tokens * sizeof *chunk->doc);
}

ezlda_status ez_cuda_index(ez_cuda *c, ezlda_context *context, const ez_device_doc *order)
{
    ez_index_state *x = &c->index;
    ez_device_doc *doc = NULL;
    *x = (ez_index_state){
        .words = c->state.w.words,
        .topics = c->state.w.topics,
        .piece =
            c->settings->start == EZLDA_START_KEYWORD ? ez_start_piece(c->tokens, c->settings) : 0,
        .key = ez_iteration_key(c->settings->seed, 0),
        .doc_base = ez_doc_key_base(c->tokens),
        .word = c->room[0].word,
        .place = c->room[0].place,
        .doc = c->room[0].doc,
        .topic = c->room[0].topic,
    };
    EZ_TRY(ez_device_array(&c->device, context, &x->doc_frequency, NULL, x->words,
                           sizeof *x->doc_frequency, "words"));
    EZ_TRY(
        ez_device_zero(&c->device, context, x->doc_frequency, x->words * sizeof *x->doc_frequency));
    EZ_TRY(ez_array(&doc, context, (size_t)c->state.tokens.docs + 1, sizeof *doc,
                    "the order of documents"));
    ezlda_status status = EZLDA_OK;
    for (uint32_t i = 0; i < c->chunks && status == EZLDA_OK; i++)
        status = index_chunk(c, context, &c->chunk[i], order, doc);
    ez_free(doc);
    while (c->host_docs < c->state.tokens.docs &&
           (c->settings->start_topics || order[c->host_docs].begin > EZ_START_LENGTH))
        c->host_docs++;
    return status;
}
