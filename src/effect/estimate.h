/* One run of a chain with a regression and the words of groups beside it: what effects and trends
 * have in common. */
#ifndef EZ_ESTIMATE_H
#define EZ_ESTIMATE_H

#include "effect/group_words.h"
#include "effect/regression.h"

typedef struct ez_estimate {
    const ezlda_model *model;
    ez_design design;
    ez_regression regression;
    uint32_t topics;
    uint32_t *topic;
    ez_field_values groups; /* without values: no words are compared */
    ez_group_words words;
    bool own;
} ez_estimate;

/* Checks and copies the topics; NULL: all that are not hidden. */
ezlda_status ez_estimate_topics(ez_estimate *e, ezlda_context *context, const uint32_t *topics,
                                size_t n);
/* Runs the chain; the design is made, and `groups` if there are any. */
ezlda_status ez_estimate_run(ez_estimate *e, ezlda_context *context, const ezlda_corpus *corpus,
                             const ezlda_sampling_options *sampling);
void ez_estimate_free(ez_estimate *e);

/* The position of a topic of the model among those of the estimate, or UINT32_MAX. */
uint32_t ez_estimate_place(const ez_estimate *e, uint32_t topic);

#endif
