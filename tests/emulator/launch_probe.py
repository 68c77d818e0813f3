"""Launches one kernel through the calls of the CUDA driver; prints the 32-bit words of its buffer as JSON.

The arguments: the library, then an object: kernel, words (of the buffer), threads, blocks, shared, and parameters, each
a pair of a ctypes name and a value; the buffer comes before them."""
import ctypes
import json
import sys

driver, order = ctypes.CDLL(sys.argv[1]), json.loads(sys.argv[2])


def call(name, *arguments):
    code = getattr(driver, name)(*arguments)
    if code != 0:
        print(json.dumps({"call": name, "code": code}))
        sys.exit()


context, module, function = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
buffer, words = ctypes.c_uint64(), (ctypes.c_uint32 * order["words"])()
call("cuInit", 0)
call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
call("cuCtxSetCurrent", context)
call("cuModuleLoadData", ctypes.byref(module), b"emulator_probe")
call("cuModuleGetFunction", ctypes.byref(function), module, order["kernel"].encode())
call("cuMemAlloc_v2", ctypes.byref(buffer), ctypes.c_size_t(ctypes.sizeof(words)))
values = [buffer] + [getattr(ctypes, kind)(value) for kind, value in order["parameters"]]
pointers = (ctypes.c_void_p * len(values))(*map(ctypes.addressof, values))
call("cuLaunchKernel", function, order["blocks"], 1, 1, order["threads"], 1, 1, order["shared"], None, pointers, None)
call("cuMemcpyDtoH_v2", words, buffer, ctypes.c_size_t(ctypes.sizeof(words)))
call("cuMemFree_v2", buffer)
call("cuModuleUnload", module)
call("cuDevicePrimaryCtxRelease_v2", 0)
print(json.dumps(list(words)))
