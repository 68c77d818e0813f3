/* The emulated devices: their properties and memory. */
#ifndef FAKE_MEMORY_H
#define FAKE_MEMORY_H

#include "backend/cuda/driver/driver_types.h"

#include <cstddef>
#include <cstdint>

/* A setting of the emulator from the environment (SIMT_...). */
const char *fake_text(const char *name, const char *fallback);
long long fake_number(const char *name, long long fallback);

struct CUctx_st {
    CUdevice number;
    int users;           /* retained so many times */
    size_t bytes, limit; /* of memory: allocated, there */
};

enum { MOST_DEVICES = 16 };
/* Of a multiprocessor, as on the newest GPUs: bytes of shared memory, threads. */
enum {
    FAKE_SHARED_DEFAULT = 48 << 10,
    FAKE_SHARED_MOST = 227 << 10,
    FAKE_SHARED_ALL = 228 << 10,
    FAKE_SHARED_RESERVED = 1 << 10,
    FAKE_THREADS_A_PROCESSOR = 2048
};
/* What a block may have at most: SIMT_SHARED bytes. */
inline int fake_shared_most()
{
    return static_cast<int>(fake_number("SIMT_SHARED", FAKE_SHARED_MOST));
}
extern CUctx_st fake_devices[MOST_DEVICES];

/* Whether an address may be one of a device. */
bool fake_in_arena(const void *address);

/* Allocations lie between pages that nobody may touch; the rest of the last page is filled and looked at later. */
CUresult fake_allocate(CUctx_st *device, void **out, size_t bytes);
CUresult fake_release(void *memory);
/* Frees what a device still has; returns how many allocations that was. */
size_t fake_release_all(CUctx_st *device);
/* Whether the bytes lie in one allocation. */
bool fake_holds(const void *memory, size_t bytes);
/* Ends the process where somebody wrote behind an allocation. */
void fake_check_ends(const char *when);

/* The memory of a device can be touched only by its work: the host that tries ends with a message. */
void fake_open_all();
void fake_close_all();
void fake_copy(void *to, const void *from, size_t bytes);
/* n elements of `size` bytes, the low ones of `value`. */
void fake_fill(void *to, uint32_t value, size_t size, size_t n);

/* Memory of the host that was pinned. False: part of it already is, or it is not. */
bool fake_pin(void *memory, size_t bytes);
bool fake_unpin(void *memory);
bool fake_is_pinned(const void *memory, size_t bytes);

#endif
