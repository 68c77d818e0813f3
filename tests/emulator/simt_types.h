/* Types that kernels and emulator share: a CUDA thread, its collective operations, a kernel as the driver calls it. */
#ifndef SIMT_TYPES_H
#define SIMT_TYPES_H

#include <stddef.h>
#include <stdint.h>

struct dim3 {
    unsigned x, y, z;
};

/* A CUDA thread as a kernel sees it. */
struct simt_thread {
    dim3 thread, block, block_size, grid_size;
    unsigned char *dynamic; /* the block's dynamic shared memory */
};

/* The place of a collective operation in the source: all its threads must reach the same place. */
struct simt_site {
    const char *file;
    int line;
};

enum simt_operation : unsigned {
    SIMT_SYNCTHREADS,
    SIMT_SYNCWARP,
    SIMT_SHUFFLE,
    SIMT_BALLOT,
    SIMT_MATCH,
    SIMT_REDUCE_ADD,
    SIMT_REDUCE_MIN,
    SIMT_REDUCE_MAX,
    SIMT_REDUCE_MIN_SIGNED,
    SIMT_REDUCE_MAX_SIGNED,
    SIMT_REDUCE_AND,
    SIMT_REDUCE_OR,
    SIMT_REDUCE_XOR
};

extern "C" {
extern __thread simt_thread *simt_now __attribute__((tls_model("initial-exec")));
/* Waits for the lanes of `mask`; the result depends on the operation. `source`: the lane that a shuffle reads. */
uint64_t simt_warp(simt_operation operation, uint32_t mask, uint64_t value, uint32_t source, simt_site site);
/* Waits for the block; returns the number of threads whose predicate is true. */
unsigned simt_block(unsigned predicate, simt_site site);
/* Lets another thread run; called at accesses to memory that threads share. */
void simt_yield(void);
[[noreturn]] void simt_trap(simt_site site);
extern bool simt_shaken; /* whether threads run in random order */
}

/* A kernel as the driver calls it. */
struct simt_kernel {
    const char *name;
    void (*call)(void **parameters);
    unsigned parameters, most_threads;
    const size_t *parameter_size;
};

#endif
