/* The words pass: the row of What dense on chip; eight lanes a token read its document's row of D, sum S'' and find the
 * topic. The same kernel scores: then every token's line is measured and nothing drawn. */
#include "backend/cuda/kernels/warp.cuh"
#include "sampler/log2_fixed.h"

/* Warps of a block: more where its table leaves room for one block a multiprocessor only. */
enum { GROUP = EZ_LANES, GROUPS_A_WARP = 32 / GROUP, WARPS = 8, WIDE_WARPS = 32 };

/* Blocks that a multiprocessor should hold at once: as many as hide the loads of rows (sm_75 has threads for four). */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define EZ_WORD_BLOCKS 4
#else
#define EZ_WORD_BLOCKS 5
#endif

extern __shared__ unsigned long long on_chip[];

struct task_view {
    uint32_t *table;              /* topics: weights; top topics hold EZ_MARK | branch */
    unsigned long long *q_through; /* blocks of 32 topics: alpha parts summed */
    uint32_t q_blocks;
    uint64_t word_key;
    const ez_word_record *record;  /* on chip, as is: */
    const unsigned long long *top_alpha; /* q[K1] .. q[K8] */
};

__device__ __forceinline__ uint64_t q_of(const ez_device_state &s, uint32_t weight, uint32_t k)
{
    return weight & EZ_MARK ? 0 : ez_alpha_weight(weight, s.alpha_scaled[k]);
}

/* Weights of the word, its top topics marked, and the running sums of Q'' over blocks of 32 topics. */
__device__ void make_table(const ez_device_state &s, task_view &t, uint32_t v)
{
    const uint32_t *row = s.w + (size_t)v * s.topics;
    for (uint32_t k = threadIdx.x; k < s.topics; k += blockDim.x)
        t.table[k] = ez_weight(ez_float_weight(row[k], s.beta, s.rate[k]), t.record->scale);
    __syncthreads();
    if (threadIdx.x < EZ_TOP && t.record->weight[threadIdx.x] != 0)
        t.table[t.record->topic[threadIdx.x]] = EZ_MARK | threadIdx.x;
    __syncthreads();
    for (uint32_t block = threadIdx.x / 32; block < t.q_blocks; block += blockDim.x / 32) {
        uint32_t k = block * 32 + ez_lane();
        unsigned long long q = ez_warp_sum(k < s.topics ? (unsigned long long)q_of(s, t.table[k], k) : 0ull);
        if (ez_lane() == 0)
            t.q_through[block] = q;
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        unsigned long long sum = 0;
        for (uint32_t base = 0; base < t.q_blocks; base += 32) {
            uint32_t block = base + ez_lane();
            unsigned long long q = block < t.q_blocks ? t.q_through[block] : 0;
            q = ez_group_scan(q, ez_lane(), 32) + sum;
            if (block < t.q_blocks)
                t.q_through[block] = q;
            sum = __shfl_sync(EZ_ALL, q, 31);
        }
    }
    __syncthreads();
}

/* A token as its eight lanes see it; lanes of a token that is not there have groups 0 and live false. */
struct token {
    const uint4 *row;
    uint32_t groups;
    uint32_t own; /* topic whose count is one less, or EZ_ALL */
    uint64_t u;
    bool live;
};

/* Its line, the lane's own part of it. */
struct line {
    uint64_t top_through; /* m of the branches up to and with this lane's */
    uint64_t s, s_through; /* S'' of this lane's entries; of the lanes up to and with it */
    uint64_t top, s_all, total;
    uint32_t own_at; /* entry whose count is one less, where this lane knows it, or EZ_ALL */
};

/* The least of a token's lanes. */
__device__ __forceinline__ uint32_t group_least(uint32_t x)
{
    for (int step = GROUP / 2; step > 0; step >>= 1)
        x = min(x, __shfl_xor_sync(EZ_ALL, x, step, GROUP));
    return x;
}

/* An entry's part of S'', nothing taken out; a top topic's count goes to `top` instead. Only a document longer than
 * EZ_ENTRY_MAX (LONG) may have several entries of one topic. */
template <bool LONG> __device__ __forceinline__ uint64_t take_entry(const task_view &t, uint32_t entry, uint32_t j,
                                                                    const token &tok, uint32_t *own_at, uint32_t *top)
{
    uint32_t k = ez_entry_topic(entry), count = ez_entry_count(entry), weight = t.table[k];
    if (LONG) {
        if (k == tok.own && count > 0)
            *own_at = min(*own_at, j);
    } else if (k == tok.own) {
        *own_at = count > 0 ? j : *own_at;
    }
    if (weight & EZ_MARK) {
        if (LONG && count)
            atomicAdd(&top[weight & (EZ_TOP - 1)], count);
        else if (count)
            top[weight & (EZ_TOP - 1)] = count;
        return 0;
    }
    return (uint64_t)count * weight;
}

