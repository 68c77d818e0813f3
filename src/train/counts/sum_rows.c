/* Adds up and copies sparse rows of counts. */
#include "train/counts/sum_rows.h"

#include "base/memory.h"

#include <string.h>

/* Merges row r of both into out, unless that is NULL; returns its entries. */
static uint64_t merge_row(const ez_count_rows *a, const ez_count_rows *b, uint64_t r,
                          uint16_t *topic, uint32_t *count)
{
    uint64_t i = a->start[r], j = b->start[r], n = 0;
    while (i < a->start[r + 1] || j < b->start[r + 1]) {
        uint32_t x = i < a->start[r + 1] ? a->topic[i] : UINT32_MAX,
                 y = j < b->start[r + 1] ? b->topic[j] : UINT32_MAX;
        uint32_t sum = 0;
        if (x <= y)
            sum += a->count[i++];
        if (y <= x)
            sum += b->count[j++];
        if (topic) {
            topic[n] = (uint16_t)(x < y ? x : y);
            count[n] = sum;
        }
        n++;
    }
    return n;
}

void ez_free_rows(ez_count_rows *rows)
{
    ez_free(rows->start);
    ez_free(rows->topic);
    ez_free(rows->count);
    *rows = (ez_count_rows){0};
}

ezlda_status ez_copy_rows(ez_count_rows *out, ezlda_context *context, const ez_count_rows *rows)
{
    uint64_t entries = rows->start[rows->rows];
    out->rows = rows->rows;
    EZ_TRY(ez_array(&out->start, context, rows->rows + 1, sizeof *out->start, "row starts"));
    EZ_TRY(ez_array(&out->topic, context, entries, sizeof *out->topic, "rows of counts"));
    EZ_TRY(ez_array(&out->count, context, entries, sizeof *out->count, "rows of counts"));
    memcpy(out->start, rows->start, (rows->rows + 1) * sizeof *out->start);
    if (entries) {
        memcpy(out->topic, rows->topic, entries * sizeof *out->topic);
        memcpy(out->count, rows->count, entries * sizeof *out->count);
    }
    return EZLDA_OK;
}

static ezlda_status merge(ez_count_rows *out, ezlda_context *context, const ez_count_rows *a,
                          const ez_count_rows *b)
{
    EZ_TRY(ez_array(&out->start, context, out->rows + 1, sizeof *out->start, "row starts"));
#pragma omp parallel for schedule(dynamic, 64) num_threads(ez_threads(context))
    for (uint64_t r = 0; r < out->rows; r++)
        out->start[r + 1] = merge_row(a, b, r, NULL, NULL);
    out->start[0] = 0;
    for (uint64_t r = 0; r < out->rows; r++)
        out->start[r + 1] += out->start[r];
    EZ_TRY(ez_array(&out->topic, context, out->start[out->rows], sizeof *out->topic,
                    "rows of counts"));
    EZ_TRY(ez_array(&out->count, context, out->start[out->rows], sizeof *out->count,
                    "rows of counts"));
#pragma omp parallel for schedule(dynamic, 64) num_threads(ez_threads(context))
    for (uint64_t r = 0; r < out->rows; r++)
        merge_row(a, b, r, out->topic + out->start[r], out->count + out->start[r]);
    return EZLDA_OK;
}

ezlda_status ez_add_rows(ez_count_rows *sum, ezlda_context *context, const ez_count_rows *more)
{
    ez_count_rows both = {.rows = sum->rows};
    ezlda_status status = merge(&both, context, sum, more);
    if (status == EZLDA_OK) {
        ez_count_rows last = *sum;
        *sum = both;
        both = last;
    }
    ez_free_rows(&both);
    return status;
}
