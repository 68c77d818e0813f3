/* Occurrences: which of several equal words of a document a token is. Draws are keyed by it. */
#ifndef EZ_RUNS_CUH
#define EZ_RUNS_CUH

#include "backend/cuda/kernels/warp.cuh"

/* How many tokens of word v come before token i in its document. The lanes of a warp have adjacent
 * tokens; v is EZ_ALL in lanes past the end. */
__device__ __forceinline__ uint32_t ez_occurrence(const uint32_t *word, uint32_t i, uint32_t v)
{
    uint32_t lane = ez_lane(), previous = __shfl_up_sync(EZ_ALL, v, 1);
    uint32_t fresh = __ballot_sync(EZ_ALL, lane == 0 || v != previous) & (EZ_ALL >> (31 - lane));
    uint32_t run = lane - (31 - __clz(fresh));
    return lane == run ? run + ez_run_before(word, i - run, 0, v) : run;
}

#endif
