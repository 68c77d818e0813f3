/* W and n summed over members, each of which has counted those of its own documents; and the
 * records of words, of which each prepares a part.
 *
 * Members on this machine have a slice of the words each: a member sums the rows of its slice over
 * all, then takes the other slices as their members have summed them. Sparse rows have the same
 * room everywhere, so slices of both kinds of rows are stretches of memory. Where they can
 * (cuda_owned_rows.c), members count most rows of their slice of all topics themselves, and sum
 * those of frequent words only. Where a device can read what lies on the others, kernels do so;
 * else copies bring it. Events keep the order, and the host does not wait. */
#include "backend/cuda/cuda_state.h"

#include <string.h>

ezlda_status ez_cuda_open_sums(ez_cuda *c, ezlda_context *context)
{
    ez_device *device = &c->device;
    if (c->members > 1 && !c->settings->fixed)
        EZ_TRY(ez_device_kernel(device, context, &c->sum_members, EZ_IMAGE_SHARD_SUM,
                                "ez_sum_members", 256, 0));
    if (c->slices == 1)
        return EZLDA_OK;
    EZ_TRY(ez_device_kernel(device, context, &c->take_counts, EZ_IMAGE_SHARD_SUM, "ez_take_counts",
                            256, 0));
    EZ_TRY(ez_device_kernel(device, context, &c->take_records, EZ_IMAGE_SHARD_SUM,
                            "ez_take_records", 256, 0));
    EZ_TRY(ez_device_kernel(device, context, &c->key_records, EZ_IMAGE_SHARD_SUM, "ez_key_records",
                            256, 0));
    EZ_TRY(ez_device_event_open(device, context, &c->prepared));
    EZ_TRY(ez_device_event_open(device, context, &c->counted));
    EZ_TRY(ez_device_event_open(device, context, &c->summed));
    return ez_device_event_open(device, context, &c->taken);
}

void ez_cuda_close_sums(ez_cuda *c)
{
    ez_cuda_close_group_sum(c);
    ez_device_event_close(&c->device, &c->prepared);
    ez_device_event_close(&c->device, &c->counted);
    ez_device_event_close(&c->device, &c->summed);
    ez_device_event_close(&c->device, &c->taken);
}

/* ---- on this machine
 * --------------------------------------------------------------------------------------------- */

static ezlda_status mark(ez_cuda *c, ezlda_context *context, const ez_event *event)
{
    return ez_device_stream_mark(&c->device, context, NULL, event);
}

static ezlda_status wait(ez_cuda *c, ezlda_context *context, const ez_event *event)
{
    return ez_device_stream_wait(&c->device, context, NULL, event);
}

ez_member_counts ez_cuda_view_of(const ez_cuda *c)
{
    const ez_device_state *s = &c->state;
    uint32_t first = c->slice_word[c->slice], last = c->slice_word[c->slice + 1];
    return (ez_member_counts){
        .dense = s->w_dense,
        .sparse = s->w_sparse,
        .entries = s->w_entries,
        .n = ez_cuda_counted_n(c),
        .topic = c->room[0].topic,
        .word_start = c->chunk[0].word_start,
        .record = s->record,
        .decide_record = s->decide_record,
        .first_word = first,
        .last_word = last,
        .first_cell = (uint64_t)(first < s->dense_words ? first : s->dense_words) * s->w_stride,
        .last_cell = (uint64_t)(last < s->dense_words ? last : s->dense_words) * s->w_stride,
        .first_entry = c->slice_entry[c->slice],
        .last_entry = c->slice_entry[c->slice + 1],
    };
}

/* Runs a kernel that looks at the others, EZ_OTHERS at a time: those at `view`, of which there are
 * n. */
static ezlda_status look_at(ez_cuda *c, ezlda_context *context, const ez_kernel *kernel,
                            ez_device_state *s, const ez_member_counts *view, int n)
{
    for (int i = 0; i < n; i += EZ_OTHERS) {
        s->others = (uint32_t)(n - i < EZ_OTHERS ? n - i : EZ_OTHERS);
        memcpy(s->other, view + i, s->others * sizeof *view);
        EZ_TRY(ez_device_launch(&c->device, context, kernel, kernel->blocks, s));
        s->others_before += s->others;
    }
    return EZLDA_OK;
}

