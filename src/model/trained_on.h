/* Whether a corpus is the one that a model was trained on. */
#ifndef EZ_TRAINED_ON_H
#define EZ_TRAINED_ON_H

#include "base/context.h"

/* EZLDA_ERROR_ARGUMENT where it is another, with what may have gone wrong; NULL is no corpus, and
 * passes. name: what the message calls the corpus; NULL: it has no name. */
ezlda_status ez_trained_on(const ezlda_model *model, ezlda_context *context,
                           const ezlda_corpus *corpus, const char *name);

#endif
