/* Owned rows: a shard counts the rows of W of its slice from the topics of all shards of this
 * process.
 *
 * Shards need not count their own tokens of a word and sum the counts: T is sorted by word, so a
 * slice is consecutive in the topics of each shard, and a topic has two bytes where a count has
 * four. The rows are counted once and written whole, the sparse ones as lists, as they are with one
 * shard. Words so frequent that the cells of all shards are smaller than their topics are counted
 * by every shard and summed (cuda_shard_sum.c). Until then, shards.summed_n of each shard has n of
 * all that it counted.
 *
 * The topics must be on the devices, not in chunks. Counts of other ranks and base counts would
 * have to be added to rows that are hash tables. So either all shards own rows or none does. */
#include "backend/cuda/shards/cuda_owned_rows.h"

#include "backend/cuda/cuda_backend.h"
#include "backend/cuda/cuda_kernel_choice.h"
#include "backend/cuda/shards/cuda_shard_sum.h"

/* The most tokens of a word that one thread counts: other blocks would wait for longer rows. */
enum { EZ_OWNED_TURNS = 256 };

uint32_t ez_cuda_first_owned_word(const ez_cuda *c)
{
    uint64_t cells = 2 * (uint64_t)c->state.w.topics * (unsigned)c->shards;
    uint64_t turns = (uint64_t)EZ_OWNED_TURNS * ez_cuda_count_threads(c);
    uint32_t first = ez_first_word_within(c->tokens, 0, cells < turns ? cells : turns);
    return first < c->state.w.dense_words ? first : c->state.w.dense_words;
}

bool ez_cuda_may_own_rows(const ez_cuda *c)
{
    const ez_settings *s = c->settings;
    return c->role.slices > 1 && c->role.slices - 1 <= EZ_OTHERS && c->chunks == 1 &&
           !ez_is_distributed(s->group) && !s->base && !s->fixed && ez_cuda_counts_fit(c);
}

uint32_t ez_cuda_owned_word(const ez_cuda *c, int slice)
{
    return c->slice_word[slice] > c->first_owned ? c->slice_word[slice] : c->first_owned;
}

/* ---- devices that do not reach each other ----
 * shards.added has the other shards' word starts of the own slice, which stay there (added_kept),
 * then their topics or whatever else is copied. */

/* Word starts that are copied from one other shard. */
static uint64_t starts_of(const ez_cuda *c, int slice)
{
    return (uint64_t)(ez_cuda_owned_word(c, slice + 1) - ez_cuda_owned_word(c, slice)) + 1;
}

static uint64_t all_starts(const ez_cuda *c, int slice)
{
    return ((uint64_t)(unsigned)(c->role.slices - 1) * starts_of(c, slice) + 1) / 2 * 2;
}

