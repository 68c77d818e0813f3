/* What a person or a language model needs to name topics: their words, documents and neighbours. */
#ifndef CLI_TOPIC_PROMPTS_H
#define CLI_TOPIC_PROMPTS_H

#include "cli.h"
#include "output/text_out.h"

/* Writes one JSON object per topic that is shown, each on a line. 0, or an exit status after one
 * line. */
int prompts_write(const ezlda_model *model, ezlda_context *context, const char *path);

/* Appends an operation `rename` for each topic that is shown and has no name: its distinctive
 * words, as many as make all names differ. */
ezlda_status prompts_names(cli_text *operations, const ezlda_model *model, ezlda_context *context);

#endif
