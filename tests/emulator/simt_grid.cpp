/* Runs the blocks of a grid on threads of the operating system, and reports faults of a kernel. */
#include "simt_fiber.h"

#include <atomic>
#include <condition_variable>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <link.h>
#include <mutex>
#include <signal.h>
#include <sys/mman.h>
#include <thread>

namespace
{

uint64_t shuffle_seed, launches;

unsigned char *map_pages(size_t bytes)
{
    void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        simt_fail("no memory for %zu bytes of stacks", bytes);
    return static_cast<unsigned char *>(memory);
}

struct shared_search {
    uintptr_t inside;
    unsigned char *data;
    size_t size;
};

int find_shared(dl_phdr_info *info, size_t, void *user)
{
    shared_search *search = static_cast<shared_search *>(user);
    uintptr_t data = reinterpret_cast<uintptr_t>(info->dlpi_tls_data);
    for (int i = 0; i < info->dlpi_phnum && data; i++) {
        const ElfW(Phdr) &part = info->dlpi_phdr[i];
        if (part.p_type == PT_TLS && search->inside >= data && search->inside < data + part.p_memsz) {
            search->data = reinterpret_cast<unsigned char *>(data);
            search->size = part.p_memsz;
            return 1;
        }
    }
    return 0;
}

worker *make_worker()
{
    worker *w = new worker();
    w->stacks = map_pages(static_cast<size_t>(SIMT_MOST_THREADS) * STACK);
    for (int i = 0; i < SIMT_MOST_THREADS; i++)
        mprotect(w->stacks + static_cast<size_t>(i) * STACK, PAGE, PROT_NONE);
    w->dynamic = map_pages(MOST_DYNAMIC + PAGE);
    mprotect(w->dynamic + MOST_DYNAMIC, PAGE, PROT_NONE);
    w->fibers = new fiber[SIMT_MOST_THREADS];
    stack_t alternate = {};
    alternate.ss_sp = w->signal_stack;
    alternate.ss_size = sizeof w->signal_stack;
    sigaltstack(&alternate, nullptr);
    return w;
}

/* A running grid: workers take its blocks one by one. */
struct job {
    const simt_grid *grid;
    std::atomic<uint32_t> next;
    uint32_t blocks, turn;
    uint64_t seed;
};

void run_blocks(job *work)
{
    if (!the_worker)
        the_worker = make_worker();
    worker *w = the_worker;
    const simt_grid *grid = w->grid = work->grid;
    shared_search shared = {reinterpret_cast<uintptr_t>(grid->static_shared()), nullptr, 0};
    dl_iterate_phdr(find_shared, &shared);
    w->static_shared = shared.data;
    w->static_shared_bytes = shared.size;
    for (uint32_t i; (i = work->next.fetch_add(1)) < work->blocks;) {
        if (shared.data)
            memset(shared.data, SIMT_POISON, shared.size);
        uint32_t number = (i + work->turn) % work->blocks;
        w->random = work->seed + number;
        simt_run_block(w, number);
    }
    w->grid = nullptr;
}

/* Threads of the operating system that help with a grid; they are never joined. */
struct pool {
    std::mutex gate;
    std::condition_variable changed;
    job *work = nullptr;
    uint64_t round = 0;
    unsigned helpers = 0, busy = 0;
};
pool &helpers = *new pool; /* never destroyed: threads wait in it to the end */

void help()
{
    uint64_t seen = 0;
    std::unique_lock<std::mutex> lock(helpers.gate);
    for (;;) {
        helpers.changed.wait(lock, [&] { return helpers.round != seen; });
        seen = helpers.round;
        job *work = helpers.work;
        lock.unlock();
        run_blocks(work);
        lock.lock();
        if (--helpers.busy == 0)
            helpers.changed.notify_all();
    }
}

void run_with_help(job *work)
{
    std::unique_lock<std::mutex> lock(helpers.gate);
    helpers.work = work;
    helpers.busy = helpers.helpers;
    helpers.round++;
    helpers.changed.notify_all();
    lock.unlock();
    run_blocks(work);
    lock.lock();
    helpers.changed.wait(lock, [] { return helpers.busy == 0; });
}

void begin()
{
    const char *seed = getenv("SIMT_SHUFFLE"), *threads = getenv("SIMT_THREADS");
    simt_shaken = seed && *seed;
    shuffle_seed = simt_shaken ? strtoull(seed, nullptr, 10) : 0;
    const char *races = getenv("SIMT_RACES");
    simt_races = races && atoi(races);
    unsigned n = simt_races            ? 1
                 : threads && *threads ? static_cast<unsigned>(atoi(threads))
                                       : std::thread::hardware_concurrency();
    for (helpers.helpers = 0; helpers.helpers + 1 < n && helpers.helpers < 3; helpers.helpers++)
        std::thread(help).detach();
}

} // namespace

void simt_run(const simt_grid &grid)
{
    static std::mutex one_at_a_time;
    std::lock_guard<std::mutex> lock(one_at_a_time);
    static bool begun = (begin(), true);
    (void)begun;
    uint32_t n = grid.blocks.x * grid.blocks.y * grid.blocks.z;
    if (simt_races)
        race_new_grid();
    uint64_t seed = shuffle_seed * 1000003 + ++launches * 10007;
    job work = {&grid, {0}, n, simt_shaken ? static_cast<uint32_t>(seed % n) : 0, seed};
    if (n > 1 && helpers.helpers > 0)
        run_with_help(&work);
    else
        run_blocks(&work);
}
