/* Words of a corpus in a model's vocabulary, by their text; by their numbers where all are the
 * same. */
#ifndef EZ_WORD_MAP_H
#define EZ_WORD_MAP_H

#include "base/context.h"

#define EZ_NO_WORD UINT32_MAX

/* *out: for each word of the corpus its number in the model, or EZ_NO_WORD where the model does not
 * have it or has no token of it; freed with ez_free. *unknown: how many are not known. */
ezlda_status ez_word_map(uint32_t **out, ezlda_context *context, const ezlda_corpus *corpus,
                         const ezlda_model *model, uint32_t *unknown);

#endif
