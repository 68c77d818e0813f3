/* Sums W and n over the ranks of a group. A row of W is sent as entries if the entries of all ranks
 * together are less than two dense rows, which is what the sum of a dense row costs each rank; so
 * the cost follows the entries and not K. */
#include "backend/cpu/cpu.h"

#include <omp.h>
#include <string.h>

typedef struct exchange {
    uint32_t *mine;   /* words: entries of the own row */
    uint32_t *all;    /* words: entries of the rows of all ranks */
    uint32_t dense;   /* rows that are sent as dense ones */
    uint32_t *packed; /* these rows, unless all of them are dense rows of W */
    uint32_t *sent;   /* the own entries, rows in order */
    void *got;  /* what all ranks have sent: for each rank the number of entries of every row, then
                   the entries */
    size_t *at; /* ranks + 1 */
    uint64_t *through; /* ranks * words: entries before the row */
} exchange;

static void exchange_free(exchange *x)
{
    ez_free(x->mine);
    ez_free(x->all);
    ez_free(x->packed);
    ez_free(x->sent);
    ez_free(x->got);
    ez_free(x->at);
    ez_free(x->through);
}

static uint32_t entries_of_count(uint32_t count)
{
    return (count + EZ_ENTRY_MAX - 1) / EZ_ENTRY_MAX;
}

static uint32_t entries_of(const ez_w_rows *w, uint32_t v)
{
    const uint32_t *dense = ez_w_dense(w, v);
    uint32_t n = 0;
    if (!dense)
        return w->entries[v - w->dense_words];
    for (uint32_t k = 0; k < w->topics; k++)
        n += entries_of_count(dense[k]);
    return n;
}

static bool travels_dense(const ez_w_rows *w, const exchange *x, uint32_t v)
{
    return v < w->dense_words && x->all[v] > 2 * w->stride;
}

/* Decides how each row is sent; all ranks come to the same decision. */
static ezlda_status choose(const ez_cpu *cpu, ezlda_context *context, ezlda_group *group,
                           exchange *x)
{
    const ez_w_rows *w = &cpu->w;
    EZ_TRY(ez_array(&x->mine, context, w->words, sizeof *x->mine, "rows of W to exchange"));
    EZ_TRY(ez_array(&x->all, context, w->words, sizeof *x->all, "rows of W to exchange"));
#pragma omp parallel for schedule(dynamic, 64) num_threads(cpu->threads)
    for (uint32_t v = 0; v < w->words; v++)
        x->mine[v] = entries_of(w, v);
    memcpy(x->all, x->mine, w->words * sizeof *x->all);
    EZ_TRY(group->ops->sum32(group, context, x->all, w->words));
    for (uint32_t v = 0; v < w->dense_words; v++) {
        x->dense += travels_dense(w, x, v);
        x->mine[v] = travels_dense(w, x, v) ? 0 : x->mine[v];
    }
    return EZLDA_OK;
}

static void move_row(uint32_t *to, const uint32_t *from, const ez_w_rows *w)
{
    memcpy(to, from, w->stride * sizeof *to);
}

static ezlda_status sum_dense(ez_cpu *cpu, ezlda_context *context, ezlda_group *group, exchange *x)
{
    ez_w_rows *w = &cpu->w;
    if (x->dense == w->dense_words)
        return group->ops->sum32(group, context, w->dense, (size_t)w->dense_words * w->stride);
    if (x->dense == 0)
        return EZLDA_OK;
    size_t cells = (size_t)x->dense * w->stride, n = 0;
    EZ_TRY(ez_array(&x->packed, context, cells, sizeof *x->packed, "rows of W to exchange"));
    for (uint32_t v = 0; v < w->dense_words; v++)
        if (travels_dense(w, x, v))
            move_row(x->packed + w->stride * n++, ez_w_dense(w, v), w);
    EZ_TRY(group->ops->sum32(group, context, x->packed, cells));
    n = 0;
    for (uint32_t v = 0; v < w->dense_words; v++)
        if (travels_dense(w, x, v))
            move_row(ez_w_dense(w, v), x->packed + w->stride * n++, w);
    return EZLDA_OK;
}

static void write_entries(const ez_w_rows *w, uint32_t v, uint32_t *out)
{
    const uint32_t *dense = ez_w_dense(w, v);
    if (!dense) {
        memcpy(out, ez_w_sparse(w, v), w->entries[v - w->dense_words] * sizeof *out);
        return;
    }
    for (uint32_t k = 0; k < w->topics; k++)
        if (dense[k] > 0)
            out += ez_emit_entries(out, k, dense[k]);
}

