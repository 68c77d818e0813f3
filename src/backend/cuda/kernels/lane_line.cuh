/* The line of a token, one lane per token: the lane reads its document's row of D alone. This suits
 * short rows: no lane waits for another, and the overhead of a token is paid once per warp. A team
 * of lanes may share a token. */
#ifndef EZ_LANE_LINE_CUH
#define EZ_LANE_LINE_CUH

#include "backend/cuda/kernels/lane_top.cuh"
#include "backend/cuda/kernels/word_view.cuh"

/* A token to draw or score. own: the topic whose count is one less, or EZ_ALL. */
struct ez_token {
    const uint4 *row;
    uint32_t groups, escapes, own;
    uint64_t u;
};

__device__ __forceinline__ uint32_t ez_word_of(uint4 group, int i)
{
    return i == 0 ? group.x : i == 1 ? group.y : i == 2 ? group.z : group.w;
}

/* The formats of rows of D: entry i of a group. */
struct ez_wide_rows {
    enum { ENTRIES = 4, NARROW = 0 };
    __device__ __forceinline__ static uint32_t topic(uint4 group, int i)
    {
        return ez_entry_topic(ez_word_of(group, i));
    }
    __device__ __forceinline__ static uint32_t count(uint4 group, int i)
    {
        return ez_entry_count(ez_word_of(group, i));
    }
    __device__ __forceinline__ static uint32_t first_topic(const uint4 *group)
    {
        return ez_entry_topic(__ldg((const uint32_t *)group));
    }
};

struct ez_narrow_rows {
    enum { ENTRIES = 8, NARROW = 1 };
    __device__ __forceinline__ static uint32_t topic(uint4 group, int i)
    {
        return ez_word_of(group, i / 2) >> ((i & 1) * 16 + EZ_NARROW_BITS) & (EZ_NARROW_TOPICS - 1);
    }
    __device__ __forceinline__ static uint32_t count(uint4 group, int i)
    {
        return ez_word_of(group, i / 2) >> (i & 1) * 16 & EZ_NARROW_MAX;
    }
    __device__ __forceinline__ static uint32_t first_topic(const uint4 *group)
    {
        return (uint32_t)__ldg((const uint16_t *)group) >> EZ_NARROW_BITS;
    }
};

/* Loads two groups at once. The compiler would load the second after the first is used. */
__device__ __forceinline__ void ez_load_sector(const uint4 *at, uint4 *a, uint4 *b)
{
#ifdef __CUDA_ARCH__
    asm volatile("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%8];\n\t"
                 "ld.global.nc.v4.u32 {%4, %5, %6, %7}, [%8 + 16];"
                 : "=r"(a->x), "=r"(a->y), "=r"(a->z), "=r"(a->w), "=r"(b->x), "=r"(b->y),
                   "=r"(b->z), "=r"(b->w)
                 : "l"(at));
#else
    *a = at[0];
    *b = at[1];
#endif
}

struct ez_lane_line {
    uint64_t part[EZ_LANES]; /* S'' by the lanes of sampler/d_row.h, own_weight not subtracted */
    uint64_t s;              /* S'' */
    uint32_t own_weight;     /* subtracted from S'' for leave-one-out */
    uint64_t total;
};

/* Adds the entries of a group to the sums of its lanes, the last entry first: padding repeats the
 * topic of an earlier entry with count 0, whose count must be stored after it. */
template <typename F, typename T>
__device__ __forceinline__ void ez_add_group(const T &table, uint4 group, uint64_t *part,
                                             uint16_t *top)
{
    uint32_t weight[F::ENTRIES];
#pragma unroll
    for (int i = F::ENTRIES - 1; i >= 0; i--)
        weight[i] = table.at(F::topic(group, i));
#pragma unroll
    for (int i = F::ENTRIES - 1; i >= 0; i--) {
        uint32_t count = F::count(group, i);
        if (weight[i] & EZ_MARK)
            ez_top_store(top, weight[i], count);
        part[i / EZ_LANE_WIDTH] += (uint64_t)count * (uint32_t)max((int32_t)weight[i], 0);
    }
}

/* What escaped counts add to S'' beyond EZ_NARROW_MAX, as one sum. */
template <typename T>
__device__ __forceinline__ uint64_t ez_sum_escapes(const T &table, const ez_token &token,
                                                   uint16_t *top)
{
    const uint32_t *escape = (const uint32_t *)(token.row + token.groups);
    uint64_t sum = 0;
#pragma unroll 1
    for (uint32_t i = 0; i < token.escapes; i++) {
        uint32_t it = __ldg(&escape[i]), weight = table.at(it >> 19), count = it & 0xffff;
        if (weight & EZ_MARK)
            ez_top_store(top, weight, count);
        else
            sum += (uint64_t)(count - EZ_NARROW_MAX) * weight;
    }
    return sum;
}

