/* Makes the rows of W that the prior sample meets: from the backend's counts if it gives them,
 * else by counting the topics of all tokens. Then subtracts the documents' own tokens. */
#include "train/priors/rest_rows.h"

#include "train/counts/count_rows.h"
#include "train/counts/sum_rows.h"

#include <string.h>

/* What the making needs, and what it has made so far. */
typedef struct making {
    ezlda_context *context;
    ez_token_list *tokens;
    const ez_settings *settings;
    const ez_prior_sample_docs *docs;
    const uint16_t *topic; /* topics of this rank's tokens, in document order */
    uint32_t *label;       /* relabelled words that the documents have, ascending */
    uint32_t *word;        /* the same as numbered in the run's list */
    uint32_t labels;
    ez_w_counts all;   /* rows of these words */
    ez_count_rows own; /* tokens of the documents, by relabelled word and topic */
} making;

/* Lists the words of the documents. */
static ezlda_status list_words(making *m)
{
    const ez_token_list *t = m->docs->tokens;
    uint8_t *occurs = NULL;
    EZ_TRY(ez_array_zero(&occurs, m->context, t->words, sizeof *occurs, "words"));
    for (uint64_t i = 0; i < t->tokens; i++) {
        m->labels += !occurs[t->word[i]];
        occurs[t->word[i]] = 1;
    }
    ezlda_status status = ez_array(&m->label, m->context, m->labels, sizeof *m->label, "words");
    if (status == EZLDA_OK)
        status = ez_array(&m->word, m->context, m->labels, sizeof *m->word, "words");
    for (uint32_t r = 0, n = 0; status == EZLDA_OK && r < t->words; r++)
        if (occurs[r]) {
            m->label[n] = r;
            m->word[n++] = t->original[r];
        }
    ez_free(occurs);
    return status;
}

/* ---- rows from the topics of all tokens ---- */

typedef struct counting {
    making *m;
    ez_count_rows *rows;
} counting;

/* Adds the rows of W of the documents of a list. */
static ezlda_status add_list(ez_token_list *list, uint64_t before, void *user)
{
    const counting *c = user;
    const making *m = c->m;
    uint32_t topics = m->settings->topics;
    ez_count_rows own = {0};
    if (!c->rows->start)
        return ez_count_word_rows(c->rows, m->context, list, topics, m->topic + before, NULL);
    ezlda_status status =
        ez_count_word_rows(&own, m->context, list, topics, m->topic + before, NULL);
    if (status == EZLDA_OK)
        status = ez_add_rows(c->rows, m->context, &own);
    ez_free_rows(&own);
    return status;
}

/* Copies the rows of the documents' words, and sums all rows to n. */
static ezlda_status pick_rows(making *m, const ez_count_rows *rows)
{
    ez_w_counts *all = &m->all;
    uint64_t entries = 0;
    for (uint32_t i = 0; i < m->labels; i++)
        entries += rows->start[m->word[i] + 1] - rows->start[m->word[i]];
    all->rows = m->labels;
    EZ_TRY(
        ez_array(&all->start, m->context, (size_t)m->labels + 1, sizeof *all->start, "rows of W"));
    EZ_TRY(ez_array(&all->topic, m->context, entries, sizeof *all->topic, "rows of W"));
    EZ_TRY(ez_array(&all->count, m->context, entries, sizeof *all->count, "rows of W"));
    EZ_TRY(ez_array_zero(&all->topic_tokens, m->context, m->settings->topics,
                         sizeof *all->topic_tokens, "topic sums"));
    all->start[0] = 0;
    for (uint32_t i = 0; i < m->labels; i++) {
        uint64_t first = rows->start[m->word[i]], n = rows->start[m->word[i] + 1] - first;
        memcpy(all->topic + all->start[i], rows->topic + first, n * sizeof *all->topic);
        memcpy(all->count + all->start[i], rows->count + first, n * sizeof *all->count);
        all->start[i + 1] = all->start[i] + n;
    }
    for (uint64_t i = 0; i < rows->start[rows->rows]; i++)
        all->topic_tokens[rows->topic[i]] += rows->count[i];
    return EZLDA_OK;
}