/* Sends the own entries and receives those of all ranks. */
static ezlda_status send_entries(const ez_cpu *cpu, ezlda_context *context, ezlda_group *group,
                                 exchange *x)
{
    const ez_w_rows *w = &cpu->w;
    uint64_t *start = NULL, ranks = (uint64_t)group->ranks;
    ezlda_status status;
    EZ_TRY_GOTO(
        ez_array(&start, context, (size_t)w->words + 1, sizeof *start, "rows of W to exchange"));
    start[0] = w->words;
    for (uint32_t v = 0; v < w->words; v++)
        start[v + 1] = start[v] + x->mine[v];
    EZ_TRY_GOTO(
        ez_array(&x->sent, context, start[w->words], sizeof *x->sent, "rows of W to exchange"));
    memcpy(x->sent, x->mine, w->words * sizeof *x->sent);
#pragma omp parallel for schedule(dynamic, 64) num_threads(cpu->threads)
    for (uint32_t v = 0; v < w->words; v++)
        if (x->mine[v] > 0)
            write_entries(w, v, x->sent + start[v]);
    EZ_TRY_GOTO(ez_array(&x->at, context, ranks + 1, sizeof *x->at, "rows of W to exchange"));
    status = group->ops->gather(group, context, x->sent, start[w->words] * sizeof *x->sent, true,
                                &x->got, x->at);
done:
    ez_free(start);
    return status;
}

static const uint32_t *sent_by(const exchange *x, int rank)
{
    return (const uint32_t *)((const char *)x->got + x->at[rank]);
}

static ezlda_status find_rows(const ez_cpu *cpu, ezlda_context *context, int ranks, exchange *x)
{
    uint32_t words = cpu->w.words;
    EZ_TRY(ez_array(&x->through, context, ez_product((size_t)ranks, words), sizeof *x->through,
                    "rows of W to exchange"));
    for (int r = 0; r < ranks; r++) {
        uint64_t at = words;
        for (uint32_t v = 0; v < words; v++) {
            x->through[(size_t)r * words + v] = at;
            at += sent_by(x, r)[v];
        }
    }
    return EZLDA_OK;
}

/* Sums what all ranks have sent of a row. */
static void sum_row(ez_cpu *cpu, const exchange *x, int ranks, uint32_t v,
                    ez_topic_counter *counter)
{
    ez_w_rows *w = &cpu->w;
    for (int r = 0; r < ranks; r++) {
        const uint32_t *sent = sent_by(x, r), *entry = sent + x->through[(size_t)r * w->words + v];
        for (uint32_t j = 0; j < sent[v]; j++)
            ez_topic_counter_add_many(counter, ez_entry_topic(entry[j]), ez_entry_count(entry[j]));
    }
    uint32_t *dense = ez_w_dense(w, v);
    if (!dense)
        w->entries[v - w->dense_words] = ez_topic_counter_entries(counter, ez_w_sparse(w, v));
    for (uint32_t i = 0; dense && i < counter->n_touched; i++)
        dense[counter->touched[i]] = counter->count[counter->touched[i]];
    ez_topic_counter_clear(counter);
}

ezlda_status ez_cpu_sum_ranks(ez_cpu *cpu, ezlda_context *context)
{
    ezlda_group *group = cpu->settings->group;
    exchange x = {0};
    ezlda_status status;
    if (!ez_is_distributed(group))
        return EZLDA_OK;
    EZ_TRY_GOTO(group->ops->sum64(group, context, cpu->topic_tokens, cpu->settings->topics));
    EZ_TRY_GOTO(choose(cpu, context, group, &x));
    EZ_TRY_GOTO(sum_dense(cpu, context, group, &x));
    EZ_TRY_GOTO(send_entries(cpu, context, group, &x));
    EZ_TRY_GOTO(find_rows(cpu, context, group->ranks, &x));
#pragma omp parallel for schedule(dynamic, 64) num_threads(cpu->threads)
    for (uint32_t v = 0; v < cpu->w.words; v++)
        if (!travels_dense(&cpu->w, &x, v))
            sum_row(cpu, &x, group->ranks, v, &cpu->thread[omp_get_thread_num()].counter);
done:
    exchange_free(&x);
    return status;
}
