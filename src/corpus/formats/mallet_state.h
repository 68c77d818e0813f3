/* MALLET's state: a header with the priors, then a line a token, `doc source pos typeindex type
 * topic`. */
#ifndef EZ_MALLET_STATE_H
#define EZ_MALLET_STATE_H

#include "corpus/corpus.h"
#include "corpus/input/input.h"

/* How such a file begins. */
#define EZ_MALLET_STATE_MARK "#doc source pos typeindex type topic"

/* What the state tells besides the corpus. Zero-initialise; freed with ez_mallet_state_free. */
typedef struct ez_mallet_state {
    uint32_t topics;
    double *alpha; /* topics */
    double beta;
    bool has_alpha, has_beta; /* states of older versions have neither: ours are put in */
    ez_buffer topic; /* uint16_t: of all tokens, documents in order, their words ascending */
} ez_mallet_state;

/* All of it. Documents have the field "name", their source; numbers that no document has are empty
 * documents, and word numbers without a token become words called #NUMBER. */
ezlda_status ez_mallet_state_read(ezlda_corpus **out, ez_mallet_state *state,
                                  ezlda_context *context, ez_input *input);
void ez_mallet_state_free(ez_mallet_state *state);

#endif
