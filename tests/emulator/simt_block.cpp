/* Threads of a block as fibers, and what they wait for: the lanes of their warp, or the block. */
#include "simt_fiber.h"

#include "fiber_switch.h"

#include <cstdlib>
#include <cstring>

extern "C" {
__thread simt_thread *simt_now __attribute__((tls_model("initial-exec")));
bool simt_shaken;
}
bool simt_races;
__thread worker *the_worker __attribute__((tls_model("initial-exec")));

namespace
{

uint64_t next_random(worker *w)
{
    w->random += 0x9e3779b97f4a7c15u;
    uint64_t x = w->random;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

fiber *self()
{
    return static_cast<fiber *>(simt_now);
}

fiber *random_ready(worker *w)
{
    uint32_t first = static_cast<uint32_t>(next_random(w) % w->n_warps);
    for (uint32_t i = 0; i < w->n_warps; i++) {
        warp *it = &w->warps[(first + i) % w->n_warps];
        if (!it->ready)
            continue;
        uint32_t turn = static_cast<uint32_t>(next_random(w) % LANES);
        uint32_t turned = it->ready >> turn | it->ready << (LANES - turn) % LANES;
        return it->first + (__builtin_ctz(turned) + turn) % LANES;
    }
    return nullptr;
}

/* The next lane of this warp that can run, or of the next warp that has one. */
fiber *next_ready(worker *w, const fiber *after)
{
    if (simt_shaken)
        return random_ready(w);
    uint32_t later = after->of->ready & ~((2u << after->lane) - 1);
    if (later)
        return after->of->first + __builtin_ctz(later);
    if (after->of->ready)
        return after->of->first + __builtin_ctz(after->of->ready);
    uint32_t number = static_cast<uint32_t>(after->of - w->warps);
    for (uint32_t i = 1; i < w->n_warps; i++) {
        warp *it = &w->warps[(number + i) % w->n_warps];
        if (it->ready)
            return it->first + __builtin_ctz(it->ready);
    }
    return nullptr;
}

/* Lets others run until this fiber is ready again and its turn comes. */
void leave(fiber *from)
{
    worker *w = the_worker;
    fiber *to = next_ready(w, from);
    if (to == from)
        return;
    if (!to && w->live > 0)
        simt_fail_warps("deadlock: no thread can go on", 0, w->n_warps);
    simt_now = to;
    fiber_switch(&from->stack, to ? to->stack : w->home);
}

void open_barrier(worker *w)
{
    const fiber *one = nullptr;
    for (uint32_t i = 0; i < w->n_threads; i++) {
        fiber *f = &w->fibers[i];
        if (f->state != WAITS_FOR_BLOCK)
            continue;
        if (!one)
            one = f;
        if (!same_place(one->site, f->site))
            simt_fail_warps("threads meet at different __syncthreads", 0, w->n_warps);
    }
    for (uint32_t i = 0; i < w->n_threads; i++) {
        fiber *f = &w->fibers[i];
        if (f->state != WAITS_FOR_BLOCK)
            continue;
        f->state = RUNS;
        f->result = w->predicates;
        f->of->ready |= 1u << f->lane;
    }
    w->at_barrier = w->predicates = 0;
    w->barriers++;
}

void run_thread()
{
    fiber *f = self();
    worker *w = the_worker;
    w->grid->kernel->call(w->grid->parameters);
    if (simt_races)
        race_settle();
    f->state = ENDED;
    f->of->ready &= ~(1u << f->lane);
    f->of->live &= ~(1u << f->lane);
    w->live--;
    if (w->live > 0 && w->at_barrier == w->live)
        open_barrier(w);
    leave(f);
    abort();
}

uint64_t reduce(const warp *w, uint32_t mask, simt_operation operation)
{
    uint32_t sum = w->first[__builtin_ctz(mask)].value;
    for (uint32_t rest = mask & (mask - 1); rest; rest &= rest - 1) {
        uint32_t x = static_cast<uint32_t>(w->first[__builtin_ctz(rest)].value);
        int sx = static_cast<int>(x), ss = static_cast<int>(sum);
        switch (operation) {
        case SIMT_REDUCE_ADD: sum += x; break;
        case SIMT_REDUCE_MIN: sum = x < sum ? x : sum; break;
        case SIMT_REDUCE_MAX: sum = x > sum ? x : sum; break;
        case SIMT_REDUCE_MIN_SIGNED: sum = sx < ss ? x : sum; break;
        case SIMT_REDUCE_MAX_SIGNED: sum = sx > ss ? x : sum; break;
        case SIMT_REDUCE_AND: sum &= x; break;
        case SIMT_REDUCE_OR: sum |= x; break;
        default: sum ^= x;
        }
    }
    return sum;
}

uint64_t vote(const warp *w, uint32_t mask)
{
    uint32_t bits = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        bits |= static_cast<uint32_t>(w->first[__builtin_ctz(rest)].value) << __builtin_ctz(rest);
    return bits;
}

uint64_t matching(const warp *w, uint32_t mask, uint64_t value)
{
    uint32_t bits = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        if (w->first[__builtin_ctz(rest)].value == value)
            bits |= 1u << __builtin_ctz(rest);
    return bits;
}

/* All lanes of the mask have arrived: sets the result of each. */
void finish_collective(warp *w, const fiber *last)
{
    uint32_t mask = last->mask, number = static_cast<uint32_t>(w - the_worker->warps);
    uint64_t common = last->operation == SIMT_BALLOT       ? vote(w, mask)
                      : last->operation >= SIMT_REDUCE_ADD ? reduce(w, mask, last->operation)
                                                           : 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        fiber *f = w->first + __builtin_ctz(rest);
        if (f->operation != last->operation || f->mask != mask || !same_place(f->site, last->site))
            simt_fail_warps("lanes of a warp meet at different operations", number, 1);
        if (f->operation == SIMT_SHUFFLE) {
            if (!(mask >> f->source & 1))
                simt_fail_warps("a shuffle reads a lane that is not in its mask", number, 1);
            f->result = w->first[f->source].value;
        } else {
            f->result = f->operation == SIMT_MATCH ? matching(w, mask, f->value) : common;
        }
    }
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        w->first[__builtin_ctz(rest)].state = RUNS;
    w->arrived &= ~mask;
    w->ready |= mask;
    if (simt_races && last->operation == SIMT_SYNCWARP)
        race_sync_warp(&the_worker->orders[number], mask);
}

void start_block(worker *w, uint32_t number)
{
    const simt_grid *g = w->grid;
    w->n_threads = w->live = g->threads.x * g->threads.y * g->threads.z;
    w->n_warps = (w->n_threads + LANES - 1) / LANES;
    w->at_barrier = w->predicates = w->barriers = 0;
    if (simt_races)
        race_new_block(w->orders, w->n_warps);
    dim3 block = {number % g->blocks.x, number / g->blocks.x % g->blocks.y, number / g->blocks.x / g->blocks.y};
    /* The end of dynamic shared memory lies before a page that nobody may touch. */
    unsigned char *dynamic = w->dynamic + MOST_DYNAMIC - (g->dynamic_bytes + 15) / 16 * 16;
    memset(dynamic, SIMT_POISON, (g->dynamic_bytes + 15) / 16 * 16);
    for (uint32_t i = 0; i < w->n_threads; i++) {
        fiber *f = &w->fibers[i];
        *f = fiber();
        f->thread = {i % g->threads.x, i / g->threads.x % g->threads.y, i / g->threads.x / g->threads.y};
        f->block = block;
        f->block_size = g->threads;
        f->grid_size = g->blocks;
        f->dynamic = dynamic;
        f->of = &w->warps[i / LANES];
        f->lane = i % LANES;
        /* At different offsets in a page, so that stacks do not compete for the same cache lines. */
        f->stack = fiber_stack(w->stacks + static_cast<size_t>(i + 1) * STACK - i % 61 * 576, run_thread);
    }
    for (uint32_t i = 0; i < w->n_warps; i++) {
        uint32_t lanes = w->n_threads - i * LANES;
        uint32_t all = lanes >= LANES ? 0xffffffffu : (1u << lanes) - 1;
        w->warps[i] = {all, all, 0, w->fibers + i * LANES};
    }
}

} // namespace

