/* Finds words by their text in a model's vocabulary: single words, and all words of a corpus. */
#ifndef EZ_WORD_MAP_H
#define EZ_WORD_MAP_H

#include "corpus/text/string_table.h"

/* A word outside the model's vocabulary, and a word of it that has no token in the model. */
#define EZ_NO_WORD UINT32_MAX
#define EZ_UNSEEN_WORD (UINT32_MAX - 1)

/* A model's words by their text. If two words have the same text, the first is found. */
typedef struct ez_word_index {
    ez_strings table;
    uint32_t *number; /* number in the model of each string of the table */
} ez_word_index;

/* Zero-initialise; ez_word_index_free also after an error. */
ezlda_status ez_word_index_make(ez_word_index *index, ezlda_context *context,
                                const ezlda_model *model);
uint32_t ez_word_index_find(const ez_word_index *index, const char *word); /* or EZ_NO_WORD */
void ez_word_index_free(ez_word_index *index);

/* *out: for each word of the corpus its number in the model, or EZ_NO_WORD if the model's
 * vocabulary does not have it; freed with ez_free. *unknown: the number of words without one. Words
 * are matched by their text. If corpus and model have the same words in the same order, they are
 * matched by their numbers, so that words with the same text stay apart. */
ezlda_status ez_word_map(uint32_t **out, ezlda_context *context, const ezlda_corpus *corpus,
                         const ezlda_model *model, uint32_t *unknown);

/* Replaces the numbers of words without a token in the model by EZ_UNSEEN_WORD; returns how many
 * words these are. */
uint32_t ez_word_map_mark_unseen(uint32_t *map, uint32_t words, const ezlda_model *model);

#endif
