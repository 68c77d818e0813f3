/* Writes the shares of documents with intervals, from samples. */
#include "output/doc_intervals.h"

#include "cli.h"

#include <stdlib.h>
#include <string.h>

typedef struct mean_share {
    uint32_t topic;
    double mean;
} mean_share;

static int larger_first(const void *a, const void *b)
{
    const mean_share *x = a, *y = b;
    if (x->mean != y->mean)
        return x->mean < y->mean ? 1 : -1;
    return x->topic < y->topic ? -1 : 1;
}

/* Sums the counts of a document over the samples and sorts its topics; returns how many are shown.
 */
static size_t sort_topics(const ezlda_model *model, const ezlda_samples *samples, uint64_t doc,
                          uint32_t *topic, uint32_t *count, mean_share *sorted, uint32_t top)
{
    ezlda_samples_info info = {.size = sizeof info};
    const double *alpha = ezlda_model_alpha(model);
    size_t shown = 0;
    ezlda_samples_get_info(samples, &info);
    for (uint32_t k = 0; k < info.topics; k++)
        sorted[k] = (mean_share){k, alpha[k]};
    for (uint32_t s = 0; s < info.samples; s++) {
        size_t n = ezlda_samples_doc_topics(samples, s, doc, topic, count, info.topics);
        for (size_t i = 0; i < n; i++)
            sorted[topic[i]].mean += (double)count[i] / info.samples;
    }
    for (uint32_t k = 0; k < info.topics; k++)
        if (!ezlda_model_topic_hidden(model, k))
            sorted[shown++] = sorted[k];
    qsort(sorted, shown, sizeof *sorted, larger_first);
    return shown < top ? shown : top;
}

static const char *name_of(const ezlda_corpus *corpus, uint64_t doc)
{
    for (uint32_t f = 0; ezlda_corpus_field(corpus, f); f++)
        if (strcmp(ezlda_corpus_field(corpus, f), "name") == 0)
            return ezlda_corpus_field_value(corpus, f, doc);
    return "";
}

ezlda_status doc_intervals(cli_text *text, ezlda_context *context, const ezlda_model *model,
                           const ezlda_corpus *corpus, const ezlda_samples *samples, uint32_t top,
                           double interval)
{
    ezlda_samples_info info = {.size = sizeof info};
    ezlda_samples_get_info(samples, &info);
    uint32_t *topic = cli_zeroed(info.topics, sizeof *topic);
    uint32_t *count = cli_zeroed(info.topics, sizeof *count);
    mean_share *sorted = cli_zeroed(info.topics, sizeof *sorted);
    ezlda_status status = EZLDA_OK;
    text_printf(text, "doc\tname\ttopic\tshare\tlow\thigh\n");
    for (uint64_t d = 0; d < info.docs && status == EZLDA_OK; d++) {
        size_t n = sort_topics(model, samples, d, topic, count, sorted, top);
        for (size_t i = 0; i < n && status == EZLDA_OK; i++) {
            double mean, low, high;
            status = ezlda_samples_share(&mean, &low, &high, context, model, samples, d,
                                         sorted[i].topic, interval / 100);
            text_printf(text, "%llu\t", (unsigned long long)d);
            text_tsv(text, name_of(corpus, d));
            text_printf(text, "\t%u\t%.7g\t%.7g\t%.7g\n", sorted[i].topic, mean, low, high);
        }
    }
    free(topic);
    free(count);
    free(sorted);
    return status;
}