void simt_run_block(worker *w, uint32_t number)
{
    start_block(w, number);
    fiber *first = simt_shaken ? random_ready(w) : w->fibers;
    simt_now = first;
    fiber_switch(&w->home, first->stack);
    simt_now = nullptr;
}

extern "C" uint64_t simt_warp(simt_operation operation, uint32_t mask, uint64_t value, uint32_t source, simt_site site)
{
    fiber *f = self();
    warp *w = f->of;
    if (simt_races)
        race_settle();
    f->operation = operation;
    f->mask = mask;
    f->value = value;
    f->source = source;
    f->site = site;
    f->state = WAITS_FOR_WARP;
    w->arrived |= 1u << f->lane;
    if (!(mask >> f->lane & 1))
        simt_fail_warps("a lane takes part in an operation whose mask leaves it out",
                        static_cast<uint32_t>(w - the_worker->warps), 1);
    if ((w->live & mask) != mask)
        simt_fail_warps("an operation waits for lanes that have ended", static_cast<uint32_t>(w - the_worker->warps),
                        1);
    if ((w->arrived & mask) == mask) {
        finish_collective(w, f);
        if (simt_shaken)
            leave(f);
    } else {
        w->ready &= ~(1u << f->lane);
        leave(f);
    }
    return f->result;
}

extern "C" unsigned simt_block(unsigned predicate, simt_site site)
{
    fiber *f = self();
    worker *w = the_worker;
    if (simt_races)
        race_settle();
    f->operation = SIMT_SYNCTHREADS;
    f->site = site;
    f->state = WAITS_FOR_BLOCK;
    f->of->ready &= ~(1u << f->lane);
    w->predicates += predicate;
    if (++w->at_barrier == w->live)
        open_barrier(w);
    leave(f);
    return static_cast<unsigned>(f->result);
}

extern "C" void simt_yield(void)
{
    if (simt_races)
        race_settle();
    leave(self());
}
