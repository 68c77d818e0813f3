/* Copies documents of a corpus to a builder, with words mapped, and with their order and fields if
 * wanted. */
#include "corpus/bags/bags.h"

#include "base/memory.h"
#include "corpus/corpus.h"

#include <stdlib.h>
#include <string.h>

typedef struct pair {
    uint32_t word, count;
} pair;

typedef struct decoded_block {
    uint32_t start[EZ_CORPUS_BLOCK + 1];
    uint32_t *word, *count;
    pair *pairs;
    uint64_t token_start[EZ_CORPUS_BLOCK + 1];
    uint32_t *pair_of; /* pair of each token of the block, if the order is kept */
    uint32_t *spare;   /* counts of the pairs of a document, if texts are kept */
    uint32_t *mapped;  /* for each old pair its new word, later the index of its new pair */
    const char **values;
    ez_doc_texts reader;
    ez_buffer places; /* ez_text_place: of the document at hand */
} decoded_block;

static int by_word(const void *a, const void *b)
{
    const pair *x = a, *y = b;
    return (x->word > y->word) - (x->word < y->word);
}

/* Maps the pairs [from, to) in place: sorts them again if the map broke their order, and adds up
 * equal words. *out: the number of new pairs. */
static ezlda_status map_pairs(decoded_block *decoded, ezlda_context *context, const uint32_t *map,
                              size_t from, size_t to, size_t *out)
{
    size_t n = 0, kept = 0;
    bool ordered = true;
    for (size_t i = from; i < to; i++) {
        uint32_t word = map[decoded->word[i]];
        if (word == UINT32_MAX)
            continue;
        ordered = ordered && (!n || decoded->pairs[n - 1].word < word);
        decoded->pairs[n++] = (pair){word, decoded->count[i]};
    }
    if (!ordered)
        qsort(decoded->pairs, n, sizeof *decoded->pairs, by_word);
    for (size_t i = 0; i < n; i++) {
        if (kept && decoded->word[from + kept - 1] == decoded->pairs[i].word) {
            uint32_t *count = &decoded->count[from + kept - 1];
            if (__builtin_add_overflow(*count, decoded->pairs[i].count, count))
                return ez_fail(context, EZLDA_ERROR_FORMAT,
                               "a word occurs more than 4,294,967,295 times in one document");
            continue;
        }
        decoded->word[from + kept] = decoded->pairs[i].word;
        decoded->count[from + kept++] = decoded->pairs[i].count;
    }
    *out = kept;
    return EZLDA_OK;
}

/* The index of a word in an ascending list that contains it. */
static uint32_t index_of(const uint32_t *list, size_t n, uint32_t word)
{
    size_t low = 0;
    for (size_t step = n; step > 1;) {
        size_t half = step / 2;
        low = list[low + half] <= word ? low + half : low;
        step -= half;
    }
    return (uint32_t)low;
}

/* Replaces the new words in `mapped` of `old` pairs by the indices of their pairs. */
static void find_pairs(uint32_t *mapped, size_t old, const uint32_t *word, size_t n)
{
    for (size_t i = 0; i < old; i++)
        mapped[i] = mapped[i] == UINT32_MAX ? UINT32_MAX : index_of(word, n, mapped[i]);
}

/* Maps the order of document d in place, without the tokens of removed words; returns the number of
 * tokens that stay. */
static size_t map_order(const decoded_block *decoded, uint32_t d)
{
    uint32_t *to = decoded->mapped, *pair_of = decoded->pair_of + decoded->token_start[d];
    uint64_t tokens = decoded->token_start[d + 1] - decoded->token_start[d];
    size_t kept = 0;
    for (uint64_t i = 0; i < tokens; i++) {
        pair_of[kept] = to[pair_of[i]];
        kept += pair_of[kept] != UINT32_MAX;
    }
    return kept;
}

/* Reads the text of a document; count: the counts of its n pairs, which become zero. */
static ezlda_status read_text(const ez_bag_copy *copy, ezlda_context *context,
                              decoded_block *decoded, uint64_t doc, uint32_t *count, size_t n)
{
    decoded->places.used = 0;
    EZ_TRY(ez_text_read(&decoded->reader, context, copy->corpus, doc));
    return ez_text_places(&decoded->reader, context, copy->corpus, count, n, &decoded->places);
}

/* Adds the text that was read, without the places of removed words. */
static ezlda_status add_text(decoded_block *decoded, ezlda_context *context,
                             ez_corpus_builder *builder)
{
    ez_text_place *place = (ez_text_place *)(void *)decoded->places.data;
    size_t kept = 0;
    for (size_t i = 0; i < decoded->places.used / sizeof *place; i++) {
        place[kept] = place[i];
        place[kept].pair = decoded->mapped[place[i].pair];
        kept += place[kept].pair != UINT32_MAX;
    }
    return ez_corpus_builder_add_text(builder, context, decoded->reader.text, decoded->reader.bytes,
                                      place, kept);
}

