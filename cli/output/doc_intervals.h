/* A table of the largest shares of documents with their intervals, for `ezlda infer --interval`. */
#ifndef CLI_DOC_INTERVALS_H
#define CLI_DOC_INTERVALS_H

#include "ezlda.h"
#include "output/text_out.h"

/* Sets text to lines of doc, name, topic, share, low, high: the `top` largest shares of each
 * document. interval: in percent. */
ezlda_status doc_intervals(cli_text *text, ezlda_context *context, const ezlda_model *model,
                           const ezlda_corpus *corpus, const ezlda_samples *samples, uint32_t top,
                           double interval);

#endif
