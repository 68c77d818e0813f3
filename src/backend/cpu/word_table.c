/* The row of What of one word, dense by topic, for the words pass. A dense row is made whole; a
 * sparse one is patched into the zero row of its exponent and taken out again, so it costs its
 * entries and not K. */
#include "backend/cpu/cpu.h"

#include <string.h>

static uint64_t alpha_of(const ez_cpu *cpu, uint32_t weight, uint32_t topic)
{
    return ez_alpha_weight(weight, cpu->alpha_scaled[topic]);
}

/* Marks the top topics and notes their alpha parts. */
static void mark_top(const ez_cpu *cpu, ez_word_view *view, uint32_t *table)
{
    view->top_alpha_sum = 0;
    for (int i = 0; i < EZ_TOP; i++) {
        uint32_t k = view->record->topic[i];
        if (k < cpu->settings->topics)
            table[k] = EZ_MARK | (uint32_t)i;
        view->top_alpha[i] = alpha_of(cpu, view->record->weight[i], k);
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

static uint32_t find_q_dense(void *user, uint64_t y)
{
    ez_cpu_thread *thread = user;
    const ez_cpu *cpu = thread->cpu;
    uint32_t topics = cpu->settings->topics;
    if (!thread->view.q_ready) {
        uint64_t sum = 0;
        for (uint32_t k = 0; k < topics; k++) {
            uint32_t w = thread->view.table[k];
            sum += w & EZ_MARK ? 0 : alpha_of(cpu, w, k);
            thread->dense_q[k] = sum;
        }
        thread->view.q_ready = true;
    }
    return first_above(thread->dense_q, 0, topics, y);
}

/* The word's topics and its top topics, merged in topic order, and how their alpha parts differ
 * from the zero row's. */
static void gather_patches(ez_cpu_thread *thread)
{
    const ez_cpu *cpu = thread->cpu;
    ez_word_view *view = &thread->view;
    const ez_zero_row *zero = &cpu->zero[view->slot];
    const uint32_t *row = ez_w_sparse(&cpu->w, view->word);
    uint8_t branch[EZ_TOP];
    uint32_t n_top = ez_branches_by_topic(view->record, cpu->settings->topics, branch), n = 0,
             j = 0, i = 0;
    uint32_t entries = cpu->w.entries[view->word - cpu->w.dense_words];
    int64_t sum = 0;
    while (j < entries || i < n_top) {
        uint32_t top = i < n_top ? view->record->topic[branch[i]] : UINT32_MAX, unused;
        uint32_t k = j < entries ? ez_entry_topic(row[j]) : UINT32_MAX;
        k = top < k ? top : k;
        i += top == k;
        if (j < entries && ez_entry_topic(row[j]) == k)
            j += ez_entry_run(row + j, entries - j, &unused);
        uint32_t w = view->table[k];
        sum += (int64_t)(w & EZ_MARK ? 0 : alpha_of(cpu, w, k)) -
               (int64_t)alpha_of(cpu, zero->weight[k], k);
        thread->patch[n] = k;
        thread->patch_q[n++] = sum;
    }
    view->patches = n;
    view->q_ready = true;
}

static uint32_t find_q_sparse(void *user, uint64_t y)
{
    ez_cpu_thread *thread = user;
    const ez_cpu *cpu = thread->cpu;
    if (!thread->view.q_ready)
        gather_patches(thread);
    const uint64_t *through = cpu->zero[thread->view.slot].q_through;
    uint32_t lo = 0, hi = thread->view.patches;
    while (lo < hi) {
        uint32_t middle = (lo + hi) / 2;
        if (through[thread->patch[middle]] + (uint64_t)thread->patch_q[middle] > y)
            hi = middle;
        else
            lo = middle + 1;
    }
    uint64_t before = lo > 0 ? (uint64_t)thread->patch_q[lo - 1] : 0;
    uint32_t first = lo > 0 ? thread->patch[lo - 1] + 1 : 0;
    uint32_t last = lo < thread->view.patches ? thread->patch[lo] : cpu->settings->topics;
    return first_above(through, first, last, y - before);
}

static void open_dense(ez_cpu *cpu, ez_cpu_thread *thread, uint32_t v)
{
    ez_word_view *view = &thread->view;
    uint32_t topics = cpu->settings->topics;
    cpu->kernels->float_row(ez_w_dense(&cpu->w, v), cpu->rate, cpu->priors.beta, thread->f, topics);
    cpu->kernels->weight_row(thread->f, view->record->scale, cpu->alpha_scaled, thread->dense_table,
                             topics);
    mark_top(cpu, view, thread->dense_table);
    view->table = thread->dense_table;
    view->find_q = find_q_dense;
    view->slot = -1;
}

static ezlda_status open_sparse(ez_cpu *cpu, ezlda_context *context, ez_cpu_thread *thread,
                                uint32_t v)
{
    ez_word_view *view = &thread->view;
    view->slot = ez_exponent_slot(view->record->scale, cpu->weight_bits);
    size_t cells = cpu->w.stride + 16;
    uint32_t **table = &thread->table[view->slot];
    if (!*table)
        EZ_TRY(ez_array(table, context, cells, sizeof **table, "weights of a word"));
    if (thread->table_stamp[view->slot] != cpu->stamp) {
        memcpy(*table, cpu->zero[view->slot].weight, cells * sizeof **table);
        thread->table_stamp[view->slot] = cpu->stamp;
    }
    const uint32_t *row = ez_w_sparse(&cpu->w, v);
    uint32_t entries = cpu->w.entries[v - cpu->w.dense_words], count;
    for (uint32_t j = 0; j < entries;) {
        uint32_t k = ez_entry_topic(row[j]);
        j += ez_entry_run(row + j, entries - j, &count);
        (*table)[k] =
            ez_weight(ez_float_weight(count, cpu->priors.beta, cpu->rate[k]), view->record->scale);
    }
    mark_top(cpu, view, *table);
    view->table = *table;
    view->find_q = find_q_sparse;
    return EZLDA_OK;
}

ezlda_status ez_word_table_open(ez_cpu *cpu, ezlda_context *context, ez_cpu_thread *thread,
                                uint32_t v)
{
    thread->view = (ez_word_view){.record = &cpu->record[v], .word = v, .user = thread};
    if (v >= cpu->w.dense_words)
        return open_sparse(cpu, context, thread, v);
    open_dense(cpu, thread, v);
    return EZLDA_OK;
}

/* Takes a sparse word out of its zero row again. */
void ez_word_table_close(ez_cpu_thread *thread)
{
    const ez_cpu *cpu = thread->cpu;
    const ez_word_view *view = &thread->view;
    if (view->slot < 0)
        return;
    const uint32_t *zero = cpu->zero[view->slot].weight, *row = ez_w_sparse(&cpu->w, view->word);
    uint32_t *table = thread->table[view->slot];
    uint32_t entries = cpu->w.entries[view->word - cpu->w.dense_words];
    for (uint32_t j = 0; j < entries; j++)
        table[ez_entry_topic(row[j])] = zero[ez_entry_topic(row[j])];
    for (int i = 0; i < EZ_TOP && view->record->topic[i] < cpu->settings->topics; i++)
        table[view->record->topic[i]] = zero[view->record->topic[i]];
}
