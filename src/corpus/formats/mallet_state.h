/* MALLET's state: a header with the priors, then one line per token, `doc source pos typeindex type
 * topic`. */
#ifndef EZ_MALLET_STATE_H
#define EZ_MALLET_STATE_H

#include "corpus/corpus.h"
#include "corpus/input/input.h"

/* The first line of such a file begins with this. */
#define EZ_MALLET_STATE_MARK "#doc source pos typeindex type topic"

/* The content of a state besides the corpus. Zero-initialise; free with ez_mallet_state_free. */
typedef struct ez_mallet_state {
    uint32_t topics;
    double *alpha; /* topics */
    double beta;
    bool has_alpha, has_beta; /* states of older versions have neither: defaults are used */
    /* uint16_t: the topic of each token; documents in order, their words ascending */
    ez_buffer topic;
} ez_mallet_state;

/* Reads all of a state. Documents have the field "name", their source. A number that no document
 * has becomes an empty document; a word number without a token becomes a word called #NUMBER. */
ezlda_status ez_mallet_state_read(ezlda_corpus **out, ez_mallet_state *state,
                                  ezlda_context *context, ez_input *input);
void ez_mallet_state_free(ez_mallet_state *state);

#endif
