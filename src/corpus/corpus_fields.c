/* ezlda_corpus_with_fields: a copy of a corpus with other fields, such as names and labels, for its
 * documents. */
#include "base/files/content_hash.h"
#include "base/memory.h"
#include "corpus/bags/bags.h"
#include "corpus/corpus_image.h"

#include <string.h>

static ezlda_status check_fields(ezlda_context *context, const char *const *fields, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!fields[i] || !*fields[i])
            return ez_fail(context, EZLDA_ERROR_ARGUMENT, "field %u: expected a name", i);
        for (uint32_t j = 0; j < i; j++)
            if (strcmp(fields[i], fields[j]) == 0)
                return ez_fail(context, EZLDA_ERROR_ARGUMENT, "field \"%s\" is given twice",
                               fields[i]);
    }
    return EZLDA_OK;
}

static ezlda_status rebuild(ezlda_corpus **out, ezlda_context *context, const ezlda_corpus *corpus,
                            const char *const *fields, uint32_t n_fields, const char *const *values)
{
    ez_corpus_sizes sizes;
    ez_corpus_builder *builder = NULL;
    uint32_t *map = NULL;
    const char **words = NULL;
    ezlda_status status;
    ez_corpus_sizes_of(corpus, &sizes);
    EZ_TRY_GOTO(ez_array(&map, context, sizes.words, sizeof *map, "word numbers"));
    EZ_TRY_GOTO(ez_array(&words, context, sizes.words, sizeof *words, "the vocabulary"));
    ez_bag_keep_words(corpus, map, words);
    EZ_TRY_GOTO(ez_corpus_builder_create(&builder, context, fields, n_fields));
    ez_bag_copy copy = {.corpus = corpus, .word_map = map, .fields = n_fields, .values = values};
    copy.order = ez_corpus_has_order(corpus);
    if (copy.order)
        ez_corpus_builder_keep_order(builder);
    copy.text = ez_corpus_has_text(corpus);
    if (copy.text)
        ez_corpus_builder_keep_text(builder);
    EZ_TRY_GOTO(ez_corpus_builder_keep_rules(builder, context, ezlda_corpus_text_rules(corpus)));
    EZ_TRY_GOTO(ez_bag_copy_documents(&copy, context, builder));
    status = ez_corpus_builder_finish(builder, out, context, words, sizes.words);
    builder = NULL;
done:
    ez_corpus_builder_abandon(builder);
    ez_free(map);
    ez_free(words);
    return status;
}

ezlda_status ezlda_corpus_with_fields(ezlda_corpus **out, ezlda_context *context,
                                      const ezlda_corpus *corpus, const char *const *fields,
                                      uint32_t n_fields, const char *const *values)
{
    ez_clear(context);
    if (!out || !corpus || (n_fields && (!fields || !values)))
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "expected a corpus, fields and their values, found NULL");
    *out = NULL;
    EZ_TRY(check_fields(context, fields, n_fields));
    return ez_as_argument_error(rebuild(out, context, corpus, fields, n_fields, values));
}

static ezlda_status add_hash(uint64_t *hash, ezlda_context *context, const void *bytes, uint64_t n)
{
    uint64_t both[2] = {*hash, 0};
    if (bytes)
        EZ_TRY(ez_content_hash(&both[1], context, bytes, (size_t)n));
    *hash = ez_hash_bytes(both, sizeof both);
    return EZLDA_OK;
}

ezlda_status ez_corpus_kept_hash(const ezlda_corpus *corpus, ezlda_context *context, uint64_t *hash)
{
    const ez_column *names = &corpus->field_names;
    EZ_TRY(ez_content_hash(hash, context, names->text, (size_t)names->bytes));
    for (uint32_t f = 0; f < corpus->meta.fields; f++)
        EZ_TRY(add_hash(hash, context, corpus->fields[f].text, corpus->fields[f].bytes));
    EZ_TRY(add_hash(hash, context, corpus->order_bytes, corpus->order_size));
    return add_hash(hash, context, corpus->text_bytes, corpus->text_size);
}
