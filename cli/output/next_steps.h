/* What to type after a run, with the names of its files. */
#ifndef CLI_NEXT_STEPS_H
#define CLI_NEXT_STEPS_H

#include "options/options.h"

/* Prints the commands that make a page, list documents and infer topics with the model at `path`,
 * if it is a file. `page`: the page that is written already, or NULL. */
void next_steps_print(const cli_call *call, const char *path, const char *page,
                      const ezlda_model *model);

#endif
