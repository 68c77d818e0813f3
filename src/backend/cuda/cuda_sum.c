/* W and n summed over members, each of which has counted those of its own documents; and the records of words, of which
 * each prepares a part.
 *
 * Members on this machine have a slice of the words each: a member sums the rows of its slice over all, then takes the
 * other slices as their members have summed them. Sparse rows are hash tables that have the same room everywhere, so
 * slices of both kinds of rows are stretches of memory. Where a device can read what lies on the others, kernels do so;
 * else copies bring it. Events keep the order, and the host does not wait. */
#include "backend/cuda/cuda_state.h"

ezlda_status ez_cuda_open_sums(ez_cuda *c, ezlda_context *context)
{
    ez_device *device = &c->device;
    if (c->members > 1 && !c->settings->fixed) {
        EZ_TRY(ez_device_kernel(device, context, &c->sum_members, EZ_IMAGE_SUM, "ez_sum_members", 256, 0));
        EZ_TRY(ez_device_kernel(device, context, &c->sum_lists, EZ_IMAGE_SUM, "ez_sum_lists", 256, 0));
    }
    if (c->slices == 1)
        return EZLDA_OK;
    EZ_TRY(ez_device_kernel(device, context, &c->key_records, EZ_IMAGE_SUM, "ez_key_records", 256, 0));
    EZ_TRY(ez_device_event_open(device, context, &c->prepared));
    EZ_TRY(ez_device_event_open(device, context, &c->counted));
    EZ_TRY(ez_device_event_open(device, context, &c->summed));
    return ez_device_event_open(device, context, &c->taken);
}

void ez_cuda_close_sums(ez_cuda *c)
{
    ez_device_event_close(&c->device, &c->prepared);
    ez_device_event_close(&c->device, &c->counted);
    ez_device_event_close(&c->device, &c->summed);
    ez_device_event_close(&c->device, &c->taken);
}

/* ---- on this machine --------------------------------------------------------------------------------------------- */

static ezlda_status mark(ez_cuda *c, ezlda_context *context, const ez_event *event)
{
    return ez_device_stream_mark(&c->device, context, NULL, event);
}

static ezlda_status wait(ez_cuda *c, ezlda_context *context, const ez_event *event)
{
    return ez_device_stream_wait(&c->device, context, NULL, event);
}

/* The counts of a slice, as stretches of memory. */
typedef struct slice_span {
    size_t cell, cells;    /* dense */
    size_t entry, entries; /* sparse */
} slice_span;

static slice_span span_of(const ez_cuda *c, int slice)
{
    const ez_device_state *s = &c->state;
    uint32_t first = c->slice_word[slice], last = c->slice_word[slice + 1];
    first = first < s->dense_words ? first : s->dense_words;
    last = last < s->dense_words ? last : s->dense_words;
    return (slice_span){
        .cell = (size_t)first * s->w_stride,
        .cells = (size_t)(last - first) * s->w_stride,
        .entry = c->slice_entry[slice],
        .entries = c->slice_entry[slice + 1] - c->slice_entry[slice],
    };
}

static ezlda_status take(ez_cuda *c, ezlda_context *context, void *to, const ez_cuda *other, const void *from, size_t n,
                         size_t size)
{
    return n ? ez_device_copy_from(&c->device, context, to, &other->device, from, n * size) : EZLDA_OK;
}

/* Brings another member's counts of the own slice here; `out` is where they then lie, as if all were there. */
static ezlda_status bring(ez_cuda *c, ezlda_context *context, const ez_cuda *other, ez_member_counts *out)
{
    const ez_device_state *s = &c->state, *o = &other->state;
    slice_span at = span_of(c, c->slice);
    size_t counts = (at.cells + at.entries + 1) / 2 * 2;
    EZ_TRY(take(c, context, s->added, other, o->w_dense + at.cell, at.cells, sizeof *s->added));
    EZ_TRY(take(c, context, s->added + at.cells, other, o->w_sparse + at.entry, at.entries, sizeof *s->added));
    EZ_TRY(take(c, context, s->added + counts, other, o->topic_tokens, s->topics, sizeof *s->topic_tokens));
    out->dense = (const uint32_t *)((uintptr_t)s->added - at.cell * sizeof *s->added);
    out->sparse = (const uint32_t *)((uintptr_t)(s->added + at.cells) - at.entry * sizeof *s->added);
    out->n = (const unsigned long long *)(s->added + counts);
    return EZLDA_OK;
}

static ezlda_status add_others(ez_cuda *c, ezlda_context *context, ez_device_state *s)
{
    if (s->others == 0)
        return EZLDA_OK;
    EZ_TRY(ez_device_launch(&c->device, context, &c->sum_members, c->sum_members.blocks, s));
    s->others = 0;
    return EZLDA_OK;
}

