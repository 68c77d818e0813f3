/* Rows of W on their way between ranks, as lists of entries: the sparse rows, which are hash tables
 * on the device, and dense rows with few counts. The message of a rank first says where the list of
 * each word of the range begins, and where the last one ends; then come the entries.
 */
#include "backend/cuda/kernels/hashed_rows.cuh"

/* Rows per thread and step of the scan. */
enum { EZ_LIST_STEP = 4 };

struct listed_row {
    uint32_t *slot, slots;
    bool dense; /* slots are plain counts, each of which fits into an entry */
};

__device__ __forceinline__ listed_row row_of(const ez_device_w &w, uint32_t v)
{
    if (v < w.dense_words)
        return {ez_dense_row(w, v), w.topics, true};
    return {ez_sparse_row(w, v), w.start[v + 1] - w.start[v], false};
}

/* The entry in a slot; its count is 0 if the slot is empty. */
__device__ __forceinline__ uint32_t entry_of(const listed_row &row, uint32_t slot)
{
    return row.dense ? ez_entry(slot, row.slot[slot]) : row.slot[slot];
}

__device__ __forceinline__ uint32_t first_row(void)
{
    return (blockIdx.x * blockDim.x + threadIdx.x) / 32;
}

__device__ __forceinline__ uint32_t row_step(void)
{
    return gridDim.x * blockDim.x / 32;
}

/* Step 1: the number of entries of each row; one warp per row. */
extern "C" __global__ void __launch_bounds__(256)
    ez_count_lists(EZ_IN ez_device_range range, EZ_IN ez_device_w w, EZ_IN ez_shard_sums shards)
{
    for (uint32_t i = first_row(); i < range.last - range.first; i += row_step()) {
        listed_row row = row_of(w, range.first + i);
        uint32_t n = 0;
        for (uint32_t j = ez_lane(); j < row.slots; j += 32)
            n += ez_entry_count(entry_of(row, j)) > 0;
        n = ez_warp_sum(n);
        if (ez_lane() == 0)
            shards.added_start[i + 1] = n;
    }
}

/* Step 2: where each list begins, by a scan; one block of 1,024 threads. */
extern "C" __global__ void __launch_bounds__(1024)
    ez_place_lists(EZ_IN ez_device_range range, EZ_IN ez_shard_sums shards)
{
    __shared__ uint32_t of_warp[32];
    uint32_t rows = range.last - range.first, warp = threadIdx.x / 32, before = 0;
    if (threadIdx.x == 0)
        shards.added_start[0] = 0;
    for (uint32_t base = 0; base < rows; base += EZ_LIST_STEP * 1024) {
        uint32_t first = base + EZ_LIST_STEP * threadIdx.x, n[EZ_LIST_STEP], own = 0;
        for (uint32_t j = 0; j < EZ_LIST_STEP; j++) {
            n[j] = first + j < rows ? shards.added_start[first + j + 1] : 0;
            own += n[j];
        }
        uint32_t through = ez_group_scan(own, ez_lane(), 32);
        if (ez_lane() == 31)
            of_warp[warp] = through;
        __syncthreads();
        uint32_t warps = ez_group_scan(of_warp[ez_lane()], ez_lane(), 32);
        uint32_t earlier = __shfl_sync(EZ_ALL, warps, (warp + 31) % 32),
                 all = __shfl_sync(EZ_ALL, warps, 31);
        uint32_t at = before + (warp > 0 ? earlier : 0) + through - own;
        for (uint32_t j = 0; j < EZ_LIST_STEP && first + j < rows; j++) {
            at += n[j];
            shards.added_start[first + j + 1] = at;
        }
        before += all;
        __syncthreads();
    }
}

/* Step 3: the entries of each row; one warp per row. */
extern "C" __global__ void __launch_bounds__(256)
    ez_write_lists(EZ_IN ez_device_range range, EZ_IN ez_device_w w, EZ_IN ez_shard_sums shards)
{
    for (uint32_t i = first_row(); i < range.last - range.first; i += row_step()) {
        listed_row row = row_of(w, range.first + i);
        uint32_t at = shards.added_start[i];
        for (uint32_t j = 0; j < row.slots; j += 32) {
            uint32_t entry = j + ez_lane() < row.slots ? entry_of(row, j + ez_lane()) : 0;
            uint32_t found = __ballot_sync(EZ_ALL, ez_entry_count(entry) > 0);
            if (ez_entry_count(entry) > 0)
                shards.added[at + __popc(found & ez_lanes_before())] = entry;
            at += __popc(found);
        }
    }
}

/* Adds the lists of another rank to the rows; one warp per row. A topic occurs once in a list. */
extern "C" __global__ void __launch_bounds__(256)
    ez_sum_lists(EZ_IN ez_device_range range, EZ_IN ez_device_w w, EZ_IN ez_shard_sums shards)
{
    for (uint32_t i = first_row(); i < range.last - range.first; i += row_step()) {
        listed_row row = row_of(w, range.first + i);
        for (uint32_t j = shards.added_start[i] + ez_lane(); j < shards.added_start[i + 1];
             j += 32) {
            uint32_t k = ez_entry_topic(shards.added[j]), count = ez_entry_count(shards.added[j]);
            if (row.dense)
                row.slot[k] += count;
            else
                ez_add_hashed(row.slot, row.slots, k, count);
        }
    }
}
