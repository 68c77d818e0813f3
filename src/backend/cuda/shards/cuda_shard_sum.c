/* Sums W and n over the shards of this process, each of which has counted its own documents, and
 * shares the records of words, of which each shard prepares a slice.
 *
 * Every shard has a slice of the words. It sums the rows of its slice over all shards, then copies
 * the other slices from the shards that summed them. Sparse rows have the same layout on every
 * shard, so a slice is consecutive in memory in both kinds of rows. If shards own rows
 * (cuda_owned_rows.c), they count most rows of their slice from all topics, and sum only those of
 * frequent words. If a device can read the memory of the others, kernels do; otherwise the driver
 * copies. The host does not wait: events keep the order.
 * - ev_counted: the shard has counted its tokens
 * - ev_summed: it has summed its slice
 * - ev_prepared: it has prepared the records of its slice
 * - ev_copied: it has copied what it needs from the others, which may change it now */
#include "backend/cuda/shards/cuda_shard_sum.h"

#include "backend/cuda/cuda_kernel_table.h"
#include "backend/cuda/shards/cuda_owned_rows.h"
#include "backend/cuda/shards/cuda_rank_sum.h"

#include <string.h>

ezlda_status ez_cuda_open_sums(ez_cuda *c, ezlda_context *context)
{
    ez_device *device = &c->device;
    if (c->shards > 1 && !c->settings->fixed)
        EZ_TRY(ez_cuda_find_kernel(c, context, &c->sum_shards, EZ_KERNEL_SUM_SHARDS, 0));
    if (c->role.slices == 1)
        return EZLDA_OK;
    EZ_TRY(ez_cuda_find_kernel(c, context, &c->copy_counts, EZ_KERNEL_COPY_COUNTS, 0));
    EZ_TRY(ez_cuda_find_kernel(c, context, &c->copy_records, EZ_KERNEL_COPY_RECORDS, 0));
    EZ_TRY(ez_cuda_find_kernel(c, context, &c->key_records, EZ_KERNEL_KEY_RECORDS, 0));
    EZ_TRY(ez_device_event_open(device, context, &c->ev_prepared));
    EZ_TRY(ez_device_event_open(device, context, &c->ev_counted));
    EZ_TRY(ez_device_event_open(device, context, &c->ev_summed));
    return ez_device_event_open(device, context, &c->ev_copied);
}

void ez_cuda_close_sums(ez_cuda *c)
{
    ez_cuda_close_rank_sum(c);
    ez_device_event_close(&c->device, &c->ev_prepared);
    ez_device_event_close(&c->device, &c->ev_counted);
    ez_device_event_close(&c->device, &c->ev_summed);
    ez_device_event_close(&c->device, &c->ev_copied);
}

/* ---- W and n ---- */

static ezlda_status mark(ez_cuda *c, ezlda_context *context, const ez_event *event)
{
    return ez_device_stream_mark(&c->device, context, NULL, event);
}

static ezlda_status wait(ez_cuda *c, ezlda_context *context, const ez_event *event)
{
    return ez_device_stream_wait(&c->device, context, NULL, event);
}

ez_shard_counts ez_cuda_shard_view(const ez_cuda *c)
{
    const ez_device_state *s = &c->state;
    uint32_t first = c->slice_word[c->role.slice], last = c->slice_word[c->role.slice + 1];
    return (ez_shard_counts){
        .dense = s->w.dense,
        .sparse = s->w.sparse,
        .entries = s->w.entries,
        .n = ez_cuda_counted_n(c),
        .topic = c->room[0].topic,
        .word_start = c->chunk[0].word_start,
        .record = s->records.word,
        .decide_record = s->records.decide,
        .first_word = first,
        .last_word = last,
        .first_cell = (uint64_t)(first < s->w.dense_words ? first : s->w.dense_words) * s->w.stride,
        .last_cell = (uint64_t)(last < s->w.dense_words ? last : s->w.dense_words) * s->w.stride,
        .first_entry = c->slice_entry[c->role.slice],
        .last_entry = c->slice_entry[c->role.slice + 1],
    };
}

