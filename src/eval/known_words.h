/* The words of a corpus that a model's vocabulary has, matched by their text. */
#ifndef EZ_KNOWN_WORDS_H
#define EZ_KNOWN_WORDS_H

#include "base/memory.h"

typedef struct ez_known_words {
    uint32_t *word; /* by the corpus' number: the model's number, or EZ_NO_WORD (word_map.h) */
    uint64_t *key;  /* by the corpus' number: a hash of the text */
    uint32_t words; /* words of the corpus */
    uint32_t unknown_words;
    uint64_t unknown_tokens, known_tokens;
    uint64_t unseen_tokens; /* known tokens whose word has no token in the model */
} ez_known_words;

/* Zero-initialise; ez_known_words_free afterwards, also after an error. */
ezlda_status ez_known_words_make(ez_known_words *known, ezlda_context *context,
                                 const ezlda_model *model, const ezlda_corpus *corpus);
void ez_known_words_free(ez_known_words *known);

/* Removes the pairs of unknown words in place; the words keep the corpus' numbers. Returns how many
 * remain. */
size_t ez_known_pairs(const ez_known_words *known, uint32_t *word, uint32_t *count, size_t n);

/* A hash of a document's known words and their counts, by which its random choices are keyed: a
 * document is split, ordered and scored alike in any corpus. */
uint64_t ez_known_content(const ez_known_words *known, const uint32_t *word, const uint32_t *count,
                          size_t n);

#endif
