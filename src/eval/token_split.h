/* Splits a document's tokens into two random halves for document completion: one is observed, the
 * other is scored. */
#ifndef EZ_TOKEN_SPLIT_H
#define EZ_TOKEN_SPLIT_H

#include "base/memory.h"

/* Arrays for one document at a time; zero-initialise, ez_token_split_free at the end. */
typedef struct ez_token_split {
    ez_buffer keys, sorted; /* uint64_t, by token */
    ez_buffer observed;     /* uint32_t, by pair */
} ez_token_split;

/* (*observed)[i] of the count[i] tokens of pair i are observed, the others are to be scored; valid
 * until the next call. n/2 of n tokens (rounded down) are scored. The choice depends only on the
 * seed, the document's content (a hash), the word's text (key, by word) and the occurrence. */
ezlda_status ez_split_tokens(ez_token_split *split, ezlda_context *context, uint64_t seed,
                             uint64_t content, const uint64_t *key, const uint32_t *word,
                             const uint32_t *count, size_t n, const uint32_t **observed);
void ez_token_split_free(ez_token_split *split);

#endif
