/* The tokens of a task: open ones are queued, drawn 32 at a time by a warp, and their topics
 * written back. The same code scores: then every token's line is measured and nothing is drawn. */
#ifndef EZ_WORD_TOKENS_CUH
#define EZ_WORD_TOKENS_CUH

#include "backend/cuda/kernels/group_line.cuh"
#include "sampler/log2_fixed.h"

/* Shared memory of one warp. */
struct ez_warp_room {
    uint4 top[32]; /* counts of the top topics: 16 bits each per lane, or 32 bits each per eight
                      lanes */
    uint32_t queue[64]; /* places of open tokens, a ring */
};

static_assert(sizeof(ez_warp_room) == EZ_WARP_ROOM, "the host reserves it");

struct ez_word_tallies {
    uint32_t moved;
    long long score;
};

/* A token of the words pass. */
struct ez_word_token {
    ez_token line;
    uint32_t place, old, doc;
    bool shared; /* eight lanes sum its row */
};

__device__ __forceinline__ ez_word_token ez_load_token(const ez_device_state &s,
                                                       const ez_word_head *head, uint32_t place)
{
    ez_word_token t;
    t.place = place;
    t.old = ez_old_topic(s.tokens, place);
    t.doc = s.tokens.doc[place];
    uint4 it = __ldg((const uint4 *)&s.tokens.doc_of[t.doc]);
    t.line.row = (const uint4 *)s.d.rows + it.y;
    t.line.groups = it.z & EZ_GROUPS_MASK;
    t.line.escapes = it.z >> EZ_ESCAPES_SHIFT & EZ_ESCAPES_MASK;
    t.shared = it.z & EZ_ROW_SHARED;
    t.line.own = s.rules.leave_one_out && !s.rules.score ? t.old : EZ_ALL;
    t.line.u =
        ez_draw(head->word_key, it.w, ez_run_before(s.tokens.doc, place, head->word_begin, t.doc));
    return t;
}

/* log2 of the token's probability, in fixed point. */
__device__ __forceinline__ long long ez_token_score(const ez_device_state &s,
                                                    const ez_word_head *head, uint32_t doc,
                                                    uint64_t total)
{
    double length = (double)(s.tokens.doc_of[doc + 1].begin - s.tokens.doc_of[doc].begin);
    return ez_log2_fixed(total) - ez_log2_fixed_double(length + s.priors.alpha_sum) -
           ((long long)(ez_exponent(head->record.scale) - 1 + EZ_ALPHA_BITS) << EZ_LOG2_BITS);
}

__device__ __forceinline__ void ez_store_draw(const ez_device_state &s, const ez_word_token &t,
                                              uint32_t topic, ez_word_tallies *sum)
{
    s.tokens.topic[t.place] = (uint16_t)topic;
    sum->moved += topic != t.old;
}

/* Draws the tokens of the lanes in `many`, eight lanes per token. */
template <typename T>
__device__ void ez_draw_by_groups(const ez_device_state &s, const T &table,
                                  const ez_word_head *head, ez_warp_room *room,
                                  const ez_word_token &mine, uint32_t many, ez_word_tallies *sum)
{
    uint32_t lane = ez_lane() % EZ_GROUP, group = ez_lane() / EZ_GROUP;
    uint32_t *top = (uint32_t *)room->top + group * EZ_TOP;
    while (many) {
        uint32_t from = 32;
        for (uint32_t g = 0; g < EZ_GROUPS_PER_WARP && many; g++, many &= many - 1)
            if (g == group)
                from = __ffs(many) - 1;
        bool live = from < 32;
        ez_word_token t;
        uint32_t source = live ? from : 0;
        uint64_t row =
            __shfl_sync(EZ_ALL, (uint64_t)(mine.line.row - (const uint4 *)s.d.rows), source);
        t.line.row = (const uint4 *)s.d.rows + row;
        t.line.groups = __shfl_sync(EZ_ALL, mine.line.groups, source);
        t.line.groups = live ? t.line.groups : 0;
        t.line.own = __shfl_sync(EZ_ALL, mine.line.own, source);
        t.line.u = __shfl_sync(EZ_ALL, mine.line.u, source);
        t.place = __shfl_sync(EZ_ALL, mine.place, source);
        t.old = __shfl_sync(EZ_ALL, mine.old, source);
        t.doc = __shfl_sync(EZ_ALL, mine.doc, source);
        ez_group_line line = ez_group_sum(table, head, t.line, top, lane);
        if (s.rules.score) {
            if (live && lane == 0)
                sum->score += ez_token_score(s, head, t.doc, line.total);
        } else {
            uint32_t topic = ez_group_draw(table, head, t.line, line, live, lane);
            if (live && lane == 0)
                ez_store_draw(s, t, topic, sum);
        }
        __syncwarp();
    }
}

