/* Compares a GPU's compute capability and the driver's version with what nvcc compiled. */
#include "backend/cuda/driver/coverage.h"

#include <stdio.h>

/* The build defines what nvcc compiled: machine code for EZ_CUDA_SASS (numbers, each followed by a
 * comma), PTX for EZ_CUDA_PTX (0: none), with the toolkit EZ_CUDA_TOOLKIT. */
#ifdef EZ_KERNELS_EMULATED /* tests: what an emulated build pretends to hold */
#undef EZ_CUDA_TOOLKIT
#undef EZ_CUDA_SASS
#undef EZ_CUDA_PTX
#define EZ_CUDA_TOOLKIT 12040
#define EZ_CUDA_SASS 70, 80, 90,
#define EZ_CUDA_PTX 90
#endif
static const int sass[] = {EZ_CUDA_SASS 0};
static const int ptx = EZ_CUDA_PTX;

int ez_coverage_toolkit(void)
{
    return EZ_CUDA_TOOLKIT;
}

/* A driver loads machine code of any toolkit with the driver's own major version (CUDA's minor
 * version compatibility). */
int ez_coverage_oldest_driver(void)
{
    return EZ_CUDA_TOOLKIT / 1000 * 1000;
}

/* The newest machine code that runs on a capability: same major number, minor number not above. 0:
 * none. */
static int nearest_sass(int capability)
{
    int nearest = 0;
    for (size_t i = 0; sass[i]; i++)
        if (sass[i] / 10 == capability / 10 && sass[i] <= capability && sass[i] > nearest)
            nearest = sass[i];
    return nearest;
}

ez_coverage ez_coverage_of(int capability)
{
    ez_coverage c = {.kernels = nearest_sass(capability), .driver = ez_coverage_oldest_driver()};
    if (!c.kernels && ptx > 0 && ptx <= capability)
        c = (ez_coverage){.kernels = ptx, .driver = EZ_CUDA_TOOLKIT, .by_ptx = true};
    c.covered = c.kernels > 0;
    if (c.covered)
        snprintf(c.label, sizeof c.label, c.by_ptx ? "compute_%d (PTX)" : "sm_%d", c.kernels);
    return c;
}

void ez_coverage_text(char *text, size_t size)
{
    /* PTX of the oldest GPUs serves all newer ones. */
    if (ptx > 0 && (!sass[0] || ptx <= sass[0])) {
        snprintf(text, size, "compute capability %d.%d and newer", ptx / 10, ptx % 10);
        return;
    }
    int used = snprintf(text, size, "compute capability ");
    const char *comma = "";
    for (size_t i = 0; sass[i] && used >= 0 && (size_t)used < size; i++, comma = ", ")
        used += snprintf(text + used, size - (size_t)used, "%s%d.%d", comma, sass[i] / 10,
                         sass[i] % 10);
    if (ptx > 0 && used >= 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, " and newer");
}
