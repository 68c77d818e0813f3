/* The processor of this machine, for listings. */
#ifndef EZ_PROCESSOR_H
#define EZ_PROCESSOR_H

#include <stddef.h>

/* Its model, as the system calls it; the architecture where the system does not say. */
void ez_processor_name(char *name, size_t size);

/* Cores that the processors of this process lie on; at most `processors`, which is also the answer
 * where the system does not say. */
int ez_processor_cores(int processors);

#endif