/* Appends the counts of a full row that are not 0. */
static ezlda_status append_full(ez_buffer *topic, ez_buffer *count, ezlda_context *context,
                                const uint32_t *full, uint32_t topics)
{
    for (uint32_t k = 0; k < topics; k++)
        if (full[k] > 0) {
            uint16_t name = (uint16_t)k;
            EZ_TRY(ez_buffer_append(topic, context, &name, sizeof name));
            EZ_TRY(ez_buffer_append(count, context, &full[k], sizeof full[k]));
        }
    return EZLDA_OK;
}

/* Sums the rows over the ranks, some words at a time. */
static ezlda_status sum_rows(making *m)
{
    enum { CELLS = 1 << 22 };
    ez_w_counts *rows = &m->all;
    uint32_t topics = m->settings->topics, *full = NULL;
    uint64_t step = CELLS / topics, first = 0;
    ez_buffer topic = {0}, count = {0};
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&full, m->context, ez_product(step, topics), sizeof *full, "rows of W"));
    for (uint64_t v = 0; v < rows->rows; v += step) {
        uint64_t last = v + step < rows->rows ? v + step : rows->rows;
        memset(full, 0, step * topics * sizeof *full);
        for (uint64_t r = v; r < last; r++)
            for (uint64_t i = r == v ? first : rows->start[r]; i < rows->start[r + 1]; i++)
                full[(r - v) * topics + rows->topic[i]] = rows->count[i];
        EZ_TRY_GOTO(ez_group_sum32(m->settings->group, m->context, full, (last - v) * topics));
        first = rows->start[last]; /* before the sums overwrite it */
        for (uint64_t r = v; r < last; r++) {
            EZ_TRY_GOTO(append_full(&topic, &count, m->context, full + (r - v) * topics, topics));
            rows->start[r + 1] = count.used / sizeof(uint32_t);
        }
    }
    ez_free(rows->topic);
    ez_free(rows->count);
    rows->topic = (uint16_t *)(void *)topic.data;
    rows->count = (uint32_t *)(void *)count.data;
    topic.data = count.data = NULL;
    status = ez_group_sum64(m->settings->group, m->context, rows->topic_tokens, topics);
done:
    ez_free(full);
    ez_free(topic.data);
    ez_free(count.data);
    return status;
}

static ezlda_status count_topics(making *m)
{
    ez_count_rows rows = {0};
    counting c = {m, &rows};
    ezlda_status status = ez_each_list(m->tokens, m->settings->source, m->context, add_list, &c);
    if (status == EZLDA_OK)
        status = pick_rows(m, &rows);
    ez_free_rows(&rows);
    if (status == EZLDA_OK && ez_is_distributed(m->settings->group))
        status = sum_rows(m);
    return status;
}

/* ---- the documents' own tokens ---- */

/* Counts the documents' tokens by word and topic, and subtracts all of them from n. */
static ezlda_status count_own(making *m)
{
    const ez_prior_sample_docs *docs = m->docs;
    uint32_t topics = m->settings->topics;
    ez_buffer own = {0};
    uint64_t *dropped = NULL;
    ezlda_status status = EZLDA_OK;
    for (uint64_t i = 0; i < docs->places; i++)
        EZ_TRY_GOTO(
            ez_buffer_append(&own, m->context, &m->topic[docs->place[i]], sizeof *m->topic));
    EZ_TRY_GOTO(ez_group_join(m->settings->group, m->context, &own));
    EZ_TRY_GOTO(ez_count_word_rows(&m->own, m->context, docs->tokens, topics,
                                   (const uint16_t *)(void *)own.data, NULL));
    EZ_TRY_GOTO(ez_array_zero(&dropped, m->context, topics, sizeof *dropped, "topic sums"));
    for (uint64_t i = 0; i < docs->n_dropped; i++)
        dropped[m->topic[docs->dropped[i]]]++;
    EZ_TRY_GOTO(ez_group_sum64(m->settings->group, m->context, dropped, topics));
    for (uint64_t i = 0; i < m->own.start[m->own.rows]; i++)
        dropped[m->own.topic[i]] += m->own.count[i];
    for (uint32_t k = 0; k < topics; k++)
        m->all.topic_tokens[k] -= dropped[k];
done:
    ez_free(own.data);
    ez_free(dropped);
    return status;
}

