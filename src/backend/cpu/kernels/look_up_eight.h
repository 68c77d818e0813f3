/* Eight floats of a table by index, for the pair kernels with AVX2 and AVX-512. One by one: a
 * gather takes four times as long on some processors. */
#ifndef EZ_LOOK_UP_EIGHT_H
#define EZ_LOOK_UP_EIGHT_H

#include <immintrin.h>
#include <stdint.h>

static inline __m128 look_up_four(const float *table, const uint16_t *index)
{
    __m128 found = _mm_load_ss(table + index[0]);
    found = _mm_insert_ps(found, _mm_load_ss(table + index[1]), 0x10);
    found = _mm_insert_ps(found, _mm_load_ss(table + index[2]), 0x20);
    return _mm_insert_ps(found, _mm_load_ss(table + index[3]), 0x30);
}

static inline __m256 look_up_eight(const float *table, const uint16_t *index)
{
    __m256 low = _mm256_castps128_ps256(look_up_four(table, index));
    return _mm256_insertf128_ps(low, look_up_four(table, index + 4), 1);
}

#endif
