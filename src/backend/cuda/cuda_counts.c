/* Reads W as it lies on the device, and puts its rows in order on the host: sparse rows are in any
 * order there. */
#include "backend/cuda/cuda_counts.h"

#include <stdlib.h>

/* W as it lies on the device. */
typedef struct copied_w {
    uint32_t topics, dense_words;
    size_t stride;
    uint32_t sparse_base;
    uint32_t *start, *entries, *dense, *sparse;
} copied_w;

static ezlda_status copy_array(ez_cuda *c, ezlda_context *context, uint32_t **out,
                               const uint32_t *array, size_t n)
{
    EZ_TRY(ez_array(out, context, n, sizeof **out, "rows of W"));
    return n > 0 ? ez_device_read(&c->device, context, *out, array, n * sizeof **out) : EZLDA_OK;
}

static ezlda_status copy_w(copied_w *w, ez_cuda *c, ezlda_context *context)
{
    const ez_device_w *from = &c->state.w;
    *w = (copied_w){.topics = from->topics,
                    .dense_words = from->dense_words,
                    .stride = from->stride,
                    .sparse_base = from->sparse_base};
    EZ_TRY(copy_array(c, context, &w->start, from->start, (size_t)from->words + 1));
    EZ_TRY(copy_array(c, context, &w->entries, from->entries, from->words - from->dense_words));
    EZ_TRY(copy_array(c, context, &w->dense, from->dense, from->dense_words * w->stride));
    return copy_array(c, context, &w->sparse, from->sparse, c->sparse_room);
}

static void free_w(copied_w *w)
{
    ez_free(w->start);
    ez_free(w->entries);
    ez_free(w->dense);
    ez_free(w->sparse);
}

static int by_entry(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Topic and count of a row as they are found; NULL: only their number is wanted. */
typedef struct row_out {
    uint16_t *topic;
    uint32_t *count;
} row_out;

static uint64_t move_dense(const copied_w *w, uint32_t v, const row_out *out)
{
    const uint32_t *row = w->dense + v * w->stride;
    uint64_t n = 0;
    for (uint32_t k = 0; k < w->topics; k++) {
        if (row[k] == 0)
            continue;
        if (out) {
            out->topic[n] = (uint16_t)k;
            out->count[n] = row[k];
        }
        n++;
    }
    return n;
}

/* Topics are the upper bits of entries. A count above EZ_ENTRY_MAX has several entries. */
static uint64_t move_sparse(const copied_w *w, uint32_t v, const row_out *out)
{
    uint32_t *row = w->sparse + (w->start[v] - w->sparse_base);
    uint32_t entries = w->start[v] < w->start[v + 1] ? w->entries[v - w->dense_words] : 0;
    uint64_t n = 0;
    if (!out && entries > 1)
        qsort(row, entries, sizeof *row, by_entry);
    for (uint32_t j = 0; j < entries; j++) {
        uint32_t count = ez_entry_count(row[j]), k = ez_entry_topic(row[j]);
        for (; j + 1 < entries && ez_entry_topic(row[j + 1]) == k; j++)
            count += ez_entry_count(row[j + 1]);
        if (count == 0)
            continue;
        if (out) {
            out->topic[n] = (uint16_t)k;
            out->count[n] = count;
        }
        n++;
    }
    return n;
}

static uint64_t move_row(const copied_w *w, uint32_t v, const row_out *out)
{
    return v < w->dense_words ? move_dense(w, v, out) : move_sparse(w, v, out);
}

static ezlda_status move_rows(const copied_w *w, ezlda_context *context, const uint32_t *word,
                              ez_w_counts *out)
{
    uint32_t rows = out->rows;
    EZ_TRY(ez_array(&out->start, context, (size_t)rows + 1, sizeof *out->start, "rows of W"));
#pragma omp parallel for schedule(dynamic, 64) num_threads(ez_threads(context))
    for (uint32_t i = 0; i < rows; i++)
        out->start[i + 1] = move_row(w, word[i], NULL);
    out->start[0] = 0;
    for (uint32_t i = 0; i < rows; i++)
        out->start[i + 1] += out->start[i];
    EZ_TRY(ez_array(&out->topic, context, out->start[rows], sizeof *out->topic, "rows of W"));
    EZ_TRY(ez_array(&out->count, context, out->start[rows], sizeof *out->count, "rows of W"));
#pragma omp parallel for schedule(dynamic, 64) num_threads(ez_threads(context))
    for (uint32_t i = 0; i < rows; i++) {
        row_out to = {out->topic + out->start[i], out->count + out->start[i]};
        move_row(w, word[i], &to);
    }
    return EZLDA_OK;
}

ezlda_status ez_cuda_counts(ez_cuda *c, ezlda_context *context, const uint32_t *word, uint32_t rows,
                            ez_w_counts *out)
{
    copied_w w = {0};
    uint32_t topics = c->state.w.topics;
    ezlda_status status;
    out->rows = rows;
    EZ_TRY_GOTO(ez_device_enter(&c->device, context));
    EZ_TRY_GOTO(copy_w(&w, c, context));
    EZ_TRY_GOTO(
        ez_array(&out->topic_tokens, context, topics, sizeof *out->topic_tokens, "topic sums"));
    EZ_TRY_GOTO(ez_device_read(&c->device, context, out->topic_tokens, c->state.w.topic_tokens,
                               topics * sizeof *out->topic_tokens));
    status = move_rows(&w, context, word, out);
done:
    free_w(&w);
    return status;
}
