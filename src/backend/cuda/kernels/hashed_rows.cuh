/* Sparse rows of W as hash tables, to which several launches, shards or ranks add. */
#ifndef EZ_HASHED_ROWS_CUH
#define EZ_HASHED_ROWS_CUH

#include "backend/cuda/kernels/warp.cuh"

/* Adds to the count of topic k. The row has a slot for every topic that it can hold. */
__device__ __forceinline__ void ez_add_hashed(uint32_t *row, uint32_t slots, uint32_t k,
                                              uint32_t count)
{
    uint32_t h = (uint32_t)((uint64_t)(k * 0x9e3779b1u) * slots >> 32);
    for (;; h = h + 1 < slots ? h + 1 : 0) {
        uint32_t found = __ldcg(&row[h]); /* race: a topic stays, and the exchange checks 0 again */
        if (found == 0)
            found = atomicCAS(&row[h], 0u, ez_entry(k, count));
        if (found != 0 && ez_entry_topic(found) == k)
            atomicAdd(&row[h], count);
        if (found == 0 || ez_entry_topic(found) == k)
            return;
    }
}

#endif
