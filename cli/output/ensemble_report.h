/* The topics of a consensus, with the number of models that have each. */
#ifndef CLI_ENSEMBLE_REPORT_H
#define CLI_ENSEMBLE_REPORT_H

#include "ezlda.h"

#include <stdbool.h>

/* Prints a table, those that most models have first, or one line per topic under a header (tsv). */
ezlda_status ensemble_table(const char *path, const ezlda_model *model, ezlda_context *context,
                            bool tsv);
ezlda_status ensemble_json(const ezlda_model *model, ezlda_context *context);

#endif
