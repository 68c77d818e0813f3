/* The name and the cores of this machine's processor, for ezlda_devices. */
#ifndef EZ_PROCESSOR_H
#define EZ_PROCESSOR_H

#include <stddef.h>

/* The name of the model; the architecture if the system does not report it. */
void ez_processor_name(char *name, size_t size);

/* The number of cores that the logical processors of this process belong to; `processors` if the
 * system does not report it, and at most that. */
int ez_processor_cores(int processors);

#endif
