/* A run with a corpus larger than memory: documents are loaded from the mapped corpus in chunks,
 * and the topics of all tokens are in a scratch file. */
#ifndef EZ_OUT_OF_CORE_H
#define EZ_OUT_OF_CORE_H

#include "backend/backend.h"
#include "corpus/corpus.h"

typedef struct ez_out_of_core {
    ez_token_source source; /* first */
    const ezlda_corpus *corpus;
    uint64_t *first_doc; /* chunks+1 */
    uint64_t *first_token;
    ez_token_subset shared; /* owns its frequencies */
} ez_out_of_core;

/* Opens documents [first, last) with what they know of the whole corpus (copied). Chooses the
 * chunks so that the run fits in options->memory, with the copies of W that checks make if there
 * are any (checked); fails with EZLDA_ERROR_ARGUMENT if it cannot. */
ezlda_status ez_out_of_core_open(ez_out_of_core **out, ezlda_context *context,
                                 const ezlda_corpus *corpus, uint64_t first, uint64_t last,
                                 const ez_token_subset *shared, const ezlda_train_options *options,
                                 bool checked, const char *folder);
void ez_out_of_core_close(ez_out_of_core *o); /* accepts NULL */

static inline uint64_t ez_out_of_core_docs(const ez_out_of_core *o)
{
    return o->first_doc[o->source.chunks] - o->first_doc[0];
}

#endif
