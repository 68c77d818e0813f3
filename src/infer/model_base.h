/* The counts of a model's phi in the form that a backend needs: rows in order of falling word
 * frequency. */
#ifndef EZ_MODEL_BASE_H
#define EZ_MODEL_BASE_H

#include "backend/backend.h"

typedef struct ez_model_base {
    ez_base_counts counts;
    uint64_t *start; /* words+1 */
    uint16_t *topic;
    uint32_t *count;
    uint32_t *through; /* sum of the row's counts up to and with the entry; at most 2^32-1 tokens
                          per word */
} ez_model_base;

/* original: the model's word numbers in that order. */
ezlda_status ez_model_base_make(ez_model_base *base, ezlda_context *context,
                                const ezlda_model *model, const uint32_t *original);
void ez_model_base_free(ez_model_base *base);

/* Draws a topic from a word's counts. */
uint16_t ez_model_base_topic(const ez_model_base *base, uint32_t word, uint64_t u);
/* Gives the n tokens of a document first topics, drawn from their words' counts. */
void ez_model_base_start_doc(const ez_model_base *base, uint64_t seed, uint64_t doc_key,
                             const uint32_t *word, uint64_t n, uint16_t *topic);
/* The same for all documents of a list. */
void ez_model_base_start(const ez_model_base *base, ezlda_context *context, uint64_t seed,
                         const ez_token_list *tokens, uint16_t *topic);

#endif
