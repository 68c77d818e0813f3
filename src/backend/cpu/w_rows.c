#include "backend/cpu/w_rows.h"

#include "base/memory.h"
#include "sampler/word_record.h"

static uint32_t count_dense_words(const ez_token_list *tokens, uint32_t topics, ezlda_w_format format)
{
    if (format == EZLDA_W_SPARSE)
        return 0;
    if (format == EZLDA_W_DENSE)
        return tokens->words;
    uint32_t v = 0;
    while (v < tokens->words && tokens->word_start[v + 1] - tokens->word_start[v] > topics)
        v++;
    return v;
}

ezlda_status ez_w_rows_init(ez_w_rows *rows, ezlda_context *context, const ez_token_list *tokens, uint32_t topics,
                            ezlda_w_format format)
{
    *rows = (ez_w_rows){.words = tokens->words, .topics = topics};
    rows->dense_words = count_dense_words(tokens, topics, format);
    rows->stride = ((size_t)topics + 15) / 16 * 16;
    size_t cells, sparse_words = rows->words - rows->dense_words;
    if (!ez_mul_size(rows->dense_words, rows->stride, &cells))
        return ez_fail(context, EZLDA_ERROR_MEMORY, "W of %u dense rows of %u topics is too large", rows->dense_words,
                       topics);
    EZ_TRY(ez_array_zero(&rows->dense, context, cells, sizeof *rows->dense, "dense rows of W"));
    EZ_TRY(ez_array(&rows->sparse_start, context, sparse_words + 1, sizeof *rows->sparse_start, "row starts of W"));
    EZ_TRY(ez_array_zero(&rows->entries, context, sparse_words, sizeof *rows->entries, "row lengths of W"));
    rows->sparse_start[0] = 0;
    for (size_t i = 0; i < sparse_words; i++) {
        const uint64_t *start = tokens->word_start + rows->dense_words + i;
        rows->sparse_start[i + 1] = rows->sparse_start[i] + ez_entries_most(start[1] - start[0], topics);
    }
    return ez_array(&rows->sparse, context, rows->sparse_start[sparse_words], sizeof *rows->sparse, "sparse rows of W");
}

void ez_w_rows_free(ez_w_rows *rows)
{
    ez_free(rows->dense);
    ez_free(rows->sparse_start);
    ez_free(rows->sparse);
    ez_free(rows->entries);
}
