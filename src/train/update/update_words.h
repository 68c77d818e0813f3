/* The vocabulary of an update: the words of the model that are left, then the new ones. */
#ifndef EZ_UPDATE_WORDS_H
#define EZ_UPDATE_WORDS_H

#include "corpus/corpus.h"
#include "train/update/past.h"

#include <stdbool.h>

/* Sets past->words, past->from and past->most_frequent, and makes a copy of the corpus with this
 * vocabulary. A word that the model does not have enters if at least `least` documents have it;
 * a word of the model leaves if nothing is left of it and no new document has it. all: every word
 * enters, and none leaves. */
ezlda_status ez_update_words(ezlda_corpus **out, ezlda_context *context, ez_past *past,
                             const ezlda_corpus *corpus, uint32_t least, bool all);

#endif
