/* Checks whether a corpus is the one that a model was trained on. */
#ifndef EZ_TRAINED_ON_H
#define EZ_TRAINED_ON_H

#include "base/context.h"

/* If a corpus has more words than the model, makes a copy with the model's words alone, numbered as
 * in the model. If that is the corpus that the model was trained on, because words were filtered
 * for the run, it becomes *copy, which the caller frees; otherwise *copy is NULL. */
ezlda_status ez_restore_corpus(ezlda_corpus **copy, const ezlda_model *model,
                               ezlda_context *context, const ezlda_corpus *corpus);

/* EZLDA_ERROR_ARGUMENT if it is another one; the message says what may have gone wrong. corpus NULL
 * is not an error. name: the corpus' name in the message, or NULL. */
ezlda_status ez_trained_on(const ezlda_model *model, ezlda_context *context,
                           const ezlda_corpus *corpus, const char *name);

#endif
