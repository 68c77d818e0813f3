/* One CUDA device: its context, the loaded kernels, counted memory. */
#ifndef EZ_DEVICE_H
#define EZ_DEVICE_H

#include "backend/cuda/driver.h"
#include "backend/cuda/kernel_images.h"

#include <stdbool.h>

typedef struct ez_device {
    const ez_driver *driver;
    CUdevice device;
    CUcontext cuda;
    int processors, shared_limit; /* multiprocessors; bytes of shared memory a block may have */
    char name[64];
    CUmodule module[EZ_KERNEL_IMAGES];
    int modules;
    uint64_t bytes, peak_bytes;
} ez_device;

typedef struct ez_kernel {
    const char *name;
    CUfunction function;
    unsigned threads, shared, blocks; /* blocks: as many as run at once */
} ez_kernel;

/* Whether a GPU can be used: its name, or why not. */
bool ez_device_present(char *name, size_t name_size, char *why, size_t why_size);

ezlda_status ez_device_open(ez_device *device, ezlda_context *context, int number);
void ez_device_close(ez_device *device);

/* Makes the device current for the calling thread. */
ezlda_status ez_device_enter(ez_device *device, ezlda_context *context);

/* Finds a kernel in its image. */
ezlda_status ez_device_kernel(ez_device *device, ezlda_context *context, ez_kernel *kernel, int image, const char *name,
                              unsigned threads, unsigned shared);
/* Starts a kernel; `state` is its one parameter. */
ezlda_status ez_device_launch(ez_device *device, ezlda_context *context, const ez_kernel *kernel, unsigned blocks,
                              void *state);
ezlda_status ez_device_finish(ez_device *device, ezlda_context *context, const char *what);

/* *out (a pointer of any type) becomes device memory for n elements; where it does not fit, the error says how much is
 * missing. `host` is copied there unless it is NULL. */
ezlda_status ez_device_array(ez_device *device, ezlda_context *context, void *out, const void *host, size_t n,
                             size_t size, const char *what);
void ez_device_free(ez_device *device, void *array, size_t bytes);
ezlda_status ez_device_zero(ez_device *device, ezlda_context *context, void *array, size_t bytes);
ezlda_status ez_device_read(ez_device *device, ezlda_context *context, void *host, const void *array, size_t bytes);
ezlda_status ez_device_write(ez_device *device, ezlda_context *context, void *array, const void *host, size_t bytes);

#endif
