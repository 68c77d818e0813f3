/* Makes the topics of the index: for each topic its documents by falling share of their tokens. */
#include "model/topic_index.h"
#include "report/search/doc_index.h"

#include <string.h>

/* Documents of which the topic has less are not listed. */
enum { EZ_SHARE_ONE = 65535, EZ_SHARE_LEAST = EZ_SHARE_ONE / 100 };

typedef struct topic_entry {
    uint32_t doc;
    uint16_t share;
} topic_entry;

static uint16_t share_of(uint64_t count, uint64_t tokens)
{
    uint64_t share = (count * EZ_SHARE_ONE + tokens / 2) / tokens;
    return (uint16_t)(share ? share : 1);
}

/* Lists the documents of a topic by number and counts how many have each share. */
static ezlda_status list_docs(const ezlda_model *model, ezlda_context *context,
                              const ez_topic_index *index, uint32_t k, ez_buffer *entries,
                              uint32_t *shares)
{
    entries->used = 0;
    EZ_TRY(ez_buffer_reserve(
        entries, context, (size_t)(index->start[k + 1] - index->start[k]) * sizeof(topic_entry)));
    topic_entry *to = (topic_entry *)(void *)entries->data;
    size_t n = 0;
    for (uint64_t i = index->start[k]; i < index->start[k + 1]; i++) {
        uint32_t doc = index->row[i];
        uint64_t tokens = model->doc_start[doc + 1] - model->doc_start[doc];
        uint16_t share = share_of(ez_index_count(index, i, &model->doc_rows, k), tokens);
        if (share < EZ_SHARE_LEAST)
            continue;
        to[n++] = (topic_entry){doc, share};
        shares[share]++;
    }
    entries->used = n * sizeof *to;
    return EZLDA_OK;
}

/* Counting sort by falling share, which keeps the order of documents. */
static ezlda_status sort_docs(ezlda_context *context, const ez_buffer *entries, uint32_t *shares,
                              uint32_t **doc, uint16_t **share)
{
    size_t n = entries->used / sizeof(topic_entry);
    const topic_entry *from = (const topic_entry *)(const void *)entries->data;
    uint32_t before = 0;
    EZ_TRY(ez_array(doc, context, n, sizeof **doc, "documents of topics"));
    EZ_TRY(ez_array(share, context, n, sizeof **share, "documents of topics"));
    for (uint32_t s = EZ_SHARE_ONE + 1; s-- > 0;) {
        uint32_t here = shares[s];
        shares[s] = before;
        before += here;
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t to = shares[from[i].share]++;
        (*doc)[to] = from[i].doc;
        (*share)[to] = from[i].share;
    }
    return EZLDA_OK;
}

typedef struct topic_lists {
    uint64_t *start; /* topics + 1 */
    uint32_t **doc;
    uint16_t **share;
} topic_lists;

static ezlda_status make_list(const ezlda_model *model, ezlda_context *context,
                              const ez_topic_index *index, uint32_t k, topic_lists *lists,
                              ez_buffer *entries, uint32_t *shares)
{
    memset(shares, 0, (EZ_SHARE_ONE + 1) * sizeof *shares);
    EZ_TRY(list_docs(model, context, index, k, entries, shares));
    lists->start[k + 1] = entries->used / sizeof(topic_entry);
    return sort_docs(context, entries, shares, &lists->doc[k], &lists->share[k]);
}

static ezlda_status make_lists(const ezlda_model *model, ezlda_context *context, topic_lists *lists)
{
    const ez_topic_index *index;
    uint32_t topics = model->meta->topics;
    ezlda_status failed = EZLDA_OK;
    EZ_TRY(ez_model_index(model, context, EZ_INDEX_DOCS, &index));
#pragma omp parallel num_threads(ez_threads(context))
    {
        ez_buffer entries = {0};
        uint32_t *shares;
        ezlda_status status =
            ez_array(&shares, context, EZ_SHARE_ONE + 1, sizeof *shares, "documents of topics");
#pragma omp for schedule(dynamic, 1)
        for (uint32_t k = 0; k < topics; k++)
            if (status == EZLDA_OK)
                status = make_list(model, context, index, k, lists, &entries, shares);
        ez_free(entries.data);
        ez_free(shares);
        if (status != EZLDA_OK) {
#pragma omp critical(ez_index_topics)
            failed = status;
        }
    }
    for (uint32_t k = 0; k < topics; k++)
        lists->start[k + 1] += lists->start[k];
    return failed;
}

static ezlda_status put_lists(ez_container_writer *writer, ezlda_context *context,
                              const topic_lists *lists, uint32_t topics)
{
    const uint64_t *start = lists->start;
    EZ_TRY(ez_container_begin(writer, context, EZ_INDEX_TOPIC_STARTS));
    EZ_TRY(ez_container_write(writer, context, start, ((size_t)topics + 1) * sizeof *start));
    EZ_TRY(ez_container_begin(writer, context, EZ_INDEX_TOPIC_DOCS));
    for (uint32_t k = 0; k < topics; k++)
        EZ_TRY(ez_container_write(writer, context, lists->doc[k],
                                  (size_t)(start[k + 1] - start[k]) * sizeof(uint32_t)));
    EZ_TRY(ez_container_begin(writer, context, EZ_INDEX_TOPIC_SHARES));
    for (uint32_t k = 0; k < topics; k++)
        EZ_TRY(ez_container_write(writer, context, lists->share[k],
                                  (size_t)(start[k + 1] - start[k]) * sizeof(uint16_t)));
    return EZLDA_OK;
}

ezlda_status ez_index_put_topics(ez_container_writer *writer, ezlda_context *context,
                                 const ezlda_model *model)
{
    uint32_t topics = model->meta->topics;
    topic_lists lists = {0};
    ezlda_status status;
    EZ_TRY_GOTO(ez_array_zero(&lists.start, context, (size_t)topics + 1, sizeof *lists.start,
                              "documents of topics"));
    EZ_TRY_GOTO(
        ez_array_zero(&lists.doc, context, topics, sizeof *lists.doc, "documents of topics"));
    EZ_TRY_GOTO(
        ez_array_zero(&lists.share, context, topics, sizeof *lists.share, "documents of topics"));
    EZ_TRY_GOTO(make_lists(model, context, &lists));
    status = put_lists(writer, context, &lists, topics);
done:
    for (uint32_t k = 0; k < topics; k++) {
        ez_free(lists.doc ? lists.doc[k] : NULL);
        ez_free(lists.share ? lists.share[k] : NULL);
    }
    ez_free(lists.start);
    ez_free(lists.doc);
    ez_free(lists.share);
    return status;
}