template <bool LONG> __device__ line make_line(const task_view &t, const token &tok, uint32_t *top, uint32_t lane)
{
    line l;
    uint64_t s = 0;
    l.own_at = EZ_ALL;
    top[lane] = 0;
    __syncwarp();
    for (uint32_t j = lane; j < tok.groups; j += GROUP) {
        uint4 e = __ldg(&tok.row[j]);
        s += take_entry<LONG>(t, e.x, 4 * j, tok, &l.own_at, top);
        s += take_entry<LONG>(t, e.y, 4 * j + 1, tok, &l.own_at, top);
        s += take_entry<LONG>(t, e.z, 4 * j + 2, tok, &l.own_at, top);
        s += take_entry<LONG>(t, e.w, 4 * j + 3, tok, &l.own_at, top);
    }
    __syncwarp();
    uint32_t count = top[lane];
    if (tok.own != EZ_ALL) {
        if (LONG)
            l.own_at = group_least(l.own_at);
        uint32_t weight = t.table[tok.own];
        if (weight & EZ_MARK)
            count -= (weight & (EZ_TOP - 1)) == lane;
        else if (l.own_at != EZ_ALL && l.own_at / EZ_LANE_WIDTH % GROUP == lane)
            s -= weight;
    }
    l.s = s;
    uint64_t m = ez_branch(t.record->weight[lane], count, t.top_alpha[lane]);
    l.top_through = ez_group_scan(m, lane, GROUP);
    l.s_through = ez_group_scan(l.s, lane, GROUP);
    l.top = __shfl_sync(EZ_ALL, l.top_through, GROUP - 1, GROUP);
    l.s_all = __shfl_sync(EZ_ALL, l.s_through, GROUP - 1, GROUP);
    l.total = l.top + (l.s_all << EZ_ALPHA_BITS) + t.record->q_rest;
    return l;
}

/* The first lane of this token's group for which `hit`, or `none`. */
__device__ __forceinline__ uint32_t first_lane(bool hit, uint32_t none)
{
    uint32_t base = ez_lane() / GROUP * GROUP, bits = __ballot_sync(EZ_ALL, hit) >> base & ((1u << GROUP) - 1);
    return bits ? __ffs(bits) - 1 : none;
}

__device__ __forceinline__ uint64_t found_term(const task_view &t, uint32_t entry, uint32_t j, uint32_t own_at)
{
    uint32_t weight = t.table[ez_entry_topic(entry)];
    return weight & EZ_MARK ? 0 : (uint64_t)(ez_entry_count(entry) - (j == own_at)) * weight;
}

/* The topic at y on the S'' part; all lanes of the warp come here, `wanted` for tokens that fall on it. */
__device__ uint32_t find_in_s(const task_view &t, const token &tok, const line &l, bool wanted, uint64_t y,
                              uint32_t lane)
{
    uint32_t owner = first_lane(wanted && l.s_through > y, GROUP - 1), own_at = group_least(l.own_at);
    y -= __shfl_sync(EZ_ALL, l.s_through - l.s, owner, GROUP);
    bool done = !wanted;
    uint32_t topic = 0;
    uint64_t passed = 0;
    for (uint32_t round = 0; __any_sync(EZ_ALL, !done && round * GROUP * GROUP + owner < tok.groups); round++) {
        uint32_t j = (round * GROUP + lane) * GROUP + owner;
        uint4 e = make_uint4(0, 0, 0, 0);
        if (!done && j < tok.groups)
            e = __ldg(&tok.row[j]);
        uint64_t first = found_term(t, e.x, 4 * j, own_at), second = first + found_term(t, e.y, 4 * j + 1, own_at);
        uint64_t third = second + found_term(t, e.z, 4 * j + 2, own_at);
        uint64_t sum = third + found_term(t, e.w, 4 * j + 3, own_at);
        uint64_t through = ez_group_scan(sum, lane, GROUP);
        uint32_t at = first_lane(!done && passed + through > y, GROUP);
        uint64_t left = y - passed - (through - sum);
        uint32_t mine = ez_entry_topic(left < first ? e.x : left < second ? e.y : left < third ? e.z : e.w);
        uint32_t got = __shfl_sync(EZ_ALL, mine, at % GROUP, GROUP);
        uint64_t all = __shfl_sync(EZ_ALL, through, GROUP - 1, GROUP);
        if (!done && at < GROUP) {
            topic = got;
            done = true;
        }
        passed += all;
    }
    return topic;
}

