/* Compares a corpus with the sizes and the hash in the model, and removes words that were filtered
 * for the run. An updated model has words that the corpus of its last update lacks; the copy gets
 * them too. */
#include "model/trained_on.h"

#include "corpus/bags/bags.h"
#include "corpus/corpus.h"
#include "model/model_layout.h"
#include "model/word_map.h"

#include <inttypes.h>

static bool is_same(const ezlda_model *model, const ez_corpus_sizes *sizes)
{
    const ez_model_meta *meta = model->meta;
    return sizes->hash == meta->corpus_hash && sizes->docs == meta->docs &&
           sizes->words == meta->words && sizes->tokens == ez_model_own_tokens(model);
}

/* The model's number of each word of a corpus; UINT32_MAX: none. */
static ezlda_status map_words(uint32_t **map, ezlda_context *context, const ezlda_model *model,
                              const ezlda_corpus *corpus, uint32_t n)
{
    ez_word_index index = {0};
    ezlda_status status = ez_word_index_make(&index, context, model);
    if (status == EZLDA_OK)
        status = ez_array(map, context, n, sizeof **map, "the words of a corpus");
    for (uint32_t w = 0; w < n && status == EZLDA_OK; w++)
        (*map)[w] = ez_word_index_find(&index, ezlda_corpus_word(corpus, w));
    ez_word_index_free(&index);
    return status;
}

static ezlda_status copy_known(ezlda_corpus **copy, ezlda_context *context,
                               const ezlda_model *model, const ezlda_corpus *corpus, uint32_t n)
{
    uint32_t *map = NULL;
    const char **words = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(map_words(&map, context, model, corpus, n));
    EZ_TRY_GOTO(ez_array(&words, context, model->meta->words, sizeof *words, "the model's words"));
    for (uint32_t w = 0; w < model->meta->words; w++)
        words[w] = ezlda_model_word(model, w);
    status = ez_bag_rebuild(copy, context, corpus, map, NULL, words, model->meta->words);
done:
    ez_free(map);
    ez_free(words);
    return status;
}

ezlda_status ez_restore_corpus(ezlda_corpus **copy, const ezlda_model *model,
                               ezlda_context *context, const ezlda_corpus *corpus)
{
    const ez_model_meta *meta = model->meta;
    ez_corpus_sizes sizes;
    *copy = NULL;
    if (!corpus)
        return EZLDA_OK;
    ez_corpus_sizes_of(corpus, &sizes);
    if (sizes.docs != meta->docs || sizes.tokens < ez_model_own_tokens(model) ||
        (sizes.words <= meta->words && !model->past))
        return EZLDA_OK;
    EZ_TRY(copy_known(copy, context, model, corpus, sizes.words));
    ez_corpus_sizes_of(*copy, &sizes);
    if (is_same(model, &sizes))
        return EZLDA_OK;
    ezlda_corpus_free(*copy);
    *copy = NULL;
    return EZLDA_OK;
}

ezlda_status ez_trained_on(const ezlda_model *model, ezlda_context *context,
                           const ezlda_corpus *corpus, const char *name)
{
    const ez_model_meta *meta = model->meta;
    ez_corpus_sizes sizes;
    if (!corpus)
        return EZLDA_OK;
    ez_corpus_sizes_of(corpus, &sizes);
    if (is_same(model, &sizes))
        return EZLDA_OK;
    return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                   "%s%sexpected the %s (%" PRIu64 " documents, %u words, %" PRIu64
                   " tokens, hash %016" PRIx64 "), found another (%" PRIu64 ", %u, %" PRIu64
                   ", %016" PRIx64 ")",
                   name ? name : "", name ? ": " : "",
                   model->past ? "documents of the model's last update"
                               : "corpus that the model was trained on",
                   meta->docs, meta->words, ez_model_own_tokens(model), meta->corpus_hash,
                   sizes.docs, sizes.words, sizes.tokens, sizes.hash);
}
