/* Counts the topics of one chunk after another and adds up their rows of W. */
#include "train/counts/count_chunks.h"

#include "base/files/content_hash.h"
#include "base/files/scratch.h"
#include "train/counts/count_rows.h"
#include "train/counts/sum_rows.h"

#include <string.h>

typedef struct gathering {
    ez_model_parts *parts;
    ezlda_context *context;
    const uint16_t *topic;
    uint64_t docs; /* so far */
    ez_buffer row_topic, row_count;
} gathering;

/* Appends rows of documents to those of earlier chunks. */
static ezlda_status append_documents(gathering *g, const ez_model_parts *part, uint64_t docs,
                                     uint64_t before)
{
    const ez_count_rows *rows = &part->doc_rows;
    uint64_t entries = rows->start[docs], first = g->row_topic.used / sizeof *rows->topic;
    for (uint64_t d = 0; d <= docs; d++) {
        g->parts->doc_start[g->docs + d] = before + part->doc_start[d];
        g->parts->doc_rows.start[g->docs + d] = first + rows->start[d];
    }
    g->docs += docs;
    EZ_TRY(ez_buffer_append(&g->row_topic, g->context, rows->topic, entries * sizeof *rows->topic));
    return ez_buffer_append(&g->row_count, g->context, rows->count, entries * sizeof *rows->count);
}

static ezlda_status gather(ez_token_list *list, uint64_t before, void *user)
{
    gathering *g = user;
    ez_model_parts *all = g->parts, part = {.topics = all->topics};
    ezlda_status status;
    EZ_TRY_GOTO(ez_count_model(&part, g->context, list, g->topic + before));
    EZ_TRY_GOTO(ez_count_model_words(&part, g->context, list, g->topic + before));
    for (uint32_t k = 0; k < all->topics; k++)
        all->topic_tokens[k] += part.topic_tokens[k];
    EZ_TRY_GOTO(append_documents(g, &part, list->docs, before));
    status = ez_add_rows(&all->word_rows, g->context, &part.word_rows);
done:
    ez_model_parts_free(&part);
    return status;
}

static ezlda_status prepare(gathering *g, const ez_out_of_core *documents)
{
    ez_model_parts *p = g->parts;
    uint64_t docs = ez_out_of_core_docs(documents);
    p->doc_rows.rows = docs;
    p->word_rows.rows = p->words;
    EZ_TRY(ez_array_zero(&p->topic_tokens, g->context, p->topics, sizeof *p->topic_tokens,
                         "topic sums"));
    EZ_TRY(ez_array_zero(&p->word_rows.start, g->context, (size_t)p->words + 1,
                         sizeof *p->word_rows.start, "row starts"));
    EZ_TRY(ez_scratch_array(&p->doc_start, g->context, p->scratch, docs + 1, sizeof *p->doc_start,
                            "document starts"));
    EZ_TRY(ez_scratch_array(&p->doc_rows.start, g->context, p->scratch, docs + 1,
                            sizeof *p->doc_rows.start, "row starts"));
    EZ_TRY(ez_scratch_buffer(&g->row_topic, g->context, p->scratch));
    return ez_scratch_buffer(&g->row_count, g->context, p->scratch);
}

/* Frees what was counted so far. */
static void clear_counts(ez_model_parts *parts)
{
    ez_free(parts->topic_tokens);
    ez_free(parts->doc_start);
    ez_free_rows(&parts->word_rows);
    ez_free_rows(&parts->doc_rows);
    parts->topic_tokens = parts->doc_start = NULL;
    parts->word_rows = parts->doc_rows = (ez_count_rows){0};
}

ezlda_status ez_count_chunks(ez_model_parts *parts, ezlda_context *context,
                             ez_out_of_core *documents, const uint16_t *topic)
{
    gathering g = {.parts = parts, .context = context, .topic = topic};
    uint64_t tokens = ez_source_tokens(&documents->source);
    ezlda_status status;
    EZ_TRY_GOTO(ez_content_hash(&parts->topics_hash, context, topic, tokens * sizeof *topic));
    EZ_TRY_GOTO(prepare(&g, documents));
    EZ_TRY_GOTO(ez_each_list(NULL, &documents->source, context, gather, &g));
    parts->doc_rows.topic = (uint16_t *)(void *)g.row_topic.data;
    parts->doc_rows.count = (uint32_t *)(void *)g.row_count.data;
    g.row_topic.data = g.row_count.data = NULL;
done:
    ez_free(g.row_topic.data);
    ez_free(g.row_count.data);
    if (status != EZLDA_OK)
        clear_counts(parts);
    return status;
}
