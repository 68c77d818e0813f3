/* Writes a finished model, and does not give up when that fails at first. */
#ifndef CLI_SAVE_MODEL_H
#define CLI_SAVE_MODEL_H

#include "cli.h"

/* Writes the model. If that fails (a full disk, a folder that is gone), prints the reason once and
 * retries for up to `patience` seconds, or until an interrupt: the model took long to train. 0, or
 * CLI_FAILURE after a line. */
int save_model(const ezlda_model *model, ezlda_context *context, const char *path, double patience);

#endif
