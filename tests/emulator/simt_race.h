/* Races, in kernels that were compiled with calls at every access (-fsanitize=thread; the calls are answered here). */
#ifndef SIMT_RACE_H
#define SIMT_RACE_H

#include <cstddef>
#include <cstdint>

/* What orders two lanes of a warp: __syncwarp, and nothing else that a warp does together. */
struct race_order {
    uint32_t now;          /* counts them */
    uint32_t all;          /* the last one of all lanes */
    uint32_t pair[32][32]; /* the last one of two lanes */
};

/* A write whose value is not there yet. */
struct race_write {
    unsigned char *at;
    size_t size;
    const void *code;
    unsigned char before[64];
};

/* A grid begins: all that was before it is ordered before it. */
void race_new_grid();
void race_new_block(race_order *warps, uint32_t n);
void race_sync_warp(race_order *warp, uint32_t mask);
/* Looks at the write that the running thread has just made; before another thread runs. */
void race_settle();

#endif
