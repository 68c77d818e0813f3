/* Decides which rows of W are dense, lays out both kinds, cuts the words into slices, and uploads
 * base counts or a fixed W. */
#include "backend/cuda/cuda_hybrid_w.h"

#include <string.h>

uint32_t ez_cuda_first_row_within(const ez_cuda *c, uint32_t from, uint64_t counts)
{
    from = ez_first_word_within(c->tokens, from, counts);
    for (uint32_t v = from; c->settings->base && !c->settings->fixed && v < c->tokens->words; v++)
        if (ez_cuda_row_counts(c, v) > counts)
            from = v + 1;
    return from;
}

/* Sparse rows that are hash tables (of several chunks or shards), that are given or that base
 * counts are added to have counts of 16 bits. */
uint32_t ez_cuda_dense_words(const ez_cuda *c)
{
    uint32_t topics = c->settings->topics, words = 0;
    if (c->settings->w_format == EZLDA_W_DENSE)
        return c->tokens->words;
    if (c->settings->w_format == EZLDA_W_HYBRID)
        words = ez_first_word_within(c->tokens, 0, topics);
    return c->chunks > 1 || c->shards > 1 || c->settings->base
               ? ez_cuda_first_row_within(c, words, EZ_ENTRY_MAX)
               : words;
}

/* Host memory through which rows are uploaded. */
enum { EZ_UPLOAD_BYTES = 32 << 20 };

/* Entries that a word's row has room for. */
static uint64_t row_room(const ez_cuda *c, uint32_t v)
{
    return (c->settings->fixed ? 0 : ez_word_frequency(c->tokens, v)) +
           ez_base_entries(c->settings, v);
}

/* What a word adds to w.start. A dense row adds 1 if it has tokens, so that starts fit into 32 bits
 * for a corpus of any size. */
static uint32_t start_room(const ez_cuda *c, uint32_t v)
{
    return v < c->state.w.dense_words ? row_room(c, v) > 0 : (uint32_t)row_room(c, v);
}

void ez_cuda_measure_rows(ez_cuda *c)
{
    uint64_t sparse = 0;
    uint32_t based = 0;
    c->state.w.sparse_base = 0;
    for (uint32_t v = 0; v < c->state.w.words; v++) {
        sparse += v < c->state.w.dense_words ? 0 : row_room(c, v);
        c->state.w.sparse_base += v < c->state.w.dense_words ? start_room(c, v) : 0;
        based += ez_base_entries(c->settings, v) > 0;
    }
    c->state.base.words = c->settings->fixed ? 0 : based;
    c->state.w.hashed = ez_cuda_w_is_hashed(c);
    c->sparse_room = sparse;
}

/* Counts of a row. */
static uint64_t row_size(const ez_cuda *c, uint32_t v)
{
    return v < c->state.w.dense_words ? c->state.w.stride : row_room(c, v);
}

void ez_cuda_cut_slices(ez_cuda *c)
{
    const ez_device_state *s = &c->state;
    uint64_t all = (uint64_t)s->w.dense_words * s->w.stride + c->sparse_room, before = 0,
             sparse = 0;
    int slice = 0;
    for (uint32_t v = 0; v < s->w.words; v++) {
        while (slice < c->role.slices &&
               before >= (uint64_t)((unsigned __int128)all * (unsigned)slice /
                                    (unsigned)c->role.slices)) {
            c->slice_word[slice] = v;
            c->slice_entry[slice++] = sparse;
        }
        before += row_size(c, v);
        sparse += v < s->w.dense_words ? 0 : row_room(c, v);
    }
    for (; slice <= c->role.slices; slice++) {
        c->slice_word[slice] = s->w.words;
        c->slice_entry[slice] = c->sparse_room;
    }
}

/* Cells of dense rows before a slice. */
static uint64_t dense_before(const ez_cuda *c, int slice)
{
    uint32_t v = c->slice_word[slice] < c->state.w.dense_words ? c->slice_word[slice]
                                                               : c->state.w.dense_words;
    return (uint64_t)v * c->state.w.stride;
}

