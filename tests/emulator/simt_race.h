/* Finds races in kernels that were compiled with a call at every access (-fsanitize=thread, whose calls simt_race.cpp
 * defines). */
#ifndef SIMT_RACE_H
#define SIMT_RACE_H

#include <cstddef>
#include <cstdint>

/* What orders two lanes of a warp: only __syncwarp, no other collective operation. */
struct race_order {
    uint32_t now;          /* counts them */
    uint32_t all;          /* the last one of all lanes */
    uint32_t pair[32][32]; /* the last one of two lanes */
};

/* A write whose value is not in memory yet. */
struct race_write {
    unsigned char *at;
    size_t size;
    const void *code;
    unsigned char before[64];
};

/* Begins a grid: everything before the grid is ordered before it. */
void race_new_grid();
void race_new_block(race_order *warps, uint32_t n);
void race_sync_warp(race_order *warp, uint32_t mask);
/* Checks the write that the running thread has just made; called before another thread runs. */
void race_settle();

#endif
