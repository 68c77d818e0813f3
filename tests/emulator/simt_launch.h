/* Runs a grid: the interface between the fake driver and the fibers. */
#ifndef SIMT_LAUNCH_H
#define SIMT_LAUNCH_H

#include "simt_types.h"

struct simt_grid {
    const simt_kernel *kernel;
    void *(*static_shared)(); /* the module's */
    dim3 blocks, threads;
    size_t dynamic_bytes;
    void **parameters;
};

/* Runs all blocks; returns when the grid is done. A fault of the kernel ends the process with a message. */
void simt_run(const simt_grid &grid);

/* Ends the process: "emulator: ..." with the kernel, block and thread at work, if any. */
[[noreturn]] void simt_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* From now on a fault of a kernel, or of the host on the device's memory, ends the process with a message. */
void simt_watch_faults();

/* Describes what lies at an address of device memory; false if the address is not one. */
bool simt_describe_address(const void *address, char *text, size_t size);

enum { SIMT_POISON = 0xdb, SIMT_MOST_THREADS = 1024 };

#endif