/* The topic at y on the Q'' part. */
__device__ uint32_t find_in_q(const ez_device_state &s, const task_view &t, bool wanted, uint64_t y, uint32_t lane)
{
    uint32_t lo = 0, hi = t.q_blocks - 1;
    while (lo < hi) {
        uint32_t middle = (lo + hi) / 2;
        if (t.q_through[middle] > y)
            hi = middle;
        else
            lo = middle + 1;
    }
    y -= lo > 0 ? t.q_through[lo - 1] : 0;
    uint64_t part[EZ_LANE_WIDTH], sum = 0;
    for (uint32_t i = 0; i < EZ_LANE_WIDTH; i++) {
        uint32_t k = lo * 32 + lane * EZ_LANE_WIDTH + i;
        sum += wanted && k < s.topics ? q_of(s, t.table[k], k) : 0;
        part[i] = sum;
    }
    uint64_t through = ez_group_scan(sum, lane, GROUP);
    uint32_t owner = first_lane(wanted && through > y, GROUP - 1);
    uint64_t left = y - (through - sum);
    uint32_t k = lo * 32 + lane * EZ_LANE_WIDTH + (left >= part[0]) + (left >= part[1]) + (left >= part[2]);
    return __shfl_sync(EZ_ALL, k, owner, GROUP);
}

__device__ uint32_t draw(const ez_device_state &s, const task_view &t, const token &tok, const line &l, uint32_t lane)
{
    uint64_t x = ez_mulhi(tok.u, l.total), s_end = l.top + (l.s_all << EZ_ALPHA_BITS);
    uint32_t branch = first_lane(x < l.top_through, 0);
    uint32_t topic = t.record->topic[branch];
    bool in_s = tok.live && x >= l.top && x < s_end, in_q = tok.live && x >= s_end;
    if (__any_sync(EZ_ALL, in_s)) {
        uint32_t found = find_in_s(t, tok, l, in_s, (x - l.top) >> EZ_ALPHA_BITS, lane);
        topic = in_s ? found : topic;
    }
    if (__any_sync(EZ_ALL, in_q)) {
        uint32_t found = find_in_q(s, t, in_q, x - s_end, lane);
        topic = in_q ? found : topic;
    }
    return topic;
}

/* The tokens of 32 places of a task. */
struct places {
    uint32_t doc, old;
    bool open;
    uint64_t u;
    ez_device_row row;
};

__device__ places take_places(const ez_device_state &s, const task_view &t, uint32_t word_begin, uint32_t at, bool live)
{
    places p = {EZ_ALL, 0, false, 0, {0, 0}};
    uint32_t before = EZ_ALL, carry = 0;
    if (live) {
        uint32_t z = s.topic[at];
        p.doc = s.doc[at];
        p.old = s.topics > 32768 ? z : z & ~EZ_OPEN_BIT;
        p.open = !s.decide || (s.open ? s.open[at] : z >> 15);
    }
    if (ez_lane() == 0 && live && at > word_begin) {
        before = s.doc[at - 1];
        for (uint32_t i = at; i > word_begin && s.doc[i - 1] == p.doc; i--)
            carry++;
    }
    uint32_t previous = __shfl_up_sync(EZ_ALL, p.doc, 1);
    if (ez_lane() == 0)
        previous = before;
    carry = __shfl_sync(EZ_ALL, carry, 0);
    uint32_t occurrence = ez_run_position(p.doc != previous, carry);
    p.u = ez_draw(t.word_key, p.doc, occurrence);
    if (p.open)
        p.row = s.row_of[p.doc];
    return p;
}

struct tallies {
    uint32_t moved;
    long long score;
};