/* ... at all other members, in whose memory it can read. */
static ezlda_status look_at_all(ez_cuda **member, int members, ezlda_context *context, int m,
                                const ez_kernel *kernel, ez_device_state *s)
{
    ez_member_counts view[EZ_DEVICES_MAX];
    for (int i = 1; i < members; i++)
        view[i - 1] = ez_cuda_view_of(member[(m + i) % members]);
    return look_at(member[m], context, kernel, s, view, members - 1);
}

ezlda_status ez_cuda_take(ez_cuda *c, ezlda_context *context, void *to, const ez_cuda *other,
                          const void *from, size_t n, size_t size)
{
    return n ? ez_device_copy_from(&c->device, context, to, &other->device, from, n * size)
             : EZLDA_OK;
}

/* What is summed of the own slice: all of it, or the cells of frequent words where the rest is
 * gathered. */
static ez_member_counts summed_part(const ez_cuda *c)
{
    ez_member_counts part = ez_cuda_view_of(c);
    if (c->gathers) {
        uint64_t end = (uint64_t)c->first_gathered * c->state.w_stride;
        part.first_cell = part.first_cell < end ? part.first_cell : end;
        part.last_cell = part.last_cell < end ? part.last_cell : end;
        part.last_entry = part.first_entry;
        part.last_word = part.first_word;
    }
    return part;
}

/* Brings another member's counts of the own slice here; `out` is where they then lie, as if all
 * were there. */
static ezlda_status bring(ez_cuda *c, ezlda_context *context, const ez_cuda *other,
                          ez_member_counts *out)
{
    const ez_device_state *s = &c->state, *o = &other->state;
    ez_member_counts at = summed_part(c);
    size_t cells = at.last_cell - at.first_cell, entries = at.last_entry - at.first_entry;
    size_t counts = (cells + entries + 1) / 2 * 2, n = c->gathers ? 0 : s->topics;
    uint32_t *room = s->added + c->gather_kept;
    EZ_TRY(ez_cuda_take(c, context, room, other, o->w_dense + at.first_cell, cells, sizeof *room));
    EZ_TRY(ez_cuda_take(c, context, room + cells, other, o->w_sparse + at.first_entry, entries,
                        sizeof *room));
    EZ_TRY(ez_cuda_take(c, context, room + counts, other, o->topic_tokens, n,
                        sizeof *s->topic_tokens));
    out->dense = (const uint32_t *)((uintptr_t)room - at.first_cell * sizeof *room);
    out->sparse = (const uint32_t *)((uintptr_t)(room + cells) - at.first_entry * sizeof *room);
    out->n = (const unsigned long long *)(room + counts);
    return EZLDA_OK;
}

/* The own slice, and n, summed over all members. */
static ezlda_status sum_slice(ez_cuda **member, int members, ezlda_context *context, int m)
{
    ez_cuda *c = member[m];
    ez_device_state s = c->state;
    ez_member_counts own = summed_part(c), brought = {0};
    if (c->gathers && own.first_cell == own.last_cell)
        return EZLDA_OK;
    s.first_cell = own.first_cell;
    s.last_cell = own.last_cell;
    s.first_word = own.first_word > s.dense_words ? own.first_word : s.dense_words;
    s.last_word = own.last_word > s.dense_words ? own.last_word : s.dense_words;
    if (c->reaches_others)
        return look_at_all(member, members, context, m, &c->sum_members, &s);
    for (int i = 1; i < members; i++) {
        EZ_TRY(bring(c, context, member[(m + i) % members], &brought));
        EZ_TRY(look_at(c, context, &c->sum_members, &s, &brought, 1));
    }
    return EZLDA_OK;
}

/* The rows of the own slice, once all have counted. */
static ezlda_status fill_slice(ez_cuda **member, int members, ezlda_context *context, int m)
{
    ez_cuda *c = member[m];
    EZ_TRY(ez_device_enter(&c->device, context));
    for (int i = 1; i < members; i++)
        EZ_TRY(wait(c, context, &member[(m + i) % members]->counted));
    EZ_TRY(sum_slice(member, members, context, m));
    if (c->gathers)
        EZ_TRY(ez_cuda_gather_slice(member, members, context, m));
    return mark(c, context, &c->summed);
}

