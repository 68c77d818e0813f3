/* Kernels that try the emulator: what must work, and what must be reported. */

#define ALL 0xffffffffu

extern __shared__ unsigned dynamic[];

/* Every collective operation once; each thread writes its results one after another. */
extern "C" __global__ void probe_collectives(unsigned *out, unsigned width)
{
    unsigned i = threadIdx.x, x = i * i + 7, *mine = out + i * 16;
    unsigned long long wide = (unsigned long long)x << 32 | i;
    mine[0] = __shfl_sync(ALL, x, 3, width);
    mine[1] = __shfl_up_sync(ALL, x, 2, width);
    mine[2] = __shfl_down_sync(ALL, x, 2, width);
    mine[3] = __shfl_xor_sync(ALL, x, 5, width);
    mine[4] = (unsigned)(__shfl_xor_sync(ALL, wide, 1) >> 32);
    mine[5] = __ballot_sync(ALL, i % 3 == 0);
    mine[6] = (unsigned)(__any_sync(ALL, i == 40) << 1 | __all_sync(ALL, i < 40));
    mine[7] = __match_any_sync(ALL, i % 5);
    mine[8] = __reduce_add_sync(ALL, x);
    mine[9] = __reduce_max_sync(ALL, x);
    mine[10] = (unsigned)__reduce_min_sync(ALL, 20 - (int)i);
    mine[11] = (unsigned)__syncthreads_count(i % 4 == 0);
    mine[12] = (unsigned)(__syncthreads_or(i == 63) << 1 | __syncthreads_and(i == 63));
    mine[13] = i % 2 ? __ballot_sync(0xaaaaaaaau, i % 3 == 0) : __ballot_sync(0x55555555u, i % 3 == 0);
    mine[14] = __float_as_uint(__shfl_down_sync(ALL, (float)i / 4, 1));
    mine[15] = blockIdx.x * 1000 + blockDim.x;
}

/* A sum over a block: through shuffles, static and dynamic shared memory and an atomic operation. */
template <int N> __device__ unsigned sum_of_block(unsigned x)
{
    __shared__ unsigned part[N];
    for (int step = 16; step > 0; step >>= 1)
        x += __shfl_xor_sync(ALL, x, step);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = x;
    if (threadIdx.x == 0)
        dynamic[0] = 0;
    __syncthreads();
    if (threadIdx.x < blockDim.x / 32)
        atomicAdd(&dynamic[0], part[threadIdx.x]);
    __syncthreads();
    return dynamic[0];
}

/* The first word of the buffer has the poison of fresh memory when the first block comes. */
extern "C" __global__ void __launch_bounds__(256) probe_sum(unsigned long long *out)
{
    atomicCAS(out, 0xdbdbdbdbdbdbdbdbull, 0ull);
    unsigned sum = sum_of_block<8>(blockIdx.x + threadIdx.x);
    if (threadIdx.x == 0)
        atomicAdd(out, (unsigned long long)sum);
}

extern "C" __global__ void probe_rounding(float *out, float a, float b, unsigned long long n)
{
    float all[] = {__fadd_rn(a, b),    __fadd_ru(a, b),    __fadd_rd(a, b),    __fmul_rn(a, b),
                   __fmul_ru(a, b),    __fmul_rd(a, b),    __fdiv_rn(a, b),    __fdiv_ru(a, b),
                   __fdiv_rd(a, b),    __ull2float_rn(n),  __ull2float_ru(n),  __ull2float_rd(n),
                   __uint2float_rn(n), __uint2float_ru(n), __uint2float_rd(n), __uint2float_rz(n)};
    for (int i = 0; i < 16; i++)
        out[i] = all[i];
}

extern "C" __global__ void probe_integers(unsigned long long *out, float f, unsigned a, unsigned b)
{
    unsigned long long all[] = {__float2ull_rn(f),  __float2uint_rn(f),        __float2uint_rz(f),
                                __umulhi(a, b),     __byte_perm(a, b, 0x7a40), __brev(a),
                                (unsigned)__clz(a), (unsigned)__ffs(a),        __funnelshift_l(a, b, 8)};
    for (int i = 0; i < 9; i++)
        out[i] = all[i];
}

/* Shared memory that nobody wrote. */
extern "C" __global__ void probe_poison(unsigned *out)
{
    __shared__ unsigned fixed[4];
    out[0] = fixed[1];
    out[1] = dynamic[1];
    out[2] = out[3];
    fixed[1] = dynamic[1] = 5;
}

