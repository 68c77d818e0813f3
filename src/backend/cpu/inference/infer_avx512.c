/* Inference with AVX-512 (F, DQ, BW, VL): the eight branches, eight random numbers or eight items
 * at a time. */
#include "backend/cpu/inference/infer_doc.h"
#include "backend/cpu/kernels/avx512_sums.h"
#include "backend/cpu/kernels/kernels.h"

static inline __m512i mix(__m512i x)
{
    const __m512i factor = _mm512_set1_epi64((long long)0xd6e8feb86659fd93u);
    x = _mm512_mullo_epi64(_mm512_xor_si512(x, _mm512_srli_epi64(x, 32)), factor);
    x = _mm512_mullo_epi64(_mm512_xor_si512(x, _mm512_srli_epi64(x, 32)), factor);
    return _mm512_xor_si512(x, _mm512_srli_epi64(x, 32));
}

static inline void draw_all(ez_infer_doc *d, uint64_t iteration_key)
{
    const __m512i key = _mm512_set1_epi64((long long)iteration_key);
    for (uint32_t i = 0; i < d->tokens; i += 8) {
        __m512i word_key = mix(_mm512_add_epi64(key, _mm512_loadu_si512(d->word_part + i)));
        _mm512_storeu_si512(d->u + i,
                            mix(_mm512_add_epi64(word_key, _mm512_loadu_si512(d->token_part + i))));
    }
}

static inline void sum_zero_rows(ez_infer_doc *d)
{
    for (uint32_t z = 0; z < d->zeros; z += 8) {
        __m512i sum = _mm512_setzero_si512();
        for (uint32_t i = 0; i < d->row_size; i++) {
            const uint32_t *at = d->zero_weight + (size_t)ez_entry_topic(d->line[i]) * d->zeros + z;
            __m512i weight =
                _mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)(const void *)at));
            sum = _mm512_add_epi64(
                sum, _mm512_mul_epu32(weight, _mm512_set1_epi64(ez_entry_count(d->line[i]))));
            _mm512_storeu_si512(d->zero_before + ((size_t)i + 1) * d->zeros + z, sum);
        }
    }
}

static inline uint64_t ends_of(ez_infer_ends *ends, const ez_infer_word *word,
                               const uint32_t *count)
{
    __m512i top = _mm512_loadu_si512(word->top); /* weights are the lower halves */
    __m512i topic = _mm512_and_si512(_mm512_srli_epi64(top, 32), _mm512_set1_epi64(0xffff));
    __m512i held = _mm512_cvtepu32_epi64(_mm512_i64gather_epi32(topic, count, 4));
    __m512i s = _mm512_slli_epi64(_mm512_mul_epu32(top, held), EZ_ALPHA_BITS);
    __m512i end = prefix_sum(_mm512_add_epi64(s, _mm512_loadu_si512(word->top_alpha)));
    _mm512_storeu_si512(ends->end, end);
    return last_of(end);
}

static inline uint32_t branch_at(const ez_infer_ends *ends, uint64_t x, uint64_t own,
                                 uint32_t own_branch)
{
    __mmask8 from_own = (__mmask8)(0xffu << own_branch);
    __m512i end = _mm512_loadu_si512(ends->end);
    end = _mm512_mask_sub_epi64(end, from_own, end, _mm512_set1_epi64((long long)own));
    return (uint32_t)__builtin_popcount(
        _mm512_cmple_epu64_mask(end, _mm512_set1_epi64((long long)x)));
}

static inline __mmask8 first_lanes(uint32_t n)
{
    return (__mmask8)(n < 8 ? (1u << n) - 1 : 0xff);
}

static inline uint32_t first_above(const uint64_t *through, uint32_t n, uint64_t y)
{
    uint32_t lo = 0;
    for (uint32_t half; n > 8; n -= half) {
        half = n / 2;
        lo += half & -(uint32_t)(through[lo + half - 1] <= y);
    }
    __mmask8 live = first_lanes(n);
    __m512i values = _mm512_maskz_loadu_epi64(live, through + lo);
    return lo + (uint32_t)__builtin_popcount(
                    _mm512_mask_cmple_epu64_mask(live, values, _mm512_set1_epi64((long long)y)));
}

static inline uint32_t count_items(const uint64_t *through, const uint64_t *place, uint32_t n,
                                   const ez_s_target *target)
{
    const __m512i y = _mm512_set1_epi64((long long)target->y),
                  own = _mm512_set1_epi64((long long)target->own);
    const __m512i own_at = _mm512_set1_epi64((long long)target->own_at);
    uint32_t found = 0;
    for (uint32_t i = 0; i < n; i += 8) {
        __mmask8 live = first_lanes(n - i);
        __m512i end = _mm512_loadu_si512(through + i);
        __mmask8 from_own = _mm512_cmpge_epu64_mask(_mm512_loadu_si512(place + i), own_at);
        end = _mm512_mask_sub_epi64(end, from_own, end, own);
        found += (uint32_t)__builtin_popcount(_mm512_mask_cmple_epu64_mask(live, end, y));
        if (found < i + 8)
            break;
    }
    return found;
}

#include "backend/cpu/inference/infer_loops.h"

const ez_infer_kernels ez_infer_kernels_avx512 = {infer_iteration, infer_score};
