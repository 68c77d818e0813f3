#include "model/word_map.h"

#include "corpus/corpus.h"
#include "corpus/text/string_table.h"
#include "model/model_layout.h"

#include <string.h>

/* Numbers of the model's words; of equal ones the first counts. */
static ezlda_status index_words(ez_strings *table, uint32_t *number, ezlda_context *context,
                                const ezlda_model *model)
{
    uint32_t id;
    bool added;
    for (uint32_t v = 0; v < model->meta->words; v++) {
        const char *word = ez_column_at(&model->words, v);
        EZ_TRY(ez_strings_add(table, context, word, strlen(word), &id, &added));
        if (added)
            number[id] = v;
    }
    return EZLDA_OK;
}

/* The corpus that the model was trained on, or one of the same words in the same order: words are
 * the model's by their numbers, those that are written alike too. */
static bool same_words(const ezlda_corpus *corpus, const ez_corpus_sizes *sizes,
                       const ezlda_model *model)
{
    if (sizes->words != model->meta->words)
        return false;
    bool same = true;
    for (uint32_t v = 0; sizes->hash != model->meta->corpus_hash && v < sizes->words && same; v++)
        same = strcmp(ezlda_corpus_word(corpus, v), ez_column_at(&model->words, v)) == 0;
    return same;
}

static uint32_t find_word(const ez_strings *table, const uint32_t *number,
                          const ezlda_corpus *corpus, uint32_t v)
{
    const char *word = ezlda_corpus_word(corpus, v);
    uint32_t id = ez_strings_find(table, word, strlen(word));
    return id == EZ_NO_STRING ? EZ_NO_WORD : number[id];
}

ezlda_status ez_word_map(uint32_t **out, ezlda_context *context, const ezlda_corpus *corpus,
                         const ezlda_model *model, uint32_t *unknown)
{
    ez_strings table = {0};
    ez_corpus_sizes sizes;
    uint32_t *map = NULL, *number = NULL, missing = 0;
    ezlda_status status;
    ez_corpus_sizes_of(corpus, &sizes);
    *out = NULL;
    bool same = same_words(corpus, &sizes, model);
    EZ_TRY_GOTO(ez_array(&number, context, model->meta->words, sizeof *number, "word numbers"));
    if (!same)
        EZ_TRY_GOTO(index_words(&table, number, context, model));
    EZ_TRY_GOTO(ez_array(&map, context, sizes.words, sizeof *map, "word numbers"));
#pragma omp parallel for schedule(static) num_threads(ez_threads(context)) reduction(+ : missing)
    for (uint32_t v = 0; v < sizes.words; v++) {
        uint32_t id = same ? v : find_word(&table, number, corpus, v);
        map[v] = id != EZ_NO_WORD && model->word_tokens[id] > 0 ? id : EZ_NO_WORD;
        missing += map[v] == EZ_NO_WORD;
    }
    *out = map;
    *unknown = missing;
done:
    ez_free(number);
    ez_strings_free(&table);
    return status;
}
