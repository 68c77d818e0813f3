/* A CUDA driver for tests: the calls of EZ_DRIVER_CALLS on devices that are emulated by the CPU.
 * This file has the devices and their contexts. */
#include "fake_driver.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

__thread CUcontext fake_current __attribute__((tls_model("initial-exec")));

/* A call that EZ_DRIVER_CALLS lists and this library does not define is an error of the linker. */
extern const void *const fake_calls[];
const void *const fake_calls[] = {
#define ROW(name, parameters) reinterpret_cast<const void *>(&name),
    EZ_DRIVER_CALLS(ROW)
#undef ROW
};

namespace
{

bool initialised;
std::mutex gate;

struct error_text {
    CUresult code;
    const char *name, *text;
};
#define ERROR_ROW(name, text) \
    {                         \
        name, #name, text     \
    }
const error_text errors[] = {
    ERROR_ROW(CUDA_SUCCESS, "no error"),
    ERROR_ROW(CUDA_ERROR_INVALID_VALUE, "invalid argument"),
    ERROR_ROW(CUDA_ERROR_OUT_OF_MEMORY, "out of memory"),
    ERROR_ROW(CUDA_ERROR_NOT_INITIALIZED, "initialization error"),
    ERROR_ROW(CUDA_ERROR_NO_DEVICE, "no CUDA-capable device is detected"),
    ERROR_ROW(CUDA_ERROR_INVALID_DEVICE, "invalid device ordinal"),
    ERROR_ROW(CUDA_ERROR_INVALID_IMAGE, "device kernel image is invalid"),
    ERROR_ROW(CUDA_ERROR_INVALID_CONTEXT, "invalid device context"),
    ERROR_ROW(CUDA_ERROR_NO_BINARY_FOR_GPU, "no kernel image is available for execution on the device"),
    ERROR_ROW(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, "peer access is not supported between these two devices"),
    ERROR_ROW(CUDA_ERROR_INVALID_PTX, "a PTX JIT compilation failed"),
    ERROR_ROW(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, "the provided PTX was compiled with an unsupported toolchain."),
    ERROR_ROW(CUDA_ERROR_INVALID_HANDLE, "invalid resource handle"),
    ERROR_ROW(CUDA_ERROR_NOT_FOUND, "named symbol not found"),
    ERROR_ROW(CUDA_ERROR_NOT_READY, "device not ready"),
    ERROR_ROW(CUDA_ERROR_ILLEGAL_ADDRESS, "an illegal memory access was encountered"),
    ERROR_ROW(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "too many resources requested for launch"),
    ERROR_ROW(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, "peer access is already enabled"),
    ERROR_ROW(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, "part or all of the requested memory range is already mapped"),
    ERROR_ROW(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, "pointer does not correspond to a registered memory region"),
    ERROR_ROW(CUDA_ERROR_LAUNCH_FAILED, "unspecified launch failure"),
    ERROR_ROW(CUDA_ERROR_NOT_SUPPORTED, "operation not supported"),
    ERROR_ROW(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, "system has unsupported display driver / cuda driver combination"),
    ERROR_ROW(CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE, "forward compatibility was attempted on non supported HW"),
    ERROR_ROW(CUDA_ERROR_UNKNOWN, "unknown error"),
};

const error_text *find_error(CUresult code)
{
    for (const error_text &row : errors)
        if (row.code == code)
            return &row;
    return nullptr;
}

/* The number of calls by name; written to the file SIMT_CALLS at the end. */
struct call_counts {
    std::map<std::string, long long> by_name;
    ~call_counts()
    {
        const char *path = fake_text("SIMT_CALLS", nullptr);
        FILE *file = path ? fopen(path, "w") : nullptr;
        for (const auto &row : by_name)
            if (file)
                fprintf(file, "%s %lld\n", row.first.c_str(), row.second);
        if (file)
            fclose(file);
    }
};

} // namespace

CUresult fake_injected(const char *call, CUresult code)
{
    static call_counts calls;
    static CUresult lost = CUDA_SUCCESS;
    const char *wanted = fake_text("SIMT_FAIL", nullptr);
    std::lock_guard<std::mutex> lock(gate);
    long long number = ++calls.by_name[call];
    size_t length = strlen(call);
    if (lost != CUDA_SUCCESS)
        return lost;
    if (!wanted || strncmp(wanted, call, length) != 0 || (wanted[length] && wanted[length] != ':'))
        return CUDA_SUCCESS;
    char *end = nullptr;
    bool fails = !wanted[length] || number == strtoll(wanted + length + 1, &end, 10);
    if (!fails)
        return CUDA_SUCCESS;
    code = static_cast<CUresult>(fake_number("SIMT_FAIL_CODE", code));
    if (end && *end == '+')
        lost = code;
    return code;
}