/* Writes row i of W less row r of the documents, from `at` on; returns where it ends. */
static uint64_t write_rest(ez_model_base *base, const making *m, uint32_t i, uint32_t r,
                           uint64_t at)
{
    const ez_w_counts *all = &m->all;
    uint64_t j = m->own.start[r];
    uint32_t sum = 0;
    for (uint64_t e = all->start[i]; e < all->start[i + 1]; e++) {
        uint32_t count = all->count[e];
        if (j < m->own.start[r + 1] && m->own.topic[j] == all->topic[e])
            count -= m->own.count[j++];
        if (count == 0)
            continue;
        sum += count;
        base->topic[at] = all->topic[e];
        base->count[at] = count;
        base->through[at++] = sum;
    }
    return at;
}

static ezlda_status write_rows(ez_rest_rows *rest, making *m)
{
    uint32_t words = m->docs->tokens->words;
    uint64_t most = m->all.start[m->labels], at = 0;
    ez_model_base *base = &rest->base;
    EZ_TRY(ez_array(&base->start, m->context, (size_t)words + 1, sizeof *base->start, "rows of W"));
    EZ_TRY(ez_array(&base->topic, m->context, most, sizeof *base->topic, "rows of W"));
    EZ_TRY(ez_array(&base->count, m->context, most, sizeof *base->count, "rows of W"));
    EZ_TRY(ez_array(&base->through, m->context, most, sizeof *base->through, "rows of W"));
    for (uint32_t r = 0, i = 0; r < words; r++) {
        base->start[r] = at;
        if (i < m->labels && m->label[i] == r)
            at = write_rest(base, m, i++, r, at);
    }
    base->start[words] = at;
    rest->topic_tokens = m->all.topic_tokens;
    m->all.topic_tokens = NULL;
    base->counts = (ez_base_counts){base->start, base->topic, base->count, rest->topic_tokens};
    return EZLDA_OK;
}

ezlda_status ez_rest_rows_make(ez_rest_rows *rest, ezlda_context *context, ez_backend *backend,
                               ez_token_list *tokens, const ez_settings *settings,
                               const ez_prior_sample_docs *docs)
{
    making m = {.context = context, .tokens = tokens, .settings = settings, .docs = docs};
    uint16_t *own = NULL, *topic = settings->source ? settings->source->topic : NULL;
    ezlda_status status;
    EZ_TRY_GOTO(list_words(&m));
    if (!topic)
        EZ_TRY_GOTO(ez_array(&own, context, tokens->tokens, sizeof *own, "topics"));
    topic = topic ? topic : own;
    EZ_TRY_GOTO(backend->ops->topics(backend, context, topic));
    m.topic = topic;
    /* W also counts seeds, which belong to no document. */
    if (!settings->base)
        EZ_TRY_GOTO(backend->ops->counts(backend, context, m.word, m.labels, &m.all));
    else
        EZ_TRY_GOTO(count_topics(&m));
    EZ_TRY_GOTO(count_own(&m));
    status = write_rows(rest, &m);
done:
    ez_free(own);
    ez_free(m.label);
    ez_free(m.word);
    ez_w_counts_free(&m.all);
    ez_free_rows(&m.own);
    return status;
}

void ez_rest_rows_free(ez_rest_rows *rest)
{
    ez_model_base_free(&rest->base);
    ez_free(rest->topic_tokens);
    *rest = (ez_rest_rows){0};
}
