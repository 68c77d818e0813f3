/* Samples single documents against a fixed W on the CPU. The tables that depend on W are made once,
 * so a document costs what its own words and tokens cost. */
#ifndef EZ_DOC_SAMPLER_H
#define EZ_DOC_SAMPLER_H

#include "backend/sampling.h"

/* A document with at least one token. */
typedef struct ez_doc_tokens {
    uint64_t key; /* what its draws are keyed by */
    uint32_t n;
    const uint32_t *word;  /* n: relabelled, equal words together */
    const uint16_t *start; /* n: topics before the first iteration */
} ez_doc_tokens;

typedef struct ez_doc_sampler ez_doc_sampler;

/* tokens: every word that documents may have, at least once; `longest` is that of the longest
 * document to come. Both tokens and settings must outlive the sampler; settings->fixed. */
ezlda_status ez_doc_sampler_create(ez_doc_sampler **out, ezlda_context *context,
                                   ez_token_list *tokens, const ez_settings *settings);
void ez_doc_sampler_free(ez_doc_sampler *sampler);

/* Runs all iterations of a document; several threads may do so at the same time. *done is false if
 * the document is too large for this way: then nothing happened. sampling->progress is not called.
 */
ezlda_status ez_doc_sampler_run(const ez_doc_sampler *sampler, ezlda_context *context,
                                const ez_doc_tokens *doc, ez_sampling *sampling, bool *done);

#endif
