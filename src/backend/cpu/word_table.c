/* The row of What of one word, dense by topic, for the words pass, and the search of a topic on
 * Q''. A dense row is made whole; a sparse one is patched into the zero row of its exponent, which
 * is restored afterwards, so it costs its entries and not K. */
#include "backend/cpu/cpu.h"

#include <string.h>

/* The alpha part of a topic. */
static uint64_t alpha_of(const ez_word_view *view, uint32_t weight, uint32_t topic)
{
    return ez_alpha_weight(weight, view->alpha_scaled[topic]);
}

/* Marks the top topics in the table and sets their alpha parts. */
static void mark_top(ez_word_view *view, uint32_t *table)
{
    view->top_alpha_sum = 0;
    for (int i = 0; i < EZ_TOP; i++) {
        uint32_t k = view->record->topic[i];
        if (k < view->topics)
            table[k] = EZ_MARK | (uint32_t)i;
        view->top_alpha[i] = alpha_of(view, view->record->weight[i], k);
        view->top_alpha_sum += view->top_alpha[i];
    }
}

/* Smallest i in [lo, hi) with sum[i] > y, else hi. */
static uint32_t first_above(const uint64_t *sum, uint32_t lo, uint32_t hi, uint64_t y)
{
    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        if (sum[middle] > y)
            hi = middle;
        else
            lo = middle + 1;
    }
    return lo;
}

static uint32_t find_q_dense(ez_word_view *view, uint64_t y)
{
    if (!view->q_ready) {
        uint64_t sum = 0;
        for (uint32_t k = 0; k < view->topics; k++) {
            uint32_t w = view->table[k];
            sum += w & EZ_MARK ? 0 : alpha_of(view, w, k);
            view->q_through[k] = sum;
        }
        view->q_ready = true;
    }
    return first_above(view->q_through, 0, view->topics, y);
}

/* The word's topics and its top topics, merged in topic order, and how their alpha parts differ
 * from the zero row's. */
static void gather_patches(ez_word_view *view)
{
    const uint32_t *row = view->row;
    uint8_t branch[EZ_TOP];
    uint32_t n_top = ez_branches_by_topic(view->record, view->topics, branch);
    uint32_t entries = view->entries, n = 0, j = 0, i = 0;
    int64_t sum = 0;
    while (j < entries || i < n_top) {
        uint32_t top = i < n_top ? view->record->topic[branch[i]] : UINT32_MAX, unused;
        uint32_t k = j < entries ? ez_entry_topic(row[j]) : UINT32_MAX;
        k = top < k ? top : k;
        i += top == k;
        if (j < entries && ez_entry_topic(row[j]) == k)
            j += ez_entry_run(row + j, entries - j, &unused);
        uint32_t w = view->table[k];
        sum += (int64_t)(w & EZ_MARK ? 0 : alpha_of(view, w, k)) -
               (int64_t)alpha_of(view, view->zero->weight[k], k);
        view->patch[n] = k;
        view->patch_q[n++] = sum;
    }
    view->patches = n;
    view->q_ready = true;
}

static uint32_t find_q_sparse(ez_word_view *view, uint64_t y)
{
    if (!view->q_ready)
        gather_patches(view);
    const uint64_t *through = view->zero->q_through;
    uint32_t lo = 0, hi = view->patches;
    while (lo < hi) {
        uint32_t middle = (lo + hi) / 2;
        if (through[view->patch[middle]] + (uint64_t)view->patch_q[middle] > y)
            hi = middle;
        else
            lo = middle + 1;
    }
    uint64_t before = lo > 0 ? (uint64_t)view->patch_q[lo - 1] : 0;
    uint32_t first = lo > 0 ? view->patch[lo - 1] + 1 : 0;
    uint32_t last = lo < view->patches ? view->patch[lo] : view->topics;
    return first_above(through, first, last, y - before);
}

uint32_t ez_find_q(ez_word_view *view, uint64_t y)
{
    return view->zero ? find_q_sparse(view, y) : find_q_dense(view, y);
}

static void open_dense(ez_cpu *cpu, ez_cpu_thread *thread, uint32_t v)
{
    ez_word_view *view = &thread->view;
    uint32_t topics = cpu->settings->topics;
    cpu->kernels->float_row(ez_w_dense(&cpu->w, v), cpu->rate, cpu->priors.beta, thread->f, topics);
    cpu->kernels->weight_row(thread->f, view->record->scale, cpu->alpha_scaled, thread->dense_table,
                             topics);
    mark_top(view, thread->dense_table);
    view->table = thread->dense_table;
    view->q_through = thread->dense_q;
}

static ezlda_status open_sparse(ez_cpu *cpu, ezlda_context *context, ez_cpu_thread *thread,
                                uint32_t v)
{
    ez_word_view *view = &thread->view;
    view->slot = ez_exponent_slot(view->record->scale, cpu->weight_bits);
    view->zero = &cpu->zero[view->slot];
    view->row = ez_w_sparse(&cpu->w, v);
    view->entries = cpu->w.entries[v - cpu->w.dense_words];
    size_t cells = cpu->w.stride + 16;
    uint32_t **table = &thread->table[view->slot];
    if (!*table)
        EZ_TRY(ez_array(table, context, cells, sizeof **table, "weights of a word"));
    if (thread->table_stamp[view->slot] != cpu->stamp) {
        memcpy(*table, view->zero->weight, cells * sizeof **table);
        thread->table_stamp[view->slot] = cpu->stamp;
    }
    const uint32_t *row = view->row;
    uint32_t entries = view->entries, count;
    for (uint32_t j = 0; j < entries;) {
        uint32_t k = ez_entry_topic(row[j]);
        j += ez_entry_run(row + j, entries - j, &count);
        (*table)[k] =
            ez_weight(ez_float_weight(count, cpu->priors.beta, cpu->rate[k]), view->record->scale);
    }
    mark_top(view, *table);
    view->table = *table;
    view->patch = thread->patch;
    view->patch_q = thread->patch_q;
    return EZLDA_OK;
}

ezlda_status ez_word_table_open(ez_cpu *cpu, ezlda_context *context, ez_cpu_thread *thread,
                                uint32_t v)
{
    thread->view = (ez_word_view){
        .record = &cpu->record[v],
        .topics = cpu->settings->topics,
        .alpha_scaled = cpu->alpha_scaled,
    };
    if (v >= cpu->w.dense_words)
        return open_sparse(cpu, context, thread, v);
    open_dense(cpu, thread, v);
    return EZLDA_OK;
}

/* Restores the zero row that a sparse word was patched into. */
void ez_word_table_close(ez_cpu_thread *thread)
{
    const ez_word_view *view = &thread->view;
    if (!view->zero)
        return;
    const uint32_t *zero = view->zero->weight, *row = view->row;
    uint32_t *table = thread->table[view->slot];
    for (uint32_t j = 0; j < view->entries; j++)
        table[ez_entry_topic(row[j])] = zero[ez_entry_topic(row[j])];
    for (int i = 0; i < EZ_TOP && view->record->topic[i] < view->topics; i++)
        table[view->record->topic[i]] = zero[view->record->topic[i]];
}
