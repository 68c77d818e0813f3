/* Rows of W and n for the caller, from the hybrid W. */
#include "backend/cpu/cpu.h"

#include <string.h>

/* Moves the counts of a dense row to topic and count unless these are NULL; returns their number.
 */
static uint64_t take_dense(const uint32_t *row, uint32_t topics, uint16_t *topic, uint32_t *count)
{
    uint64_t n = 0;
    for (uint32_t k = 0; k < topics; k++) {
        if (row[k] == 0)
            continue;
        if (topic) {
            topic[n] = (uint16_t)k;
            count[n] = row[k];
        }
        n++;
    }
    return n;
}

/* The same for a sparse row. */
static uint64_t take_sparse(const uint32_t *row, uint32_t entries, uint16_t *topic, uint32_t *count)
{
    uint64_t n = 0;
    uint32_t sum;
    for (uint32_t j = 0; j < entries; n++) {
        uint32_t k = ez_entry_topic(row[j]);
        j += ez_entry_run(row + j, entries - j, &sum);
        if (topic) {
            topic[n] = (uint16_t)k;
            count[n] = sum;
        }
    }
    return n;
}

static uint64_t take_row(const ez_w_rows *w, uint32_t v, uint16_t *topic, uint32_t *count)
{
    const uint32_t *dense = ez_w_dense(w, v);
    return dense ? take_dense(dense, w->topics, topic, count)
                 : take_sparse(ez_w_sparse(w, v), w->entries[v - w->dense_words], topic, count);
}

ezlda_status ez_cpu_counts(ez_backend *backend, ezlda_context *context, const uint32_t *word,
                           uint32_t rows, ez_w_counts *out)
{
    const ez_cpu *cpu = (const ez_cpu *)backend;
    uint32_t topics = cpu->settings->topics;
    out->rows = rows;
    EZ_TRY(ez_array(&out->start, context, (size_t)rows + 1, sizeof *out->start, "rows of W"));
    EZ_TRY(ez_array(&out->topic_tokens, context, topics, sizeof *out->topic_tokens, "topic sums"));
    memcpy(out->topic_tokens, cpu->topic_tokens, topics * sizeof *out->topic_tokens);
#pragma omp parallel for schedule(dynamic, 64) num_threads(cpu->threads)
    for (uint32_t i = 0; i < rows; i++)
        out->start[i + 1] = take_row(&cpu->w, word[i], NULL, NULL);
    out->start[0] = 0;
    for (uint32_t i = 0; i < rows; i++)
        out->start[i + 1] += out->start[i];
    EZ_TRY(ez_array(&out->topic, context, out->start[rows], sizeof *out->topic, "rows of W"));
    EZ_TRY(ez_array(&out->count, context, out->start[rows], sizeof *out->count, "rows of W"));
#pragma omp parallel for schedule(dynamic, 64) num_threads(cpu->threads)
    for (uint32_t i = 0; i < rows; i++)
        take_row(&cpu->w, word[i], out->topic + out->start[i], out->count + out->start[i]);
    return EZLDA_OK;
}
