/* A training that is larger than memory: documents come from the mapped corpus in chunks, the
 * topics of all tokens lie in a scratch file. */
#ifndef EZ_OUT_OF_CORE_H
#define EZ_OUT_OF_CORE_H

#include "backend/backend.h"
#include "corpus/corpus.h"

typedef struct ez_out_of_core {
    ez_token_source source; /* first */
    const ezlda_corpus *corpus;
    uint64_t *first_doc; /* chunks+1 */
    uint64_t *first_token;
    ez_token_subset shared; /* with frequencies of its own */
} ez_out_of_core;

/* Documents [first, last), and what all documents share (copied). Chooses the chunks so that a
 * training fits in options->memory: EZLDA_ERROR_ARGUMENT where it cannot. */
ezlda_status ez_out_of_core_open(ez_out_of_core **out, ezlda_context *context,
                                 const ezlda_corpus *corpus, uint64_t first, uint64_t last,
                                 const ez_token_subset *shared, const ezlda_train_options *options,
                                 const char *folder);
void ez_out_of_core_close(ez_out_of_core *o); /* accepts NULL */

static inline uint64_t ez_out_of_core_docs(const ez_out_of_core *o)
{
    return o->first_doc[o->source.chunks] - o->first_doc[0];
}

#endif