/* Launches a kernel that reads n other shards, EZ_OTHERS at a time. */
static ezlda_status launch_over(ez_cuda *c, ezlda_context *context, const ez_kernel *kernel,
                                ez_device_state *s, const ez_shard_counts *view, int n)
{
    for (int i = 0; i < n; i += EZ_OTHERS) {
        s->shards.others = (uint32_t)(n - i < EZ_OTHERS ? n - i : EZ_OTHERS);
        memcpy(s->shards.other, view + i, s->shards.others * sizeof *view);
        EZ_TRY(ez_device_launch(&c->device, context, kernel, kernel->blocks, s));
        s->shards.others_before += s->shards.others;
    }
    return EZLDA_OK;
}

/* The same for all other shards, whose memory the kernel can read. */
static ezlda_status launch_over_shards(ez_cuda **shard, int shards, ezlda_context *context, int m,
                                       const ez_kernel *kernel, ez_device_state *s)
{
    ez_shard_counts view[EZ_DEVICES_MAX];
    for (int i = 1; i < shards; i++)
        view[i - 1] = ez_cuda_shard_view(shard[(m + i) % shards]);
    return launch_over(shard[m], context, kernel, s, view, shards - 1);
}

ezlda_status ez_cuda_copy_from(ez_cuda *c, ezlda_context *context, void *to, const ez_cuda *other,
                               const void *from, size_t n, size_t size)
{
    return n ? ez_device_copy_from(&c->device, context, to, &other->device, from, n * size)
             : EZLDA_OK;
}

/* What is summed of the own slice: all of it, or only the cells of frequent words if the other rows
 * are owned. */
static ez_shard_counts summed_slice(const ez_cuda *c)
{
    ez_shard_counts slice = ez_cuda_shard_view(c);
    if (c->owns_rows) {
        uint64_t end = (uint64_t)c->first_owned * c->state.w.stride;
        slice.first_cell = slice.first_cell < end ? slice.first_cell : end;
        slice.last_cell = slice.last_cell < end ? slice.last_cell : end;
        slice.last_entry = slice.first_entry;
        slice.last_word = slice.first_word;
    }
    return slice;
}

/* Copies another shard's counts of the own slice here. `out`: where they are now, as if the whole
 * arrays were there. */
static ezlda_status copy_slice(ez_cuda *c, ezlda_context *context, const ez_cuda *other,
                               ez_shard_counts *out)
{
    const ez_device_state *s = &c->state, *o = &other->state;
    ez_shard_counts at = summed_slice(c);
    size_t cells = at.last_cell - at.first_cell, entries = at.last_entry - at.first_entry;
    size_t counts = (cells + entries + 1) / 2 * 2, n = c->owns_rows ? 0 : s->w.topics;
    uint32_t *room = s->shards.added + c->added_kept;
    EZ_TRY(ez_cuda_copy_from(c, context, room, other, o->w.dense + at.first_cell, cells,
                             sizeof *room));
    EZ_TRY(ez_cuda_copy_from(c, context, room + cells, other, o->w.sparse + at.first_entry, entries,
                             sizeof *room));
    EZ_TRY(ez_cuda_copy_from(c, context, room + counts, other, o->w.topic_tokens, n,
                             sizeof *s->w.topic_tokens));
    out->dense = (const uint32_t *)((uintptr_t)room - at.first_cell * sizeof *room);
    out->sparse = (const uint32_t *)((uintptr_t)(room + cells) - at.first_entry * sizeof *room);
    out->n = (const unsigned long long *)(room + counts);
    return EZLDA_OK;
}

