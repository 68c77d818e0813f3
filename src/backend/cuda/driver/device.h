/* One CUDA device: its context, the loaded kernels, its memory, streams and copies. Kernels run in
 * order on one stream, unless they are launched aside. */
#ifndef EZ_DEVICE_H
#define EZ_DEVICE_H

#include "backend/cuda/driver/driver.h"
#include "backend/cuda/driver/kernel_images.h"
#include "base/memory.h"

/* Names of kernels that are kept until a check: the error of a kernel shows only at a later call.
 */
enum { EZ_LAUNCHED = 16 };

/* Side streams, next to the default stream: work in one of them waits for all earlier work of the
 * default stream, which in turn waits for it. A device with its own main stream has none. */
enum { EZ_SIDE_STREAMS = 4 };

typedef struct ez_device {
    const ez_driver *driver;
    CUdevice device;
    CUcontext cuda;
    int number;                   /* as in cuda:N */
    int capability;               /* 90: 9.0 */
    int processors, shared_limit; /* multiprocessors; most bytes of shared memory of a block */
    char name[64];
    CUmodule module[EZ_KERNEL_IMAGES];
    int modules;
    uint64_t bytes, peak_bytes; /* device memory allocated here, now and at most */
    ez_buffer blocks;           /* ez_device_block, in the order of allocation */
    CUstream main; /* stream of kernels, zeroing and copies; NULL: the context's default stream */
    CUstream side[EZ_SIDE_STREAMS];
    void *stage[2]; /* pinned memory for large copies, or NULL */
    const char *launched[EZ_LAUNCHED];
    int n_launched, n_marked; /* marked: launched before the event that will be waited for */
} ez_device;

static inline CUdeviceptr ez_address(const void *array)
{
    return (CUdeviceptr)(uintptr_t)array;
}

/* An array on the device: its name in messages, and its size. */
typedef struct ez_device_block {
    CUdeviceptr begin;
    uint64_t bytes;
    const char *what;
} ez_device_block;

/* The most parameters of a kernel. */
enum { EZ_PARAMETERS = 5 };

typedef struct ez_kernel {
    const char *name;
    CUfunction function;
    unsigned threads, shared, blocks; /* blocks: how many run at once */
    int parameters;
    size_t offset[EZ_PARAMETERS]; /* where each parameter is in the state that a launch gets */
} ez_kernel;

/* ---- devices and kernels: device.c ---- */

/* Opens device `number` and loads the kernels. If this build or the driver does not support the
 * device, the error names it, its capability and what is covered. Close with ez_device_close, after
 * a failure too. */
ezlda_status ez_device_open(ez_device *device, ezlda_context *context, int number);
/* Frees all arrays that are left, the kernels and the context. */
void ez_device_close(ez_device *device);

/* Gives the kernels a stream of their own, for a device that is opened several times: then the work
 * of all of them can run at the same time. Copies that block the host still wait for all. */
ezlda_status ez_device_own_stream(ez_device *device, ezlda_context *context);

/* Makes the device current for the calling thread. */
ezlda_status ez_device_enter(ez_device *device, ezlda_context *context);

/* Finds a kernel in its image. The name must outlive the device. Its only parameter is the whole
 * state, until the caller says otherwise. */
ezlda_status ez_device_kernel(ez_device *device, ezlda_context *context, ez_kernel *kernel,
                              int image, const char *name, unsigned threads, unsigned shared);
/* Launches a kernel; its parameters are copied from `state`. */
ezlda_status ez_device_launch(ez_device *device, ezlda_context *context, const ez_kernel *kernel,
                              unsigned blocks, void *state);
/* Launches a kernel in a side stream: kernels in different ones may run at the same time. */
ezlda_status ez_device_launch_aside(ez_device *device, ezlda_context *context,
                                    const ez_kernel *kernel, unsigned blocks, void *state,
                                    int side);
/* Waits for all work of the device. An error names the kernels launched since the last check. */
ezlda_status ez_device_finish(ez_device *device, ezlda_context *context, const char *what);

/* The error of a driver call on the device: names the call, the code, what it was for, and the
 * kernels launched since the last check (it may be an error of theirs). */
ezlda_status ez_device_fail(const ez_device *device, ezlda_context *context, CUresult code,
                            const char *call, const char *what);

