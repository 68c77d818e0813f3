/* A device opened ahead of its use, in a thread of its own: driver and context take as long as
 * reading a corpus. */
#ifndef EZ_DEVICE_AHEAD_H
#define EZ_DEVICE_AHEAD_H

#include "base/context.h"

typedef struct ez_device_ahead ez_device_ahead;

/* Begins to open cuda:number, or the first GPU that can be used where that is below 0. NULL where
 * nothing can be done; what is wrong with the device is told by who uses it. In builds with CUDA.
 */
ez_device_ahead *ez_device_ahead_begin(int number);
/* Waits until it is open. */
void ez_device_ahead_wait(ez_device_ahead *ahead);
/* Waits, and lets go of the device; accepts NULL. */
void ez_device_ahead_end(ez_device_ahead *ahead);

/* What ezlda_context_open_device has begun is kept in the context, one at a time: waits for it. */
void ez_wait_ahead(ezlda_context *context);
/* Lets go of what is kept. */
void ez_close_ahead(ezlda_context *context);

#endif