static uint64_t most_of(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

uint64_t ez_cuda_owned_room(const ez_cuda *c)
{
    uint64_t others = (unsigned)(c->role.slices - 1), most = 0;
    for (int i = 0; i < c->role.slices; i++) {
        uint32_t first = ez_cuda_owned_word(c, i), end = c->slice_word[i + 1];
        uint64_t summed = (first < end ? first : end) - c->slice_word[i], tokens = 0;
        for (uint32_t v = first; v < end; v++)
            tokens += ez_word_frequency(c->tokens, v);
        uint64_t copied = most_of(summed * c->state.w.stride, tokens / 2 + others);
        most = most_of(most, all_starts(c, i) + most_of(copied, others * 2 * c->state.w.topics));
    }
    return most;
}

/* Where an array would begin whose elements from `first` on are at `copy`. */
static uintptr_t origin_of(const void *copy, uint64_t first, size_t size)
{
    return (uintptr_t)copy - first * size;
}

/* Copies the other shards' word starts of the own slice. */
static ezlda_status copy_starts(ez_cuda **shard, int shards, ezlda_context *context, int m)
{
    ez_cuda *c = shard[m];
    uint64_t n = starts_of(c, m);
    c->added_kept = all_starts(c, m);
    for (int i = 1; i < shards; i++) {
        const ez_cuda *other = shard[(m + i) % shards];
        uint32_t *to = c->state.shards.added + (uint64_t)(unsigned)(i - 1) * n;
        EZ_TRY(ez_cuda_copy_from(c, context, to, other,
                                 other->chunk[0].word_start + ez_cuda_owned_word(c, m), n,
                                 sizeof *to));
    }
    return ez_device_finish(&c->device, context, "word starts of other shards");
}

/* Copies the other shards' topics of the own slice. */
static ezlda_status copy_topics(ez_cuda **shard, int shards, ezlda_context *context, int m,
                                ez_shard_counts *view)
{
    ez_cuda *c = shard[m];
    uint32_t *at = c->state.shards.added + c->added_kept;
    for (int i = 1; i < shards; i++) {
        const ez_cuda *other = shard[(m + i) % shards];
        const uint32_t *starts =
            c->state.shards.added + (uint64_t)(unsigned)(i - 1) * starts_of(c, m);
        uint32_t first = other->owned_token[m], n = other->owned_token[m + 1] - first;
        EZ_TRY(ez_cuda_copy_from(c, context, at, other, other->room[0].topic + first, n,
                                 sizeof(uint16_t)));
        view[i - 1] = (ez_shard_counts){
            .topic = (const uint16_t *)origin_of(at, first, sizeof(uint16_t)),
            .word_start =
                (const uint32_t *)origin_of(starts, ez_cuda_owned_word(c, m), sizeof *starts),
        };
        at += (n + 1) / 2;
    }
    return EZLDA_OK;
}

ezlda_status ez_cuda_sum_owned_n(ez_cuda **shard, int shards, ezlda_context *context, int m)
{
    ez_cuda *c = shard[m];
    ez_device_state s = c->state;
    unsigned long long *at = (unsigned long long *)(void *)(s.shards.added + c->added_kept);
    s.shards.others = (uint32_t)(shards - 1);
    for (int i = 1; i < shards; i++, at += s.w.topics) {
        const ez_cuda *other = shard[(m + i) % shards];
        EZ_TRY(ez_cuda_copy_from(c, context, at, other, other->state.shards.summed_n, s.w.topics,
                                 sizeof *at));
        s.shards.other[i - 1] = (ez_shard_counts){.n = at};
    }
    return ez_device_launch(&c->device, context, &c->copy_counts, c->copy_counts.blocks, &s);
}

/* ---- all shards ---- */

ezlda_status ez_cuda_agree_on_owned_rows(ez_cuda **shard, int shards, ezlda_context *context)
{
    for (int m = 0; m < shards; m++)
        if (!ez_cuda_may_own_rows(shard[m]))
            return EZLDA_OK;
    for (int m = 0; m < shards; m++) {
        EZ_TRY(ez_device_enter(&shard[m]->device, context));
        EZ_TRY(ez_cuda_choose_owned_kernels(shard[m], context));
        shard[m]->owns_rows = true;
        shard[m]->state.w.hashed = ez_cuda_w_is_hashed(shard[m]);
    }
    for (int m = 0; m < shards && !shard[0]->role.reaches_others; m++) {
        EZ_TRY(ez_device_enter(&shard[m]->device, context));
        EZ_TRY(copy_starts(shard, shards, context, m));
    }
    return EZLDA_OK;
}

ezlda_status ez_cuda_count_owned_rows(ez_cuda **shard, int shards, ezlda_context *context, int m)
{
    ez_cuda *c = shard[m];
    ez_device_state s = c->state;
    s.w.topic_tokens = ez_cuda_counted_n(c);
    s.tokens.topic = c->room[0].topic;
    s.tokens.word_start = c->chunk[0].word_start;
    s.shards.others = (uint32_t)(shards - 1);
    if (!c->role.reaches_others)
        EZ_TRY(copy_topics(shard, shards, context, m, s.shards.other));
    for (int i = 1; i < shards && c->role.reaches_others; i++)
        s.shards.other[i - 1] = ez_cuda_shard_view(shard[(m + i) % shards]);
    return ez_cuda_run_pass(c, context, &c->count_owned, &s, false);
}