/* Adds the same to the lanes' sums. */
template <typename T>
__device__ __forceinline__ void ez_share_escapes(const T &table, const ez_token &token,
                                                 uint64_t *part)
{
    const uint32_t *escape = (const uint32_t *)(token.row + token.groups);
#pragma unroll 1
    for (uint32_t i = 0; i < token.escapes; i++) {
        uint32_t it = __ldg(&escape[i]), lane = it >> 16 & (EZ_LANES - 1);
        uint64_t more = (uint64_t)((it & 0xffff) - EZ_NARROW_MAX) *
                        (uint32_t)max((int32_t)table.at(it >> 19), 0);
#pragma unroll
        for (uint32_t j = 0; j < EZ_LANES; j++)
            part[j] += j == lane ? more : 0;
    }
}

/* A team: adjacent lanes, a power of two, that read a row together, in turns of one round of
 * groups; then each lane has the whole line. all: the lanes of all teams that work now. */
struct ez_team {
    uint32_t size, all;
};

__device__ __forceinline__ void ez_team_sum(const ez_team &team, uint64_t *part)
{
#pragma unroll 1
    for (uint32_t step = 1; step < team.size; step *= 2)
#pragma unroll
        for (int i = 0; i < EZ_LANES; i++)
            part[i] += __shfl_xor_sync(team.all, part[i], step);
}

/* Merges the counts of the top topics: the lane that met a topic has its count and the others have
 * 0; all lanes have an escaped count. */
__device__ __forceinline__ uint4 ez_team_most(const ez_team &team, uint4 counts)
{
#pragma unroll 1
    for (uint32_t step = 1; step < team.size; step *= 2) {
        counts.x = ez_most_of_halves(counts.x, __shfl_xor_sync(team.all, counts.x, step));
        counts.y = ez_most_of_halves(counts.y, __shfl_xor_sync(team.all, counts.y, step));
        counts.z = ez_most_of_halves(counts.z, __shfl_xor_sync(team.all, counts.z, step));
        counts.w = ez_most_of_halves(counts.w, __shfl_xor_sync(team.all, counts.w, step));
    }
    return counts;
}

/* Sums the row. top: this lane's counts of the top topics, on chip. */
template <typename F, typename T>
__device__ __forceinline__ void ez_lane_sum(const T &table, const ez_word_head *head,
                                            const ez_token &token, const ez_team &team,
                                            uint16_t *top, ez_lane_line *line)
{
    enum { LANES = F::ENTRIES / EZ_LANE_WIDTH, ROUND = EZ_LANES / LANES };
    ez_top_clear(top);
#pragma unroll
    for (int i = 0; i < EZ_LANES; i++)
        line->part[i] = 0;
    for (uint32_t j = ez_lane() % team.size * ROUND; j < token.groups; j += team.size * ROUND) {
#pragma unroll
        for (int i = 0; i < ROUND; i += EZ_SECTOR_GROUPS)
            if (j + i < token.groups) {
                uint4 a, b;
                ez_load_sector(&token.row[j + i], &a, &b);
                ez_add_group<F>(table, b, &line->part[(i + 1) * LANES], top);
                ez_add_group<F>(table, a, &line->part[i * LANES], top);
            }
    }
    ez_team_sum(team, line->part);
    uint64_t s = F::NARROW && token.escapes ? ez_sum_escapes(table, token, top) : 0, known = 0;
    line->own_weight = 0;
    uint4 counts = ez_team_most(team, ez_top_read(top));
    if (token.own != EZ_ALL) {
        uint32_t weight = table.at(token.own);
        if (weight & EZ_MARK)
            counts = ez_top_less(counts, ez_marked_branch(weight));
        else
            line->own_weight = weight;
    }
    ez_top_write(top, counts);
#pragma unroll
    for (int i = 0; i < EZ_LANES; i++)
        s += line->part[i];
    line->s = s - line->own_weight;
#pragma unroll
    for (int i = 0; i < EZ_TOP; i++)
        known += (uint64_t)head->record.weight[i] * ez_top_at(counts, i);
    line->total = ((line->s + known) << EZ_ALPHA_BITS) + head->q_all;
}