static ezlda_status copy_document(const ez_bag_copy *copy, ezlda_context *context,
                                  ez_corpus_builder *builder, decoded_block *decoded, uint32_t d,
                                  uint64_t doc)
{
    size_t from = decoded->start[d], old = decoded->start[d + 1] - from, n = 0, tokens = 0;
    bool mapped = copy->order || copy->text;
    for (size_t i = 0; mapped && i < old; i++)
        decoded->mapped[i] = copy->word_map[decoded->word[from + i]];
    if (copy->text) {
        memcpy(decoded->spare, decoded->count + from, old * sizeof *decoded->spare);
        EZ_TRY(read_text(copy, context, decoded, doc, decoded->spare, old));
    }
    EZ_TRY(map_pairs(decoded, context, copy->word_map, from, from + old, &n));
    uint32_t *word = decoded->word + from, *count = decoded->count + from, *pair_of = NULL;
    if (mapped)
        find_pairs(decoded->mapped, old, word, n);
    if (copy->order) {
        pair_of = decoded->pair_of + decoded->token_start[d];
        tokens = map_order(decoded, d);
    }
    EZ_TRY(ez_corpus_builder_add_ordered(builder, context, word, count, n, pair_of, tokens,
                                         decoded->values));
    return copy->text ? add_text(decoded, context, builder) : EZLDA_OK;
}

/* The value of field f of the new corpus; NULL if the given values have none. */
static const char *value_of(const ez_bag_copy *copy, uint64_t docs, uint32_t f, uint64_t doc)
{
    if (copy->values)
        return copy->values[f * docs + doc];
    return copy->field_of[f] == UINT32_MAX
               ? ""
               : ezlda_corpus_field_value(copy->corpus, copy->field_of[f], doc);
}

static bool is_skipped(const ez_bag_copy *copy, uint64_t block, uint64_t docs)
{
    uint64_t first = block * EZ_CORPUS_BLOCK, last = first + EZ_CORPUS_BLOCK;
    bool all = copy->skip != NULL;
    for (uint64_t d = first; all && d < last && d < docs; d++)
        all = copy->skip[d];
    return all;
}

static ezlda_status copy_block(const ez_bag_copy *copy, ezlda_context *context,
                               ez_corpus_builder *builder, decoded_block *decoded, uint64_t block)
{
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(copy->corpus, &sizes);
    if (is_skipped(copy, block, sizes.docs))
        return EZLDA_OK;
    uint32_t docs =
        ez_corpus_decode(copy->corpus, block, decoded->start, decoded->word, decoded->count);
    if (copy->order)
        ez_corpus_order(copy->corpus, block, decoded->start, decoded->count, decoded->token_start,
                        decoded->pair_of);
    for (uint32_t d = 0; d < docs; d++) {
        if (copy->skip && copy->skip[block * EZ_CORPUS_BLOCK + d])
            continue;
        for (uint32_t f = 0; f < copy->fields; f++)
            decoded->values[f] = value_of(copy, sizes.docs, f, block * EZ_CORPUS_BLOCK + d);
        EZ_TRY(copy_document(copy, context, builder, decoded, d, block * EZ_CORPUS_BLOCK + d));
    }
    return EZLDA_OK;
}

ezlda_status ez_bag_copy_documents(const ez_bag_copy *copy, ezlda_context *context,
                                   ez_corpus_builder *builder)
{
    uint64_t blocks = ez_corpus_blocks(copy->corpus), most, most_tokens;
    ez_corpus_largest_block(copy->corpus, &most, &most_tokens);
    decoded_block decoded = {0};
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&decoded.word, context, (size_t)most, sizeof *decoded.word, "documents"));
    EZ_TRY_GOTO(
        ez_array(&decoded.count, context, (size_t)most, sizeof *decoded.count, "documents"));
    EZ_TRY_GOTO(
        ez_array(&decoded.pairs, context, (size_t)most, sizeof *decoded.pairs, "documents"));
    if (copy->order) {
        EZ_TRY_GOTO(ez_array(&decoded.pair_of, context, (size_t)most_tokens,
                             sizeof *decoded.pair_of, "documents"));
    }
    if (copy->order || copy->text) {
        EZ_TRY_GOTO(
            ez_array(&decoded.mapped, context, (size_t)most, sizeof *decoded.mapped, "documents"));
        EZ_TRY_GOTO(
            ez_array(&decoded.spare, context, (size_t)most, sizeof *decoded.spare, "documents"));
    }
    EZ_TRY_GOTO(ez_array(&decoded.values, context, copy->fields, sizeof *decoded.values,
                         "document fields"));
    for (uint64_t b = 0; b < blocks && status == EZLDA_OK; b++)
        status = copy_block(copy, context, builder, &decoded, b);
done:
    ez_free(decoded.word);
    ez_free(decoded.count);
    ez_free(decoded.pairs);
    ez_free(decoded.pair_of);
    ez_free(decoded.mapped);
    ez_free(decoded.spare);
    ez_free(decoded.places.data);
    ez_doc_texts_free(&decoded.reader);
    ez_free(decoded.values);
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
    bool text = ez_corpus_has_text(corpus);
    if (text)
        ez_corpus_builder_keep_text(builder);
    EZ_TRY_GOTO(ez_corpus_builder_keep_rules(builder, context, ezlda_corpus_text_rules(corpus)));
    EZ_TRY_GOTO(ez_bag_copy_documents(
        &(ez_bag_copy){corpus, word_map, field_of, info.fields, order, skip, NULL, text}, context,
        builder));
    status = ez_corpus_builder_finish(builder, out, context, words, n_words);
    builder = NULL;
done:
    ez_corpus_builder_abandon(builder);
    ez_free(fields);
    ez_free(field_of);
    return status;
}
