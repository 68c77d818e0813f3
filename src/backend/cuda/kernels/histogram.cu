/* Histograms of D and W: how often each count occurs, for fitting priors. */
#include "backend/cuda/kernels/lane_line.cuh"
#include "sampler/count_cells.h"

/* Lists a count that has no cell. */
__device__ __forceinline__ void list_more(const ez_histogram_arrays &h, unsigned long long it)
{
    h.more[atomicAdd(&h.words[EZ_COUNT_CELLS], 1ull)] = it;
}

__device__ __forceinline__ void count_doc(const ez_histogram_arrays &h, uint32_t k, uint32_t count)
{
    if (count < EZ_HISTOGRAM_CELLS)
        atomicAdd(&h.docs[(size_t)k * EZ_HISTOGRAM_CELLS + count], 1ull);
    else
        list_more(h, (unsigned long long)k << 32 | count);
}

/* A narrow row: escaped counts follow it. */
__device__ __forceinline__ void count_narrow(const ez_histogram_arrays &h, const uint32_t *row,
                                             uint32_t groups, uint32_t escapes)
{
    const uint16_t *entry = (const uint16_t *)row;
    for (uint32_t j = ez_lane(); j < groups * 8; j += 32) {
        uint32_t count = entry[j] & EZ_NARROW_MAX;
        if (count > 0 && count < EZ_NARROW_MAX)
            count_doc(h, entry[j] >> EZ_NARROW_BITS, count);
    }
    for (uint32_t j = ez_lane(); j < escapes; j += 32)
        count_doc(h, row[groups * 4 + j] >> 19, row[groups * 4 + j] & 0xffff);
}

/* A wide row: a count above EZ_ENTRY_MAX has several entries, and the first one stands for all. */
__device__ __forceinline__ void count_wide(const ez_histogram_arrays &h, const uint32_t *row,
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
        count_doc(h, k, count);
    }
}

/* Rows of D as the documents pass has written them; one warp per document. */
extern "C" __global__ void __launch_bounds__(256)
    ez_histogram_docs(EZ_IN ez_device_tokens tokens, EZ_IN ez_device_d d,
                      EZ_IN ez_histogram_arrays histograms)
{
    uint32_t warps = gridDim.x * blockDim.x / 32;
    for (uint32_t i = (blockIdx.x * blockDim.x + threadIdx.x) / 32; i < tokens.docs; i += warps) {
        ez_device_doc doc = tokens.doc_of[i];
        if (tokens.doc_of[i + 1].begin == doc.begin)
            continue;
        const uint32_t *row = d.rows + (size_t)doc.row * EZ_LANE_WIDTH;
        if (d.narrow && !(doc.groups & EZ_ROW_SHARED))
            count_narrow(histograms, row, doc.groups & EZ_GROUPS_MASK,
                         doc.groups >> EZ_ESCAPES_SHIFT & EZ_ESCAPES_MASK);
        else
            count_wide(histograms, row, doc.groups & EZ_GROUPS_MASK);
    }
}

/* Small counts, most of all, are counted on chip first. */
__device__ __forceinline__ void count_word(const ez_histogram_arrays &h, unsigned int *cells,
                                           uint32_t count)
{
    if (count == 0)
        return;
    if (count < EZ_HISTOGRAM_CELLS)
        atomicAdd(&cells[count], 1u);
    else
        atomicAdd(&h.words[ez_count_cell(count)], 1ull);
}

/* Rows of W; one warp per word. */
extern "C" __global__ void __launch_bounds__(256)
    ez_histogram_words(EZ_IN ez_device_w w, EZ_IN ez_histogram_arrays histograms)
{
    __shared__ unsigned int cells[EZ_HISTOGRAM_CELLS];
    uint32_t warps = gridDim.x * blockDim.x / 32;
    if (threadIdx.x < EZ_HISTOGRAM_CELLS)
        cells[threadIdx.x] = 0;
    __syncthreads();
    for (uint32_t v = (blockIdx.x * blockDim.x + threadIdx.x) / 32; v < w.words; v += warps) {
        bool dense = v < w.dense_words;
        const uint32_t *row = dense ? ez_dense_row(w, v) : ez_sparse_row(w, v);
        uint32_t n = dense ? w.topics : ez_sparse_entries(w, v);
        for (uint32_t j = ez_lane(); j < n; j += 32) {
            uint32_t count = dense ? row[j] : ez_entry_count(row[j]), k = ez_entry_topic(row[j]);
            if (!dense && !w.hashed && j > 0 && row[j - 1] == ez_entry(k, EZ_ENTRY_MAX))
                continue;
            for (uint32_t i = j; !dense && !w.hashed && row[i] == ez_entry(k, EZ_ENTRY_MAX) &&
                                 i + 1 < n && ez_entry_topic(row[i + 1]) == k;
                 i++)
                count += ez_entry_count(row[i + 1]);
            count_word(histograms, cells, count);
        }
    }
    __syncthreads();
    if (threadIdx.x < EZ_HISTOGRAM_CELLS && cells[threadIdx.x])
        atomicAdd(&histograms.words[threadIdx.x], (unsigned long long)cells[threadIdx.x]);
}
