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
    int users;           /* how often the context is retained */
    size_t bytes, limit; /* memory: allocated, and in all */
};

enum { MOST_DEVICES = 16 };
/* A multiprocessor as on the newest GPUs: bytes of shared memory, threads. */
enum {
    FAKE_SHARED_DEFAULT = 48 << 10,
    FAKE_SHARED_MOST = 227 << 10,
    FAKE_SHARED_ALL = 228 << 10,
    FAKE_SHARED_RESERVED = 1 << 10,
    FAKE_THREADS_A_PROCESSOR = 2048
};
/* The most shared memory of a block, in bytes: SIMT_SHARED. */
inline int fake_shared_most()
{
    return static_cast<int>(fake_number("SIMT_SHARED", FAKE_SHARED_MOST));
}
extern CUctx_st fake_devices[MOST_DEVICES];

/* Whether an address lies in the range that device memory comes from. */
bool fake_in_arena(const void *address);

/* Allocations lie between guard pages. The rest of the last page is filled with a pattern, which is checked later. */
CUresult fake_allocate(CUctx_st *device, void **out, size_t bytes);
CUresult fake_release(void *memory);
/* Frees all allocations that a device still has; returns their number. */
size_t fake_release_all(CUctx_st *device);
/* Whether the bytes lie in one allocation. */
bool fake_holds(const void *memory, size_t bytes);
/* Ends the process if something was written behind the end of an allocation. */
void fake_check_ends(const char *when);

/* Only work on a device can access its memory: an access by the host ends the process with a message. */
void fake_open_all();
void fake_close_all();
void fake_copy(void *to, const void *from, size_t bytes);
/* Fills n elements of `size` bytes with the low bytes of `value`. */
void fake_fill(void *to, uint32_t value, size_t size, size_t n);

/* Pins and unpins host memory. Return false if some of it is already pinned, or if it is not pinned. */
bool fake_pin(void *memory, size_t bytes);
bool fake_unpin(void *memory);
bool fake_is_pinned(const void *memory, size_t bytes);

#endif
