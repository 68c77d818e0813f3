/* Sparse rows of W that are hash tables: what is counted in several places adds up in them. */
#ifndef EZ_HASHED_ROWS_CUH
#define EZ_HASHED_ROWS_CUH

#include "backend/cuda/kernels/warp.cuh"

__device__ __forceinline__ void ez_add_hashed(uint32_t *row, uint32_t slots, uint32_t k,
                                              uint32_t count)
{
    uint32_t h = (uint32_t)((uint64_t)(k * 0x9e3779b1u) * slots >> 32);
    for (;; h = h + 1 < slots ? h + 1 : 0) {
        uint32_t found =
            __ldcg(&row[h]); /* race: a topic stays, and the exchange looks again at 0 */
        if (found == 0)
            found = atomicCAS(&row[h], 0u, ez_entry(k, count));
        if (found != 0 && ez_entry_topic(found) == k)
            atomicAdd(&row[h], count);
        if (found == 0 || ez_entry_topic(found) == k)
            return;
    }
}

#endif