/* A team draws one token: all its lanes find the same topic, and one stores it. */
template <typename F, typename T>
__device__ __forceinline__ void ez_draw_by_team(const ez_device_state &s, const T &table,
                                                const ez_word_head *head, const ez_team &team,
                                                uint16_t *top, const ez_word_token &t,
                                                ez_word_tallies *sum)
{
    ez_lane_line line;
    ez_lane_sum<F>(table, head, t.line, team, top, &line);
    bool first = ez_lane() % team.size == 0;
    if (s.rules.score) {
        if (first)
            sum->score += ez_token_score(s, head, t.doc, line.total);
        return;
    }
    uint32_t topic = ez_lane_draw<F>(table, head, t.line, top, line);
    if (first)
        ez_store_draw(s, t, topic, sum);
}

/* Draws up to 32 tokens, one team per token. */
template <typename F, typename T>
__device__ __forceinline__ void ez_draw_tokens(const ez_device_state &s, const T &table,
                                               const ez_word_head *head, ez_warp_room *room,
                                               uint32_t place, bool live, uint32_t team,
                                               ez_word_tallies *sum)
{
    ez_word_token t = {};
    if (live)
        t = ez_load_token(s, head, place);
    bool shared = live && t.shared;
    uint32_t all = __ballot_sync(EZ_ALL, live && !shared);
    __syncwarp(); /* all lanes of a team have read what one will write */
    if (live && !shared)
        ez_draw_by_team<F>(s, table, head, ez_team{team, all}, (uint16_t *)&room->top[ez_lane()], t,
                           sum);
    __syncwarp();
    uint32_t many = __ballot_sync(EZ_ALL, shared && ez_lane() % team == 0);
    if (many)
        ez_draw_by_groups(s, table, head, room, t, many, sum);
}

/* Whether the token at a place in T is to be drawn or scored. */
__device__ __forceinline__ bool ez_wanted(const ez_device_state &s, uint32_t place)
{
    return !s.rules.decide || ez_is_open(s.tokens, place);
}

/* Lanes per token if a warp has this many tokens to draw. */
__device__ __forceinline__ uint32_t ez_team_size(uint32_t tokens)
{
    return tokens > 16 ? 1 : tokens > 8 ? 2 : tokens > 4 ? 4 : 8;
}

/* Where a warp finds its next 32 places. The warp works on the word alone: */
struct ez_own_places {
    uint32_t at;
    __device__ __forceinline__ uint32_t next(void)
    {
        return (at += 32) - 32;
    }
};

/* The warps of a block share the places: each takes the next 32. */
struct ez_shared_places {
    uint32_t *at;
    __device__ __forceinline__ uint32_t next(void)
    {
        uint32_t base = 0;
        if (ez_lane() == 0)
            base = atomicAdd(at, 32);
        return __shfl_sync(EZ_ALL, base, 0);
    }
};

/* A warp draws its share of the places [begin, begin + n). TEAMS: if few tokens are left, each gets
 * several lanes. That needs registers, and pays only if it is common. */
template <typename F, bool TEAMS, typename T, typename P>
__device__ __forceinline__ void ez_draw_places(const ez_device_state &s, const T &table,
                                               const ez_word_head *head, ez_warp_room *room,
                                               uint32_t begin, uint32_t n, P places,
                                               ez_word_tallies *sum)
{
    uint32_t head_at = 0, queued = 0;
    bool more = true;
    while (more || queued > 0) {
        while (queued < 32 && more) {
            uint32_t base = places.next(), i = base + ez_lane();
            more = base < n;
            bool wanted = i < n && ez_wanted(s, begin + i);
            uint32_t open = __ballot_sync(EZ_ALL, wanted);
            if (wanted)
                room->queue[(head_at + queued + __popc(open & ez_lanes_before())) % 64] = begin + i;
            queued += __popc(open);
        }
        __syncwarp();
        uint32_t take = queued < 32 ? queued : 32, team = TEAMS ? ez_team_size(take) : 1,
                 mine = ez_lane() / team;
        uint32_t place = room->queue[(head_at + mine) % 64];
        if (take > 0)
            ez_draw_tokens<F>(s, table, head, room, place, mine < take, team, sum);
        head_at += take;
        queued -= take;
        __syncwarp();
    }
}

/* Whether any token of a task is to be drawn; all threads of the block call it. */
__device__ __forceinline__ bool ez_any_wanted(const ez_device_state &s, uint32_t begin, uint32_t n)
{
    if (!s.rules.decide || n == 0)
        return n > 0;
    bool any = false;
    for (uint32_t i = threadIdx.x; i < n && !any; i += blockDim.x)
        any = ez_is_open(s.tokens, begin + i);
    return __syncthreads_or(any);
}

__device__ __forceinline__ void ez_add_tallies(const ez_device_state &s, const ez_word_tallies &sum)
{
    uint32_t moved = ez_warp_sum(sum.moved);
    if (ez_lane() == 0 && moved)
        atomicAdd(&s.work.tally[EZ_TALLY_MOVED], (unsigned long long)moved);
    if (s.rules.score) {
        long long score = ez_warp_sum(sum.score);
        if (ez_lane() == 0)
            atomicAdd((unsigned long long *)s.work.score_sum, (unsigned long long)score);
    }
}

#endif
