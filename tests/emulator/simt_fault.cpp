/* The messages about faults of a kernel: where its threads are, and which memory was accessed. */
#include "simt_fiber.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <signal.h>

namespace
{

uint32_t index_of(const fiber *f)
{
    return static_cast<uint32_t>(f - the_worker->fibers);
}

const char *name_of(simt_operation operation)
{
    static const char *const names[] = {"__syncthreads",    "__syncwarp",   "a shuffle",    "a vote",
                                        "__match_any_sync", "__reduce_add", "__reduce_min", "__reduce_max",
                                        "__reduce_min",     "__reduce_max", "__reduce_and", "__reduce_or",
                                        "__reduce_xor"};
    return names[operation];
}

/* Prints where the threads of a warp are, one line per place. */
void print_warp(const warp *w)
{
    uint32_t n = the_worker->n_threads - index_of(w->first), printed = 0;
    for (uint32_t i = 0; i < LANES && i < n; i++) {
        const fiber *f = w->first + i;
        if (printed >> i & 1)
            continue;
        uint32_t same = 0;
        for (uint32_t j = i; j < LANES && j < n; j++) {
            const fiber *g = w->first + j;
            bool waits = f->state == WAITS_FOR_WARP || f->state == WAITS_FOR_BLOCK;
            if (g->state == f->state &&
                (!waits || (g->operation == f->operation && same_place(g->site, f->site) && g->mask == f->mask)))
                same |= 1u << j;
        }
        printed |= same;
        fprintf(stderr, "    warp %u, lanes %08x: ", index_of(w->first) / LANES, same);
        if (f->state == ENDED)
            fprintf(stderr, "ended\n");
        else if (f->state == RUNS)
            fprintf(stderr, "on their way\n");
        else if (f->state == WAITS_FOR_BLOCK)
            fprintf(stderr, "at __syncthreads, %s:%d\n", f->site.file, f->site.line);
        else
            fprintf(stderr, "at %s for lanes %08x, %s:%d\n", name_of(f->operation), f->mask, f->site.file,
                    f->site.line);
    }
}

struct sigaction before[NSIG];

/* Describes where an address lies, as text. */
void describe(const unsigned char *at, char *text, size_t size)
{
    const worker *w = the_worker;
    if (simt_describe_address(at, text, size))
        return;
    if (at >= w->stacks && at < w->stacks + static_cast<size_t>(SIMT_MOST_THREADS) * STACK)
        snprintf(text, size, "the stack of a thread is full");
    else if (at >= w->dynamic + MOST_DYNAMIC && at < w->dynamic + MOST_DYNAMIC + PAGE)
        snprintf(text, size, "%zu bytes behind the start of dynamic shared memory of %zu bytes",
                 static_cast<size_t>(at - simt_now->dynamic), w->grid->dynamic_bytes);
    else
        snprintf(text, size, "no memory of the device");
}

void on_fault(int number, siginfo_t *info, void *)
{
    char text[160] = "";
    const unsigned char *at = static_cast<const unsigned char *>(info->si_addr);
    if (simt_now) {
        describe(at, text, sizeof text);
        simt_fail("signal %d (%s) at address %p: %s", number, strsignal(number), static_cast<const void *>(at), text);
    }
    if (simt_describe_address(at, text, sizeof text))
        simt_fail("the host touches memory of the device: %s", text);
    sigaction(number, &before[number], nullptr); /* the fault is raised again, for the earlier handler */
}

} // namespace

void simt_watch_faults()
{
    struct sigaction action = {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL})
        sigaction(number, &action, &before[number]);
}

void simt_fail_warps(const char *what, uint32_t first, uint32_t warps)
{
    fprintf(stderr, "emulator: kernel %s, block %u: %s\n", the_worker->grid->kernel->name,
            the_worker->fibers[0].block.x, what);
    for (uint32_t i = first; i < first + warps; i++)
        print_warp(&the_worker->warps[i]);
    abort();
}

extern "C" void simt_trap(simt_site site)
{
    simt_fail("__trap at %s:%d", site.file, site.line);
}

void simt_fail(const char *format, ...)
{
    fprintf(stderr, "emulator: ");
    if (simt_now)
        fprintf(stderr, "kernel %s, block %u, thread %u: ", the_worker->grid->kernel->name, simt_now->block.x,
                simt_now->thread.x);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\n");
    abort();
}

/* The compiler's checks of undefined behaviour call these; every record begins with the place in the source. */
struct checked_place {
    const char *file;
    uint32_t line, column;
};

extern "C" {
[[noreturn]] void __ubsan_handle_type_mismatch_v1_abort(const checked_place *place, uintptr_t address)
{
    simt_fail("%s:%u: address %#lx is misaligned for its type or NULL", place->file, place->line,
              static_cast<unsigned long>(address));
}
[[noreturn]] void __ubsan_handle_out_of_bounds_abort(const checked_place *place, uintptr_t index)
{
    simt_fail("%s:%u: index %ld is outside the array", place->file, place->line, static_cast<long>(index));
}
[[noreturn]] void __ubsan_handle_shift_out_of_bounds_abort(const checked_place *place, uintptr_t, uintptr_t by)
{
    simt_fail("%s:%u: shift by %ld", place->file, place->line, static_cast<long>(by));
}
[[noreturn]] void __ubsan_handle_divrem_overflow_abort(const checked_place *place, uintptr_t, uintptr_t)
{
    simt_fail("%s:%u: division by zero or too large for its type", place->file, place->line);
}
}