uint64_t ez_cuda_slice_room(const ez_cuda *c)
{
    uint64_t most = 0;
    for (int i = 0; i < c->role.slices; i++) {
        uint64_t sparse = c->slice_entry[i + 1] - c->slice_entry[i];
        uint64_t room = dense_before(c, i + 1) - dense_before(c, i) + sparse;
        most = room > most ? room : most;
    }
    return most + 2 * ((uint64_t)c->state.w.topics + 1); /* n has 64 bits, and is aligned to them */
}

uint64_t ez_cuda_row_counts(const ez_cuda *c, uint32_t v)
{
    const ez_base_counts *base = c->settings->base;
    uint64_t sum = ez_word_frequency(c->tokens, v);
    for (uint64_t i = 0; !c->settings->fixed && i < ez_base_entries(c->settings, v); i++)
        sum += base->count[base->start[v] + i];
    return sum;
}

/* Entries that a base count needs. */
static uint32_t entries_of(uint32_t count)
{
    return (count + EZ_ENTRY_MAX - 1) / EZ_ENTRY_MAX;
}

uint64_t ez_cuda_base_entries(const ez_cuda *c)
{
    const ez_base_counts *base = c->settings->base;
    uint64_t n = 0;
    for (uint64_t i = 0; i < base->start[c->state.w.words]; i++)
        n += entries_of(base->count[i]);
    return n;
}

/* Uploads the base counts, which ez_add_base adds after every count. */
static ezlda_status upload_base(ez_cuda *c, ezlda_context *context)
{
    const ez_device_state *s = &c->state;
    const ez_base_counts *base = c->settings->base;
    uint32_t *word = NULL, *start = NULL, *entry = NULL, n = 0;
    uint64_t entries = ez_cuda_base_entries(c), at = 0;
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&word, context, s->base.words, sizeof *word, "base counts"));
    EZ_TRY_GOTO(ez_array(&start, context, (size_t)s->base.words + 1, sizeof *start, "base counts"));
    EZ_TRY_GOTO(ez_array(&entry, context, entries, sizeof *entry, "base counts"));
    for (uint32_t v = 0; v < s->w.words; v++) {
        if (ez_base_entries(c->settings, v) == 0)
            continue;
        word[n] = v;
        start[n++] = (uint32_t)at;
        for (uint64_t i = base->start[v]; i < base->start[v + 1]; i++)
            for (uint32_t left = base->count[i], count; left > 0; left -= count) {
                count = left < EZ_ENTRY_MAX ? left : EZ_ENTRY_MAX;
                entry[at++] = ez_entry(base->topic[i], count);
            }
    }
    start[n] = (uint32_t)at;
    EZ_TRY_GOTO(ez_device_write(&c->device, context, s->base.word, word, n * sizeof *word));
    EZ_TRY_GOTO(ez_device_write(&c->device, context, s->base.start, start,
                                ((size_t)n + 1) * sizeof *start));
    EZ_TRY_GOTO(
        ez_device_write(&c->device, context, s->base.entry, entry, entries * sizeof *entry));
done:
    ez_free(word);
    ez_free(start);
    ez_free(entry);
    return status;
}

/* Uploads the dense rows of a fixed W. */
static ezlda_status upload_dense(ez_cuda *c, ezlda_context *context)
{
    const ez_device_state *s = &c->state;
    const ez_base_counts *base = c->settings->base;
    size_t bytes = s->w.stride * sizeof(uint32_t);
    uint32_t rows = (uint32_t)(EZ_UPLOAD_BYTES / bytes + 1), *cells = NULL;
    rows = rows < s->w.dense_words ? rows : s->w.dense_words;
    EZ_TRY(ez_array(&cells, context, rows, bytes, "dense rows of W"));
    ezlda_status status = EZLDA_OK;
    for (uint32_t first = 0; first < s->w.dense_words && status == EZLDA_OK; first += rows) {
        uint32_t n = s->w.dense_words - first < rows ? s->w.dense_words - first : rows;
        memset(cells, 0, n * bytes);
        for (uint32_t v = first; v < first + n; v++)
            for (uint64_t i = base->start[v]; i < base->start[v + 1]; i++)
                cells[(size_t)(v - first) * s->w.stride + base->topic[i]] = base->count[i];
        status = ez_device_write(&c->device, context, s->w.dense + (size_t)first * s->w.stride,
                                 cells, n * bytes);
    }
    ez_free(cells);
    return status;
}

