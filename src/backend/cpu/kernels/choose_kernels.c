/* Chooses the kernels for the instruction sets of this processor. */
#include "backend/cpu/kernels/kernels.h"

#include <stdlib.h>

#if defined(__x86_64__)
static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2");
}

static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512cd");
}
#endif

static bool always(void)
{
    return true;
}

/* From best to plainest. */
static const struct {
    const ez_kernels *kernels;
    bool (*runs_here)(void);
} choices[] = {
#if defined(__x86_64__)
    {&ez_kernels_avx512, has_avx512},
    {&ez_kernels_avx2, has_avx2},
#elif defined(__aarch64__)
    {&ez_kernels_neon, always},
#endif
    {&ez_kernels_plain, always},
};

const ez_kernels *ez_choose_kernels(void)
{
    const char *name = getenv("EZLDA_SIMD");
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
        if ((!name || strcmp(name, choices[i].kernels->name) == 0) && choices[i].runs_here())
            return choices[i].kernels;
    return NULL;
}
