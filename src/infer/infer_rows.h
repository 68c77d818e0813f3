/* Turns samples of the tokens' topics into the documents' rows. */
#ifndef EZ_INFER_ROWS_H
#define EZ_INFER_ROWS_H

#include "infer/known_docs.h"

/* Calls `row` for each document of the batch; samples lie one after the other, each in document
 * order. */
ezlda_status ez_infer_rows(ezlda_context *context, const ez_token_list *tokens,
                           const uint16_t *samples, uint32_t n_samples, uint32_t topics,
                           const ez_other_tokens *other, ezlda_doc_row_fn row, void *user);

#endif
