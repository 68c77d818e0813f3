/* What `ezlda eval` found: a table for people, or JSON. */
#ifndef CLI_EVAL_REPORT_H
#define CLI_EVAL_REPORT_H

#include "ezlda.h"

#include <stdbool.h>

typedef struct eval_view {
    const char *model_path, *corpus_path;
    const ezlda_model *model;
    const ezlda_scores *scores;
    ezlda_scores_info info;
    const ezlda_eval_options *options;
    bool topics; /* a table of all topics too */
} eval_view;

void eval_json(const eval_view *view);
/* The words of the topics may lack memory. */
ezlda_status eval_table(const eval_view *view, ezlda_context *context);

#endif
