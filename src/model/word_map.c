/* The index of a model's words by their text, and the numbers that a corpus' words have in it. */
#include "model/word_map.h"

#include "corpus/corpus.h"
#include "model/model_layout.h"

#include <string.h>

ezlda_status ez_word_index_make(ez_word_index *index, ezlda_context *context,
                                const ezlda_model *model)
{
    uint32_t id;
    bool added;
    EZ_TRY(ez_array(&index->number, context, model->meta->words, sizeof *index->number,
                    "words of a model"));
    for (uint32_t v = 0; v < model->meta->words; v++) {
        const char *word = ez_column_at(&model->words, v);
        EZ_TRY(ez_strings_add(&index->table, context, word, strlen(word), &id, &added));
        if (added)
            index->number[id] = v;
    }
    return EZLDA_OK;
}

uint32_t ez_word_index_find(const ez_word_index *index, const char *word)
{
    uint32_t id = ez_strings_find(&index->table, word, strlen(word));
    return id == EZ_NO_STRING ? EZ_NO_WORD : index->number[id];
}

void ez_word_index_free(ez_word_index *index)
{
    ez_strings_free(&index->table);
    ez_free(index->number);
    *index = (ez_word_index){0};
}

/* Whether the model has the words of the corpus in the same order, as it has if it was trained on
 * that corpus. */
static bool words_have_same_numbers(const ezlda_corpus *corpus, const ez_corpus_sizes *sizes,
                                    const ezlda_model *model)
{
    if (sizes->words != model->meta->words)
        return false;
    bool same = true;
    for (uint32_t v = 0; sizes->hash != model->meta->corpus_hash && v < sizes->words && same; v++)
        same = strcmp(ezlda_corpus_word(corpus, v), ez_column_at(&model->words, v)) == 0;
    return same;
}

ezlda_status ez_word_map(uint32_t **out, ezlda_context *context, const ezlda_corpus *corpus,
                         const ezlda_model *model, uint32_t *unknown)
{
    ez_word_index index = {0};
    ez_corpus_sizes sizes;
    uint32_t *map = NULL, missing = 0;
    ezlda_status status;
    ez_corpus_sizes_of(corpus, &sizes);
    *out = NULL;
    bool same = words_have_same_numbers(corpus, &sizes, model);
    if (!same)
        EZ_TRY_GOTO(ez_word_index_make(&index, context, model));
    EZ_TRY_GOTO(ez_array(&map, context, sizes.words, sizeof *map, "word numbers"));
#pragma omp parallel for schedule(static) num_threads(ez_threads(context)) reduction(+ : missing)
    for (uint32_t v = 0; v < sizes.words; v++) {
        map[v] = same ? v : ez_word_index_find(&index, ezlda_corpus_word(corpus, v));
        missing += map[v] == EZ_NO_WORD;
    }
    *out = map;
    *unknown = missing;
done:
    ez_word_index_free(&index);
    return status;
}

uint32_t ez_word_map_mark_unseen(uint32_t *map, uint32_t words, const ezlda_model *model)
{
    uint32_t unseen = 0;
    for (uint32_t v = 0; v < words; v++)
        if (map[v] != EZ_NO_WORD && model->word_tokens[map[v]] == 0) {
            map[v] = EZ_UNSEEN_WORD;
            unseen++;
        }
    return unseen;
}
