/* What `ezlda effect` and `ezlda trend` print. */
#ifndef CLI_EFFECT_VIEW_H
#define CLI_EFFECT_VIEW_H

#include "ezlda.h"

typedef struct effect_view {
    const ezlda_model *model;
    const ezlda_effect *effect;
    ezlda_context *context;
    ezlda_effect_info info;
    const char *formula;
    double level;
    uint32_t words;
} effect_view;

void effect_table(const effect_view *view);
void effect_tsv(const effect_view *view);
void effect_json(const effect_view *view);

typedef struct trend_view {
    const ezlda_model *model;
    const ezlda_trend *trend;
    ezlda_context *context;
    ezlda_trend_info info;
    const char *field;
    double level;
    uint32_t words;
} trend_view;

void trend_table(const trend_view *view);
void trend_tsv(const trend_view *view);
void trend_json(const trend_view *view);

#endif
