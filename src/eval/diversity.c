/* Topic diversity: the share of distinct words among the top words of all topics. */
#include "base/memory.h"
#include "eval/coherence.h"

#include <math.h>
#include <stdlib.h>

static uint32_t length_of(const ez_topic_words *topic, uint32_t most)
{
    return topic->n < most ? topic->n : most;
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

ezlda_status ez_topic_diversity(double *out, ezlda_context *context, const ez_topic_words *topics,
                                size_t n_topics, uint32_t most)
{
    size_t n = 0, distinct = 0;
    uint32_t *all;
    for (size_t t = 0; t < n_topics; t++)
        n += length_of(&topics[t], most);
    EZ_TRY(ez_array(&all, context, n, sizeof *all, "topics' words"));
    n = 0;
    for (size_t t = 0; t < n_topics; t++)
        for (uint32_t i = 0; i < length_of(&topics[t], most); i++)
            if (topics[t].word[i] != UINT32_MAX)
                all[n++] = topics[t].word[i];
    qsort(all, n, sizeof *all, ascending);
    for (size_t i = 0; i < n; i++)
        distinct += i == 0 || all[i] != all[i - 1];
    ez_free(all);
    *out = n ? (double)distinct / (double)n : NAN;
    return EZLDA_OK;
}
