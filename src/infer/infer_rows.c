/* Counts the topics of documents over all samples, in parallel, and passes the rows to the caller
 * in order. */
#include "infer/infer_rows.h"

#include "backend/topic_counter.h"

/* Documents whose rows are made together by all threads before they are passed on. */
enum { EZ_ROW_DOCS = 4096 };

typedef struct made_row {
    uint32_t *topic; /* n */
    double *count;
    size_t n, room;
} made_row;

typedef struct row_maker {
    ezlda_context *context;
    const ez_token_list *tokens;
    const ez_other_tokens *other;
    const uint16_t *samples;
    uint32_t n_samples, topics;
    uint64_t room;      /* documents, at most EZ_ROW_DOCS */
    made_row *row;      /* room */
    ezlda_doc_row *out; /* room; made of the same */
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

static void show_row(const row_maker *m, uint64_t d, const made_row *made, ezlda_doc_row *out)
{
    const ez_token_list *t = m->tokens;
    *out = (ezlda_doc_row){
        .doc = t->first_doc + d,
        .tokens = t->doc_start[d + 1] - t->doc_start[d],
        .unknown = m->other[d].unseen + m->other[d].unknown,
        .n = made->n,
        .topic = made->topic,
        .count = made->count,
    };
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
            if (mine == EZLDA_OK) {
                mine = make_row(m, &counter, d, &m->row[d - first]);
                show_row(m, d, &m->row[d - first], &m->out[d - first]);
            }
        ez_topic_counter_free(&counter);
        if (mine != EZLDA_OK) {
#pragma omp critical(ez_infer_rows)
            status = mine;
        }
    }
    return status;
}

static ezlda_status pass_on(const row_maker *m, uint64_t n, const ez_row_receiver *to)
{
    if (to->rows)
        return to->rows(m->out, n, to->user);
    for (uint64_t i = 0; i < n && to->row; i++)
        if (to->row(&m->out[i], to->user) != 0)
            return ez_fail(m->context, EZLDA_ERROR_STOPPED, "stopped");
    return EZLDA_OK;
}

static ezlda_status pass_on_all(row_maker *m, const ez_row_receiver *to)
{
    EZ_TRY(ez_array_zero(&m->row, m->context, m->room, sizeof *m->row, "documents' topics"));
    EZ_TRY(ez_array(&m->out, m->context, m->room, sizeof *m->out, "documents' topics"));
    for (uint64_t first = 0, last; first < m->tokens->docs; first = last) {
        last = first + m->room < m->tokens->docs ? first + m->room : m->tokens->docs;
        EZ_TRY(make_rows(m, first, last));
        EZ_TRY(pass_on(m, last - first, to));
    }
    return EZLDA_OK;
}

ezlda_status ez_infer_rows(ezlda_context *context, const ez_token_list *tokens,
                           const uint16_t *samples, uint32_t n_samples, uint32_t topics,
                           const ez_other_tokens *other, const ez_row_receiver *to)
{
    row_maker m = {.context = context,
                   .tokens = tokens,
                   .other = other,
                   .samples = samples,
                   .n_samples = n_samples,
                   .topics = topics,
                   .room = tokens->docs < EZ_ROW_DOCS ? tokens->docs : EZ_ROW_DOCS};
    ezlda_status status = pass_on_all(&m, to);
    for (uint64_t i = 0; m.row && i < m.room; i++) {
        ez_free(m.row[i].topic);
        ez_free(m.row[i].count);
    }
    ez_free(m.row);
    ez_free(m.out);
    return status;
}
