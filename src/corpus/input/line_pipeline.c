/* Two batches of blocks of lines take turns: one is parsed while the next one is read. */
#include "corpus/input/line_pipeline.h"

#include "base/task_slots.h"

enum { EZ_BLOCK_BYTES = 1 << 19, EZ_BLOCKS_PER_THREAD = 8 };

/* ---- batches of blocks ---- */

typedef struct ez_batch {
    ez_lines *blocks;
    char *results;
    size_t n, capacity; /* blocks */
    ez_slots slots;     /* one per block, and one more for reading */
} ez_batch;

static ezlda_status batch_create(ez_batch *batch, ezlda_context *context, const ez_line_job *job)
{
    size_t n = EZ_BLOCKS_PER_THREAD * (size_t)ez_threads(context);
    EZ_TRY(ez_array_zero(&batch->blocks, context, n, sizeof *batch->blocks, "blocks of lines"));
    EZ_TRY(ez_array_zero(&batch->results, context, n, job->result_size, "parsed lines"));
    batch->capacity = n;
    return ez_slots_create(&batch->slots, context, n + 1);
}

static void batch_free(ez_batch *batch, const ez_line_job *job)
{
    for (size_t i = 0; i < batch->capacity; i++) {
        job->release(batch->results + i * job->result_size);
        ez_lines_free(&batch->blocks[i]);
    }
    ez_free(batch->blocks);
    ez_free(batch->results);
    ez_slots_free(&batch->slots);
}

static void batch_read(ez_batch *batch, const ez_line_job *job, const ez_batch *before)
{
    ezlda_context *context = batch->slots.slot[batch->capacity].context;
    ezlda_status *status = &batch->slots.slot[batch->capacity].status;
    batch->n = 0;
    *status = EZLDA_OK;
    if (before && before->slots.slot[before->capacity].status != EZLDA_OK)
        return; /* reading has failed already */
    while (batch->n < batch->capacity && *status == EZLDA_OK) {
        ez_lines *block = &batch->blocks[batch->n];
        *status = ez_input_lines(job->input, context, EZ_BLOCK_BYTES, block);
        if (*status != EZLDA_OK || block->n == 0)
            break;
        batch->n++;
    }
}

static void block_parse(ez_batch *batch, const ez_line_job *job, size_t i)
{
    batch->slots.slot[i].status =
        job->parse(job->user, batch->slots.slot[i].context, &batch->blocks[i],
                   batch->results + i * job->result_size);
}

/* Parses a batch and reads the next one at the same time. */
static void parse_and_read(ez_batch *now, ez_batch *next, const ez_line_job *job, int threads)
{
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
#pragma omp task
        batch_read(next, job, now);
        for (size_t i = 0; i < now->n; i++) {
#pragma omp task firstprivate(i)
            block_parse(now, job, i);
        }
    }
}

static ezlda_status batch_add(ez_batch *batch, ezlda_context *context, const ez_line_job *job)
{
    for (size_t i = 0; i < batch->n; i++) {
        EZ_TRY(ez_slots_check(&batch->slots, context, i));
        EZ_TRY(
            job->add(job->user, context, &batch->blocks[i], batch->results + i * job->result_size));
    }
    return ez_slots_check(&batch->slots, context, batch->capacity);
}

ezlda_status ez_run_lines(ezlda_context *context, const ez_line_job *job)
{
    ez_batch batches[2] = {0}, *now = &batches[0], *next = &batches[1];
    int threads = ez_threads(context);
    ezlda_status status;
    EZ_TRY_GOTO(batch_create(now, context, job));
    EZ_TRY_GOTO(batch_create(next, context, job));
    batch_read(now, job, NULL);
    while (now->n) {
        parse_and_read(now, next, job, threads);
        EZ_TRY_GOTO(batch_add(now, context, job));
        ez_batch *swap = now;
        now = next;
        next = swap;
    }
    status = ez_slots_check(&now->slots, context, now->capacity);
done:
    batch_free(&batches[0], job);
    batch_free(&batches[1], job);
    return status;
}