/* Uploads the sparse rows of a fixed W, whose counts all fit into an entry. */
static ezlda_status upload_sparse(ez_cuda *c, ezlda_context *context)
{
    const ez_device_state *s = &c->state;
    const ez_base_counts *base = c->settings->base;
    uint32_t sparse = s->w.words - s->w.dense_words, *entry = NULL, *entries = NULL;
    uint64_t first = base->start[s->w.dense_words], n = base->start[s->w.words] - first;
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&entry, context, n, sizeof *entry, "sparse rows of W"));
    EZ_TRY_GOTO(ez_array(&entries, context, sparse, sizeof *entries, "row lengths of W"));
    for (uint64_t i = 0; i < n; i++)
        entry[i] = ez_entry(base->topic[first + i], base->count[first + i]);
    for (uint32_t i = 0; i < sparse; i++)
        entries[i] = (uint32_t)ez_base_entries(c->settings, s->w.dense_words + i);
    EZ_TRY_GOTO(ez_device_write(&c->device, context, s->w.sparse, entry, n * sizeof *entry));
    EZ_TRY_GOTO(
        ez_device_write(&c->device, context, s->w.entries, entries, sparse * sizeof *entries));
done:
    ez_free(entry);
    ez_free(entries);
    return status;
}

static ezlda_status upload_fixed(ez_cuda *c, ezlda_context *context)
{
    const ez_base_counts *base = c->settings->base;
    unsigned long long *sum = NULL;
    EZ_TRY(upload_dense(c, context));
    EZ_TRY(upload_sparse(c, context));
    EZ_TRY(ez_array_zero(&sum, context, c->state.w.topics, sizeof *sum, "topic sums"));
    for (uint64_t i = 0; i < base->start[c->state.w.words]; i++)
        sum[base->topic[i]] += base->count[i];
    ezlda_status status = ez_device_write(&c->device, context, c->state.w.topic_tokens, sum,
                                          c->state.w.topics * sizeof *sum);
    ez_free(sum);
    return status;
}

/* Uploads where the rows of W begin, and the slots of each sparse row if they are hash tables. */
static ezlda_status upload_starts(ez_cuda *c, ezlda_context *context)
{
    const ez_device_state *s = &c->state;
    uint32_t *start = NULL, *room = NULL, sparse = s->w.words - s->w.dense_words;
    ezlda_status status;
    EZ_TRY_GOTO(
        ez_array(&start, context, (size_t)s->w.words + 1, sizeof *start, "row starts of W"));
    EZ_TRY_GOTO(ez_array(&room, context, sparse, sizeof *room, "row lengths of W"));
    start[0] = 0;
    for (uint32_t v = 0; v < s->w.words; v++) {
        start[v + 1] = start[v] + start_room(c, v);
        if (v >= s->w.dense_words)
            room[v - s->w.dense_words] = (uint32_t)row_room(c, v);
    }
    EZ_TRY_GOTO(ez_device_write(&c->device, context, s->w.start, start,
                                ((size_t)s->w.words + 1) * sizeof *start));
    if (s->w.hashed)
        status = ez_device_write(&c->device, context, s->w.entries, room, sparse * sizeof *room);
done:
    ez_free(start);
    ez_free(room);
    return status;
}

ezlda_status ez_cuda_upload_rows(ez_cuda *c, ezlda_context *context)
{
    EZ_TRY(upload_starts(c, context));
    if (c->settings->fixed)
        return upload_fixed(c, context);
    return c->state.base.words ? upload_base(c, context) : EZLDA_OK;
}
