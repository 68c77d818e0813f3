/* The prepare pass: makes the topic rates from n, then the record of each word (top topics, their
 * weights, Q''). */
#include "backend/cpu/cpu.h"
#include "backend/cpu/top_nine.h"

#include <omp.h>

static uint64_t top_alpha_sum(const ez_cpu *cpu, const ez_word_record *record)
{
    uint64_t sum = 0;
    for (int i = 0; i < EZ_TOP; i++)
        sum += ez_alpha_weight(record->weight[i], cpu->alpha_scaled[record->topic[i]]);
    return sum;
}

static void prepare_dense(ez_cpu *cpu, ez_cpu_thread *thread, uint32_t v)
{
    uint32_t topics = cpu->settings->topics;
    ez_word_record *record = &cpu->record[v];
    float *f = thread->f;
    cpu->kernels->float_row(ez_w_dense(&cpu->w, v), cpu->rate, cpu->priors.beta, f, topics);
    ez_top_nine top;
    ez_top_nine_of_row(&top, f, topics);
    ez_top_nine_record(&top, cpu->weight_bits, cpu->settings->topics, record);
    uint64_t sum =
        cpu->kernels->weight_row(f, record->scale, cpu->alpha_scaled, thread->dense_table, topics);
    record->q_rest = sum - top_alpha_sum(cpu, record);
}

static bool in_row(const uint32_t *row, uint32_t entries, uint32_t topic)
{
    for (uint32_t j = 0; j < entries; j++)
        if (ez_entry_topic(row[j]) == topic)
            return true;
    return false;
}

/* Offers the best topics without a token of the word, as many as can be among the best nine. */
static void offer_zeros(const ez_cpu *cpu, ez_top_nine *top, const uint32_t *row, uint32_t entries)
{
    for (uint32_t i = 0; i < cpu->settings->topics; i++) {
        uint32_t k = cpu->zero_order[i];
        float f = cpu->zero_f[k];
        if (top->n == EZ_TOP + 1 && !ez_comes_before(f, k, top->f[EZ_TOP], top->topic[EZ_TOP]))
            return;
        if (!in_row(row, entries, k))
            ez_top_nine_offer(top, f, k);
    }
}

static ezlda_status prepare_sparse(ez_cpu *cpu, ezlda_context *context, uint32_t v)
{
    const uint32_t *row = ez_w_sparse(&cpu->w, v);
    uint32_t entries = cpu->w.entries[v - cpu->w.dense_words], count;
    ez_word_record *record = &cpu->record[v];
    float beta = cpu->priors.beta;
    ez_top_nine top = {.n = 0};
    for (uint32_t j = 0; j < entries;) {
        uint32_t k = ez_entry_topic(row[j]);
        j += ez_entry_run(row + j, entries - j, &count);
        ez_top_nine_offer(&top, ez_float_weight(count, beta, cpu->rate[k]), k);
    }
    offer_zeros(cpu, &top, row, entries);
    ez_top_nine_record(&top, cpu->weight_bits, cpu->settings->topics, record);
    const ez_zero_row *zero =
        ez_zero_row_get(cpu, context, ez_exponent_slot(record->scale, cpu->weight_bits));
    if (!zero)
        return EZLDA_ERROR_MEMORY;
    uint64_t sum = zero->q_through[cpu->settings->topics - 1];
    for (uint32_t j = 0; j < entries;) {
        uint32_t k = ez_entry_topic(row[j]);
        j += ez_entry_run(row + j, entries - j, &count);
        uint32_t w = ez_weight(ez_float_weight(count, beta, cpu->rate[k]), record->scale);
        sum += ez_alpha_weight(w, cpu->alpha_scaled[k]) -
               ez_alpha_weight(zero->weight[k], cpu->alpha_scaled[k]);
    }
    record->q_rest = sum - top_alpha_sum(cpu, record);
    return EZLDA_OK;
}

ezlda_status ez_cpu_prepare(ez_cpu *cpu, ezlda_context *context)
{
    const ez_token_list *t = cpu->tokens;
    ezlda_status status = EZLDA_OK;
    if (cpu->prepared)
        return EZLDA_OK;
    for (uint32_t k = 0; k < cpu->settings->topics; k++)
        cpu->rate[k] = ez_topic_rate(cpu->topic_tokens[k], t->words, cpu->priors.beta);
    if (cpu->pairs.on) {
        ez_pairs_prepare(cpu);
        cpu->prepared = true;
        return EZLDA_OK;
    }
    EZ_TRY(ez_zero_rows_begin(cpu, context));
#pragma omp parallel for schedule(dynamic, 32) num_threads(cpu->threads)
    for (uint32_t v = 0; v < t->words; v++) {
        if (!ez_word_occurs(cpu, v))
            continue;
        if (v < cpu->w.dense_words) {
            prepare_dense(cpu, &cpu->thread[omp_get_thread_num()], v);
        } else if (prepare_sparse(cpu, context, v) != EZLDA_OK) {
#pragma omp atomic write
            status = EZLDA_ERROR_MEMORY;
        }
    }
    cpu->prepared = cpu->settings->fixed && status == EZLDA_OK;
    return status;
}
