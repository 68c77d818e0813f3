/* Places on Q'' for the pair kernels with AVX2 and AVX-512: each word has the ends of blocks of
 * eight topics on its Q'', made with its weights, so a draw there sums one block. The ends are
 * floats of few roundings: sums of eight by halves, then running sums. */
#ifndef EZ_PAIR_Q_BLOCKS_H
#define EZ_PAIR_Q_BLOCKS_H

#include "backend/cpu/kernels/pair_kernels.h"

#include <immintrin.h>

static inline __m256 shifted_eight(__m256 x, const int bytes)
{
    __m256i bits = _mm256_castps_si256(x);
    return _mm256_castsi256_ps(bytes == 4 ? _mm256_slli_si256(bits, 4)
                                          : _mm256_slli_si256(bits, 8));
}

static inline __m256 running_sums_of_eight(__m256 x)
{
    x = _mm256_add_ps(x, shifted_eight(x, 4));
    x = _mm256_add_ps(x, shifted_eight(x, 8));
    __m256 low = _mm256_permute2f128_ps(x, x, 0x08);
    return _mm256_add_ps(x, _mm256_permute_ps(low, 0xff));
}

static inline __m256 last_of_eight(__m256 x)
{
    return _mm256_permutevar8x32_ps(x, _mm256_set1_epi32(7));
}

/* The sums of eight vectors. */
static inline __m256 sums_of_vectors(const __m256 *x)
{
    __m256 low = _mm256_hadd_ps(_mm256_hadd_ps(x[0], x[1]), _mm256_hadd_ps(x[2], x[3]));
    __m256 high = _mm256_hadd_ps(_mm256_hadd_ps(x[4], x[5]), _mm256_hadd_ps(x[6], x[7]));
    return _mm256_add_ps(_mm256_permute2f128_ps(low, high, 0x20),
                         _mm256_permute2f128_ps(low, high, 0x31));
}

/* Makes the ends of a word's blocks from its weights. */
static inline void make_q_ends(const ez_pair_word *word, uint32_t topics, const float *alpha_scaled)
{
    const float *weight = ez_pair_weights(word);
    const __m256 unit = _mm256_set1_ps(1.0f / (1 << EZ_ALPHA_BITS));
    float *end = ez_pair_q_ends(word, topics);
    __m256 sum = _mm256_setzero_ps();
    end[0] = 0;
    for (uint32_t k = 0; k < topics; k += 64) {
        __m256 term[8];
        for (uint32_t i = 0; i < 8; i++) {
            uint32_t at = k + 8 * i;
            term[i] = at < topics ? _mm256_mul_ps(_mm256_loadu_ps(weight + at),
                                                  _mm256_loadu_ps(alpha_scaled + at))
                                  : _mm256_setzero_ps();
        }
        __m256 ends = running_sums_of_eight(_mm256_mul_ps(sums_of_vectors(term), unit));
        ends = _mm256_add_ps(ends, sum);
        sum = last_of_eight(ends);
        _mm256_storeu_ps(end + 1 + k / 8, ends);
    }
}

static inline uint32_t passed_by(__m256 end, __m256 y)
{
    __m256 passed = _mm256_cmp_ps(end, y, _CMP_LE_OQ);
    return (uint32_t)__builtin_popcount((uint32_t)_mm256_movemask_ps(passed));
}

/* The topic at y on a word's Q''; UINT32_MAX if y is not farther than the margin from both ends of
 * its segment. No branch depends on y if it is. */
static inline uint32_t find_in_q_blocks(const ez_pair_job *job, const ez_pair_word *word, float y,
                                        float margin)
{
    const float *block_end = ez_pair_q_ends(word, job->topics);
    const __m256 all = _mm256_set1_ps(y);
    uint32_t block = 0;
    for (uint32_t b = 0; b < job->topics; b += 64)
        block += passed_by(_mm256_loadu_ps(block_end + 1 + b / 8), all);
    if (8 * block >= job->topics)
        return UINT32_MAX;
    float end[9];
    __m256 term = _mm256_mul_ps(_mm256_loadu_ps(job->alpha + (size_t)8 * block),
                                _mm256_loadu_ps(ez_pair_weights(word) + (size_t)8 * block));
    __m256 sums = _mm256_add_ps(running_sums_of_eight(term), _mm256_set1_ps(block_end[block]));
    end[0] = block_end[block];
    _mm256_storeu_ps(end + 1, sums);
    uint32_t at = passed_by(sums, all);
    if (at == 8)
        return UINT32_MAX;
    bool sure = (y - end[at] > margin) & (end[at + 1] - y > margin);
    return sure ? 8 * block + at : UINT32_MAX;
}

#endif
