/* The phrases of a corpus as text, as the rules of text keep them (setting "phrases"), and the
 * option that asks for phrases. */
#ifndef EZ_PHRASE_LIST_H
#define EZ_PHRASE_LIST_H

#include "corpus/text/phrases/phrase_join.h"

/* The setting: one line per phrase, in the order of the set: its left and its right part, separated
 * by a space, each as terms joined by underscores ("new york", "new_york times"). */
#define EZ_PHRASES "phrases"

/* Appends the list of a set to a buffer, ended by NUL. */
ezlda_status ez_phrase_list_write(const ez_phrase_set *set, ezlda_context *context,
                                  const ez_strings *terms, ez_buffer *to);
/* Fills a set from a list. Phrases with words that are not among the terms are ignored. */
ezlda_status ez_phrase_list_read(ez_phrase_set *set, ezlda_context *context,
                                 const ez_strings *terms, const char *list);
/* The number of phrases in a list. */
uint32_t ez_phrase_list_size(const char *list);

/* Reads the option: false if it is not "auto", "none" or a number above 0 and up to 1. *firm is the
 * least NPMI of a phrase; 0: no phrases, which is also what NULL means. */
bool ez_phrase_option(const char *option, double *firm);

#endif
