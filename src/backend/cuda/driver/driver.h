/* The CUDA driver, opened at run time, so that the same binary starts on machines without one. */
#ifndef EZ_DRIVER_H
#define EZ_DRIVER_H

#include "base/context.h"

#include "backend/cuda/driver/driver_types.h"

/* Every call of the driver that we make: name, parameters. */
#define EZ_DRIVER_CALLS(X)                                                                     \
    X(cuInit, (unsigned))                                                                      \
    X(cuDriverGetVersion, (int *))                                                             \
    X(cuDeviceGetCount, (int *))                                                               \
    X(cuDeviceGet, (CUdevice *, int))                                                          \
    X(cuDeviceGetName, (char *, int, CUdevice))                                                \
    X(cuDeviceTotalMem_v2, (size_t *, CUdevice))                                               \
    X(cuDeviceGetPCIBusId, (char *, int, CUdevice))                                            \
    X(cuDeviceGetAttribute, (int *, CUdevice_attribute, CUdevice))                             \
    X(cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice))                                       \
    X(cuDevicePrimaryCtxRelease_v2, (CUdevice))                                                \
    X(cuCtxSetCurrent, (CUcontext))                                                            \
    X(cuCtxSynchronize, (void))                                                                \
    X(cuModuleLoadData, (CUmodule *, const void *))                                            \
    X(cuModuleUnload, (CUmodule))                                                              \
    X(cuModuleGetFunction, (CUfunction *, CUmodule, const char *))                             \
    X(cuFuncSetAttribute, (CUfunction, CUfunction_attribute, int))                             \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor, (int *, CUfunction, int, size_t))           \
    X(cuMemGetInfo_v2, (size_t *, size_t *))                                                   \
    X(cuMemAlloc_v2, (CUdeviceptr *, size_t))                                                  \
    X(cuMemFree_v2, (CUdeviceptr))                                                             \
    X(cuMemAllocHost_v2, (void **, size_t))                                                    \
    X(cuMemFreeHost, (void *))                                                                 \
    X(cuMemcpyHtoD_v2, (CUdeviceptr, const void *, size_t))                                    \
    X(cuMemcpyDtoH_v2, (void *, CUdeviceptr, size_t))                                          \
    X(cuMemcpyHtoDAsync_v2, (CUdeviceptr, const void *, size_t, CUstream))                     \
    X(cuMemcpyDtoHAsync_v2, (void *, CUdeviceptr, size_t, CUstream))                           \
    X(cuMemcpyDtoDAsync_v2, (CUdeviceptr, CUdeviceptr, size_t, CUstream))                      \
    X(cuMemcpyPeerAsync, (CUdeviceptr, CUcontext, CUdeviceptr, CUcontext, size_t, CUstream))   \
    X(cuMemsetD8Async, (CUdeviceptr, unsigned char, size_t, CUstream))                         \
    X(cuStreamCreate, (CUstream *, unsigned))                                                  \
    X(cuStreamDestroy_v2, (CUstream))                                                          \
    X(cuStreamWaitEvent, (CUstream, CUevent, unsigned))                                        \
    X(cuStreamQuery, (CUstream))                                                               \
    X(cuEventCreate, (CUevent *, unsigned))                                                    \
    X(cuEventDestroy_v2, (CUevent))                                                            \
    X(cuEventRecord, (CUevent, CUstream))                                                      \
    X(cuEventSynchronize, (CUevent))                                                           \
    X(cuLaunchKernel, (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, \
                       unsigned, CUstream, void **, void **))                                  \
    X(cuGetErrorName, (CUresult, const char **))                                               \
    X(cuGetErrorString, (CUresult, const char **))

typedef struct ez_driver {
    void *library;
/* NOLINTNEXTLINE(bugprone-macro-parentheses): these are parts of a declaration */
#define EZ_DRIVER_POINTER(name, parameters) CUresult(*name) parameters;
    EZ_DRIVER_CALLS(EZ_DRIVER_POINTER)
#undef EZ_DRIVER_POINTER
} ez_driver;

/* Fails if there is no driver, with the error of ez_driver_get; does not initialise it. */
ezlda_status ez_driver_find(ezlda_context *context);

/* Opens and initialises the driver, once per process. Fails if there is none, if it is too old for
 * the kernels of this build, or if it sees no device. */
ezlda_status ez_driver_get(const ez_driver **out, ezlda_context *context);

/* The version of CUDA that the driver supports, 13000 for 13.0, even if it is too old; 0 before a
 * driver was found. */
int ez_driver_version(void);

/* The code of a failed call as text: "CUDA_ERROR_INVALID_VALUE (1): invalid argument". */
void ez_driver_code_text(const ez_driver *driver, CUresult code, char *text, size_t size);

/* The error of a driver call: names the call, the code, and the kernel, array or device it was for.
 */
ezlda_status ez_driver_fail(const ez_driver *driver, ezlda_context *context, CUresult code,
                            const char *call, const char *what);

/* Returns from the calling function if a driver call fails. `what`: the kernel, array or device it
 * is for, or "". */
#define EZ_CUDA(driver, context, what, call, ...)                          \
    do {                                                                   \
        CUresult ez_code_ = (driver)->call(__VA_ARGS__);                   \
        if (ez_code_ != CUDA_SUCCESS)                                      \
            return ez_driver_fail(driver, context, ez_code_, #call, what); \
    } while (0)

#endif
