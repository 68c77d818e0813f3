/* How many iterations a run makes if the caller names no number: until the held-out score has
 * settled, but neither fewer nor more than suit the size of the corpus. */
#ifndef EZ_ITERATIONS_H
#define EZ_ITERATIONS_H

#include <stdint.h>

/* A small corpus costs seconds, so it gets a thousand iterations whatever the score says. */
enum { EZ_ITERATIONS_LONG = 1000 };
uint32_t ez_iterations_least(uint64_t tokens);
uint32_t ez_iterations_most(uint64_t tokens);

#endif
