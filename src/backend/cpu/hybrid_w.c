/* The hybrid format of W: decides which words have a dense row, allocates the rows, and sets or
 * extends a row from counts over topics. */
#include "backend/cpu/hybrid_w.h"

#include "base/memory.h"

#include <string.h>

static uint32_t count_dense_words(const ez_token_list *tokens, uint32_t topics,
                                  ezlda_w_format format)
{
    if (format == EZLDA_W_SPARSE)
        return 0;
    return format == EZLDA_W_DENSE ? tokens->words : ez_first_word_within(tokens, 0, topics);
}

/* The most entries that a word's row can have. */
static uint64_t room_of(const ez_token_list *tokens, const ez_settings *settings, uint32_t v)
{
    uint64_t count = settings->fixed ? 0 : ez_word_frequency(tokens, v);
    for (uint64_t i = 0; i < ez_base_entries(settings, v); i++)
        count += settings->base->count[settings->base->start[v] + i];
    return ez_entries_most(count, settings->topics);
}

ezlda_status ez_w_rows_init(ez_w_rows *rows, ezlda_context *context, const ez_token_list *tokens,
                            const ez_settings *settings)
{
    uint32_t topics = settings->topics;
    *rows = (ez_w_rows){.words = tokens->words, .topics = topics};
    rows->dense_words = count_dense_words(tokens, topics, settings->w_format);
    rows->stride = ((size_t)topics + 15) / 16 * 16;
    size_t cells, sparse_words = rows->words - rows->dense_words;
    if (!ez_mul_size(rows->dense_words, rows->stride, &cells))
        return ez_fail(context, EZLDA_ERROR_MEMORY, "W of %u dense rows of %u topics is too large",
                       rows->dense_words, topics);
    EZ_TRY(ez_array_zero(&rows->dense, context, cells, sizeof *rows->dense, "dense rows of W"));
    EZ_TRY(ez_array(&rows->sparse_start, context, sparse_words + 1, sizeof *rows->sparse_start,
                    "row starts of W"));
    EZ_TRY(ez_array_zero(&rows->entries, context, sparse_words, sizeof *rows->entries,
                         "row lengths of W"));
    rows->sparse_start[0] = 0;
    for (uint32_t i = 0; i < sparse_words; i++)
        rows->sparse_start[i + 1] =
            rows->sparse_start[i] + room_of(tokens, settings, rows->dense_words + i);
    return ez_array(&rows->sparse, context, rows->sparse_start[sparse_words], sizeof *rows->sparse,
                    "sparse rows of W");
}

void ez_w_rows_free(ez_w_rows *rows)
{
    ez_free(rows->dense);
    ez_free(rows->sparse_start);
    ez_free(rows->sparse);
    ez_free(rows->entries);
}

void ez_w_rows_set(ez_w_rows *rows, uint32_t v, ez_topic_counter *counter)
{
    uint32_t *dense = ez_w_dense(rows, v);
    if (!dense) {
        rows->entries[v - rows->dense_words] =
            ez_topic_counter_entries(counter, ez_w_sparse(rows, v));
        return;
    }
    memset(dense, 0, rows->topics * sizeof *dense);
    for (uint32_t i = 0; i < counter->n_touched; i++)
        dense[counter->touched[i]] = counter->count[counter->touched[i]];
}

void ez_w_rows_add(ez_w_rows *rows, uint32_t v, ez_topic_counter *counter)
{
    uint32_t *dense = ez_w_dense(rows, v);
    for (uint32_t i = 0; dense && i < counter->n_touched; i++)
        dense[counter->touched[i]] += counter->count[counter->touched[i]];
    if (dense)
        return;
    uint32_t *row = ez_w_sparse(rows, v), *entries = &rows->entries[v - rows->dense_words];
    for (uint32_t j = 0; j < *entries; j++)
        ez_topic_counter_add_many(counter, ez_entry_topic(row[j]), ez_entry_count(row[j]));
    *entries = ez_topic_counter_entries(counter, row);
}