/* Draws (or scores) the open tokens of a warp's 32 places, four at a time. */
template <bool LONG> __device__ void work_places(const ez_device_state &s, const task_view &t, uint32_t first,
                                                 const places &p, uint8_t *order, uint32_t *top, tallies *sum)
{
    uint32_t lane = ez_lane() % GROUP, group = ez_lane() / GROUP;
    uint32_t open = __ballot_sync(EZ_ALL, p.open), n = __popc(open);
    if (p.open)
        order[__popc(open & ((1u << ez_lane()) - 1))] = (uint8_t)ez_lane();
    __syncwarp();
    for (uint32_t base = 0; base < n; base += GROUPS_A_WARP) {
        bool live = base + group < n;
        uint32_t from = live ? order[base + group] : 0;
        token tok;
        tok.live = live;
        uint32_t start = __shfl_sync(EZ_ALL, p.row.start, from), groups = __shfl_sync(EZ_ALL, p.row.groups, from);
        uint32_t old = __shfl_sync(EZ_ALL, p.old, from), doc = __shfl_sync(EZ_ALL, p.doc, from);
        tok.u = __shfl_sync(EZ_ALL, p.u, from);
        tok.row = (const uint4 *)s.row + start;
        tok.groups = live ? groups : 0;
        tok.own = s.leave_one_out && !s.score ? old : EZ_ALL;
        line l = make_line<LONG>(t, tok, top + group * EZ_TOP, lane);
        if (s.score) {
            if (live && lane == 0)
                sum->score += ez_log2_fixed(l.total) - s.doc_log[doc] -
                              ((long long)(ez_exponent(t.record->scale) - 1 + EZ_ALPHA_BITS) << EZ_LOG2_BITS);
            continue;
        }
        uint32_t topic = draw(s, t, tok, l, lane);
        if (live && lane == 0) {
            s.topic[first + from] = (uint16_t)topic;
            sum->moved += topic != old;
        }
    }
    __syncwarp();
}

/* Tables on chip, or in the block's scratch where K is too large for that. */
template <int N_WARPS, bool ON_CHIP, bool LONG> __device__ void words_pass(const ez_device_state &s)
{
    __shared__ uint32_t taken;
    __shared__ ez_word_record record;
    __shared__ unsigned long long top_alpha[EZ_TOP];
    __shared__ uint8_t order[N_WARPS][32];
    __shared__ uint32_t top[N_WARPS][GROUPS_A_WARP * EZ_TOP];
    task_view t;
    tallies sum = {0, 0};
    t.q_blocks = (s.topics + 31) / 32;
    t.q_through = on_chip;
    t.table = ON_CHIP ? (uint32_t *)(on_chip + t.q_blocks) : s.scratch + (size_t)blockIdx.x * s.topics;
    uint32_t warp = threadIdx.x / 32;
    for (;;) {
        __syncthreads();
        if (threadIdx.x == 0)
            taken = atomicAdd(&s.next[EZ_NEXT_TASK], 1);
        __syncthreads();
        if (taken >= s.tasks)
            break;
        ez_device_task task = s.task[taken];
        if (threadIdx.x < sizeof record / 4)
            ((uint32_t *)&record)[threadIdx.x] = ((const uint32_t *)&s.record[task.word])[threadIdx.x];
        __syncthreads();
        if (threadIdx.x < EZ_TOP)
            top_alpha[threadIdx.x] =
                ez_alpha_weight(record.weight[threadIdx.x], s.alpha_scaled[record.topic[threadIdx.x]]);
        t.record = &record;
        t.top_alpha = top_alpha;
        t.word_key = ez_word_key(s.iteration_key, task.word);
        make_table(s, t, task.word);
        uint32_t word_begin = s.word_start[task.word];
        for (uint32_t base = warp * 32; base < task.tokens; base += N_WARPS * 32) {
            uint32_t i = base + ez_lane();
            places p = take_places(s, t, word_begin, task.begin + i, i < task.tokens);
            work_places<LONG>(s, t, task.begin + base, p, order[warp], top[warp], &sum);
        }
    }
    if (ez_lane() % GROUP == 0) {
        if (sum.moved)
            atomicAdd(&s.tally[EZ_TALLY_MOVED], (unsigned long long)sum.moved);
        if (s.score)
            atomicAdd((unsigned long long *)s.score_sum, (unsigned long long)sum.score);
    }
}

extern "C" __global__ void __launch_bounds__(WARPS * 32, EZ_WORD_BLOCKS) ez_words(ez_device_state s)
{
    words_pass<WARPS, true, false>(s);
}

extern "C" __global__ void __launch_bounds__(WARPS * 32) ez_words_long(ez_device_state s)
{
    words_pass<WARPS, true, true>(s);
}

extern "C" __global__ void __launch_bounds__(WARPS * 32) ez_words_in_memory(ez_device_state s)
{
    words_pass<WARPS, false, true>(s);
}

extern "C" __global__ void __launch_bounds__(WIDE_WARPS * 32, 1) ez_words_wide(ez_device_state s)
{
    words_pass<WIDE_WARPS, true, true>(s);
}
