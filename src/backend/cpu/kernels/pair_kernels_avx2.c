/* The pair kernels with AVX2: sixteen topics at a time. All sums stay below 2^63, so signed
 * comparisons suffice. */
#include "backend/cpu/kernels/pair_loops.h"

#include <immintrin.h>

static inline __m256i load256(const void *at)
{
    return _mm256_loadu_si256((const __m256i *)at);
}

static inline void store256(void *at, __m256i x)
{
    _mm256_storeu_si256((__m256i *)at, x);
}

/* Running sums of four. */
static inline __m256i prefix_sum(__m256i x)
{
    x = _mm256_add_epi64(x, _mm256_slli_si256(x, 8));
    __m256i low = _mm256_permute4x64_epi64(x, 0x55);
    return _mm256_add_epi64(x, _mm256_blend_epi32(_mm256_setzero_si256(), low, 0xf0));
}

/* m_i of four branches. */
static inline __m256i branches(__m128i count, __m128i weight, const uint64_t *alpha_part)
{
    __m256i s = _mm256_mul_epu32(_mm256_cvtepu32_epi64(count), _mm256_cvtepu32_epi64(weight));
    return _mm256_add_epi64(_mm256_slli_epi64(s, EZ_ALPHA_BITS), load256(alpha_part));
}

static inline void sum_top(const ez_pair_job *job, const ez_pair_word *word, uint64_t *end)
{
    __m256i topic =
        _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)word->topic));
    __m256i count = _mm256_i32gather_epi32((const int *)(const void *)job->count, topic, 2);
    count = _mm256_and_si256(count, _mm256_set1_epi32(0xffff));
    __m256i weight = load256(word->weight);
    __m256i first = prefix_sum(
        branches(_mm256_castsi256_si128(count), _mm256_castsi256_si128(weight), word->alpha_part));
    __m256i second =
        prefix_sum(branches(_mm256_extracti128_si256(count, 1), _mm256_extracti128_si256(weight, 1),
                            word->alpha_part + 4));
    second = _mm256_add_epi64(second, _mm256_permute4x64_epi64(first, 0xff));
    end[0] = 0;
    store256(end + 1, first);
    store256(end + 5, second);
}

static inline void sum_pair(const ez_pair_job *job, const ez_pair_word *word, pair_sums *sums)
{
    const ez_pair_block *block = ez_pair_word_blocks(word);
    __m256i low = _mm256_setzero_si256(), high = low;
    for (size_t b = 0; b < job->blocks; b++) {
        __m256i count = load256(job->count + b * EZ_PAIR_BLOCK);
        low = _mm256_add_epi32(low, _mm256_madd_epi16(count, load256(block[b].low)));
        high = _mm256_add_epi32(high, _mm256_madd_epi16(count, load256(block[b].high)));
    }
    __m256i both = _mm256_hadd_epi32(low, high);
    __m128i four = _mm_add_epi32(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1));
    four = _mm_hadd_epi32(four, four);
    uint64_t two = (uint64_t)_mm_cvtsi128_si64(four);
    sums->s = (two >> 32 << EZ_PLANE_BITS) + (uint32_t)two;
    sum_top(job, word, sums->end);
}

static inline uint32_t count_ends(const uint64_t *end, uint64_t x)
{
    __m256i at = _mm256_set1_epi64x((long long)x);
    __m256i first = _mm256_cmpgt_epi64(load256(end), at),
            second = _mm256_cmpgt_epi64(load256(end + 4), at);
    __m256i both = _mm256_packs_epi32(first, second);
    /* Bytes of first[0..1], second[0..1], first[2..3], second[2..3], four each. */
    uint32_t above = (uint32_t)_mm256_movemask_epi8(both);
    return EZ_TOP - (uint32_t)__builtin_popcount(above) / 4;
}

static inline uint32_t branch_of(const ez_pair_word *word, uint32_t topic)
{
    __m128i topics = _mm_loadu_si128((const __m128i *)(const void *)word->topic);
    __m128i same = _mm_cmpeq_epi16(topics, _mm_set1_epi16((short)topic));
    return (uint32_t)__builtin_ctz((uint32_t)_mm_movemask_epi8(same) | 1u << 2 * EZ_TOP) / 2;
}

static void draw_document(ez_pair_job *job)
{
    draw_pairs(job);
}

/* The alpha parts of eight weights, four sums. Floats below 2^52 are rounded to integers in the
 * mantissa of a double plus 2^52. */
static inline __m256i alpha_parts(__m256i w, const float *alpha_scaled)
{
    const __m256d magic = _mm256_set1_pd(0x1p52);
    __m256 q = _mm256_mul_ps(_mm256_cvtepi32_ps(w), _mm256_loadu_ps(alpha_scaled));
    __m256d low = _mm256_add_pd(_mm256_cvtps_pd(_mm256_castps256_ps128(q)), magic),
            high = _mm256_add_pd(_mm256_cvtps_pd(_mm256_extractf128_ps(q, 1)), magic);
    const __m256i bits = _mm256_castpd_si256(magic);
    return _mm256_add_epi64(_mm256_xor_si256(_mm256_castpd_si256(low), bits),
                            _mm256_xor_si256(_mm256_castpd_si256(high), bits));
}

static inline uint64_t sum_of(__m256i x)
{
    __m128i two = _mm_add_epi64(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
    return (uint64_t)_mm_cvtsi128_si64(two) + (uint64_t)_mm_extract_epi64(two, 1);
}

static void weigh_word(ez_pair_word *word, size_t blocks, const float *f, float scale,
                       const float *alpha_scaled)
{
    const __m256i mask = _mm256_set1_epi32((1 << EZ_PLANE_BITS) - 1);
    ez_pair_block *block = ez_pair_word_blocks(word);
    uint64_t *through = ez_pair_word_q(word, blocks), sum = 0;
    for (size_t b = 0; b < blocks; b++, f += EZ_PAIR_BLOCK, alpha_scaled += EZ_PAIR_BLOCK) {
        __m256 by = _mm256_set1_ps(scale);
        __m256i first = _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_loadu_ps(f), by));
        __m256i second = _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_loadu_ps(f + 8), by));
        __m256i low =
            _mm256_packus_epi32(_mm256_and_si256(first, mask), _mm256_and_si256(second, mask));
        __m256i high = _mm256_packus_epi32(_mm256_srli_epi32(first, EZ_PLANE_BITS),
                                           _mm256_srli_epi32(second, EZ_PLANE_BITS));
        store256(block[b].low, _mm256_permute4x64_epi64(low, 0xd8));
        store256(block[b].high, _mm256_permute4x64_epi64(high, 0xd8));
        through[b] = sum += sum_of(_mm256_add_epi64(alpha_parts(first, alpha_scaled),
                                                    alpha_parts(second, alpha_scaled + 8)));
    }
    word->q_rest = sum;
}

const ez_pair_kernels ez_pair_kernels_avx2 = {
    .draw = draw_document,
    .total = total_of_pair,
    .weigh = weigh_word,
};