/* The other slices by copies. */
static ezlda_status copy_slices(ez_cuda **member, int members, ezlda_context *context, int m)
{
    ez_cuda *c = member[m];
    const ez_device_state *s = &c->state;
    for (int i = 1; i < members; i++) {
        const ez_cuda *other = member[(m + i) % members];
        ez_member_counts at = ez_cuda_view_of(other);
        EZ_TRY(ez_cuda_take(c, context, s->w_dense + at.first_cell, other, at.dense + at.first_cell,
                            at.last_cell - at.first_cell, sizeof *s->w_dense));
        EZ_TRY(ez_cuda_take(c, context, s->w_sparse + at.first_entry, other,
                            at.sparse + at.first_entry, at.last_entry - at.first_entry,
                            sizeof *s->w_sparse));
        uint32_t first = at.first_word > s->dense_words ? at.first_word - s->dense_words : 0;
        uint32_t last = at.last_word > s->dense_words ? at.last_word - s->dense_words : 0;
        if (c->gathers)
            EZ_TRY(ez_cuda_take(c, context, s->w_entries + first, other, at.entries + first,
                                last - first, sizeof *s->w_entries));
    }
    if (c->gathers)
        return ez_cuda_gather_n(member, members, context, m);
    return ez_device_copy(&c->device, context, s->topic_tokens, s->summed_n,
                          s->topics * sizeof *s->summed_n);
}

static ezlda_status take_slices(ez_cuda **member, int members, ezlda_context *context, int m)
{
    ez_cuda *c = member[m];
    ez_device_state s = c->state;
    EZ_TRY(ez_device_enter(&c->device, context));
    for (int i = 1; i < members; i++)
        EZ_TRY(wait(c, context, &member[(m + i) % members]->summed));
    if (c->reaches_others)
        EZ_TRY(look_at_all(member, members, context, m, &c->take_counts, &s));
    else
        EZ_TRY(copy_slices(member, members, context, m));
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
        EZ_TRY(fill_slice(member, members, context, m));
    for (int m = 0; m < members; m++)
        EZ_TRY(take_slices(member, members, context, m));
    for (int m = 0; m < members; m++)
        EZ_TRY(wait_for_others(member, members, context, m));
    return EZLDA_OK;
}

/* The other slices' records by copies, which then are keyed by the documents here. */
static ezlda_status copy_records(ez_cuda **member, int members, ezlda_context *context, int m)
{
    ez_cuda *c = member[m];
    ez_device_state s = c->state;
    for (int i = 1; i < members; i++) {
        const ez_cuda *other = member[(m + i) % members];
        ez_member_counts at = ez_cuda_view_of(other);
        size_t n = at.last_word - at.first_word;
        EZ_TRY(ez_cuda_take(c, context, s.record + at.first_word, other, at.record + at.first_word,
                            n, sizeof *s.record));
        EZ_TRY(ez_cuda_take(c, context, s.decide_record + at.first_word, other,
                            at.decide_record + at.first_word, n, sizeof *s.decide_record));
    }
    return EZLDA_OK;
}

static ezlda_status take_records(ez_cuda **member, int members, ezlda_context *context, int m)
{
    ez_cuda *c = member[m];
    ez_device_state s = c->state;
    EZ_TRY(ez_device_enter(&c->device, context));
    for (int i = 1; i < members; i++)
        EZ_TRY(wait(c, context, &member[(m + i) % members]->prepared));
    if (c->reaches_others)
        return look_at_all(member, members, context, m, &c->take_records, &s);
    EZ_TRY(copy_records(member, members, context, m));
    return mark(c, context, &c->taken);
}

/* Records that were copied; those that a kernel took were keyed as they were taken, and need no
 * wait: nobody changes its records before all members have drawn their tokens, for which sums wait,
 * and the host where there are none. */
static ezlda_status key_records(ez_cuda **member, int members, ezlda_context *context, int m)
{
    ez_cuda *c = member[m];
    ez_device_state s = c->state;
    if (c->reaches_others)
        return EZLDA_OK;
    EZ_TRY(wait_for_others(member, members, context, m));
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
    for (int m = 0; m < members; m++)
        EZ_TRY(key_records(member, members, context, m));
    return EZLDA_OK;
}

ezlda_status ez_cuda_sum_members(ez_cuda **member, int members, ezlda_context *context,
                                 ezlda_group *group)
{
    if (member[0]->settings->fixed)
        return EZLDA_OK;
    if (members > 1)
        EZ_TRY(sum_here(member, members, context));
    return ez_is_distributed(group) ? ez_cuda_sum_group(member, members, context, group) : EZLDA_OK;
}
