/* The driver's calls for memory, copies and fills. */
#include "fake_driver.h"

#include <cstdlib>
#include <cstring>

namespace
{

/* Runs the work on the default stream and waits for it. */
CUresult copy_now(void *to, const void *from, size_t bytes)
{
    fake_submit(nullptr, [=] { fake_copy(to, from, bytes); });
    fake_wait(nullptr);
    return CUDA_SUCCESS;
}

/* Memory of the host that is not pinned is read and written before the call returns. */
CUresult copy_later(void *to, const void *from, size_t bytes, const void *host, CUstream stream)
{
    fake_submit(stream, [=] { fake_copy(to, from, bytes); });
    if (host && !fake_is_pinned(host, bytes))
        fake_wait(stream);
    return CUDA_SUCCESS;
}

bool on_device(CUdeviceptr address, size_t bytes)
{
    return bytes == 0 || fake_holds(fake_pointer(address), bytes);
}

} // namespace

extern "C" {

CUresult cuMemGetInfo_v2(size_t *free_bytes, size_t *all_bytes)
{
    ENTER_CONTEXT;
    *all_bytes = fake_current->limit;
    *free_bytes = fake_current->limit - fake_current->bytes;
    return CUDA_SUCCESS;
}

CUresult cuMemAlloc_v2(CUdeviceptr *out, size_t bytes)
{
    ENTER_CONTEXT_WITH(CUDA_ERROR_OUT_OF_MEMORY);
    void *memory = nullptr;
    CUresult code = fake_allocate(fake_current, &memory, bytes);
    *out = reinterpret_cast<uintptr_t>(memory);
    return code;
}

CUresult cuMemFree_v2(CUdeviceptr memory)
{
    ENTER_CONTEXT;
    fake_wait_all(fake_current);
    return memory ? fake_release(fake_pointer(memory)) : CUDA_SUCCESS;
}

CUresult cuMemAllocHost_v2(void **out, size_t bytes)
{
    ENTER_CONTEXT_WITH(CUDA_ERROR_OUT_OF_MEMORY);
    if (bytes == 0)
        return CUDA_ERROR_INVALID_VALUE;
    *out = malloc(bytes);
    if (!*out)
        return CUDA_ERROR_OUT_OF_MEMORY;
    memset(*out, SIMT_POISON, bytes);
    fake_pin(*out, bytes);
    return CUDA_SUCCESS;
}

CUresult cuMemFreeHost(void *memory)
{
    ENTER_CONTEXT;
    fake_wait_all(fake_current);
    if (!fake_unpin(memory))
        return CUDA_ERROR_INVALID_VALUE;
    free(memory);
    return CUDA_SUCCESS;
}

CUresult cuMemHostRegister_v2(void *memory, size_t bytes, unsigned)
{
    ENTER_CONTEXT_WITH(CUDA_ERROR_OUT_OF_MEMORY);
    if (bytes == 0)
        return CUDA_ERROR_INVALID_VALUE;
    return fake_pin(memory, bytes) ? CUDA_SUCCESS : CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
}

CUresult cuMemHostUnregister(void *memory)
{
    ENTER_CONTEXT;
    fake_wait_all(fake_current);
    return fake_unpin(memory) ? CUDA_SUCCESS : CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes)
{
    ENTER_CONTEXT;
    return on_device(to, bytes) ? copy_now(fake_pointer(to), from, bytes) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes)
{
    ENTER_CONTEXT;
    return on_device(from, bytes) ? copy_now(to, fake_pointer(from), bytes) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream)
{
    ENTER_CONTEXT;
    return on_device(to, bytes) ? copy_later(fake_pointer(to), from, bytes, from, stream) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    ENTER_CONTEXT;
    return on_device(from, bytes) ? copy_later(to, fake_pointer(from), bytes, to, stream) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    ENTER_CONTEXT;
    if (!on_device(to, bytes) || !on_device(from, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    return copy_later(fake_pointer(to), fake_pointer(from), bytes, nullptr, stream);
}

CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, size_t bytes, CUstream stream)
{
    ENTER_CONTEXT;
    if (!on_device(to, bytes) || !on_device(from, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    return copy_later(fake_pointer(to), fake_pointer(from), bytes, nullptr, stream);
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t bytes, CUstream stream)
{
    ENTER_CONTEXT;
    if (!on_device(to, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    fake_submit(stream, [=] { fake_fill(fake_pointer(to), value, 1, bytes); });
    return CUDA_SUCCESS;
}

CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t n, CUstream stream)
{
    ENTER_CONTEXT;
    if (to % 4 || n > SIZE_MAX / 4 || !on_device(to, n * 4))
        return CUDA_ERROR_INVALID_VALUE;
    fake_submit(stream, [=] { fake_fill(fake_pointer(to), value, 4, n); });
    return CUDA_SUCCESS;
}
}
