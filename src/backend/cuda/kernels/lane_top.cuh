/* A lane's counts of the word's top topics: eight of 16 bits, in 16 aligned bytes of shared memory.
 * Only this lane uses them. Accesses are in assembly, because the compiler would make each wait for
 * the one before. */
#ifndef EZ_LANE_TOP_CUH
#define EZ_LANE_TOP_CUH

#include "backend/cuda/kernels/warp.cuh"

__device__ __forceinline__ void ez_top_write(uint16_t *top, uint4 counts)
{
#ifdef __CUDA_ARCH__
    asm volatile(
        "st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"((uint32_t)__cvta_generic_to_shared(top)),
        "r"(counts.x), "r"(counts.y), "r"(counts.z), "r"(counts.w));
#else
    *(uint4 *)top = counts;
#endif
}

__device__ __forceinline__ void ez_top_clear(uint16_t *top)
{
    ez_top_write(top, make_uint4(0, 0, 0, 0));
}

/* Stores the count of the branch of a mark (EZ_MARK | branch << 1). */
__device__ __forceinline__ void ez_top_store(uint16_t *top, uint32_t mark, uint32_t count)
{
#ifdef __CUDA_ARCH__
    uint32_t base =
        (uint32_t)__cvta_generic_to_shared(top) + EZ_MARK; /* EZ_MARK twice overflows to 0 */
    asm volatile("st.shared.u16 [%0], %1;" ::"r"(base + mark), "h"((uint16_t)count));
#else
    top[(mark ^ EZ_MARK) >> 1] = (uint16_t)count;
#endif
}

__device__ __forceinline__ uint4 ez_top_read(const uint16_t *top)
{
    uint4 counts;
#ifdef __CUDA_ARCH__
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(counts.x), "=r"(counts.y), "=r"(counts.z), "=r"(counts.w)
                 : "r"((uint32_t)__cvta_generic_to_shared(top)));
#else
    counts = *(const uint4 *)top;
#endif
    return counts;
}

__device__ __forceinline__ uint32_t ez_top_at(uint4 counts, int i)
{
    uint32_t word = i / 2 == 0   ? counts.x
                    : i / 2 == 1 ? counts.y
                    : i / 2 == 2 ? counts.z
                                 : counts.w;
    return i & 1 ? word >> 16 : word & 0xffff;
}

/* The larger of each half of two pairs of counts. */
__device__ __forceinline__ uint32_t ez_most_of_halves(uint32_t a, uint32_t b)
{
    return max(a & 0xffff0000u, b & 0xffff0000u) | max(a & 0xffffu, b & 0xffffu);
}

/* Subtracts 1 from the count of a branch. */
__device__ __forceinline__ uint4 ez_top_less(uint4 counts, uint32_t branch)
{
    uint32_t one = branch & 1 ? 1u << 16 : 1u, at = branch >> 1;
    return make_uint4(counts.x - (at == 0 ? one : 0), counts.y - (at == 1 ? one : 0),
                      counts.z - (at == 2 ? one : 0), counts.w - (at == 3 ? one : 0));
}

#endif
