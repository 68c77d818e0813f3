/* Fibers, warps and the thread of the operating system that runs a block of them. */
#ifndef SIMT_FIBER_H
#define SIMT_FIBER_H

#include "simt_launch.h"
#include "simt_race.h"

enum { LANES = 32, STACK = 256 << 10, PAGE = 4096, MOST_DYNAMIC = 256 << 10 };
enum fiber_state { RUNS, WAITS_FOR_WARP, WAITS_FOR_BLOCK, ENDED };

struct warp;

struct fiber : simt_thread {
    void *stack;
    warp *of;
    uint32_t lane;
    fiber_state state;
    simt_operation operation;
    uint32_t mask, source;
    uint64_t value, result;
    simt_site site;
    race_write write;
};

struct warp {
    uint32_t live, ready, arrived; /* lanes */
    fiber *first;
};

/* What one thread of the operating system needs to run blocks. */
struct worker {
    const simt_grid *grid;
    void *home; /* its own stack while fibers run */
    unsigned char *stacks, *dynamic, *static_shared;
    size_t static_shared_bytes;
    fiber *fibers;
    warp warps[SIMT_MOST_THREADS / LANES];
    race_order orders[SIMT_MOST_THREADS / LANES];
    uint32_t n_threads, n_warps, at_barrier, live, predicates, barriers;
    uint64_t random;
    unsigned char signal_stack[64 << 10];
};

/* Whether races are searched for: then one worker runs all blocks. */
extern bool simt_races;

extern __thread worker *the_worker __attribute__((tls_model("initial-exec")));

/* Runs one block of the worker's grid to its end. */
void simt_run_block(worker *w, uint32_t number);

inline bool same_place(simt_site a, simt_site b)
{
    return a.line == b.line && a.file == b.file;
}

/* Ends the process and prints where the threads of some warps are. */
[[noreturn]] void simt_fail_warps(const char *what, uint32_t first, uint32_t warps);

#endif
