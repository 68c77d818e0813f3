/* Zero rows: the weights of topics without a count. Every row of What has up to K of them, but they
 * depend on the topic and the exponent of the row alone, so there is one zero row per exponent. */
#include "backend/cpu/cpu.h"

#include <stdlib.h>

typedef struct zero_rank {
    float f;
    uint32_t topic;
} zero_rank;

static int by_falling_weight(const void *a, const void *b)
{
    const zero_rank *x = a, *y = b;
    if (x->f != y->f)
        return x->f > y->f ? -1 : 1;
    return x->topic < y->topic ? -1 : x->topic > y->topic;
}

/* Called when rates have changed: all zero rows are out of date, and topics have a new order by
 * their weight of count 0. */
ezlda_status ez_zero_rows_begin(ez_cpu *cpu, ezlda_context *context)
{
    uint32_t topics = cpu->settings->topics;
    zero_rank *rank = NULL;
    EZ_TRY(ez_array(&rank, context, topics, sizeof *rank, "the topic order"));
    cpu->stamp++;
    for (uint32_t k = 0; k < topics; k++) {
        cpu->zero_f[k] = ez_float_weight(0, cpu->priors.beta, cpu->rate[k]);
        rank[k] = (zero_rank){cpu->zero_f[k], k};
    }
    qsort(rank, topics, sizeof *rank, by_falling_weight);
    for (uint32_t k = 0; k < topics; k++)
        cpu->zero_order[k] = rank[k].topic;
    ez_free(rank);
    return EZLDA_OK;
}

static ezlda_status make(ez_cpu *cpu, ezlda_context *context, int slot)
{
    uint32_t topics = cpu->settings->topics;
    ez_zero_row *row = &cpu->zero[slot];
    if (!row->weight)
        EZ_TRY(ez_array_zero(&row->weight, context, cpu->w.stride + 16, sizeof *row->weight,
                             "weights of count 0"));
    if (!row->q_through)
        EZ_TRY(ez_array(&row->q_through, context, topics, sizeof *row->q_through,
                        "weights of count 0"));
    float scale = ez_power_of_two(cpu->weight_bits - (slot + EZ_EXPONENT_MIN));
    uint64_t sum = 0;
    for (uint32_t k = 0; k < topics; k++) {
        row->weight[k] = ez_weight(cpu->zero_f[k], scale);
        sum += ez_alpha_weight(row->weight[k], cpu->alpha_scaled[k]);
        row->q_through[k] = sum;
    }
    return EZLDA_OK;
}

const ez_zero_row *ez_zero_row_get(ez_cpu *cpu, ezlda_context *context, int slot)
{
    if (__atomic_load_n(&cpu->zero_stamp[slot], __ATOMIC_ACQUIRE) == cpu->stamp)
        return &cpu->zero[slot];
    ezlda_status status = EZLDA_OK;
#pragma omp critical(ez_zero_row)
    if (cpu->zero_stamp[slot] != cpu->stamp) {
        status = make(cpu, context, slot);
        if (status == EZLDA_OK)
            __atomic_store_n(&cpu->zero_stamp[slot], cpu->stamp, __ATOMIC_RELEASE);
    }
    return status == EZLDA_OK ? &cpu->zero[slot] : NULL;
}

void ez_zero_rows_free(ez_cpu *cpu)
{
    for (int slot = 0; slot < EZ_EXPONENTS; slot++) {
        ez_free(cpu->zero[slot].weight);
        ez_free(cpu->zero[slot].q_through);
    }
}
