/* Running sums over the elements of an AVX-512 vector, for kernels_avx512.c and infer_avx512.c. */
#ifndef EZ_AVX512_SUMS_H
#define EZ_AVX512_SUMS_H

#include <immintrin.h>
#include <stdint.h>

/* Running sums of eight. */
static inline __m512i prefix_sum(__m512i x)
{
    const __m512i zero = _mm512_setzero_si512();
    x = _mm512_add_epi64(x, _mm512_alignr_epi64(x, zero, 7));
    x = _mm512_add_epi64(x, _mm512_alignr_epi64(x, zero, 6));
    return _mm512_add_epi64(x, _mm512_alignr_epi64(x, zero, 4));
}

static inline uint64_t last_of(__m512i x)
{
    return (uint64_t)_mm_extract_epi64(_mm512_extracti64x2_epi64(x, 3), 1);
}

#endif
