/* A finished model written, come what may. */
#ifndef CLI_SAVE_MODEL_H
#define CLI_SAVE_MODEL_H

#include "cli.h"

/* Writes the model. Where that fails (a full disk, a folder that is gone) it says so once and tries
 * again for up to `patience` seconds, or until an interrupt: the model took long to train. 0, or
 * CLI_FAILURE after a line. */
int save_model(const ezlda_model *model, ezlda_context *context, const char *path, double patience);

#endif