/* The own slice, and n, summed over all members. */
static ezlda_status sum_slice(ez_cuda **member, int members, ezlda_context *context, int m)
{
    ez_cuda *c = member[m];
    ez_device_state s = c->state;
    slice_span at = span_of(c, c->slice);
    s.first_cell = at.cell;
    s.last_cell = at.cell + at.cells;
    s.first_word = c->slice_word[m] > s.dense_words ? c->slice_word[m] : s.dense_words;
    s.last_word = c->slice_word[m + 1] > s.dense_words ? c->slice_word[m + 1] : s.dense_words;
    EZ_TRY(ez_device_enter(&c->device, context));
    EZ_TRY(ez_device_copy(&c->device, context, s.summed_n, s.topic_tokens, s.topics * sizeof *s.summed_n));
    for (int i = 1; i < members; i++) {
        const ez_cuda *other = member[(m + i) % members];
        EZ_TRY(wait(c, context, &other->counted));
        ez_member_counts *counts = &s.other[s.others++];
        *counts = (ez_member_counts){other->state.w_dense, other->state.w_sparse, other->state.topic_tokens};
        if (!c->reaches_others)
            EZ_TRY(bring(c, context, other, counts));
        if (!c->reaches_others || s.others == EZ_OTHERS)
            EZ_TRY(add_others(c, context, &s));
    }
    EZ_TRY(add_others(c, context, &s));
    return mark(c, context, &c->summed);
}

static ezlda_status take_slices(ez_cuda **member, int members, ezlda_context *context, int m)
{
    ez_cuda *c = member[m];
    const ez_device_state *s = &c->state;
    EZ_TRY(ez_device_enter(&c->device, context));
    for (int i = 1; i < members; i++)
        EZ_TRY(wait(c, context, &member[(m + i) % members]->summed));
    for (int i = 1; i < members; i++) {
        const ez_cuda *other = member[(m + i) % members];
        const ez_device_state *o = &other->state;
        slice_span at = span_of(c, other->slice);
        EZ_TRY(take(c, context, s->w_dense + at.cell, other, o->w_dense + at.cell, at.cells, sizeof *s->w_dense));
        EZ_TRY(
            take(c, context, s->w_sparse + at.entry, other, o->w_sparse + at.entry, at.entries, sizeof *s->w_sparse));
    }
    EZ_TRY(ez_device_copy(&c->device, context, s->topic_tokens, s->summed_n, s->topics * sizeof *s->summed_n));
    return mark(c, context, &c->taken);
}

/* What comes next must not change what the others are still taking. */
static ezlda_status wait_for_others(ez_cuda **member, int members, ezlda_context *context, int m)
{
    EZ_TRY(ez_device_enter(&member[m]->device, context));
    for (int i = 1; i < members; i++)
        EZ_TRY(wait(member[m], context, &member[(m + i) % members]->taken));
    return EZLDA_OK;
}

static ezlda_status sum_here(ez_cuda **member, int members, ezlda_context *context)
{
    for (int m = 0; m < members; m++) {
        EZ_TRY(ez_device_enter(&member[m]->device, context));
        EZ_TRY(mark(member[m], context, &member[m]->counted));
    }
    for (int m = 0; m < members; m++)
        EZ_TRY(sum_slice(member, members, context, m));
    for (int m = 0; m < members; m++)
        EZ_TRY(take_slices(member, members, context, m));
    for (int m = 0; m < members; m++)
        EZ_TRY(wait_for_others(member, members, context, m));
    return EZLDA_OK;
}

static ezlda_status take_records(ez_cuda **member, int members, ezlda_context *context, int m)
{
    ez_cuda *c = member[m];
    const ez_device_state *s = &c->state;
    EZ_TRY(ez_device_enter(&c->device, context));
    for (int i = 1; i < members; i++) {
        const ez_cuda *other = member[(m + i) % members];
        size_t first = c->slice_word[other->slice], n = c->slice_word[other->slice + 1] - first;
        EZ_TRY(wait(c, context, &other->prepared));
        EZ_TRY(take(c, context, s->record + first, other, other->state.record + first, n, sizeof *s->record));
        EZ_TRY(take(c, context, s->decide_record + first, other, other->state.decide_record + first, n,
                    sizeof *s->decide_record));
    }
    return mark(c, context, &c->taken);
}

static ezlda_status key_records(ez_cuda *c, ezlda_context *context)
{
    ez_device_state s = c->state;
    return ez_device_launch(&c->device, context, &c->key_records, c->key_records.blocks, &s);
}

ezlda_status ez_cuda_share_records(ez_cuda **member, int members, ezlda_context *context)
{
    if (member[0]->settings->loose_records)
        return EZLDA_OK;
    for (int m = 0; m < members; m++) {
        EZ_TRY(ez_device_enter(&member[m]->device, context));
        EZ_TRY(mark(member[m], context, &member[m]->prepared));
    }
    for (int m = 0; m < members; m++)
        EZ_TRY(take_records(member, members, context, m));
    for (int m = 0; m < members; m++) {
        EZ_TRY(wait_for_others(member, members, context, m));
        EZ_TRY(key_records(member[m], context));
    }
    return EZLDA_OK;
}

ezlda_status ez_cuda_sum_members(ez_cuda **member, int members, ezlda_context *context, ezlda_group *group)
{
    if (member[0]->settings->fixed)
        return EZLDA_OK;
    if (members > 1)
        EZ_TRY(sum_here(member, members, context));
    return ez_is_group(group) ? ez_cuda_sum_group(member, members, context, group) : EZLDA_OK;
}
