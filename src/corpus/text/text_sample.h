/* A look at the first records of an import before it begins, to find the language or the case rules
 * of the text. */
#ifndef EZ_TEXT_SAMPLE_H
#define EZ_TEXT_SAMPLE_H

#include "corpus/text/text_pipeline.h"

/* Uses one part of the text of a record; returns false when it has seen enough. */
typedef bool (*ez_sample_fn)(void *user, const char *text, size_t n);

/* Passes the text of the records of a copy of a block to `use`, in order. A faulty record ends the
 * sample; it is reported when the block is parsed. A file that cannot be read ends the import: if
 * it could be read later, the sample would have been made without it. */
ezlda_status ez_text_sample(const ez_text_job *job, const ez_block *block, ez_sample_fn use,
                            void *user);

#endif
