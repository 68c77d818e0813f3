/* The line of a token, eight lanes per token: for long rows of D, and for rows with several entries
 * of a topic. */
#ifndef EZ_GROUP_LINE_CUH
#define EZ_GROUP_LINE_CUH

#include "backend/cuda/kernels/lane_line.cuh"

enum { EZ_GROUP = EZ_LANES, EZ_GROUPS_PER_WARP = 32 / EZ_GROUP };

/* What one lane knows of the line. */
struct ez_group_line {
    uint64_t top_through;  /* sum of m of the branches up to and with this lane's */
    uint64_t s, s_through; /* S'' of this lane's entries; of all lanes up to and with it */
    uint64_t top, s_all, total;
    uint32_t own_at; /* entry whose count is one less, or EZ_ALL */
};

/* The minimum over a token's lanes. */
__device__ __forceinline__ uint32_t ez_group_least(uint32_t x)
{
    for (int step = EZ_GROUP / 2; step > 0; step >>= 1)
        x = min(x, __shfl_xor_sync(EZ_ALL, x, step, EZ_GROUP));
    return x;
}

/* What an entry adds to S'', without leave-one-out; the count of a top topic goes to `top` instead.
 */
template <typename T>
__device__ __forceinline__ uint64_t ez_group_add(const T &table, uint32_t entry, uint32_t j,
                                                 uint32_t own, uint32_t *own_at, uint32_t *top)
{
    uint32_t k = ez_entry_topic(entry), count = ez_entry_count(entry), weight = table.at(k);
    if (k == own && count > 0)
        *own_at = min(*own_at, j);
    if (!(weight & EZ_MARK))
        return (uint64_t)count * weight;
    if (count)
        atomicAdd(&top[ez_marked_branch(weight)], count);
    return 0;
}

/* Sums the row. All lanes of the warp call it; lanes without a token have no groups. top: counts of
 * the token's top topics, on chip. */
template <typename T>
__device__ __forceinline__ ez_group_line ez_group_sum(const T &table, const ez_word_head *head,
                                                      const ez_token &token, uint32_t *top,
                                                      uint32_t lane)
{
    ez_group_line l;
    uint64_t s = 0;
    l.own_at = EZ_ALL;
    top[lane] = 0;
    __syncwarp();
    for (uint32_t j = lane; j < token.groups; j += EZ_GROUP) {
        uint4 e = __ldg(&token.row[j]);
        s += ez_group_add(table, e.x, 4 * j, token.own, &l.own_at, top);
        s += ez_group_add(table, e.y, 4 * j + 1, token.own, &l.own_at, top);
        s += ez_group_add(table, e.z, 4 * j + 2, token.own, &l.own_at, top);
        s += ez_group_add(table, e.w, 4 * j + 3, token.own, &l.own_at, top);
    }
    __syncwarp();
    l.own_at = ez_group_least(l.own_at);
    uint32_t count = top[lane];
    if (token.own != EZ_ALL) {
        uint32_t weight = table.at(token.own);
        if (weight & EZ_MARK)
            count -= ez_marked_branch(weight) == lane;
        else if (l.own_at != EZ_ALL && l.own_at / EZ_LANE_WIDTH % EZ_GROUP == lane)
            s -= weight;
    }
    l.s = s;
    uint64_t m = ez_branch(head->record.weight[lane], count, head->top_alpha[lane]);
    l.top_through = ez_group_scan(m, lane, EZ_GROUP);
    l.s_through = ez_group_scan(l.s, lane, EZ_GROUP);
    l.top = __shfl_sync(EZ_ALL, l.top_through, EZ_GROUP - 1, EZ_GROUP);
    l.s_all = __shfl_sync(EZ_ALL, l.s_through, EZ_GROUP - 1, EZ_GROUP);
    l.total = l.top + (l.s_all << EZ_ALPHA_BITS) + head->record.q_rest;
    return l;
}

/* The first of the token's lanes with `hit`, or `none`. */
__device__ __forceinline__ uint32_t ez_first_lane(bool hit, uint32_t none)
{
    uint32_t base = ez_lane() / EZ_GROUP * EZ_GROUP;
    uint32_t bits = __ballot_sync(EZ_ALL, hit) >> base & ((1u << EZ_GROUP) - 1);
    return bits ? __ffs(bits) - 1 : none;
}

template <typename T>
__device__ __forceinline__ uint64_t ez_group_term(const T &table, uint32_t entry, uint32_t j,
                                                  uint32_t own_at)
{
    uint32_t weight = table.at(ez_entry_topic(entry));
    return weight & EZ_MARK ? 0 : (uint64_t)(ez_entry_count(entry) - (j == own_at)) * weight;
}

/* The topic at y on the S'' part. All lanes of the warp call it; `wanted`: the token falls on S''.
 */
template <typename T>
__device__ uint32_t ez_group_find_s(const T &table, const ez_token &token, const ez_group_line &l,
                                    bool wanted, uint64_t y, uint32_t lane)
{
    uint32_t owner = ez_first_lane(wanted && l.s_through > y, EZ_GROUP - 1), topic = 0;
    y -= __shfl_sync(EZ_ALL, l.s_through - l.s, owner, EZ_GROUP);
    bool done = !wanted;
    uint64_t passed = 0;
    for (uint32_t round = 0;
         __any_sync(EZ_ALL, !done && round * EZ_GROUP * EZ_GROUP + owner < token.groups); round++) {
        uint32_t j = (round * EZ_GROUP + lane) * EZ_GROUP + owner;
        uint4 e = make_uint4(0, 0, 0, 0);
        if (!done && j < token.groups)
            e = __ldg(&token.row[j]);
        uint64_t first = ez_group_term(table, e.x, 4 * j, l.own_at);
        uint64_t second = first + ez_group_term(table, e.y, 4 * j + 1, l.own_at);
        uint64_t third = second + ez_group_term(table, e.z, 4 * j + 2, l.own_at);
        uint64_t sum = third + ez_group_term(table, e.w, 4 * j + 3, l.own_at);
        uint64_t through = ez_group_scan(sum, lane, EZ_GROUP);
        uint32_t at = ez_first_lane(!done && passed + through > y, EZ_GROUP);
        uint64_t left = y - passed - (through - sum);
        uint32_t mine = ez_entry_topic(left < first    ? e.x
                                       : left < second ? e.y
                                       : left < third  ? e.z
                                                       : e.w);
        uint32_t got = __shfl_sync(EZ_ALL, mine, at % EZ_GROUP, EZ_GROUP);
        uint64_t all = __shfl_sync(EZ_ALL, through, EZ_GROUP - 1, EZ_GROUP);
        if (!done && at < EZ_GROUP) {
            topic = got;
            done = true;
        }
        passed += all;
    }
    return topic;
}

template <typename T>
__device__ uint32_t ez_group_draw(const T &table, const ez_word_head *head, const ez_token &token,
                                  const ez_group_line &l, bool live, uint32_t lane)
{
    uint64_t x = ez_mulhi(token.u, l.total), s_end = l.top + (l.s_all << EZ_ALPHA_BITS);
    uint32_t topic = head->record.topic[ez_first_lane(x < l.top_through, 0)];
    bool in_s = live && x >= l.top && x < s_end;
    if (__any_sync(EZ_ALL, in_s)) {
        uint32_t found = ez_group_find_s(table, token, l, in_s, (x - l.top) >> EZ_ALPHA_BITS, lane);
        topic = in_s ? found : topic;
    }
    if (live && x >= s_end)
        topic = table.find_q(x - s_end);
    return topic;
}

#endif
