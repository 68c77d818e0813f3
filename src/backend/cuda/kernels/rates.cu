/* Rates of the topics and the weights of count 0, which the prepare pass and the words pass read.
 * They depend on n and the priors only. */
#include "backend/cuda/kernels/warp.cuh"

/* The rates. Also zeroes the counters and tallies of the iteration. */
extern "C" __global__ void ez_rates(EZ_IN ez_device_w w, EZ_IN ez_device_priors priors,
                                    EZ_IN ez_device_rates rates, EZ_IN ez_work work)
{
    uint32_t k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < w.topics)
        rates.rate[k] = ez_topic_rate(w.topic_tokens[k], w.words, priors.beta);
    if (k < EZ_COUNTERS)
        work.counters[k] = 0;
    if (k < EZ_TALLIES)
        work.tally[k] = 0;
    if (k == 0)
        *work.score_sum = 0;
}

/* Topics by falling weight of count 0, the smaller number first if equal: a warp counts the topics
 * that come before its own. */
extern "C" __global__ void ez_order_zeros(EZ_IN uint32_t topics, EZ_IN ez_device_priors priors,
                                          EZ_IN ez_device_rates rates)
{
    uint32_t k = (blockIdx.x * blockDim.x + threadIdx.x) / 32, before = 0;
    if (k >= topics)
        return;
    float mine = ez_float_weight(0, priors.beta, rates.rate[k]);
    for (uint32_t j = ez_lane(); j < topics; j += 32) {
        float f = ez_float_weight(0, priors.beta, rates.rate[j]);
        before += f > mine || (f == mine && j < k);
    }
    before = ez_warp_sum(before);
    if (ez_lane() == 0)
        rates.zeros.order[before] = (uint16_t)k;
}

/* One block per slot: weights of count 0 (if zeros.weight is not NULL) and sums of their alpha
 * parts. Exponents below that of the largest weight of count 0 occur in no row. */
extern "C" __global__ void __launch_bounds__(1024)
    ez_sum_zeros(EZ_IN uint32_t topics, EZ_IN ez_device_priors priors, EZ_IN ez_device_rates rates)
{
    __shared__ unsigned long long warp_total[32];
    int exponent = 1 - (int)blockIdx.x;
    if (exponent < ez_exponent(ez_float_weight(0, priors.beta, rates.rate[rates.zeros.order[0]])))
        return;
    float scale = ez_power_of_two(priors.weight_bits - exponent);
    uint32_t *weight =
        rates.zeros.weight ? rates.zeros.weight + (size_t)blockIdx.x * rates.zeros.stride : NULL;
    uint32_t blocks = (topics + EZ_ZERO_STEP - 1) / EZ_ZERO_STEP, lane = ez_lane(),
             warp = threadIdx.x / 32;
    unsigned long long before = 0;
    for (uint32_t first = 0; first < topics; first += blockDim.x) {
        uint32_t k = first + threadIdx.x;
        unsigned long long q = 0;
        if (k < topics) {
            uint32_t w = ez_weight(ez_float_weight(0, priors.beta, rates.rate[k]), scale);
            if (weight)
                weight[k] = w;
            q = ez_alpha_weight(w, priors.alpha_scaled[k]);
        }
        q = ez_warp_sum(q);
        if (lane == 0)
            warp_total[warp] = q;
        __syncthreads();
        unsigned long long through =
            ez_group_scan(lane < blockDim.x / 32 ? warp_total[lane] : 0ull, lane, 32);
        uint32_t block = first / EZ_ZERO_STEP + lane;
        if (weight && warp == 0 && lane < blockDim.x / 32 && block < blocks)
            rates.zeros.through[(size_t)blockIdx.x * blocks + block] = before + through;
        before += __shfl_sync(EZ_ALL, through, 31);
        __syncthreads();
    }
    if (threadIdx.x == 0)
        rates.zeros.q[blockIdx.x] = before;
}
