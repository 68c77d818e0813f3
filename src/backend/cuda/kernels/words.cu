/* The words pass: a block takes a task (a word or a region of it), makes the table of the word's
 * weights on chip and draws the open tokens. */
#include "backend/cuda/kernels/word_tokens.cuh"

/* Topics per sum of alpha parts: fewer if there is room. */
enum { STEP = 4, WIDE_STEP = 32 };

/* Blocks that a multiprocessor should hold at once. */
#define EZ_WORD_BLOCKS (32 / EZ_WORD_WARPS)

extern __shared__ uint4 on_chip[];

/* Shared memory: rooms of the warps, sums of alpha parts, then the table, which is in the block's
 * scratch if K is too large. */
template <typename F, int N_WARPS, int N_STEP, bool ON_CHIP>
__device__ __forceinline__ void words_pass(const ez_device_state &s)
{
    __shared__ ez_word_head head;
    __shared__ uint32_t next_place;
    ez_warp_room *room = (ez_warp_room *)on_chip;
    ez_word_tallies sum = {0, 0};
    uint32_t blocks = ez_table_blocks<N_STEP>(s.w.topics), warp = threadIdx.x / 32;
    unsigned long long *q_through = (unsigned long long *)(room + N_WARPS);
    uint32_t *weight = ON_CHIP
                           ? (uint32_t *)(q_through + (blocks + 1) / 2 * 2)
                           : s.work.scratch + (size_t)blockIdx.x * 4 * ez_table_quads(s.w.topics);
    ez_word_table<N_STEP> table = {s.priors, weight, q_through, s.w.topics, blocks};
    for (uint32_t turn = 0;; turn++) {
        uint32_t taken = ez_block_next(s.range.next, s.range.dealt, turn) + s.range.first;
        if (taken >= s.range.last)
            break;
        ez_device_task task = s.tokens.task[taken];
        if (threadIdx.x == 0)
            next_place = 0;
        if (!ez_any_wanted(s, task.begin, task.tokens))
            continue;
        ez_word_open<ez_by_block>(s, &head, task.word);
        ez_table_make(s, table, &head, task.word);
        ez_draw_places<F, false>(s, table, &head, &room[warp], task.begin, task.tokens,
                                 ez_shared_places{&next_place}, &sum);
    }
    ez_add_tallies(s, sum);
}

extern "C" __global__ void __launch_bounds__(EZ_WORD_WARPS * 32, EZ_WORD_BLOCKS)
    ez_words_narrow(EZ_IN ez_device_state s)
{
    words_pass<ez_narrow_rows, EZ_WORD_WARPS, STEP, true>(s);
}

extern "C" __global__ void __launch_bounds__(EZ_WORD_WARPS * 32, EZ_WORD_BLOCKS)
    ez_words(EZ_IN ez_device_state s)
{
    words_pass<ez_wide_rows, EZ_WORD_WARPS, STEP, true>(s);
}

extern "C" __global__ void __launch_bounds__(EZ_WIDE_WARPS * 32, 1)
    ez_words_wide(EZ_IN ez_device_state s)
{
    words_pass<ez_wide_rows, EZ_WIDE_WARPS, WIDE_STEP, true>(s);
}

extern "C" __global__ void __launch_bounds__(EZ_WORD_WARPS * 32)
    ez_words_in_memory(EZ_IN ez_device_state s)
{
    words_pass<ez_wide_rows, EZ_WORD_WARPS, WIDE_STEP, false>(s);
}
