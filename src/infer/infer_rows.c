#include "infer/infer_rows.h"

#include "backend/cpu/topic_counter.h"

/* Tokens in topics over all samples of a document, topics ascending; returns how many topics. */
static size_t count_document(ez_topic_counter *counter, const ez_token_list *t, uint64_t d, const uint16_t *samples,
                             uint32_t n_samples, uint32_t *topic, double *count)
{
    for (uint32_t s = 0; s < n_samples; s++)
        for (uint64_t i = t->doc_start[d]; i < t->doc_start[d + 1]; i++)
            ez_topic_counter_add(counter, samples[s * t->tokens + i]);
    size_t n = ez_topic_counter_topics(counter, topic);
    for (size_t i = 0; i < n; i++)
        count[i] = (double)counter->count[topic[i]] / n_samples;
    ez_topic_counter_clear(counter);
    return n;
}

ezlda_status ez_infer_rows(ezlda_context *context, const ez_token_list *tokens, const uint16_t *samples,
                           uint32_t n_samples, uint32_t topics, const uint64_t *unknown, ezlda_doc_row_fn row,
                           void *user)
{
    ez_topic_counter counter = {0};
    uint32_t *topic = NULL;
    double *count = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(ez_topic_counter_init(&counter, context, topics));
    EZ_TRY_GOTO(ez_array(&topic, context, topics, sizeof *topic, "a document's topics"));
    EZ_TRY_GOTO(ez_array(&count, context, topics, sizeof *count, "a document's topics"));
    for (uint64_t d = 0; d < tokens->docs; d++) {
        ezlda_doc_row out = {
            .doc = tokens->first_doc + d,
            .tokens = tokens->doc_start[d + 1] - tokens->doc_start[d],
            .unknown = unknown[d],
            .n = count_document(&counter, tokens, d, samples, n_samples, topic, count),
            .topic = topic,
            .count = count,
        };
        if (row && row(&out, user) != 0) {
            status = ez_fail(context, EZLDA_ERROR_STOPPED, "stopped");
            break;
        }
    }
done:
    ez_topic_counter_free(&counter);
    ez_free(topic);
    ez_free(count);
    return status;
}
