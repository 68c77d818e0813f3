/* Memory of this machine. */
#ifndef EZ_HOST_MEMORY_H
#define EZ_HOST_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes that a program may still take without pushing others out: of the machine, or of the control
 * group that this process is limited by. UINT64_MAX where the system does not say. */
uint64_t ez_available_memory(void);

/* Whether the machine has so much, with what it can swap out. A system that promises more than
 * there is ends processes once they use it. */
bool ez_memory_is_there(uint64_t bytes);

#endif
