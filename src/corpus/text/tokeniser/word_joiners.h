/* Marks of punctuation that some scripts write inside words: the apostrophe of Ukrainian (об'єкт),
 * the gershayim and geresh of Hebrew (צה"ל, ג'ירפה), the dot of Catalan (col·lecció); and marks
 * between words that leave them neighbours. */
#ifndef EZ_WORD_JOINERS_H
#define EZ_WORD_JOINERS_H

#include <stdbool.h>
#include <stdint.h>

/* Whether `code` joins the character before it to the text from `next` to `end`, which is UTF-8. */
bool ez_joins_letters(uint32_t before, uint32_t code, const char *next, const char *end);

/* What a joiner becomes in a normalised word, after the character `before`; 0: it is not a joiner.
 */
uint32_t ez_joiner(uint32_t before, uint32_t code);

/* Whether the text from p to `end`, which is between two words, separates them: white space,
 * hyphens, underscores and apostrophes do not, but an empty line does. */
bool ez_separates_words(const char *p, const char *end);

#endif
