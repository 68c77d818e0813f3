/* Small pieces that kernels share. */
#ifndef EZ_WARP_CUH
#define EZ_WARP_CUH

#include "backend/cuda/kernels/device_state.h"

#define EZ_ALL 0xffffffffu

/* The undecided mark of a topic, where K leaves bit 15 free. */
#define EZ_OPEN_BIT 0x8000u
#define EZ_MARK 0x80000000u

__device__ __forceinline__ uint32_t ez_lane(void)
{
    return threadIdx.x & 31;
}

template <typename T> __device__ __forceinline__ T ez_warp_sum(T x)
{
    for (int step = 16; step > 0; step >>= 1)
        x += __shfl_xor_sync(EZ_ALL, x, step);
    return x;
}

/* Running sum over the lanes of a group of `width` (a power of two). */
template <typename T> __device__ __forceinline__ T ez_group_scan(T x, uint32_t lane, int width)
{
    for (int step = 1; step < width; step <<= 1) {
        T below = __shfl_up_sync(EZ_ALL, x, step, width);
        if (lane >= (uint32_t)step)
            x += below;
    }
    return x;
}

/* The next piece of work of a warp. */
__device__ __forceinline__ uint32_t ez_warp_next(uint32_t *counter)
{
    uint32_t next = 0;
    if (ez_lane() == 0)
        next = atomicAdd(counter, 1);
    return __shfl_sync(EZ_ALL, next, 0);
}

/* How many lanes before this one, counted from the last lane where `fresh` was set, go on with the same run; `carry` is
 * the run's length before the warp. */
__device__ __forceinline__ uint32_t ez_run_position(bool fresh, uint32_t carry)
{
    uint32_t lane = ez_lane(), starts = __ballot_sync(EZ_ALL, fresh) & (EZ_ALL >> (31 - lane));
    return starts ? lane - (31 - __clz(starts)) : carry + lane;
}

#endif
