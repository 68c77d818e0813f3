/* Counts the topics of documents over all samples, in parallel, and passes the rows to the caller
 * in order. */
#include "infer/infer_rows.h"

#include "backend/topic_counter.h"

/* Documents whose rows are made together by all threads before they are passed on one by one. */
enum { EZ_ROW_DOCS = 4096 };

typedef struct made_row {
    uint32_t *topic; /* n */
    double *count;
    size_t n, room;
} made_row;

typedef struct row_maker {
    ezlda_context *context;
    const ez_token_list *tokens;
    const uint16_t *samples;
    uint32_t n_samples, topics;
    uint64_t room; /* documents, at most EZ_ROW_DOCS */
    made_row *row; /* room */
} row_maker;

static ezlda_status make_room(row_maker *m, made_row *row, size_t n)
{
    if (n <= row->room)
        return EZLDA_OK;
    ez_free(row->topic);
    ez_free(row->count);
    *row = (made_row){0};
    EZ_TRY(ez_array(&row->topic, m->context, n, sizeof *row->topic, "a document's topics"));
    EZ_TRY(ez_array(&row->count, m->context, n, sizeof *row->count, "a document's topics"));
    row->room = n;
    return EZLDA_OK;
}

/* Counts the tokens of a document by topic over all samples, topics ascending. */
static ezlda_status make_row(row_maker *m, ez_topic_counter *counter, uint64_t d, made_row *row)
{
    const ez_token_list *t = m->tokens;
    for (uint32_t s = 0; s < m->n_samples; s++)
        for (uint64_t i = t->doc_start[d]; i < t->doc_start[d + 1]; i++)
            ez_topic_counter_add(counter, m->samples[s * t->tokens + i]);
    ezlda_status status = make_room(m, row, counter->n_touched);
    if (status == EZLDA_OK) {
        row->n = ez_topic_counter_topics(counter, row->topic);
        for (size_t i = 0; i < row->n; i++)
            row->count[i] = (double)counter->count[row->topic[i]] / m->n_samples;
    }
    ez_topic_counter_clear(counter);
    return status;
}

static ezlda_status make_rows(row_maker *m, uint64_t first, uint64_t last)
{
    ezlda_status status = EZLDA_OK;
#pragma omp parallel num_threads(ez_threads(m->context)) if (last - first > 1)
    {
        ez_topic_counter counter = {0};
        ezlda_status mine = ez_topic_counter_init(&counter, m->context, m->topics);
#pragma omp for schedule(dynamic, 32)
        for (uint64_t d = first; d < last; d++)
            if (mine == EZLDA_OK)
                mine = make_row(m, &counter, d, &m->row[d - first]);
        ez_topic_counter_free(&counter);
        if (mine != EZLDA_OK) {
#pragma omp critical(ez_infer_rows)
            status = mine;
        }
    }
    return status;
}

static ezlda_status pass_on(const row_maker *m, uint64_t first, uint64_t last,
                            const ez_other_tokens *other, ezlda_doc_row_fn row, void *user)
{
    const ez_token_list *t = m->tokens;
    for (uint64_t d = first; d < last; d++) {
        const made_row *made = &m->row[d - first];
        ezlda_doc_row out = {
            .doc = t->first_doc + d,
            .tokens = t->doc_start[d + 1] - t->doc_start[d],
            .unknown = other[d].unseen + other[d].unknown,
            .n = made->n,
            .topic = made->topic,
            .count = made->count,
        };
        if (row && row(&out, user) != 0)
            return ez_fail(m->context, EZLDA_ERROR_STOPPED, "stopped");
    }
    return EZLDA_OK;
}

ezlda_status ez_infer_rows(ezlda_context *context, const ez_token_list *tokens,
                           const uint16_t *samples, uint32_t n_samples, uint32_t topics,
                           const ez_other_tokens *other, ezlda_doc_row_fn row, void *user)
{
    uint64_t at_once = tokens->docs < EZ_ROW_DOCS ? tokens->docs : EZ_ROW_DOCS;
    row_maker m = {context, tokens, samples, n_samples, topics, at_once, NULL};
    EZ_TRY(ez_array_zero(&m.row, context, m.room, sizeof *m.row, "documents' topics"));
    ezlda_status status = EZLDA_OK;
    for (uint64_t first = 0, last; first < tokens->docs && status == EZLDA_OK; first = last) {
        last = first + m.room < tokens->docs ? first + m.room : tokens->docs;
        status = make_rows(&m, first, last);
        if (status == EZLDA_OK)
            status = pass_on(&m, first, last, other, row, user);
    }
    for (uint64_t i = 0; i < m.room; i++) {
        ez_free(m.row[i].topic);
        ez_free(m.row[i].count);
    }
    ez_free(m.row);
    return status;
}
