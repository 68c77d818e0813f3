/* Finds the documents of a topic in a slice: bins of a field that follow each other, such as the
 * months of a year. */
#include "report/content/slice_docs.h"
#include "report/content/best_list.h"
#include "report/content/field_bins.h"

/* Documents of slices in the page, and slices of a field: fewer than EZ_LEAST_SLICES say too
 * little.
 */
enum { EZ_SLICE_DOCS = 4000, EZ_MOST_SLICES = 60, EZ_LEAST_SLICES = 8 };

/* The topic's share of entry i of its list. */
static double share_of(const ezlda_report *report, const ez_topic_index *index, uint32_t topic,
                       uint64_t i)
{
    const ezlda_model *model = report->model;
    double count = ez_index_count(index, i, &model->doc_rows, topic) + model->alpha[topic];
    return count / ((double)ez_report_doc_tokens(report, index->row[i]) + model->alpha_sum);
}

ezlda_status ez_slice_docs(const ezlda_report *report, ezlda_context *context,
                           const ez_slice *slice, ez_best_list *best)
{
    const ez_topic_index *index;
    const uint16_t *bin = report->field[slice->field].bin;
    EZ_TRY(ez_model_index(report->model, context, EZ_INDEX_DOCS, &index));
    for (uint64_t i = index->start[slice->topic]; i < index->start[slice->topic + 1]; i++) {
        uint32_t doc = index->row[i];
        if (bin[doc] != EZ_NO_BIN && bin[doc] >= slice->first && bin[doc] <= slice->last)
            ez_best_offer(best, share_of(report, index, slice->topic, i), doc, 0);
    }
    ez_best_sort(best);
    return EZLDA_OK;
}

/* The best document of a topic in each of n slices of a field. */
static void best_of_topic(const ezlda_report *report, const ez_topic_index *index, uint32_t topic,
                          uint32_t f, uint32_t n, uint32_t *doc)
{
    const ez_report_field *field = &report->field[f];
    double share[EZ_MOST_SLICES] = {0};
    for (uint32_t s = 0; s < n; s++)
        doc[s] = EZ_NO_ITEM;
    for (uint64_t i = index->start[topic]; i < index->start[topic + 1]; i++) {
        uint32_t bin = field->bin[index->row[i]];
        if (bin == EZ_NO_BIN)
            continue;
        uint32_t s = (uint32_t)((uint64_t)bin * n / field->values);
        double own = share_of(report, index, topic, i);
        if (own > share[s]) {
            share[s] = own;
            doc[s] = index->row[i];
        }
    }
}

ezlda_status ez_docs_over_time(const ezlda_report *report, ezlda_context *context, uint32_t **docs,
                               size_t *n)
{
    uint32_t topics = report->model->meta->topics, f = 0;
    const ez_topic_index *index;
    *n = 0;
    while (f < report->fields && !report->field[f].time)
        f++;
    if (f == report->fields)
        return EZLDA_OK;
    uint32_t slices = EZ_SLICE_DOCS / topics;
    slices = slices < EZ_MOST_SLICES ? slices : EZ_MOST_SLICES;
    if (slices < EZ_LEAST_SLICES)
        return EZLDA_OK;
    slices = slices < report->field[f].values ? slices : report->field[f].values;
    EZ_TRY(ez_model_index(report->model, context, EZ_INDEX_DOCS, &index));
    *n = ez_product(topics, slices);
    EZ_TRY(ez_array(docs, context, *n, sizeof **docs, "documents of slices"));
#pragma omp parallel for schedule(dynamic, 4) num_threads(ez_threads(context))
    for (uint32_t k = 0; k < topics; k++)
        best_of_topic(report, index, k, f, slices, *docs + (size_t)k * slices);
    return EZLDA_OK;
}