/* Returns from the calling function if a driver call fails. */
#define EZ_DEVICE_CALL(device, context, what, call, ...)                   \
    do {                                                                   \
        CUresult ez_code_ = (device)->driver->call(__VA_ARGS__);           \
        if (ez_code_ != CUDA_SUCCESS)                                      \
            return ez_device_fail(device, context, ez_code_, #call, what); \
    } while (0)

/* ---- memory: device_memory.c ---- */

/* Fails if fewer than `bytes` of device memory are free. */
ezlda_status ez_device_reserve_check(ez_device *device, ezlda_context *context, uint64_t bytes,
                                     const char *what);
/* Bytes of device memory that are free. */
ezlda_status ez_device_free_memory(ez_device *device, ezlda_context *context, uint64_t *bytes);
/* The error of missing memory: says what is needed, free and missing, and what to do. */
ezlda_status ez_device_no_room(const ez_device *device, ezlda_context *context, const char *what,
                               uint64_t need, uint64_t room);

/* Allocates n elements; *out is a pointer of any type. If they do not fit, the error says how much
 * is missing. `host` is copied there unless it is NULL. `what` names the array in messages and must
 * outlive it. */
ezlda_status ez_device_array(ez_device *device, ezlda_context *context, void *out, const void *host,
                             size_t n, size_t size, const char *what);
/* Frees an array; NULL is accepted. */
void ez_device_free(ez_device *device, void *array);
/* Frees all arrays that are left; ez_device_close does it too. */
void ez_device_free_all(ez_device *device);

/* In the order of the kernels; the host does not wait. */
ezlda_status ez_device_zero(ez_device *device, ezlda_context *context, void *array, size_t bytes);
ezlda_status ez_device_copy(ez_device *device, ezlda_context *context, void *to, const void *from,
                            size_t bytes);

/* The same from an array of another device, or of the same one opened again. */
ezlda_status ez_device_copy_from(ez_device *device, ezlda_context *context, void *to,
                                 const ez_device *other, const void *from, size_t bytes);

/* The name that an array was allocated with. */
const char *ez_device_array_name(const ez_device *device, const void *array);

/* device_copy.c: copies run after all earlier work; when they return, the host's memory is read or
 * written. */
void ez_device_close_stages(ez_device *device);
ezlda_status ez_device_read(ez_device *device, ezlda_context *context, void *host,
                            const void *array, size_t bytes);
ezlda_status ez_device_write(ez_device *device, ezlda_context *context, void *array,
                             const void *host, size_t bytes);

/* Pinned host memory, which the device reads and writes directly. */
ezlda_status ez_device_host_array(ez_device *device, ezlda_context *context, void *out, size_t n,
                                  size_t size, const char *what);
void ez_device_host_free(ez_device *device, void *array);

/* A copy that returns at once if `host` is pinned; `host` is complete after ez_device_finish. */
ezlda_status ez_device_read_async(ez_device *device, ezlda_context *context, void *host,
                                  const void *array, size_t bytes);

/* ---- streams of copies: device_streams.c ---- */

typedef struct ez_stream {
    CUstream stream;
} ez_stream;

typedef struct ez_event {
    CUevent event;
} ez_event;

/* A stream that waits for the kernels, and they for it, only by events. */
ezlda_status ez_device_stream_open(ez_device *device, ezlda_context *context, ez_stream *stream);
void ez_device_stream_close(ez_device *device, ez_stream *stream);
ezlda_status ez_device_event_open(ez_device *device, ezlda_context *context, ez_event *event);
void ez_device_event_close(ez_device *device, ez_event *event);

/* Mark: the event happens when all earlier work of the stream is done. Wait: the stream continues
 * when the event has happened, or at once if it was never marked. A stream of NULL is that of the
 * kernels. */
ezlda_status ez_device_stream_mark(ez_device *device, ezlda_context *context,
                                   const ez_stream *stream, const ez_event *event);
ezlda_status ez_device_stream_wait(ez_device *device, ezlda_context *context,
                                   const ez_stream *stream, const ez_event *event);

/* Request: copies an array to `host`, which is pinned, after all kernels launched before, and marks
 * the event. Await: waits for the event, not for work that was started later. An error names the
 * kernels launched since the last check. */
ezlda_status ez_device_request(ez_device *device, ezlda_context *context, void *host,
                               const void *array, size_t bytes, const ez_event *event);
ezlda_status ez_device_await(ez_device *device, ezlda_context *context, const ez_event *event,
                             const char *what);

/* Whether all work of the stream is done. */
ezlda_status ez_device_stream_done(ez_device *device, ezlda_context *context,
                                   const ez_stream *stream, bool *done);

/* Copies; `host` is pinned. */
ezlda_status ez_device_stream_write(ez_device *device, ezlda_context *context,
                                    const ez_stream *stream, void *array, const void *host,
                                    size_t bytes);
ezlda_status ez_device_stream_read(ez_device *device, ezlda_context *context,
                                   const ez_stream *stream, void *host, const void *array,
                                   size_t bytes);

#endif
