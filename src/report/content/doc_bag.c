/* The words of one document with their topics: as the model kept them, or the most likely ones. */
#include "corpus/corpus.h"
#include "report/report.h"

#include <stdlib.h>

ez_bag_kind ez_doc_bag_kind(const ezlda_report *report)
{
    if (!report->corpus)
        return EZ_BAG_NONE;
    return report->model->token_topics ? EZ_BAG_KEPT : EZ_BAG_LIKELY;
}

static int compare_topics(const void *a, const void *b)
{
    uint16_t x = *(const uint16_t *)a, y = *(const uint16_t *)b;
    return (x > y) - (x < y);
}

static ezlda_status add_entry(ez_buffer *entries, ezlda_context *context, uint32_t word,
                              uint32_t count, uint16_t topic)
{
    ez_bag_entry entry = {.word = word, .count = count, .topic = topic};
    return ez_buffer_append(entries, context, &entry, sizeof entry);
}

/* Sorts the topics of a word's tokens in place and adds one entry per topic. */
static ezlda_status add_kept(ez_buffer *entries, ezlda_context *context, uint32_t word,
                             uint16_t *topic, uint32_t n)
{
    qsort(topic, n, sizeof *topic, compare_topics);
    for (uint32_t i = 0, first = 0; i < n; i++)
        if (i + 1 == n || topic[i + 1] != topic[i]) {
            EZ_TRY(add_entry(entries, context, word, i + 1 - first, topic[i]));
            first = i + 1;
        }
    return EZLDA_OK;
}

/* The topic of the document with the largest (D + alpha) * (W + beta) / (n + V beta); ties: the
 * smaller number. */
static uint16_t likely_topic(const ezlda_model *model, uint64_t doc, uint32_t word)
{
    const ez_rows *rows = &model->doc_rows;
    double best = -1;
    uint16_t found = 0;
    for (uint64_t e = rows->start[doc]; e < rows->start[doc + 1]; e++) {
        uint16_t k = rows->topic[e];
        double share = (ez_rows_find(&model->phi.rows, word, k) + model->phi.beta) /
                       ez_phi_total(&model->phi, k);
        double weight = (ez_rows_count(rows, e) + model->alpha[k]) * share;
        if (weight > best) {
            best = weight;
            found = k;
        }
    }
    return found;
}

static ezlda_status add_words(const ezlda_report *report, ezlda_context *context, uint64_t doc,
                              const uint32_t *word, const uint32_t *count, size_t n,
                              uint16_t *topic, ez_buffer *entries)
{
    for (size_t i = 0; i < n; i++) {
        if (topic)
            EZ_TRY(add_kept(entries, context, word[i], topic, count[i]));
        else
            EZ_TRY(add_entry(entries, context, word[i], count[i],
                             likely_topic(report->model, doc, word[i])));
        topic = topic ? topic + count[i] : NULL;
    }
    return EZLDA_OK;
}

ezlda_status ez_doc_bag(const ezlda_report *report, ezlda_context *context, uint64_t doc,
                        ez_buffer *entries)
{
    size_t n = ezlda_corpus_document(report->corpus, doc, NULL, NULL, 0);
    size_t tokens = (size_t)ez_report_doc_tokens(report, doc);
    const uint16_t *kept = ezlda_model_token_topics(report->model, doc);
    uint32_t *word = NULL, *count = NULL;
    uint16_t *topic = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&word, context, n, sizeof *word, "words of a document"));
    EZ_TRY_GOTO(ez_array(&count, context, n, sizeof *count, "words of a document"));
    ezlda_corpus_document(report->corpus, doc, word, count, n);
    EZ_TRY_GOTO(
        ez_corpus_unchanged(report->corpus, context)); /* otherwise the words cannot be trusted */
    if (kept) {
        EZ_TRY_GOTO(ez_array(&topic, context, tokens, sizeof *topic, "topics of a document"));
        for (size_t i = 0; i < tokens; i++)
            topic[i] = kept[i];
    }
    status = add_words(report, context, doc, word, count, n, topic, entries);
done:
    ez_free(word);
    ez_free(count);
    ez_free(topic);
    return status;
}
