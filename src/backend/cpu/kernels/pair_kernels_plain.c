/* The pair kernels in plain C, for any processor and for documents of any length. */
#include "backend/cpu/kernels/pair_loops.h"

static uint64_t sum_long(const ez_pair_job *job, const ez_pair_word *word)
{
    const ez_pair_block *block = ez_pair_word_blocks(word);
    uint64_t s = 0;
    for (uint32_t j = 0; j < job->entries; j++)
        s += (uint64_t)ez_entry_count(job->entry[j]) *
             ez_pair_weight(block, ez_entry_topic(job->entry[j]));
    return s;
}

/* The loop over a block is written so that a compiler makes vectors of it. */
static uint64_t sum_short(const ez_pair_job *job, const ez_pair_word *word)
{
    const ez_pair_block *block = ez_pair_word_blocks(word);
    int32_t low = 0, high = 0;
    for (size_t b = 0; b < job->blocks; b++)
        for (size_t i = 0; i < EZ_PAIR_BLOCK; i++) {
            int16_t count = job->count[b * EZ_PAIR_BLOCK + i];
            low += count * block[b].low[i];
            high += count * block[b].high[i];
        }
    return ((uint64_t)high << EZ_PLANE_BITS) + (uint64_t)low;
}

static inline void sum_pair(const ez_pair_job *job, const ez_pair_word *word, pair_sums *sums)
{
    bool is_long = job->length > EZ_PAIR_LENGTH;
    uint64_t end = 0;
    sums->s = is_long ? sum_long(job, word) : sum_short(job, word);
    sums->end[0] = 0;
    for (int i = 0; i < EZ_TOP; i++) {
        uint32_t k = word->topic[i];
        uint32_t count = is_long ? job->long_count[k] : (uint32_t)job->count[k];
        sums->end[i + 1] = end += ez_branch(word->weight[i], count, word->alpha_part[i]);
    }
}

static inline uint32_t count_ends(const uint64_t *end, uint64_t x)
{
    uint32_t n = 0;
    for (int i = 0; i < EZ_TOP; i++)
        n += end[i] <= x;
    return n;
}

static inline uint32_t branch_of(const ez_pair_word *word, uint32_t topic)
{
    uint32_t branch = EZ_TOP;
    for (uint32_t i = 0; i < EZ_TOP; i++)
        branch = word->topic[i] == topic ? i : branch;
    return branch;
}

static void draw_document(ez_pair_job *job)
{
    draw_pairs(job);
}

static void weigh_word(ez_pair_word *word, size_t blocks, const float *f, float scale,
                       const float *alpha_scaled)
{
    ez_pair_block *block = ez_pair_word_blocks(word);
    uint64_t *through = ez_pair_word_q(word, blocks), sum = 0;
    for (size_t b = 0; b < blocks; b++) {
        for (size_t i = 0; i < EZ_PAIR_BLOCK; i++) {
            size_t k = b * EZ_PAIR_BLOCK + i;
            uint32_t w = ez_weight(f[k], scale);
            block[b].low[i] = (int16_t)(w & ((1u << EZ_PLANE_BITS) - 1));
            block[b].high[i] = (int16_t)(w >> EZ_PLANE_BITS);
            sum += ez_alpha_weight(w, alpha_scaled[k]);
        }
        through[b] = sum;
    }
    word->q_rest = sum;
}

const ez_pair_kernels ez_pair_kernels_plain = {
    .draw = draw_document,
    .total = total_of_pair,
    .weigh = weigh_word,
};
