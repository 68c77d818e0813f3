/* How often each count occurs in D and W. */
#include "backend/cuda/kernels/lane_line.cuh"

__device__ __forceinline__ void list_more(const ez_device_state &s, unsigned long long it)
{
    s.histogram_more[atomicAdd(&s.histogram_words[EZ_HISTOGRAM_CELLS], 1ull)] = it;
}

__device__ __forceinline__ void count_doc(const ez_device_state &s, uint32_t k, uint32_t count)
{
    if (count < EZ_HISTOGRAM_CELLS)
        atomicAdd(&s.histogram_docs[(size_t)k * EZ_HISTOGRAM_CELLS + count], 1ull);
    else
        list_more(s, (unsigned long long)k << 32 | count);
}

/* A narrow row: escaped counts follow it. */
__device__ __forceinline__ void count_narrow(const ez_device_state &s, const uint32_t *row,
                                             uint32_t groups, uint32_t escapes)
{
    const uint16_t *entry = (const uint16_t *)row;
    for (uint32_t j = ez_lane(); j < groups * 8; j += 32) {
        uint32_t count = entry[j] & EZ_NARROW_MAX;
        if (count > 0 && count < EZ_NARROW_MAX)
            count_doc(s, entry[j] >> EZ_NARROW_BITS, count);
    }
    for (uint32_t j = ez_lane(); j < escapes; j += 32)
        count_doc(s, row[groups * 4 + j] >> 19, row[groups * 4 + j] & 0xffff);
}

/* A wide one: a count above EZ_ENTRY_MAX has several entries, of which the first counts them all.
 */
__device__ __forceinline__ void count_wide(const ez_device_state &s, const uint32_t *row,
                                           uint32_t groups)
{
    uint32_t n = groups * EZ_LANE_WIDTH;
    for (uint32_t j = ez_lane(); j < n; j += 32) {
        uint32_t k = ez_entry_topic(row[j]), count = ez_entry_count(row[j]);
        if (count == 0 || (j > 0 && row[j - 1] == ez_entry(k, EZ_ENTRY_MAX)))
            continue;
        for (uint32_t i = j;
             row[i] == ez_entry(k, EZ_ENTRY_MAX) && i + 1 < n && ez_entry_topic(row[i + 1]) == k;
             i++)
            count += ez_entry_count(row[i + 1]);
        count_doc(s, k, count);
    }
}

/* Rows of D as the documents pass has left them; a warp a document. */
extern "C" __global__ void __launch_bounds__(256) ez_histogram_docs(ez_device_state s)
{
    uint32_t warps = gridDim.x * blockDim.x / 32;
    for (uint32_t d = (blockIdx.x * blockDim.x + threadIdx.x) / 32; d < s.docs; d += warps) {
        ez_device_doc doc = s.doc_of[d];
        if (s.doc_of[d + 1].begin == doc.begin)
            continue;
        const uint32_t *row = s.row + (size_t)doc.row * EZ_LANE_WIDTH;
        if (s.narrow && !(doc.groups & EZ_ROW_SHARED))
            count_narrow(s, row, doc.groups & EZ_GROUPS_MASK,
                         doc.groups >> EZ_ESCAPES_SHIFT & EZ_ESCAPES_MASK);
        else
            count_wide(s, row, doc.groups & EZ_GROUPS_MASK);
    }
}

__device__ __forceinline__ void count_word(const ez_device_state &s, unsigned int *cells,
                                           uint32_t count)
{
    if (count == 0)
        return;
    if (count < EZ_HISTOGRAM_CELLS)
        atomicAdd(&cells[count], 1u);
    else
        list_more(s, count);
}

/* Rows of W; a warp a word. */
extern "C" __global__ void __launch_bounds__(256) ez_histogram_words(ez_device_state s)
{
    __shared__ unsigned int cells[EZ_HISTOGRAM_CELLS];
    uint32_t warps = gridDim.x * blockDim.x / 32;
    if (threadIdx.x < EZ_HISTOGRAM_CELLS)
        cells[threadIdx.x] = 0;
    __syncthreads();
    for (uint32_t v = (blockIdx.x * blockDim.x + threadIdx.x) / 32; v < s.words; v += warps) {
        bool dense = v < s.dense_words;
        const uint32_t *row = dense ? s.w_dense + (size_t)v * s.w_stride
                                    : s.w_sparse + (s.w_start[v] - s.sparse_base);
        uint32_t n = dense ? s.topics : s.w_entries[v - s.dense_words];
        for (uint32_t j = ez_lane(); j < n; j += 32) {
            uint32_t count = dense ? row[j] : ez_entry_count(row[j]), k = ez_entry_topic(row[j]);
            if (!dense && !s.hashed && j > 0 && row[j - 1] == ez_entry(k, EZ_ENTRY_MAX))
                continue;
            for (uint32_t i = j; !dense && !s.hashed && row[i] == ez_entry(k, EZ_ENTRY_MAX) &&
                                 i + 1 < n && ez_entry_topic(row[i + 1]) == k;
                 i++)
                count += ez_entry_count(row[i + 1]);
            count_word(s, cells, count);
        }
    }
    __syncthreads();
    if (threadIdx.x < EZ_HISTOGRAM_CELLS && cells[threadIdx.x])
        atomicAdd(&s.histogram_words[threadIdx.x], (unsigned long long)cells[threadIdx.x]);
}
