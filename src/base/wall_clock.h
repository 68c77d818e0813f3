/* Seconds on a clock that never goes back. */
#ifndef EZ_WALL_CLOCK_H
#define EZ_WALL_CLOCK_H

#include "base/os/os_process.h"

static inline double ez_now(void)
{
    return 1e-9 * (double)ez_os_clock_ns();
}

#endif
