/* Memory, addition and the sum over ranks of histograms of counts. */
#include "backend/histograms.h"

#include <string.h>

ezlda_status ez_histograms_init(ez_histograms *h, ezlda_context *context, uint32_t topics)
{
    *h = (ez_histograms){.topics = topics};
    EZ_TRY(ez_array_zero(&h->docs, context, ez_product(topics, EZ_HISTOGRAM_CELLS), sizeof *h->docs,
                         "histograms"));
    EZ_TRY(ez_array_zero(&h->words, context, EZ_COUNT_CELLS, sizeof *h->words, "histograms"));
    return ez_array_zero(&h->topic_tokens, context, topics, sizeof *h->topic_tokens, "histograms");
}

void ez_histograms_clear(ez_histograms *h)
{
    memset(h->docs, 0, (size_t)h->topics * EZ_HISTOGRAM_CELLS * sizeof *h->docs);
    memset(h->words, 0, EZ_COUNT_CELLS * sizeof *h->words);
    memset(h->topic_tokens, 0, h->topics * sizeof *h->topic_tokens);
    h->docs_more.used = 0;
}

ezlda_status ez_histograms_add(ez_histograms *h, ezlda_context *context, const ez_histograms *other)
{
    for (size_t i = 0; i < (size_t)h->topics * EZ_HISTOGRAM_CELLS; i++)
        h->docs[i] += other->docs[i];
    for (int i = 0; i < EZ_COUNT_CELLS; i++)
        h->words[i] += other->words[i];
    for (uint32_t k = 0; k < h->topics; k++)
        h->topic_tokens[k] += other->topic_tokens[k];
    return other->docs_more.used ? ez_buffer_append(&h->docs_more, context, other->docs_more.data,
                                                    other->docs_more.used)
                                 : EZLDA_OK;
}

ezlda_status ez_histograms_sum_ranks(ez_histograms *h, ezlda_context *context, ezlda_group *group)
{
    EZ_TRY(ez_group_sum64(group, context, h->docs, (size_t)h->topics * EZ_HISTOGRAM_CELLS));
    return ez_group_join(group, context, &h->docs_more);
}

void ez_histograms_free(ez_histograms *h)
{
    ez_free(h->docs);
    ez_free(h->topic_tokens);
    ez_free(h->docs_more.data);
    ez_free(h->words);
}
