/* The model of a run that is not complete, for callers that look at topics while they are trained.
 * It is counted from a copy of the topics, so the run does not notice. */
#include "backend/backend.h"
#include "model/model_layout.h"
#include "train/counts/count_rows.h"
#include "train/training.h"
#include "train/update/past.h"

#include <math.h>
#include <string.h>

int ezlda_train_last_check(const ezlda_progress *progress, ezlda_run_check *check)
{
    const ez_training *t = ((const ez_training_progress *)progress)->training;
    ezlda_run_check found = {.size = check->size};
    if (!t->checked)
        return 0;
    found.iteration = t->checked;
    found.perplexity = exp2(-t->held_out);
    memcpy(check, &found, check->size < sizeof found ? check->size : sizeof found);
    return 1;
}

static ezlda_status check_kind(const ez_training *t, ezlda_context *context)
{
    if (t->out_of_core)
        return ez_fail(context, EZLDA_ERROR_UNSUPPORTED,
                       "a run out of core has no model before it ends");
    if (ez_is_distributed(t->options.group))
        return ez_fail(context, EZLDA_ERROR_UNSUPPORTED,
                       "a run on several ranks has no model before it ends");
    return EZLDA_OK;
}

ezlda_status ezlda_train_snapshot(ezlda_model **out, ezlda_context *context,
                                  const ezlda_progress *progress)
{
    ez_clear(context);
    EZ_TRY(ez_needs(context, out, "a place for the model"));
    *out = NULL;
    EZ_TRY(ez_needs(context, progress, "the progress of a run"));
    ez_training *t = ((const ez_training_progress *)progress)->training;
    ez_model_parts parts = {0};
    uint16_t *topic = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(check_kind(t, context));
    EZ_TRY_GOTO(ez_training_parts(t, context, &parts));
    EZ_TRY_GOTO(ez_array(&topic, context, t->tokens->tokens, sizeof *topic, "topics"));
    EZ_TRY_GOTO(t->ops->topics(t->backend, context, topic));
    EZ_TRY_GOTO(ez_count_model(&parts, context, t->tokens, topic));
    EZ_TRY_GOTO(ez_count_model_words(&parts, context, t->tokens, topic));
    if (t->options.keep_topics) {
        parts.token_topics = topic;
        topic = NULL;
    }
    if (t->past)
        EZ_TRY_GOTO(ez_past_add(t->past, context, &parts));
    EZ_TRY_GOTO(ez_model_create(out, context, &parts, t->corpus));
done:
    ez_free(topic);
    ez_model_parts_free(&parts);
    return status;
}
