/* Rates of the topics and the weights of count 0, which the prepare pass and the words pass read.
 * They depend on n and the priors only. */
#include "backend/cuda/kernels/warp.cuh"

/* The rates. Also zeroes the counters and tallies of the iteration. */
extern "C" __global__ void ez_rates(ez_device_state s)
{
    uint32_t k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < s.topics)
        s.rate[k] = ez_topic_rate(s.topic_tokens[k], s.words, s.beta);
    if (k < EZ_COUNTERS)
        s.work.counters[k] = 0;
    if (k < EZ_TALLIES)
        s.work.tally[k] = 0;
    if (k == 0)
        *s.work.score_sum = 0;
}

/* Topics by falling weight of count 0, the smaller number first if equal: a warp counts the topics
 * that come before its own. */
extern "C" __global__ void ez_order_zeros(ez_device_state s)
{
    uint32_t k = (blockIdx.x * blockDim.x + threadIdx.x) / 32, before = 0;
    if (k >= s.topics)
        return;
    float mine = ez_float_weight(0, s.beta, s.rate[k]);
    for (uint32_t j = ez_lane(); j < s.topics; j += 32) {
        float f = ez_float_weight(0, s.beta, s.rate[j]);
        before += f > mine || (f == mine && j < k);
    }
    before = ez_warp_sum(before);
    if (ez_lane() == 0)
        s.zeros.order[before] = (uint16_t)k;
}

/* One block per slot: weights of count 0 (if zeros.weight is not NULL) and sums of their alpha
 * parts. Exponents below that of the largest weight of count 0 occur in no row. */
extern "C" __global__ void __launch_bounds__(1024) ez_sum_zeros(ez_device_state s)
{
    __shared__ unsigned long long warp_total[32];
    int exponent = 1 - (int)blockIdx.x;
    if (exponent < ez_exponent(ez_float_weight(0, s.beta, s.rate[s.zeros.order[0]])))
        return;
    float scale = ez_power_of_two(s.weight_bits - exponent);
    uint32_t *weight = s.zeros.weight ? s.zeros.weight + (size_t)blockIdx.x * s.zeros.stride : NULL;
    uint32_t blocks = (s.topics + EZ_ZERO_STEP - 1) / EZ_ZERO_STEP, lane = ez_lane(),
             warp = threadIdx.x / 32;
    unsigned long long before = 0;
    for (uint32_t first = 0; first < s.topics; first += blockDim.x) {
        uint32_t k = first + threadIdx.x;
        unsigned long long q = 0;
        if (k < s.topics) {
            uint32_t w = ez_weight(ez_float_weight(0, s.beta, s.rate[k]), scale);
            if (weight)
                weight[k] = w;
            q = ez_alpha_weight(w, s.alpha_scaled[k]);
        }
        q = ez_warp_sum(q);
        if (lane == 0)
            warp_total[warp] = q;
        __syncthreads();
        unsigned long long through =
            ez_group_scan(lane < blockDim.x / 32 ? warp_total[lane] : 0ull, lane, 32);
        uint32_t block = first / EZ_ZERO_STEP + lane;
        if (weight && warp == 0 && lane < blockDim.x / 32 && block < blocks)
            s.zeros.through[(size_t)blockIdx.x * blocks + block] = before + through;
        before += __shfl_sync(EZ_ALL, through, 31);
        __syncthreads();
    }
    if (threadIdx.x == 0)
        s.zeros.q[blockIdx.x] = before;
}
