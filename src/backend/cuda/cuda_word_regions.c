/* Cuts T into tasks for the words pass: a frequent word is cut into regions, each drawn by one
 * block (the paper's dissection of large words). */
#include "backend/cuda/cuda_word_regions.h"

#include "backend/cuda/cuda_kernel_choice.h"

/* Regions per multiprocessor, and the fewest tokens of a region. */
enum { EZ_REGIONS = 16, EZ_REGION_LEAST = 4096 };

/* A small corpus has smaller regions, so that every block has several tasks and none waits long for
 * the last one, but not so small that a word's table takes longer to make than its tokens to draw.
 */
uint64_t ez_cuda_region_tokens(const ez_cuda *c)
{
    uint64_t share =
        c->tokens->tokens / ((uint64_t)c->chunks * (unsigned)c->device.processors * EZ_REGIONS);
    uint64_t least = c->state.w.topics > EZ_REGION_LEAST ? c->state.w.topics : EZ_REGION_LEAST;
    if (c->settings->balance != EZLDA_BALANCE_SPLIT)
        return UINT64_MAX;
    if (c->settings->region)
        return c->settings->region;
    share = share > least ? share : least;
    return share < EZ_SPLIT_REGION ? share : EZ_SPLIT_REGION;
}

/* A word that several launches count is split too. If only other shards have tokens of a word with
 * a dense row, or only the base has counts of it, a task without tokens clears the row. */
uint32_t ez_cuda_cut_tasks(const ez_cuda *c, const uint32_t *word_start, uint32_t last,
                           ez_device_task *out)
{
    uint64_t region = ez_cuda_region_tokens(c);
    bool all_split = !ez_cuda_counts_fit(c) || c->chunks > 1;
    bool added = c->shards > 1 || c->settings->base;
    uint32_t n = 0, cleared = added && c->chunks == 1 ? c->state.w.dense_words : 0;
    for (uint32_t v = 0; v < last; v++) {
        uint64_t tokens = word_start[v + 1] - word_start[v];
        for (uint64_t at = 0; at < tokens || (v < cleared && tokens == 0 && at == 0); n++) {
            uint64_t size = tokens - at < region ? tokens - at : region;
            if (out)
                out[n] = (ez_device_task){
                    .word = v,
                    .begin = (uint32_t)(word_start[v] + at),
                    .tokens = (uint32_t)size,
                    .split = tokens > region || all_split,
                };
            at += size ? size : 1;
        }
    }
    return n;
}

ezlda_status ez_cuda_upload_tasks(ez_cuda *c, ezlda_context *context, ez_chunk *chunk,
                                  const uint32_t *word_start)
{
    ez_device_task *task = NULL;
    uint32_t first = ez_cuda_first_warp_word(c),
             last = first > c->state.w.dense_words ? first : c->state.w.dense_words;
    chunk->tasks = ez_cuda_cut_tasks(c, word_start, last, NULL);
    EZ_TRY(ez_array(&task, context, chunk->tasks, sizeof *task, "tasks"));
    ez_cuda_cut_tasks(c, word_start, last, task);
    ezlda_status status = ez_device_array(&c->device, context, &chunk->task, task, chunk->tasks,
                                          sizeof *task, "tasks");
    ez_free(task);
    return status;
}
