/* CUDA C as plain C++: a kernel file compiled with this header in front of it (`g++ -include simt.h`) runs on the CPU,
 * with one fiber per CUDA thread. It has only what the kernels of src/backend/cuda use. */
#ifndef SIMT_H
#define SIMT_H

#include "simt_types.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <limits>
#include <type_traits>
#include <utility>

#define __CUDACC__ 1
#define __global__
#define __device__
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(n) __attribute__((aligned(n)))
#define __constant__ static const
/* One block at a time runs on a thread of the operating system: its memory is the thread's. */
#define __shared__ thread_local

template <typename... A> struct simt_parameters {
    static constexpr size_t size[sizeof...(A) + 1] = {sizeof(A)..., 0};
    template <void (*F)(A...), size_t... I> static void call(void **parameters, std::index_sequence<I...>)
    {
        (void)parameters;
        F(*static_cast<A *>(parameters[I])...);
    }
};

template <auto F> struct simt_entry;
template <typename... A, void (*F)(A...)> struct simt_entry<F> {
    static void call(void **parameters)
    {
        simt_parameters<A...>::template call<F>(parameters, std::index_sequence_for<A...>());
    }
    static constexpr simt_kernel describe(const char *name, unsigned most_threads = 1024, ...)
    {
        return {name, call, sizeof...(A), most_threads, simt_parameters<A...>::size};
    }
};

