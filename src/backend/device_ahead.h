/* Opens a GPU ahead of its use, in a thread of its own: its driver and context take as long as
 * reading a corpus. */
#ifndef EZ_DEVICE_AHEAD_H
#define EZ_DEVICE_AHEAD_H

#include "base/context.h"

typedef struct ez_device_ahead ez_device_ahead;

/* Begins to open cuda:number, or the first GPU that can be used if number is below 0. Returns NULL
 * if there is no memory or no thread; an error of the device is reported when it is used. Exists in
 * builds with CUDA only. */
ez_device_ahead *ez_device_ahead_begin(int number);
/* Waits until the GPU is open. */
void ez_device_ahead_wait(ez_device_ahead *ahead);
/* Waits, then releases the device; accepts NULL. */
void ez_device_ahead_end(ez_device_ahead *ahead);

/* Waits for the device that ezlda_context_open_device or ez_device_begin has begun to open. The
 * context keeps one at a time. */
void ez_wait_ahead(ezlda_context *context);
/* Releases the device that the context keeps. */
void ez_close_ahead(ezlda_context *context);

#endif