/* Sums the own slice, and n, over all shards. */
static ezlda_status sum_slice(ez_cuda **shard, int shards, ezlda_context *context, int m)
{
    ez_cuda *c = shard[m];
    ez_device_state s = c->state;
    ez_shard_counts own = summed_slice(c), copied = {0};
    if (c->owns_rows && own.first_cell == own.last_cell)
        return EZLDA_OK;
    s.shards.first_cell = own.first_cell;
    s.shards.last_cell = own.last_cell;
    s.range.first = own.first_word > s.w.dense_words ? own.first_word : s.w.dense_words;
    s.range.last = own.last_word > s.w.dense_words ? own.last_word : s.w.dense_words;
    if (c->role.reaches_others)
        return launch_over_shards(shard, shards, context, m, &c->sum_shards, &s);
    for (int i = 1; i < shards; i++) {
        EZ_TRY(copy_slice(c, context, shard[(m + i) % shards], &copied));
        EZ_TRY(launch_over(c, context, &c->sum_shards, &s, &copied, 1));
    }
    return EZLDA_OK;
}

/* Makes the rows of the own slice, once all shards have counted. */
static ezlda_status fill_slice(ez_cuda **shard, int shards, ezlda_context *context, int m)
{
    ez_cuda *c = shard[m];
    EZ_TRY(ez_device_enter(&c->device, context));
    for (int i = 1; i < shards; i++)
        EZ_TRY(wait(c, context, &shard[(m + i) % shards]->ev_counted));
    EZ_TRY(sum_slice(shard, shards, context, m));
    if (c->owns_rows)
        EZ_TRY(ez_cuda_count_owned_rows(shard, shards, context, m));
    return mark(c, context, &c->ev_summed);
}

/* Copies the other slices by the driver. */
static ezlda_status copy_slices(ez_cuda **shard, int shards, ezlda_context *context, int m)
{
    ez_cuda *c = shard[m];
    const ez_device_state *s = &c->state;
    for (int i = 1; i < shards; i++) {
        const ez_cuda *other = shard[(m + i) % shards];
        ez_shard_counts at = ez_cuda_shard_view(other);
        EZ_TRY(ez_cuda_copy_from(c, context, s->w.dense + at.first_cell, other,
                                 at.dense + at.first_cell, at.last_cell - at.first_cell,
                                 sizeof *s->w.dense));
        EZ_TRY(ez_cuda_copy_from(c, context, s->w.sparse + at.first_entry, other,
                                 at.sparse + at.first_entry, at.last_entry - at.first_entry,
                                 sizeof *s->w.sparse));
        uint32_t first = at.first_word > s->w.dense_words ? at.first_word - s->w.dense_words : 0;
        uint32_t last = at.last_word > s->w.dense_words ? at.last_word - s->w.dense_words : 0;
        if (c->owns_rows)
            EZ_TRY(ez_cuda_copy_from(c, context, s->w.entries + first, other, at.entries + first,
                                     last - first, sizeof *s->w.entries));
    }
    if (c->owns_rows)
        return ez_cuda_sum_owned_n(shard, shards, context, m);
    return ez_device_copy(&c->device, context, s->w.topic_tokens, s->shards.summed_n,
                          s->w.topics * sizeof *s->shards.summed_n);
}

/* Copies the other slices, once they are summed. */
static ezlda_status get_slices(ez_cuda **shard, int shards, ezlda_context *context, int m)
{
    ez_cuda *c = shard[m];
    ez_device_state s = c->state;
    EZ_TRY(ez_device_enter(&c->device, context));
    for (int i = 1; i < shards; i++)
        EZ_TRY(wait(c, context, &shard[(m + i) % shards]->ev_summed));
    if (c->role.reaches_others)
        EZ_TRY(launch_over_shards(shard, shards, context, m, &c->copy_counts, &s));
    else
        EZ_TRY(copy_slices(shard, shards, context, m));
    return mark(c, context, &c->ev_copied);
}

/* Makes the shard wait until the others have copied what it may change next. */
static ezlda_status wait_for_others(ez_cuda **shard, int shards, ezlda_context *context, int m)
{
    EZ_TRY(ez_device_enter(&shard[m]->device, context));
    for (int i = 1; i < shards; i++)
        EZ_TRY(wait(shard[m], context, &shard[(m + i) % shards]->ev_copied));
    return EZLDA_OK;
}

