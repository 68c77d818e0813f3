/* How much memory this machine has available. */
#ifndef EZ_HOST_MEMORY_H
#define EZ_HOST_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes that a program may still allocate without swapping: on the machine, or in the control group
 * that limits this process. UINT64_MAX if the system does not say. */
uint64_t ez_available_memory(void);

/* Whether the machine has that many bytes available, swap included. Without this check, a system
 * that overcommits would grant the memory and kill the process once it is used. */
bool ez_memory_is_there(uint64_t bytes);

#endif
