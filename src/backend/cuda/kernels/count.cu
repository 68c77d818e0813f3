/* W and n from the topics in T. A word of one task is counted on chip and written once; a word of several adds up. */
#include "backend/cuda/kernels/warp.cuh"

extern __shared__ uint32_t histogram[];

extern "C" __global__ void ez_count_words(ez_device_state s)
{
    __shared__ uint32_t taken;
    for (;;) {
        __syncthreads();
        if (threadIdx.x == 0)
            taken = atomicAdd(&s.next[EZ_NEXT_WORD], 1);
        __syncthreads();
        if (taken >= s.tasks)
            return;
        ez_device_task task = s.task[taken];
        for (uint32_t k = threadIdx.x; k < s.topics; k += blockDim.x)
            histogram[k] = 0;
        __syncthreads();
        for (uint32_t i = threadIdx.x; i < task.tokens; i += blockDim.x)
            atomicAdd(&histogram[s.topic[task.begin + i]], 1);
        __syncthreads();
        uint32_t *row = s.w + (size_t)task.word * s.topics;
        for (uint32_t k = threadIdx.x; k < s.topics; k += blockDim.x) {
            uint32_t n = histogram[k];
            if (!task.split)
                row[k] = n;
            else if (n)
                atomicAdd(&row[k], n);
            if (n)
                atomicAdd(&s.topic_tokens[k], (unsigned long long)n);
        }
    }
}

/* The same without a histogram on chip, for K that does not fit; the rows were zeroed before. */
extern "C" __global__ void ez_count_words_in_memory(ez_device_state s)
{
    __shared__ uint32_t taken;
    for (;;) {
        __syncthreads();
        if (threadIdx.x == 0)
            taken = atomicAdd(&s.next[EZ_NEXT_WORD], 1);
        __syncthreads();
        if (taken >= s.tasks)
            return;
        ez_device_task task = s.task[taken];
        uint32_t *row = s.w + (size_t)task.word * s.topics;
        for (uint32_t i = threadIdx.x; i < task.tokens; i += blockDim.x) {
            uint32_t k = s.topic[task.begin + i];
            atomicAdd(&row[k], 1);
            atomicAdd(&s.topic_tokens[k], 1ull);
        }
    }
}

/* Rows of words that are counted in several tasks start from zero. */
extern "C" __global__ void ez_clear_split_rows(ez_device_state s)
{
    for (uint32_t i = blockIdx.x; i < s.tasks; i += gridDim.x) {
        ez_device_task task = s.task[i];
        if (!task.split || task.begin != s.word_start[task.word])
            continue;
        uint32_t *row = s.w + (size_t)task.word * s.topics;
        for (uint32_t k = threadIdx.x; k < s.topics; k += blockDim.x)
            row[k] = 0;
    }
}
