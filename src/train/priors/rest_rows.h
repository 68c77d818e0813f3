/* The rows of W that the prior sample meets: those of its words, without its own tokens. */
#ifndef EZ_REST_ROWS_H
#define EZ_REST_ROWS_H

#include "backend/prior_sample_fit.h"
#include "infer/model_base.h"

typedef struct ez_rest_rows {
    ez_model_base base;     /* by relabelled word; rows of words outside the documents are empty */
    uint64_t *topic_tokens; /* topics: n without the documents */
} ez_rest_rows;

/* Counts them from the backend's W, or from its topics. Zero-initialise before; free also on
 * failure. */
ezlda_status ez_rest_rows_make(ez_rest_rows *rest, ezlda_context *context, ez_backend *backend,
                               ez_token_list *tokens, const ez_settings *settings,
                               const ez_prior_sample_docs *docs);
void ez_rest_rows_free(ez_rest_rows *rest);

#endif