bool fake_initialised()
{
    return initialised;
}

int fake_device_count()
{
    long long n = fake_number("SIMT_DEVICES", 1);
    return n < 0 ? 0 : n > MOST_DEVICES ? MOST_DEVICES : static_cast<int>(n);
}

extern "C" {

CUresult cuInit(unsigned flags)
{
    if (CUresult failed = fake_injected(__func__, CUDA_ERROR_UNKNOWN))
        return failed;
    if (flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (fake_device_count() == 0)
        return CUDA_ERROR_NO_DEVICE;
    for (int i = 0; i < MOST_DEVICES; i++) {
        fake_devices[i].number = i;
        fake_devices[i].limit = static_cast<size_t>(fake_number("SIMT_MEMORY", 4ll << 30));
    }
    simt_watch_faults();
    initialised = true;
    return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *version)
{
    if (CUresult failed = fake_injected(__func__, CUDA_ERROR_UNKNOWN))
        return failed;
    *version = static_cast<int>(fake_number("SIMT_DRIVER_VERSION", 13000));
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count)
{
    ENTER;
    *count = fake_device_count();
    return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int number)
{
    ENTER;
    if (number < 0 || number >= fake_device_count())
        return CUDA_ERROR_INVALID_DEVICE;
    *device = number;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int size, CUdevice)
{
    ENTER;
    snprintf(name, static_cast<size_t>(size), "%s", fake_text("SIMT_NAME", "Emulated GPU"));
    return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device)
{
    ENTER;
    *bytes = fake_devices[device].limit;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetPCIBusId(char *text, int size, CUdevice device)
{
    ENTER;
    snprintf(text, static_cast<size_t>(size), "0000:%02X:00.0", device + 1);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute which, CUdevice)
{
    ENTER;
    const char *capability = fake_text("SIMT_CAPABILITY", "9.0"), *minor = strchr(capability, '.');
    switch (static_cast<int>(which)) {
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = SIMT_MOST_THREADS; break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK: *value = FAKE_SHARED_DEFAULT; break;
    case CU_DEVICE_ATTRIBUTE_WARP_SIZE: *value = 32; break;
    case CU_DEVICE_ATTRIBUTE_CLOCK_RATE: *value = 1000000; break;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: *value = static_cast<int>(fake_number("SIMT_PROCESSORS", 2)); break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_MODE: *value = 0; break;
    case CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE: *value = 1000000; break;
    case CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH: *value = 512; break;
    case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE: *value = 1 << 20; break;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR: *value = FAKE_THREADS_A_PROCESSOR; break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: *value = atoi(capability); break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: *value = minor ? atoi(minor + 1) : 0; break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR: *value = FAKE_SHARED_ALL; break;
    case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR: *value = 65536; break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: *value = fake_shared_most(); break;
    case CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK: *value = FAKE_SHARED_RESERVED; break;
    default: simt_fail("cuDeviceGetAttribute: the emulated device has no attribute %d", static_cast<int>(which));
    }
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    ENTER;
    if (device < 0 || device >= fake_device_count())
        return CUDA_ERROR_INVALID_DEVICE;
    std::lock_guard<std::mutex> lock(gate);
    fake_devices[device].users++;
    *context = &fake_devices[device];
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
    ENTER;
    if (device < 0 || device >= fake_device_count() || fake_devices[device].users == 0)
        return CUDA_ERROR_INVALID_CONTEXT;
    fake_wait_all(&fake_devices[device]);
    std::lock_guard<std::mutex> lock(gate);
    if (--fake_devices[device].users == 0)
        if (size_t left = fake_release_all(&fake_devices[device]))
            fprintf(stderr, "emulator: allocations that were not freed: %zu\n", left);
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context)
{
    ENTER;
    fake_current = context;
    return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize(void)
{
    ENTER_CONTEXT;
    fake_wait_all(fake_current);
    return CUDA_SUCCESS;
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice, CUdevice)
{
    ENTER;
    *can = static_cast<int>(fake_number("SIMT_PEERS", 1));
    return CUDA_SUCCESS;
}

CUresult cuCtxEnablePeerAccess(CUcontext, unsigned)
{
    ENTER_CONTEXT;
    return fake_number("SIMT_PEERS", 1) ? CUDA_SUCCESS : CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
}

CUresult cuGetErrorName(CUresult code, const char **text)
{
    const error_text *row = find_error(code);
    *text = row ? row->name : nullptr;
    return row ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult code, const char **text)
{
    const error_text *row = find_error(code);
    *text = row ? row->text : nullptr;
    return row ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
}