/* The lane (sampler/d_row.h) of the entry of topic `own`. It is in the last group whose first topic
 * is not above it. A group of padding begins with the same topic as the group before it. */
template <typename F> __device__ __forceinline__ uint32_t ez_own_lane(const ez_token &token)
{
    uint32_t lo = 0, hi = token.groups - 1;
    while (lo < hi) {
        uint32_t middle = (lo + hi + 1) / 2;
        if (F::first_topic(&token.row[middle]) <= token.own)
            lo = middle;
        else
            hi = middle - 1;
    }
    uint32_t first = F::first_topic(&token.row[lo]);
    if (lo % 2 && F::first_topic(&token.row[lo - 1]) == first)
        lo--;
    if (!F::NARROW)
        return lo % EZ_LANES;
    uint32_t half = F::first_topic((const uint4 *)((const uint2 *)&token.row[lo] + 1));
    return (2 * lo + (half <= token.own && half > first)) % EZ_LANES;
}

/* The escaped count of topic k. */
__device__ __forceinline__ uint32_t ez_escaped_count(const ez_token &token, uint32_t k)
{
    const uint32_t *escape = (const uint32_t *)(token.row + token.groups);
    while (__ldg(escape) >> 19 != k)
        escape++;
    return __ldg(escape) & 0xffff;
}

/* The topic at y on the S'' part of one lane. */
template <typename F, typename T>
__device__ __forceinline__ uint32_t ez_lane_find_entry(const T &table, const ez_token &token,
                                                       uint32_t lane, uint64_t y)
{
    enum { LANES = F::ENTRIES / EZ_LANE_WIDTH };
    for (uint32_t j = lane / LANES; j < token.groups; j += EZ_LANES / LANES) {
        uint4 group = __ldg(&token.row[j]);
        if (LANES == 2 && lane % 2)
            group = make_uint4(group.z, group.w, 0, 0);
        uint64_t through[EZ_LANE_WIDTH], sum = 0;
#pragma unroll
        for (int i = 0; i < EZ_LANE_WIDTH; i++) {
            uint32_t k = F::topic(group, i), count = F::count(group, i);
            if (F::NARROW && count == EZ_NARROW_MAX)
                count = ez_escaped_count(token, k);
            count -= k == token.own && count > 0;
            sum += (uint64_t)count * (uint32_t)max((int32_t)table.at(k), 0);
            through[i] = sum;
        }
        if (y < sum)
            return y < through[0]   ? F::topic(group, 0)
                   : y < through[1] ? F::topic(group, 1)
                   : y < through[2] ? F::topic(group, 2)
                                    : F::topic(group, 3);
        y -= sum;
    }
    return 0;
}

/* The topic at y on the S'' part. */
template <typename F, typename T>
__device__ __forceinline__ uint32_t ez_lane_find_s(const T &table, const ez_token &token,
                                                   ez_lane_line &line, uint64_t y)
{
    if (F::NARROW && token.escapes)
        ez_share_escapes(table, token, line.part);
    uint32_t own_lane = line.own_weight ? ez_own_lane<F>(token) : EZ_LANES, lane = EZ_LANES;
#pragma unroll
    for (int i = 0; i < EZ_LANES; i++) {
        uint64_t part = line.part[i] - (own_lane == i ? line.own_weight : 0);
        if (lane == EZ_LANES) {
            if (y < part)
                lane = i;
            else
                y -= part;
        }
    }
    return ez_lane_find_entry<F>(table, token, lane, y);
}

/* The token's topic. */
template <typename F, typename T>
__device__ __forceinline__ uint32_t ez_lane_draw(const T &table, const ez_word_head *head,
                                                 const ez_token &token, const uint16_t *top,
                                                 ez_lane_line &line)
{
    uint64_t x = ez_mulhi(token.u, line.total), through = 0, s_part = line.s << EZ_ALPHA_BITS;
    uint4 counts = ez_top_read(top);
    uint32_t branch = EZ_TOP;
#pragma unroll
    for (int i = 0; i < EZ_TOP; i++) {
        through += ez_branch(head->record.weight[i], ez_top_at(counts, i), head->top_alpha[i]);
        if (x < through && branch == EZ_TOP)
            branch = i;
    }
    if (branch < EZ_TOP)
        return head->record.topic[branch];
    x -= through;
    if (x < s_part)
        return ez_lane_find_s<F>(table, token, line, x >> EZ_ALPHA_BITS);
    return table.find_q(x - s_part);
}

#endif
