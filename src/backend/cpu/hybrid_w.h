/* W on the host: one row of counts per word, dense or sparse (paper: hybrid format of W).
 *
 * Hybrid: a word with more than K tokens has a dense row, the others a sparse one. A sparse row
 * holds (topic << 16 | count) entries, topics ascending; a count above 65,535 takes several entries
 * of its topic. */
#ifndef EZ_HYBRID_W_H
#define EZ_HYBRID_W_H

#include "backend/backend.h"
#include "backend/topic_counter.h"
#include "sampler/d_row.h"

typedef struct ez_w_rows {
    uint32_t words, topics;
    uint32_t dense_words; /* words [0, dense_words), the most frequent ones, are dense */
    size_t stride;        /* counts of a dense row, with padding */
    uint32_t *dense;
    uint64_t *sparse_start; /* words - dense_words: where the row's room begins */
    uint32_t *sparse;
    uint32_t *entries; /* words - dense_words: entries in use */
} ez_w_rows;

ezlda_status ez_w_rows_init(ez_w_rows *rows, ezlda_context *context, const ez_token_list *tokens,
                            const ez_settings *settings);
void ez_w_rows_free(ez_w_rows *rows);

/* Sets a row to what was counted, or adds what was counted to it (the counter then holds the sum).
 */
void ez_w_rows_set(ez_w_rows *rows, uint32_t v, ez_topic_counter *counter);
void ez_w_rows_add(ez_w_rows *rows, uint32_t v, ez_topic_counter *counter);

static inline uint32_t *ez_w_dense(const ez_w_rows *rows, uint32_t v)
{
    return v < rows->dense_words ? rows->dense + (size_t)v * rows->stride : NULL;
}

static inline uint32_t *ez_w_sparse(const ez_w_rows *rows, uint32_t v)
{
    return rows->sparse + rows->sparse_start[v - rows->dense_words];
}

/* Sums the count of the topic at entry[0] over its entries; returns their number. left >= 1. */
static inline uint32_t ez_entry_run(const uint32_t *entry, uint32_t left, uint32_t *count)
{
    uint32_t n = 1, topic = ez_entry_topic(entry[0]), sum = ez_entry_count(entry[0]);
    for (; n < left && ez_entry_topic(entry[n]) == topic; n++)
        sum += ez_entry_count(entry[n]);
    *count = sum;
    return n;
}

#endif
