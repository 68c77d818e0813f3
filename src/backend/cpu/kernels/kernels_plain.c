/* The kernels in plain C, for any processor: the primitives that kernel_loops.h and
 * three_branch_loop.h are built on. */
#include "backend/cpu/kernels/kernel_loops.h"

/* The row of D ascends; padding is 0 and comes after all entries. */
static inline uint32_t find_entry(const uint32_t *row, uint32_t entries, uint32_t topic)
{
    uint32_t lo = 0, hi = entries;
    while (lo < hi) {
        uint32_t middle = (lo + hi) / 2;
        if (row[middle] != 0 && ez_entry_topic(row[middle]) < topic)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

static ALWAYS_INLINE void row_sums(const uint32_t *row, uint32_t steps, const ez_word_view *view,
                                   row_result *out)
{
    uint64_t lane[EZ_LANES] = {0};
    out->tops = 0;
    out->top_sum = 0;
    for (uint32_t j = 0; j < steps * EZ_ROW_STEP; j++) {
        uint32_t weight = view->table[ez_entry_topic(row[j])], count = ez_entry_count(row[j]);
        if (weight & EZ_MARK) {
            uint32_t branch = weight & (EZ_TOP - 1);
            out->top_sum += (uint64_t)view->record->weight[branch] * count;
            if (out->tops < EZ_TOP)
                out->top[out->tops] = branch << 16 | count;
            out->tops++;
        } else {
            lane[j / EZ_LANE_WIDTH % EZ_LANES] += (uint64_t)weight * count;
        }
    }
    uint64_t sum = 0;
    for (int i = 0; i < EZ_LANES; i++)
        out->through[i] = sum += lane[i];
}

struct decide_run {
    const ez_word_record *record;
    uint32_t count[EZ_TOP];
    uint64_t alpha_part[EZ_TOP];
    uint64_t rest;
};

static inline void decide_begin(struct decide_run *run, const ez_doc_job *job, uint32_t word)
{
    run->record = &job->record[word];
    run->rest = job->length;
    for (int i = 0; i < EZ_TOP; i++) {
        uint32_t k = run->record->topic[i];
        run->count[i] = job->count[k];
        run->alpha_part[i] = ez_alpha_weight(run->record->weight[i], job->alpha_scaled[k]);
        run->rest -= i < job->g ? run->count[i] : 0;
    }
}

static inline int decide_token(const struct decide_run *run, const ez_doc_job *job, uint32_t old,
                               uint64_t u)
{
    if (!job->leave_one_out)
        return ez_decide(run->record, run->count, run->alpha_part, job->g, run->rest, u,
                         job->three_branch);
    uint32_t count[EZ_TOP];
    uint64_t rest = run->rest - 1;
    for (int i = 0; i < EZ_TOP; i++) {
        uint32_t own = run->record->topic[i] == old && run->count[i] > 0;
        count[i] = run->count[i] - own;
        rest += i < job->g ? own : 0;
    }
    return ez_decide(run->record, count, run->alpha_part, job->g, rest, u, job->three_branch);
}

#include "backend/cpu/kernels/three_branch_loop.h"

static void float_row(const uint32_t *count, const float *rate, float beta, float *f,
                      uint32_t topics)
{
    for (uint32_t k = 0; k < topics; k++)
        f[k] = ez_float_weight(count[k], beta, rate[k]);
}

static uint64_t weight_row(const float *f, float scale, const float *alpha_scaled, uint32_t *weight,
                           uint32_t topics)
{
    uint64_t sum = 0;
    for (uint32_t k = 0; k < topics; k++) {
        weight[k] = ez_weight(f[k], scale);
        sum += ez_alpha_weight(weight[k], alpha_scaled[k]);
    }
    return sum;
}

const ez_kernels ez_kernels_plain = {
    .name = "plain",
    .decide = decide_document,
    .draw = draw_words,
    .total = line_total,
    .float_row = float_row,
    .weight_row = weight_row,
    .infer = &ez_infer_kernels_plain,
    .pairs = &ez_pair_kernels_plain,
};
