/* Rows of W that the member whose slice they are in counts of all members' topics.
 *
 * Members on one machine need not count what they have of a word and sum that: T is in the order of
 * words, so a slice is one stretch of each member's topics, two bytes a token where a count takes
 * four. Its rows are counted once and written whole, sparse ones as lists, as where there is one
 * member. Words that are so frequent that cells of all members are less than their topics are
 * counted by every member and summed (cuda_shard_sum.c). Each member has n of what it has counted
 * itself, of either kind, in summed_n, until all is taken.
 *
 * Topics must lie on the devices: not in chunks. Counts of other ranks and base counts are added to
 * rows that are hash tables. So it is done by all members or by none. */
#include "backend/cuda/cuda_state.h"

/* Tokens that a thread of a block counts of a word at most: others would wait for it. */
enum { EZ_GATHER_TURNS = 256 };

uint32_t ez_cuda_first_gathered(const ez_cuda *c)
{
    uint64_t cells = 2 * (uint64_t)c->state.topics * (unsigned)c->members;
    uint64_t turns = (uint64_t)EZ_GATHER_TURNS * ez_cuda_count_threads(c);
    uint32_t first = ez_first_word_within(c->tokens, 0, cells < turns ? cells : turns);
    return first < c->state.dense_words ? first : c->state.dense_words;
}

bool ez_cuda_may_gather(const ez_cuda *c)
{
    const ez_settings *s = c->settings;
    return c->slices > 1 && c->slices - 1 <= EZ_OTHERS && c->chunks == 1 &&
           !ez_is_distributed(s->group) && !s->base && !s->fixed && ez_cuda_counts_fit(c);
}

uint32_t ez_cuda_gather_word(const ez_cuda *c, int slice)
{
    return c->slice_word[slice] > c->first_gathered ? c->slice_word[slice] : c->first_gathered;
}

/* ---- by copies: `added` holds the others' word starts of the own slice, which stay; then their
 * topics, or what else is brought
 * -------------------------------------------------------------------------------------------------------
 */

/* Word starts of one other member. */
static uint64_t starts_of(const ez_cuda *c, int slice)
{
    return (uint64_t)(ez_cuda_gather_word(c, slice + 1) - ez_cuda_gather_word(c, slice)) + 1;
}

static uint64_t all_starts(const ez_cuda *c, int slice)
{
    return ((uint64_t)(unsigned)(c->slices - 1) * starts_of(c, slice) + 1) / 2 * 2;
}

static uint64_t most_of(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

uint64_t ez_cuda_gather_room(const ez_cuda *c)
{
    uint64_t others = (unsigned)(c->slices - 1), most = 0;
    for (int i = 0; i < c->slices; i++) {
        uint32_t first = ez_cuda_gather_word(c, i), end = c->slice_word[i + 1];
        uint64_t summed = (first < end ? first : end) - c->slice_word[i], tokens = 0;
        for (uint32_t v = first; v < end; v++)
            tokens += ez_word_frequency(c->tokens, v);
        uint64_t brought = most_of(summed * c->state.w_stride, tokens / 2 + others);
        most = most_of(most, all_starts(c, i) + most_of(brought, others * 2 * c->state.topics));
    }
    return most;
}

/* Where an array would begin of which `part` is what lies from element `first` on. */
static uintptr_t begins(const void *part, uint64_t first, size_t size)
{
    return (uintptr_t)part - first * size;
}

/* The others' word starts of the own slice. */
static ezlda_status bring_starts(ez_cuda **member, int members, ezlda_context *context, int m)
{
    ez_cuda *c = member[m];
    uint64_t n = starts_of(c, m);
    c->gather_kept = all_starts(c, m);
    for (int i = 1; i < members; i++) {
        const ez_cuda *other = member[(m + i) % members];
        uint32_t *to = c->state.added + (uint64_t)(unsigned)(i - 1) * n;
        EZ_TRY(ez_cuda_take(c, context, to, other,
                            other->chunk[0].word_start + ez_cuda_gather_word(c, m), n, sizeof *to));
    }
    return ez_device_finish(&c->device, context, "word starts of other members");
}

/* ... and topics. */
static ezlda_status bring_topics(ez_cuda **member, int members, ezlda_context *context, int m,
                                 ez_member_counts *view)
{
    ez_cuda *c = member[m];
    uint32_t *at = c->state.added + c->gather_kept;
    for (int i = 1; i < members; i++) {
        const ez_cuda *other = member[(m + i) % members];
        const uint32_t *starts = c->state.added + (uint64_t)(unsigned)(i - 1) * starts_of(c, m);
        uint32_t first = other->gather_token[m], n = other->gather_token[m + 1] - first;
        EZ_TRY(
            ez_cuda_take(c, context, at, other, other->room[0].topic + first, n, sizeof(uint16_t)));
        view[i - 1] = (ez_member_counts){
            .topic = (const uint16_t *)begins(at, first, sizeof(uint16_t)),
            .word_start =
                (const uint32_t *)begins(starts, ez_cuda_gather_word(c, m), sizeof *starts),
        };
        at += (n + 1) / 2;
    }
    return EZLDA_OK;
}

ezlda_status ez_cuda_gather_n(ez_cuda **member, int members, ezlda_context *context, int m)
{
    ez_cuda *c = member[m];
    ez_device_state s = c->state;
    unsigned long long *at = (unsigned long long *)(void *)(s.added + c->gather_kept);
    s.others = (uint32_t)(members - 1);
    for (int i = 1; i < members; i++, at += s.topics) {
        const ez_cuda *other = member[(m + i) % members];
        EZ_TRY(ez_cuda_take(c, context, at, other, other->state.summed_n, s.topics, sizeof *at));
        s.other[i - 1] = (ez_member_counts){.n = at};
    }
    return ez_device_launch(&c->device, context, &c->take_counts, c->take_counts.blocks, &s);
}

/* ---- all members
 * -------------------------------------------------------------------------------------------------
 */

ezlda_status ez_cuda_agree_to_gather(ez_cuda **member, int members, ezlda_context *context)
{
    for (int m = 0; m < members; m++)
        if (!ez_cuda_may_gather(member[m]))
            return EZLDA_OK;
    for (int m = 0; m < members; m++) {
        EZ_TRY(ez_device_enter(&member[m]->device, context));
        EZ_TRY(ez_cuda_plan_gather(member[m], context));
        member[m]->gathers = true;
        member[m]->state.hashed = ez_cuda_adds_up(member[m]);
    }
    for (int m = 0; m < members && !member[0]->reaches_others; m++) {
        EZ_TRY(ez_device_enter(&member[m]->device, context));
        EZ_TRY(bring_starts(member, members, context, m));
    }
    return EZLDA_OK;
}

ezlda_status ez_cuda_gather_slice(ez_cuda **member, int members, ezlda_context *context, int m)
{
    ez_cuda *c = member[m];
    ez_device_state s = c->state;
    s.topic_tokens = ez_cuda_counted_n(c);
    s.topic = c->room[0].topic;
    s.word_start = c->chunk[0].word_start;
    s.others = (uint32_t)(members - 1);
    if (!c->reaches_others)
        EZ_TRY(bring_topics(member, members, context, m, s.other));
    for (int i = 1; i < members && c->reaches_others; i++)
        s.other[i - 1] = ez_cuda_view_of(member[(m + i) % members]);
    return ez_cuda_run_pass(c, context, &c->gather, &s, false);
}
