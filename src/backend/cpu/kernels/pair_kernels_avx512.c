/* The pair kernels with AVX-512 (F, DQ, BW, VL): sixteen topics, both planes, at a time. */
#include "backend/cpu/kernels/avx512_sums.h"
#include "backend/cpu/kernels/pair_loops.h"

static inline void sum_top(const ez_pair_job *job, const ez_pair_word *word, uint64_t *end)
{
    __m256i topic =
        _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)word->topic));
    __m256i count = _mm256_i32gather_epi32((const int *)(const void *)job->count, topic, 2);
    count = _mm256_and_si256(count, _mm256_set1_epi32(0xffff));
    __m256i weight = _mm256_loadu_si256((const __m256i *)(const void *)word->weight);
    __m512i s = _mm512_mul_epu32(_mm512_cvtepu32_epi64(count), _mm512_cvtepu32_epi64(weight));
    s = _mm512_add_epi64(_mm512_slli_epi64(s, EZ_ALPHA_BITS), _mm512_loadu_si512(word->alpha_part));
    end[0] = 0;
    _mm512_storeu_si512(end + 1, prefix_sum(s));
}

static inline void sum_pair(const ez_pair_job *job, const ez_pair_word *word, pair_sums *sums)
{
    const ez_pair_block *block = ez_pair_word_blocks(word);
    __m512i sum = _mm512_setzero_si512();
    for (size_t b = 0; b < job->blocks; b++) {
        __m256i count =
            _mm256_loadu_si256((const __m256i *)(const void *)(job->count + b * EZ_PAIR_BLOCK));
        sum = _mm512_add_epi32(
            sum, _mm512_madd_epi16(_mm512_broadcast_i64x4(count), _mm512_loadu_si512(&block[b])));
    }
    __m256i both =
        _mm256_hadd_epi32(_mm512_castsi512_si256(sum), _mm512_extracti64x4_epi64(sum, 1));
    __m128i four = _mm_add_epi32(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1));
    four = _mm_hadd_epi32(four, four);
    uint64_t two = (uint64_t)_mm_cvtsi128_si64(four);
    sums->s = (two >> 32 << EZ_PLANE_BITS) + (uint32_t)two;
    sum_top(job, word, sums->end);
}

static inline uint32_t count_ends(const uint64_t *end, uint64_t x)
{
    __mmask8 passed =
        _mm512_cmple_epu64_mask(_mm512_loadu_si512(end), _mm512_set1_epi64((long long)x));
    return (uint32_t)__builtin_popcount(passed);
}

static inline uint32_t branch_of(const ez_pair_word *word, uint32_t topic)
{
    __m128i topics = _mm_loadu_si128((const __m128i *)(const void *)word->topic);
    __mmask8 same = _mm_cmpeq_epi16_mask(topics, _mm_set1_epi16((short)topic));
    return (uint32_t)__builtin_ctz((uint32_t)same | 1u << EZ_TOP);
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
    for (size_t b = 0; b < blocks; b++, f += EZ_PAIR_BLOCK, alpha_scaled += EZ_PAIR_BLOCK) {
        __m512i w = _mm512_cvtps_epu32(_mm512_mul_ps(_mm512_loadu_ps(f), _mm512_set1_ps(scale)));
        __m512i low = _mm512_and_si512(w, _mm512_set1_epi32((1 << EZ_PLANE_BITS) - 1));
        __m512i high = _mm512_srli_epi32(w, EZ_PLANE_BITS);
        _mm256_storeu_si256((__m256i *)(void *)block[b].low, _mm512_cvtepi32_epi16(low));
        _mm256_storeu_si256((__m256i *)(void *)block[b].high, _mm512_cvtepi32_epi16(high));
        __m512 q = _mm512_mul_ps(_mm512_cvtepu32_ps(w), _mm512_loadu_ps(alpha_scaled));
        __m512i parts = _mm512_add_epi64(_mm512_cvtps_epu64(_mm512_castps512_ps256(q)),
                                         _mm512_cvtps_epu64(_mm512_extractf32x8_ps(q, 1)));
        through[b] = sum += (uint64_t)_mm512_reduce_add_epi64(parts);
    }
    word->q_rest = sum;
}

const ez_pair_kernels ez_pair_kernels_avx512 = {
    .draw = draw_document,
    .total = total_of_pair,
    .weigh = weigh_word,
};