/* A neighbour's value read without waiting for it: right in one order of the threads, wrong in others. */
extern "C" __global__ void probe_race(unsigned *out)
{
    __shared__ unsigned value[64];
    value[threadIdx.x] = threadIdx.x;
    if (threadIdx.x > 0)
        out[threadIdx.x] = value[threadIdx.x - 1];
}

/* Ordered by nothing: a shuffle brings lanes together, but not their memory. */
extern "C" __global__ void probe_warp_race(unsigned *out)
{
    __shared__ unsigned value[32];
    value[threadIdx.x] = threadIdx.x;
    unsigned from = __shfl_sync(ALL, threadIdx.x, 5);
    out[threadIdx.x] = value[(threadIdx.x + from) % 32];
}

/* ... with what orders them; then only a part of the lanes. */
extern "C" __global__ void probe_warp_order(unsigned *out)
{
    __shared__ unsigned value[32];
    value[threadIdx.x] = threadIdx.x;
    __syncwarp();
    unsigned next = value[(threadIdx.x + 1) % 32];
    if (blockIdx.x == 0)
        out[threadIdx.x] = next;
    __syncwarp();
    if (threadIdx.x < 16) {
        value[threadIdx.x] = 5;
        __syncwarp(0xffffu);
        next = value[(threadIdx.x + 1) % 16];
    }
    if (blockIdx.x == 0)
        out[threadIdx.x] += next;
}

/* Blocks have no order at all. */
extern "C" __global__ void probe_device_race(unsigned *out)
{
    if (threadIdx.x == 0)
        out[0] = blockIdx.x;
}

extern "C" __global__ void probe_excused_race(unsigned *out)
{
    out[threadIdx.x] = blockIdx.x; /* race: it is meant */
}

/* All write the same, and only the first of them changes anything. */
extern "C" __global__ void probe_same_value(unsigned *out)
{
    __shared__ unsigned flag;
    if (threadIdx.x == 0)
        flag = 0;
    __syncthreads();
    if (threadIdx.x % 3 == 0)
        flag = 1;
    __syncthreads();
    if (blockIdx.x == 0)
        out[threadIdx.x] = flag;
}

extern "C" __global__ void probe_shuffles(unsigned *out, unsigned rounds)
{
    unsigned x = threadIdx.x;
    for (unsigned i = 0; i < rounds; i++)
        x += __shfl_xor_sync(ALL, x, 1);
    out[threadIdx.x] = x;
}

/* From here on: faults. */
extern "C" __global__ void probe_divergent(unsigned *out)
{
    if (threadIdx.x % 2)
        out[threadIdx.x] = __shfl_sync(ALL, 1u, 0);
    else
        out[threadIdx.x] = __shfl_sync(ALL, 2u, 0);
}

extern "C" __global__ void probe_ended(unsigned *out)
{
    if (threadIdx.x == 5)
        return;
    __syncwarp();
    out[threadIdx.x] = 1;
}

extern "C" __global__ void probe_deadlock(unsigned *out)
{
    if (threadIdx.x == 33)
        __syncthreads();
    else
        __syncwarp();
    out[threadIdx.x] = 1;
}

extern "C" __global__ void probe_two_barriers(unsigned *out)
{
    if (threadIdx.x < 32)
        __syncthreads();
    else
        __syncthreads();
    out[threadIdx.x] = 1;
}

extern "C" __global__ void probe_outside_mask(unsigned *out)
{
    if (threadIdx.x < 16)
        out[threadIdx.x] = __shfl_sync(0xffffu, 1u, 20);
}

extern "C" __global__ void probe_write(unsigned *out, long long at)
{
    out[at] = 1;
}

extern "C" __global__ void probe_write_shared(unsigned *out, long long at)
{
    dynamic[at] = out[0];
}

extern "C" __global__ void probe_recursion(unsigned *out, unsigned depth)
{
    volatile unsigned room[1024];
    room[depth % 1024] = depth;
    if (depth > 0)
        probe_recursion(out, depth - 1);
    out[0] += room[depth % 1024];
}

extern "C" __global__ void probe_misaligned(unsigned *out, unsigned by)
{
    uint4 *four = (uint4 *)((char *)out + by);
    out[20] = four->x;
}

extern "C" __global__ void probe_index(unsigned *out, unsigned at)
{
    unsigned few[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    out[0] = few[at];
}

extern "C" __global__ void probe_shift(unsigned *out, unsigned by)
{
    out[0] = 1u << by;
}

extern "C" __global__ void probe_trap(unsigned *out)
{
    if (out)
        __trap();
}
