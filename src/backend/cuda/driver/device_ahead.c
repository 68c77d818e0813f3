/* Opens a device in a thread of its own while the caller reads the corpus: creating a CUDA context
 * takes long, and a context that is held makes the next opening fast. */
#include "backend/device_ahead.h"

#include "backend/cuda/driver/device_facts.h"
#include "base/memory.h"

#include <pthread.h>
#include <stdbool.h>

struct ez_device_ahead {
    pthread_t thread;
    bool joined;
    int number; /* -1: the first that can be used */
    const ez_driver *driver;
    CUdevice device;
    CUcontext held; /* NULL: nothing was opened */
};

static void *open_ahead(void *user)
{
    ez_device_ahead *ahead = user;
    ez_device_facts facts;
    ezlda_status status = ahead->number < 0 ? ez_device_first_usable(&facts, NULL)
                                            : ez_device_require(&facts, NULL, ahead->number);
    if (status != EZLDA_OK || ez_driver_get(&ahead->driver, NULL) != EZLDA_OK)
        return NULL;
    ahead->device = facts.device;
    if (ahead->driver->cuDevicePrimaryCtxRetain(&ahead->held, facts.device) != CUDA_SUCCESS)
        ahead->held = NULL;
    return NULL;
}

ez_device_ahead *ez_device_ahead_begin(int number)
{
    ez_device_ahead *ahead = NULL;
    if (ez_array_zero(&ahead, NULL, 1, sizeof *ahead, "a device") != EZLDA_OK)
        return NULL;
    ahead->number = number;
    if (pthread_create(&ahead->thread, NULL, open_ahead, ahead) != 0) {
        ez_free(ahead);
        return NULL;
    }
    return ahead;
}

void ez_device_ahead_wait(ez_device_ahead *ahead)
{
    if (!ahead->joined)
        pthread_join(ahead->thread, NULL);
    ahead->joined = true;
}

void ez_device_ahead_end(ez_device_ahead *ahead)
{
    if (!ahead)
        return;
    ez_device_ahead_wait(ahead);
    if (ahead->held)
        ahead->driver->cuDevicePrimaryCtxRelease_v2(ahead->device);
    ez_free(ahead);
}
