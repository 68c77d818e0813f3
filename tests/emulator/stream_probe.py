"""Copies on streams through the calls of the CUDA driver; prints what the host saw when, as JSON.

The arguments: the library, then "copies" or "touch" (the host reads memory of the device)."""
import ctypes
import json
import sys

driver = ctypes.CDLL(sys.argv[1])
SIZE = ctypes.c_size_t(4)
NON_BLOCKING = 1


def call(name, *arguments):
    code = getattr(driver, name)(*arguments)
    assert code == 0, (name, code)


def handle(name, *arguments, kind=ctypes.c_void_p):
    out = kind()
    call(name, ctypes.byref(out), *arguments)
    return out


def word(pointer):
    return ctypes.cast(pointer, ctypes.POINTER(ctypes.c_uint32)).contents


call("cuInit", 0)
call("cuCtxSetCurrent", handle("cuDevicePrimaryCtxRetain", 0))
memory = handle("cuMemAlloc_v2", SIZE, kind=ctypes.c_uint64)
if sys.argv[2] == "touch":
    ctypes.string_at(memory.value, 1)

first, second = handle("cuStreamCreate", NON_BLOCKING), handle("cuStreamCreate", NON_BLOCKING)
pinned, plain = word(handle("cuMemAllocHost_v2", SIZE)), ctypes.c_uint32(0)
event, seen = handle("cuEventCreate", 0), {}

# Pinned memory is read when the copy runs.
pinned.value = 1
call("cuMemcpyHtoDAsync_v2", memory, ctypes.byref(pinned), SIZE, first)
pinned.value = 2
call("cuStreamSynchronize", first)
call("cuMemcpyDtoH_v2", ctypes.byref(plain), memory, SIZE)
seen["source changed before the wait"] = plain.value

# Pinned memory is written when the copy runs.
call("cuMemsetD32Async", memory, 7, ctypes.c_size_t(1), first)
pinned.value = 0
call("cuMemcpyDtoHAsync_v2", ctypes.byref(pinned), memory, SIZE, first)
seen["result before the wait"] = pinned.value
call("cuStreamSynchronize", first)
seen["result after the wait"] = pinned.value

# A stream that does not wait for the other one's work, and one that does.
for name, waits in (("another stream, no event", False), ("another stream, after its event", True)):
    call("cuMemsetD32Async", memory, 8, ctypes.c_size_t(1), first)
    call("cuStreamSynchronize", first)
    call("cuMemsetD32Async", memory, 9, ctypes.c_size_t(1), first)
    call("cuEventRecord", event, first)
    if waits:
        call("cuStreamWaitEvent", second, event, 0)
    call("cuMemcpyDtoHAsync_v2", ctypes.byref(pinned), memory, SIZE, second)
    call("cuStreamSynchronize", second)
    seen[name] = pinned.value
    call("cuCtxSynchronize")

# Memory that is not pinned: the call waits by itself.
call("cuMemsetD32Async", memory, 10, ctypes.c_size_t(1), first)
call("cuMemcpyDtoHAsync_v2", ctypes.byref(plain), memory, SIZE, first)
seen["plain memory"] = plain.value
print(json.dumps(seen))
