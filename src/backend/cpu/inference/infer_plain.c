/* Inference in plain C, for any processor: the primitives that infer_loops.h is built on. */
#include "backend/cpu/inference/infer_doc.h"
#include "backend/cpu/kernels/kernels.h"

static void draw_all(ez_infer_doc *d, uint64_t iteration_key)
{
    for (uint32_t i = 0; i < d->tokens; i++)
        d->u[i] = ez_mix(ez_mix(iteration_key + d->word_part[i]) + d->token_part[i]);
}

static inline void sum_zero_rows(ez_infer_doc *d)
{
    for (uint32_t i = 0; i < d->row_size; i++) {
        const uint32_t *weight = d->zero_weight + (size_t)ez_entry_topic(d->line[i]) * d->zeros;
        const uint64_t *before = d->zero_before + (size_t)i * d->zeros,
                       count = ez_entry_count(d->line[i]);
        for (uint32_t z = 0; z < d->zeros; z++)
            d->zero_before[((size_t)i + 1) * d->zeros + z] = before[z] + count * weight[z];
    }
}

/* Returns the last end. */
static inline uint64_t ends_of(ez_infer_ends *ends, const ez_infer_word *word,
                               const uint32_t *count)
{
    uint64_t sum = 0;
    for (int i = 0; i < EZ_TOP; i++)
        ends->end[i] = sum +=
            ez_branch(word->top[i].weight, count[word->top[i].topic], word->top_alpha[i]);
    return sum;
}

/* How many branches end at or before x, with `own` subtracted from branch own_branch. */
static inline uint32_t branch_at(const ez_infer_ends *ends, uint64_t x, uint64_t own,
                                 uint32_t own_branch)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < EZ_TOP; i++)
        at += x >= ends->end[i] - (i >= own_branch ? own : 0);
    return at;
}

/* Smallest i in [0, n) with through[i] > y, else n. */
static inline uint32_t first_above(const uint64_t *through, uint32_t n, uint64_t y)
{
    uint32_t lo = 0;
    for (uint32_t half; n > 1; n -= half) {
        half = n / 2;
        lo += half & -(uint32_t)(through[lo + half - 1] <= y);
    }
    return lo + (n > 0 && through[lo] <= y);
}

/* How many of n items have a sum of at most y. */
static inline uint32_t count_items(const uint64_t *through, const uint64_t *place, uint32_t n,
                                   const ez_s_target *target)
{
    uint32_t lo = 0;
    for (uint32_t half; n > 1; n -= half) {
        half = n / 2;
        uint32_t last = lo + half - 1;
        lo += half & -(uint32_t)(through[last] - ez_own_from(target, place[last]) <= target->y);
    }
    return lo + (n > 0 && through[lo] - ez_own_from(target, place[lo]) <= target->y);
}

#include "backend/cpu/inference/infer_loops.h"

const ez_infer_kernels ez_infer_kernels_plain = {infer_iteration, infer_score};
