#include "corpus/bags.h"

#include "base/memory.h"
#include "corpus/corpus.h"

#include <stdlib.h>
#include <string.h>

typedef struct pair {
    uint32_t word, count;
} pair;

typedef struct bag_rows {
    uint32_t start[EZ_CORPUS_BLOCK + 1];
    uint32_t *word, *count;
    pair *pairs;
    const char **values;
} bag_rows;

static int by_word(const void *a, const void *b)
{
    const pair *x = a, *y = b;
    return (x->word > y->word) - (x->word < y->word);
}

/* A row's pairs mapped, sorted again where the map broke their order, equal words added up; returns how many. */
static ezlda_status map_row(bag_rows *rows, ezlda_context *context, const uint32_t *map, size_t from, size_t to,
                            size_t *out)
{
    size_t n = 0, kept = 0;
    bool ordered = true;
    for (size_t i = from; i < to; i++) {
        uint32_t word = map[rows->word[i]];
        if (word == UINT32_MAX)
            continue;
        ordered = ordered && (!n || rows->pairs[n - 1].word < word);
        rows->pairs[n++] = (pair){word, rows->count[i]};
    }
    if (!ordered)
        qsort(rows->pairs, n, sizeof *rows->pairs, by_word);
    for (size_t i = 0; i < n; i++) {
        if (kept && rows->word[from + kept - 1] == rows->pairs[i].word) {
            uint32_t *count = &rows->count[from + kept - 1];
            if (__builtin_add_overflow(*count, rows->pairs[i].count, count))
                return ez_fail(context, EZLDA_ERROR_FORMAT, "a word is more than 4,294,967,295 times in a document");
            continue;
        }
        rows->word[from + kept] = rows->pairs[i].word;
        rows->count[from + kept++] = rows->pairs[i].count;
    }
    *out = kept;
    return EZLDA_OK;
}

static ezlda_status copy_block(const ez_bag_copy *copy, ezlda_context *context, ez_corpus_builder *builder,
                               bag_rows *rows, uint64_t block)
{
    uint32_t docs = ez_corpus_decode(copy->corpus, block, rows->start, rows->word, rows->count);
    for (uint32_t d = 0; d < docs; d++) {
        size_t n = 0;
        for (uint32_t f = 0; f < copy->fields; f++)
            rows->values[f] =
                copy->field_of[f] == UINT32_MAX
                    ? ""
                    : ezlda_corpus_field_value(copy->corpus, copy->field_of[f], block * EZ_CORPUS_BLOCK + d);
        size_t from = rows->start[d];
        EZ_TRY(map_row(rows, context, copy->word_map, from, rows->start[d + 1], &n));
        EZ_TRY(ez_corpus_builder_add(builder, context, rows->word + from, rows->count + from, n, rows->values));
    }
    return EZLDA_OK;
}

ezlda_status ez_bag_copy_documents(const ez_bag_copy *copy, ezlda_context *context, ez_corpus_builder *builder)
{
    uint64_t blocks = ez_corpus_blocks(copy->corpus), most = 0;
    for (uint64_t b = 0; b < blocks; b++) {
        uint64_t pairs = ez_corpus_pairs_before(copy->corpus, b + 1) - ez_corpus_pairs_before(copy->corpus, b);
        most = pairs > most ? pairs : most;
    }
    bag_rows rows = {{0}, NULL, NULL, NULL, NULL};
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&rows.word, context, (size_t)most, sizeof *rows.word, "documents"));
    EZ_TRY_GOTO(ez_array(&rows.count, context, (size_t)most, sizeof *rows.count, "documents"));
    EZ_TRY_GOTO(ez_array(&rows.pairs, context, (size_t)most, sizeof *rows.pairs, "documents"));
    EZ_TRY_GOTO(ez_array(&rows.values, context, copy->fields, sizeof *rows.values, "document fields"));
    for (uint64_t b = 0; b < blocks && status == EZLDA_OK; b++)
        status = copy_block(copy, context, builder, &rows, b);
done:
    ez_free(rows.word);
    ez_free(rows.count);
    ez_free(rows.pairs);
    ez_free(rows.values);
    return status;
}
