#include "corpus/bags/bags.h"

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
    uint64_t token_start[EZ_CORPUS_BLOCK + 1];
    uint32_t *place;  /* of the block's tokens, where the order is kept */
    uint32_t *mapped; /* of a row's old places: the word, then the new place */
    const char **values;
} bag_rows;

static int by_word(const void *a, const void *b)
{
    const pair *x = a, *y = b;
    return (x->word > y->word) - (x->word < y->word);
}

/* A row's pairs mapped, sorted again where the map broke their order, equal words added up; returns
 * how many. */
static ezlda_status map_row(bag_rows *rows, ezlda_context *context, const uint32_t *map,
                            size_t from, size_t to, size_t *out)
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
                return ez_fail(context, EZLDA_ERROR_FORMAT,
                               "a word is more than 4,294,967,295 times in a document");
            continue;
        }
        rows->word[from + kept] = rows->pairs[i].word;
        rows->count[from + kept++] = rows->pairs[i].count;
    }
    *out = kept;
    return EZLDA_OK;
}

/* Where a word is in a row that has it. */
static uint32_t place_of(const uint32_t *row, size_t n, uint32_t word)
{
    size_t low = 0;
    for (size_t step = n; step > 1;) {
        size_t half = step / 2;
        low = row[low + half] <= word ? low + half : low;
        step -= half;
    }
    return (uint32_t)low;
}

/* The order of document d, in place, tokens of dropped words left out; returns how many stay. row:
 * its new words. */
static size_t map_order(const bag_rows *rows, uint32_t d, size_t old, const uint32_t *row, size_t n)
{
    uint32_t *to = rows->mapped, *place = rows->place + rows->token_start[d];
    uint64_t tokens = rows->token_start[d + 1] - rows->token_start[d];
    size_t kept = 0;
    for (size_t i = 0; i < old; i++)
        to[i] = to[i] == UINT32_MAX ? UINT32_MAX : place_of(row, n, to[i]);
    for (uint64_t i = 0; i < tokens; i++) {
        place[kept] = to[place[i]];
        kept += place[kept] != UINT32_MAX;
    }
    return kept;
}

static ezlda_status copy_row(const ez_bag_copy *copy, ezlda_context *context,
                             ez_corpus_builder *builder, bag_rows *rows, uint32_t d)
{
    size_t from = rows->start[d], old = rows->start[d + 1] - from, n = 0, tokens = 0;
    for (size_t i = 0; copy->order && i < old; i++)
        rows->mapped[i] = copy->word_map[rows->word[from + i]];
    EZ_TRY(map_row(rows, context, copy->word_map, from, from + old, &n));
    uint32_t *word = rows->word + from, *count = rows->count + from, *place = NULL;
    if (copy->order) {
        place = rows->place + rows->token_start[d];
        tokens = map_order(rows, d, old, word, n);
    }
    return ez_corpus_builder_add_ordered(builder, context, word, count, n, place, tokens,
                                         rows->values);
}

/* The value of field f of the new corpus; NULL where a given one is missing. */
static const char *value_of(const ez_bag_copy *copy, uint64_t docs, uint32_t f, uint64_t doc)
{
    if (copy->values)
        return copy->values[f * docs + doc];
    return copy->field_of[f] == UINT32_MAX
               ? ""
               : ezlda_corpus_field_value(copy->corpus, copy->field_of[f], doc);
}

static ezlda_status copy_block(const ez_bag_copy *copy, ezlda_context *context,
                               ez_corpus_builder *builder, bag_rows *rows, uint64_t block)
{
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(copy->corpus, &sizes);
    uint32_t docs = ez_corpus_decode(copy->corpus, block, rows->start, rows->word, rows->count);
    if (copy->order)
        ez_corpus_order(copy->corpus, block, rows->start, rows->count, rows->token_start,
                        rows->place);
    for (uint32_t d = 0; d < docs; d++) {
        if (copy->skip && copy->skip[block * EZ_CORPUS_BLOCK + d])
            continue;
        for (uint32_t f = 0; f < copy->fields; f++)
            rows->values[f] = value_of(copy, sizes.docs, f, block * EZ_CORPUS_BLOCK + d);
        EZ_TRY(copy_row(copy, context, builder, rows, d));
    }
    return EZLDA_OK;
}

ezlda_status ez_bag_copy_documents(const ez_bag_copy *copy, ezlda_context *context,
                                   ez_corpus_builder *builder)
{
    uint64_t blocks = ez_corpus_blocks(copy->corpus), most, most_tokens;
    ez_corpus_largest_block(copy->corpus, &most, &most_tokens);
    bag_rows rows = {0};
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&rows.word, context, (size_t)most, sizeof *rows.word, "documents"));
    EZ_TRY_GOTO(ez_array(&rows.count, context, (size_t)most, sizeof *rows.count, "documents"));
    EZ_TRY_GOTO(ez_array(&rows.pairs, context, (size_t)most, sizeof *rows.pairs, "documents"));
    if (copy->order) {
        EZ_TRY_GOTO(
            ez_array(&rows.place, context, (size_t)most_tokens, sizeof *rows.place, "documents"));
        EZ_TRY_GOTO(
            ez_array(&rows.mapped, context, (size_t)most, sizeof *rows.mapped, "documents"));
    }
    EZ_TRY_GOTO(
        ez_array(&rows.values, context, copy->fields, sizeof *rows.values, "document fields"));
    for (uint64_t b = 0; b < blocks && status == EZLDA_OK; b++)
        status = copy_block(copy, context, builder, &rows, b);
done:
    ez_free(rows.word);
    ez_free(rows.count);
    ez_free(rows.pairs);
    ez_free(rows.place);
    ez_free(rows.mapped);
    ez_free(rows.values);
    return status;
}

void ez_bag_keep_words(const ezlda_corpus *corpus, uint32_t *word_map, const char **words)
{
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(corpus, &sizes);
    for (uint32_t v = 0; v < sizes.words; v++) {
        word_map[v] = v;
        words[v] = ezlda_corpus_word(corpus, v);
    }
}

ezlda_status ez_bag_rebuild(ezlda_corpus **out, ezlda_context *context, const ezlda_corpus *corpus,
                            const uint32_t *word_map, const bool *skip, const char *const *words,
                            uint32_t n_words)
{
    ezlda_corpus_info info = {.size = sizeof info};
    ezlda_corpus_get_info(corpus, &info);
    ez_corpus_builder *builder = NULL;
    const char **fields = NULL;
    uint32_t *field_of = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&fields, context, info.fields, sizeof *fields, "field names"));
    EZ_TRY_GOTO(ez_array(&field_of, context, info.fields, sizeof *field_of, "field names"));
    for (uint32_t i = 0; i < info.fields; i++) {
        fields[i] = ezlda_corpus_field(corpus, i);
        field_of[i] = i;
    }
    EZ_TRY_GOTO(ez_corpus_builder_create(&builder, context, fields, info.fields));
    bool order = ez_corpus_has_order(corpus);
    if (order)
        ez_corpus_builder_keep_order(builder);
    EZ_TRY_GOTO(ez_corpus_builder_keep_rules(builder, context, ezlda_corpus_text_rules(corpus)));
    EZ_TRY_GOTO(ez_bag_copy_documents(
        &(ez_bag_copy){corpus, word_map, field_of, info.fields, order, skip, NULL}, context,
        builder));
    status = ez_corpus_builder_finish(builder, out, context, words, n_words);
    builder = NULL;
done:
    ez_corpus_builder_abandon(builder);
    ez_free(fields);
    ez_free(field_of);
    return status;
}
