/* What a run reports besides its model and log: --summary, and the closing lines on standard
 * output. */
#ifndef CLI_TRAIN_REPORT_H
#define CLI_TRAIN_REPORT_H

#include "ezlda.h"

extern const char *const train_estimators[];
extern const char *const train_starts[];
extern const char *const train_samplers[];
extern const char *const train_w_formats[];
extern const char *const train_balances[];

/* Writes one JSON object to path. 0, or an exit status after one line. */
int report_summary(const char *path, const ezlda_model *model, const ezlda_train_options *options);

/* The closing lines: speed, score, and the largest topics with their top words. */
void report_closing(const char *path, const ezlda_model *model, ezlda_context *context);

#endif
