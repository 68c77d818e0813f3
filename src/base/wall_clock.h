/* Seconds on a clock that never goes back. */
#ifndef EZ_WALL_CLOCK_H
#define EZ_WALL_CLOCK_H

#include <time.h>

static inline double ez_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