/* translate_kernels.sh appends one of these to a kernel file for each of its kernels, with the launch bounds. */
#define SIMT_KERNEL(name, ...)                                                               \
    extern "C" __attribute__((visibility("default"))) const simt_kernel simt_kernel_##name = \
        simt_entry<name>::describe(#name, ##__VA_ARGS__)
/* translate_kernels.sh appends this once per kernel file: it creates the calling thread's static shared memory. */
#define SIMT_MODULE                                                              \
    extern "C" __attribute__((visibility("default"))) void *simt_module_shared() \
    {                                                                            \
        static thread_local unsigned char first;                                 \
        return &first;                                                           \
    }

/* Dynamic shared memory: `extern __shared__ T name[];` becomes an object of this type. */
template <typename T> struct simt_dynamic {
    operator T *() const
    {
        return reinterpret_cast<T *>(simt_now->dynamic);
    }
    template <typename U> explicit operator U *() const
    {
        return reinterpret_cast<U *>(simt_now->dynamic);
    }
};

#define threadIdx (simt_now->thread)
#define blockIdx (simt_now->block)
#define blockDim (simt_now->block_size)
#define gridDim (simt_now->grid_size)
enum { warpSize = 32 };

/* The last parameters of a collective operation: the place of the call. (A structure as the only default argument would
 * get this line.) */
#define SIMT_SITE const char *file = __builtin_FILE(), int line = __builtin_LINE()
#define SIMT_PLACE \
    simt_site      \
    {              \
        file, line \
    }

inline void __syncthreads(SIMT_SITE)
{
    simt_block(0, SIMT_PLACE);
}
inline int __syncthreads_count(int predicate, SIMT_SITE)
{
    return static_cast<int>(simt_block(predicate != 0, SIMT_PLACE));
}
inline int __syncthreads_or(int predicate, SIMT_SITE)
{
    return simt_block(predicate != 0, SIMT_PLACE) != 0;
}
inline int __syncthreads_and(int predicate, SIMT_SITE)
{
    return simt_block(predicate == 0, SIMT_PLACE) == 0;
}
inline void __syncwarp(uint32_t mask = 0xffffffffu, SIMT_SITE)
{
    simt_warp(SIMT_SYNCWARP, mask, 0, 0, SIMT_PLACE);
}

inline uint32_t simt_lane()
{
    dim3 t = simt_now->thread, n = simt_now->block_size;
    return (t.x + n.x * (t.y + n.y * t.z)) % 32;
}

template <typename T> inline T simt_shuffle(uint32_t mask, T value, uint32_t source, simt_site site)
{
    static_assert(std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8), "a type that shuffles");
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    bits = simt_warp(SIMT_SHUFFLE, mask, bits, source, site);
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Small integers are passed as int, as in CUDA. */
template <typename T> using simt_wide = std::conditional_t<(sizeof(T) < 4), int, T>;

template <typename T> inline simt_wide<T> __shfl_sync(uint32_t mask, T value, int from, int width = 32, SIMT_SITE)
{
    uint32_t lane = simt_lane(), base = lane & ~(static_cast<uint32_t>(width) - 1);
    return simt_shuffle<simt_wide<T>>(mask, value, base + (static_cast<uint32_t>(from) & (width - 1)), SIMT_PLACE);
}
template <typename T> inline simt_wide<T> __shfl_up_sync(uint32_t mask, T value, unsigned by, int width = 32, SIMT_SITE)
{
    uint32_t lane = simt_lane(), place = lane & (static_cast<uint32_t>(width) - 1);
    return simt_shuffle<simt_wide<T>>(mask, value, place >= by ? lane - by : lane, SIMT_PLACE);
}
template <typename T>
inline simt_wide<T> __shfl_down_sync(uint32_t mask, T value, unsigned by, int width = 32, SIMT_SITE)
{
    uint32_t lane = simt_lane(), place = lane & (static_cast<uint32_t>(width) - 1);
    return simt_shuffle<simt_wide<T>>(mask, value, place + by < static_cast<uint32_t>(width) ? lane + by : lane,
                                      SIMT_PLACE);
}
template <typename T> inline simt_wide<T> __shfl_xor_sync(uint32_t mask, T value, int with, int width = 32, SIMT_SITE)
{
    /* A source in a later group of lanes is out of range: the lane keeps its own. */
    uint32_t lane = simt_lane(), end = (lane & ~(static_cast<uint32_t>(width) - 1)) + static_cast<uint32_t>(width);
    uint32_t source = lane ^ static_cast<uint32_t>(with);
    return simt_shuffle<simt_wide<T>>(mask, value, source < end ? source : lane, SIMT_PLACE);
}

inline uint32_t __ballot_sync(uint32_t mask, int predicate, SIMT_SITE)
{
    return static_cast<uint32_t>(simt_warp(SIMT_BALLOT, mask, predicate != 0, 0, SIMT_PLACE));
}
inline int __any_sync(uint32_t mask, int predicate, SIMT_SITE)
{
    return simt_warp(SIMT_BALLOT, mask, predicate != 0, 0, SIMT_PLACE) != 0;
}
inline int __all_sync(uint32_t mask, int predicate, SIMT_SITE)
{
    return simt_warp(SIMT_BALLOT, mask, predicate == 0, 0, SIMT_PLACE) == 0;
}
template <typename T> inline uint32_t __match_any_sync(uint32_t mask, T value, SIMT_SITE)
{
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    return static_cast<uint32_t>(simt_warp(SIMT_MATCH, mask, bits, 0, SIMT_PLACE));
}

#define SIMT_REDUCE(name, type, operation)                                                                 \
    inline type name(uint32_t mask, type value, SIMT_SITE)                                                 \
    {                                                                                                      \
        return static_cast<type>(simt_warp(operation, mask, static_cast<uint32_t>(value), 0, SIMT_PLACE)); \
    }
SIMT_REDUCE(__reduce_add_sync, uint32_t, SIMT_REDUCE_ADD)
SIMT_REDUCE(__reduce_add_sync, int, SIMT_REDUCE_ADD)
SIMT_REDUCE(__reduce_min_sync, uint32_t, SIMT_REDUCE_MIN)
SIMT_REDUCE(__reduce_min_sync, int, SIMT_REDUCE_MIN_SIGNED)
SIMT_REDUCE(__reduce_max_sync, uint32_t, SIMT_REDUCE_MAX)
SIMT_REDUCE(__reduce_max_sync, int, SIMT_REDUCE_MAX_SIGNED)
SIMT_REDUCE(__reduce_and_sync, uint32_t, SIMT_REDUCE_AND)
SIMT_REDUCE(__reduce_or_sync, uint32_t, SIMT_REDUCE_OR)
SIMT_REDUCE(__reduce_xor_sync, uint32_t, SIMT_REDUCE_XOR)
#undef SIMT_REDUCE

inline void __trap(SIMT_SITE)
{
    simt_trap(SIMT_PLACE);
}
inline void __nanosleep(unsigned)
{
    simt_yield();
}

#include "simt_arithmetic.h"

#endif
