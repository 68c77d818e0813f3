/* Declarations that the files of the fake driver (fake_*.cpp) share. */
#ifndef FAKE_DRIVER_H
#define FAKE_DRIVER_H

#include "fake_memory.h"
#include "simt_launch.h"

extern "C" {
#include "backend/cuda/driver/driver.h"
}

#include <functional>
#include <mutex>
#include <vector>

/* The list of calls is that of the CUDA backend: a call that is declared differently there does not compile here. */
extern "C" {
#define DECLARE(name, parameters) CUresult name parameters;
EZ_DRIVER_CALLS(DECLARE)
#undef DECLARE
}

/* The calling thread's context. */
extern __thread CUcontext fake_current __attribute__((tls_model("initial-exec")));

/* SIMT_FAIL=NAME[:n[+]]: calls of that name, or only the n-th of them, return SIMT_FAIL_CODE, or `code` if that is not
 * set. With "+", all later calls of any name fail as well: the device is lost. */
CUresult fake_injected(const char *call, CUresult code);
bool fake_initialised();
int fake_device_count();

/* Every call begins with one of these macros. */
#define ENTER_WITH(code)                                     \
    do {                                                     \
        if (CUresult failed = fake_injected(__func__, code)) \
            return failed;                                   \
        if (!fake_initialised())                             \
            return CUDA_ERROR_NOT_INITIALIZED;               \
    } while (0)
#define ENTER ENTER_WITH(CUDA_ERROR_UNKNOWN)
#define ENTER_CONTEXT_WITH(code)                       \
    do {                                               \
        ENTER_WITH(code);                              \
        if (!fake_current || fake_current->users == 0) \
            return CUDA_ERROR_INVALID_CONTEXT;         \
    } while (0)
#define ENTER_CONTEXT ENTER_CONTEXT_WITH(CUDA_ERROR_LAUNCH_FAILED)

/* Runs work of a stream of the current device at once; with SIMT_LAZY=1 only when a call waits for it, which is the
 * latest time that CUDA allows. */
void fake_submit(CUstream stream, std::function<void()> work);
/* Waits for one stream, or for all streams of a device. */
void fake_wait(CUstream stream);
void fake_wait_all(CUctx_st *device);

/* Keeps a handle reachable until the end, so that a handle that a test cannot destroy is not reported as a leak. */
template <typename T> T *fake_handle(T *handle)
{
    static std::vector<T *> &all = *new std::vector<T *>;
    static std::mutex &gate = *new std::mutex;
    std::lock_guard<std::mutex> lock(gate);
    all.push_back(handle);
    return handle;
}

inline void *fake_pointer(CUdeviceptr address)
{
    return reinterpret_cast<void *>(static_cast<uintptr_t>(address));
}

#endif
