/* The outputs of `ezlda eval`: a table for people (eval_report.c), or JSON (eval_json.c). */
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
    bool topics; /* also print a table of all topics */
} eval_view;

void eval_json(const eval_view *view);
/* Fails only if there is not enough memory for the words of the topics. */
ezlda_status eval_table(const eval_view *view, ezlda_context *context);

#endif