static ezlda_status sum_here(ez_cuda **shard, int shards, ezlda_context *context)
{
    for (int m = 0; m < shards; m++) {
        EZ_TRY(ez_device_enter(&shard[m]->device, context));
        EZ_TRY(mark(shard[m], context, &shard[m]->ev_counted));
    }
    for (int m = 0; m < shards; m++)
        EZ_TRY(fill_slice(shard, shards, context, m));
    for (int m = 0; m < shards; m++)
        EZ_TRY(get_slices(shard, shards, context, m));
    for (int m = 0; m < shards; m++)
        EZ_TRY(wait_for_others(shard, shards, context, m));
    return EZLDA_OK;
}

/* Copies the records of the other slices by the driver. Their keys are set afterwards. */
static ezlda_status copy_records(ez_cuda **shard, int shards, ezlda_context *context, int m)
{
    ez_cuda *c = shard[m];
    ez_device_state s = c->state;
    for (int i = 1; i < shards; i++) {
        const ez_cuda *other = shard[(m + i) % shards];
        ez_shard_counts at = ez_cuda_shard_view(other);
        size_t n = at.last_word - at.first_word;
        EZ_TRY(ez_cuda_copy_from(c, context, s.records.word + at.first_word, other,
                                 at.record + at.first_word, n, sizeof *s.records.word));
        EZ_TRY(ez_cuda_copy_from(c, context, s.records.decide + at.first_word, other,
                                 at.decide_record + at.first_word, n, sizeof *s.records.decide));
    }
    return EZLDA_OK;
}

/* Copies the records of the other slices, once they are prepared. */
static ezlda_status get_records(ez_cuda **shard, int shards, ezlda_context *context, int m)
{
    ez_cuda *c = shard[m];
    ez_device_state s = c->state;
    EZ_TRY(ez_device_enter(&c->device, context));
    for (int i = 1; i < shards; i++)
        EZ_TRY(wait(c, context, &shard[(m + i) % shards]->ev_prepared));
    if (c->role.reaches_others)
        return launch_over_shards(shard, shards, context, m, &c->copy_records, &s);
    EZ_TRY(copy_records(shard, shards, context, m));
    return mark(c, context, &c->ev_copied);
}

/* Sets the keys of records that the driver copied. ez_copy_records sets keys itself, and needs no
 * wait: no shard changes its records before all shards have drawn their tokens. Sums wait for that,
 * and the host does if there are none. */
static ezlda_status key_records(ez_cuda **shard, int shards, ezlda_context *context, int m)
{
    ez_cuda *c = shard[m];
    ez_device_state s = c->state;
    if (c->role.reaches_others)
        return EZLDA_OK;
    EZ_TRY(wait_for_others(shard, shards, context, m));
    return ez_device_launch(&c->device, context, &c->key_records, c->key_records.blocks, &s);
}

ezlda_status ez_cuda_share_records(ez_cuda **shard, int shards, ezlda_context *context)
{
    if (shard[0]->settings->loose_records)
        return EZLDA_OK;
    for (int m = 0; m < shards; m++) {
        EZ_TRY(ez_device_enter(&shard[m]->device, context));
        EZ_TRY(mark(shard[m], context, &shard[m]->ev_prepared));
    }
    for (int m = 0; m < shards; m++)
        EZ_TRY(get_records(shard, shards, context, m));
    for (int m = 0; m < shards; m++)
        EZ_TRY(key_records(shard, shards, context, m));
    return EZLDA_OK;
}

ezlda_status ez_cuda_sum_shards(ez_cuda **shard, int shards, ezlda_context *context,
                                ezlda_group *group)
{
    if (shard[0]->settings->fixed)
        return EZLDA_OK;
    if (shards > 1)
        EZ_TRY(sum_here(shard, shards, context));
    return ez_is_distributed(group) ? ez_cuda_sum_ranks(shard, shards, context, group) : EZLDA_OK;
}
