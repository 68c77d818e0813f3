/* The least and the most iterations by the number of tokens. */
#include "train/iterations.h"

/* Draws of a topic that every run may make: about half a minute on two processors. */
static const uint64_t EZ_DRAWS = (uint64_t)1 << 29;

uint32_t ez_iterations_least(uint64_t tokens)
{
    enum { LEAST = 200, MOST = EZ_ITERATIONS_LONG };
    uint64_t iterations = EZ_DRAWS / (tokens ? tokens : 1);
    return (uint32_t)(iterations < LEAST ? LEAST : iterations > MOST ? MOST : iterations);
}

uint32_t ez_iterations_most(uint64_t tokens)
{
    static const struct {
        uint64_t tokens;
        uint32_t iterations;
    } limit[] = {{(uint64_t)1 << 25, 2000}, {(uint64_t)1 << 28, 1000}, {(uint64_t)1 << 31, 500}};
    for (int i = 0; i < (int)(sizeof limit / sizeof *limit); i++)
        if (tokens <= limit[i].tokens)
            return limit[i].iterations;
    return 300;
}
