/* What all kernels share: sums and scans over a warp, the next task, rows of W, and the marks of
 * open tokens. */
#ifndef EZ_WARP_CUH
#define EZ_WARP_CUH

#include "backend/cuda/kernels/device_state.h"

/* A parameter of a kernel. It is read in place: otherwise nvcc loads its members into registers,
 * and unrolls and unswitches loops by them. */
#define EZ_IN const __grid_constant__

#define EZ_ALL 0xffffffffu

/* Marks a token's topic in T as open, if K leaves bit 15 free. */
#define EZ_OPEN_BIT 0x8000u

__device__ __forceinline__ uint32_t ez_lane(void)
{
    return threadIdx.x & 31;
}

__device__ __forceinline__ uint32_t ez_lanes_before(void)
{
    return (1u << ez_lane()) - 1;
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

/* The next task of a warp. */
__device__ __forceinline__ uint32_t ez_warp_next(uint32_t *counter)
{
    uint32_t next = 0;
    if (ez_lane() == 0)
        next = atomicAdd(counter, 1);
    return __shfl_sync(EZ_ALL, next, 0);
}

/* The next task of a block: taken from a counter, or dealt out beforehand (then it is the block's
 * turn-th). */
__device__ __forceinline__ uint32_t ez_block_next(uint32_t *counter, uint32_t dealt, uint32_t turn)
{
    __shared__ uint32_t taken;
    __syncthreads();
    if (threadIdx.x == 0)
        taken = dealt ? blockIdx.x + turn * gridDim.x : atomicAdd(counter, 1);
    __syncthreads();
    return taken;
}

/* How many entries in [first, i) equal `value`; equal ones are adjacent and end at i. The search
 * doubles its step, then halves it. */
__device__ __forceinline__ uint32_t ez_run_before(const uint32_t *array, uint32_t i, uint32_t first,
                                                  uint32_t value)
{
    if (i == first || array[i - 1] != value)
        return 0;
    uint32_t in = 1, step = 2;
    for (; step <= i - first && array[i - step] == value; step *= 2)
        in = step;
    uint32_t out = step <= i - first ? step : i - first + 1;
    while (out - in > 1) {
        uint32_t middle = in + (out - in) / 2;
        if (array[i - middle] == value)
            in = middle;
        else
            out = middle;
    }
    return in;
}

/* A topic's alpha, scaled. If all topics have the same, nothing is loaded. */
__device__ __forceinline__ float ez_alpha_of(const ez_device_priors &priors, uint32_t k)
{
    return priors.alpha_one > 0 ? ez_alpha_scaled(priors.alpha_one)
                                : __ldg(&priors.alpha_scaled[k]);
}

/* Whether the token at a place in T is open. */
__device__ __forceinline__ bool ez_is_open(const ez_device_tokens &tokens, uint32_t place)
{
    return tokens.open ? tokens.open[place] : tokens.topic[place] >> 15;
}

/* The topic of the token at a place in T, without the mark. */
__device__ __forceinline__ uint32_t ez_old_topic(const ez_device_tokens &tokens, uint32_t place)
{
    uint32_t z = tokens.topic[place];
    return tokens.open ? z : z & ~EZ_OPEN_BIT;
}

/* Rows of W: a dense one, a sparse one, and how many entries of it to look at. */
__device__ __forceinline__ uint32_t *ez_dense_row(const ez_device_w &w, uint32_t v)
{
    return w.dense + (size_t)v * w.stride;
}

__device__ __forceinline__ uint32_t *ez_sparse_row(const ez_device_w &w, uint32_t v)
{
    return w.sparse + (w.start[v] - w.sparse_base);
}

__device__ __forceinline__ uint32_t &ez_sparse_entries(const ez_device_w &w, uint32_t v)
{
    return w.entries[v - w.dense_words];
}

/* The slot of the weights of count 0 (ez_zero_weights) for a row of this scale: 1 - exponent.
 */
__device__ __forceinline__ int ez_zero_slot(const ez_device_priors &priors, float scale)
{
    return 1 - (priors.weight_bits - (ez_exponent(scale) - 1));
}

#endif
