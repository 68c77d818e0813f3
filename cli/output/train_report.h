/* What a training leaves besides its model and log: --summary, and the closing lines on standard
 * output. */
#ifndef CLI_TRAIN_REPORT_H
#define CLI_TRAIN_REPORT_H

#include "ezlda.h"

extern const char *const train_estimators[];
extern const char *const train_starts[];
extern const char *const train_samplers[];
extern const char *const train_w_formats[];
extern const char *const train_balances[];

/* One JSON object, written whole to path. 0, or an exit status after one line. */
int report_summary(const char *path, const ezlda_model *model, const ezlda_train_options *options);

/* The closing lines: how fast, how well, and the largest topics with their first words. */
void report_closing(const char *path, const ezlda_model *model, ezlda_context *context);

#endif
