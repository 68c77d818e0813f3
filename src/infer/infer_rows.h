/* Turns samples of the tokens' topics into the documents' rows. */
#ifndef EZ_INFER_ROWS_H
#define EZ_INFER_ROWS_H

#include "infer/known_docs.h"
#include "model/model_layout.h"

/* Receives the rows of n consecutive documents, which are valid during the call. */
typedef ezlda_status (*ez_rows_fn)(const ezlda_doc_row *rows, uint64_t n, void *user);

/* Where rows go: many at a time, or else one at a time, or nowhere. */
typedef struct ez_row_receiver {
    ez_rows_fn rows;
    ezlda_doc_row_fn row;
    void *user;
} ez_row_receiver;

/* The share of the row's topic i. */
static inline double ez_row_share(const ezlda_model *model, const ezlda_doc_row *row, size_t i)
{
    return (row->count[i] + model->alpha[row->topic[i]]) / ((double)row->tokens + model->alpha_sum);
}

/* Passes on the rows of a batch, in order; samples lie one after the other, each in document order.
 */
ezlda_status ez_infer_rows(ezlda_context *context, const ez_token_list *tokens,
                           const uint16_t *samples, uint32_t n_samples, uint32_t topics,
                           const ez_other_tokens *other, const ez_row_receiver *to);

#endif
