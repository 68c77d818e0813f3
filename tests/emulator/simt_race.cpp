/* Finds races: two threads access one address, at least one access is a plain write, and nothing orders the two. A race
 * is found whatever the order in which the threads ran this time. */
#include "simt_race.h"

#include "fake_memory.h"
#include "simt_fiber.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace
{

enum access_kind : uint8_t { NONE, READ, WRITE, ATOMIC };

/* An access to a word of four bytes. */
struct access {
    uint32_t block, thread, barriers, warp_syncs;
    const void *code;
    uint8_t bytes; /* of the word, as bits */
    access_kind kind;
};

/* The last write, and the last reads by two threads. */
struct cell {
    uintptr_t word;
    access write, read[2];
};

/* A hash table by address with open addressing; cleared for each grid. */
std::vector<cell> &cells = *new std::vector<cell>;
size_t used;

size_t slot_of(uintptr_t word, const std::vector<cell> &table)
{
    size_t i = (word >> 2) * 0x9e3779b97f4a7c15u >> 20;
    for (i &= table.size() - 1; table[i].word && table[i].word != word;)
        i = (i + 1) & (table.size() - 1);
    return i;
}

cell *find_cell(uintptr_t word)
{
    if (2 * (used + 1) > cells.size()) {
        std::vector<cell> larger(cells.empty() ? 1 << 16 : 2 * cells.size());
        for (const cell &c : cells)
            if (c.word)
                larger[slot_of(c.word, larger)] = c;
        cells.swap(larger);
    }
    cell *c = &cells[slot_of(word, cells)];
    if (!c->word) {
        c->word = word;
        used++;
    }
    return c;
}

bool in_shared(const void *at)
{
    const worker *w = the_worker;
    const unsigned char *p = static_cast<const unsigned char *>(at);
    return (p >= w->dynamic && p < w->dynamic + MOST_DYNAMIC) ||
           (p >= w->static_shared && p < w->static_shared + w->static_shared_bytes);
}

bool ordered(const access &a, const access &b, bool shared)
{
    if (a.block != b.block)
        return shared; /* another block's memory that was at this address */
    if (a.thread == b.thread || a.barriers < b.barriers)
        return true;
    if (a.thread / LANES != b.thread / LANES)
        return false;
    const race_order &warp = the_worker->orders[a.thread / LANES];
    return warp.all > a.warp_syncs || warp.pair[a.thread % LANES][b.thread % LANES] > a.warp_syncs;
}

struct code_place {
    std::string name; /* "words.cu:12" */
    bool excused;     /* a line there says why a race does no harm, in a comment that begins with "race:" */
};

bool line_excuses(const std::string &path, int number)
{
    std::ifstream file(path);
    std::string line;
    for (int i = 0; i < number; i++)
        if (!std::getline(file, line))
            return false;
    return line.find("/* race:") != std::string::npos;
}

/* The source of a call in a kernel's library: functions that were inlined have a line each, the innermost first. Those
 * of the emulator are skipped. */
code_place place_of(const void *code)
{
    code_place out = {"?", false};
    Dl_info info;
    char text[512];
    if (!dladdr(code, &info))
        return out;
    snprintf(
        text, sizeof text, "addr2line -i -e '%s' %#lx", info.dli_fname,
        static_cast<unsigned long>(static_cast<const char *>(code) - static_cast<const char *>(info.dli_fbase) - 1));
    FILE *pipe = popen(text, "r");
    while (pipe && fgets(text, sizeof text, pipe)) {
        text[strcspn(text, " \n")] = '\0';
        std::string place = text, path = place.substr(0, place.rfind(':')), file = path.substr(path.rfind('/') + 1);
        if (file.compare(0, 5, "simt_") == 0 || file == "simt.h")
            continue;
        if (out.name == "?")
            out.name = place.substr(place.rfind('/') + 1);
        out.excused |= line_excuses(path, atoi(place.c_str() + place.rfind(':') + 1));
    }
    if (pipe)
        pclose(pipe);
    return out;
}

/* Reports a pair of places once; with SIMT_RACES=2 the grid then continues. */
void report(const access &a, const access &b, const void *at, bool shared)
{
    static std::set<std::pair<const void *, const void *>> &reported =
        *new std::set<std::pair<const void *, const void *>>;
    static const char *const verbs[] = {"", "reads", "writes", "changes"};
    if (!reported.insert({a.code, b.code}).second)
        return;
    code_place first = place_of(a.code), second = place_of(b.code);
    if (first.excused || second.excused)
        return;
    char where[160] = "shared memory";
    if (!shared)
        simt_describe_address(at, where, sizeof where);
    fprintf(
        stderr,
        "emulator: kernel %s: race: block %u, thread %u %s at %s what block %u, thread %u %s at %s, with nothing that "
        "orders them (%s)\n",
        the_worker->grid->kernel->name, b.block, b.thread, verbs[b.kind], second.name.c_str(), a.block, a.thread,
        verbs[a.kind], first.name.c_str(), where);
    if (fake_number("SIMT_RACES", 1) == 1)
        abort();
}

void check(const access &a, const access &b, const void *at, bool shared)
{
    bool harmless = a.kind == NONE || (a.kind == READ && b.kind == READ) || (a.kind == ATOMIC && b.kind == ATOMIC);
    if (!harmless && (a.bytes & b.bytes) && !ordered(a, b, shared))
        report(a, b, at, shared);
}

void record_word(access now, uintptr_t word, bool shared)
{
    const void *at = reinterpret_cast<const void *>(word);
    cell *c = find_cell(word);
    check(c->write, now, at, shared);
    if (now.kind == READ) {
        if (c->read[0].kind != NONE && (c->read[0].thread != now.thread || c->read[0].block != now.block))
            c->read[1] = c->read[0];
        c->read[0] = now;
        return;
    }
    check(c->read[0], now, at, shared);
    check(c->read[1], now, at, shared);
    c->write = now;
    c->read[0].kind = c->read[1].kind = NONE;
}

uint32_t block_number()
{
    const simt_thread *t = simt_now;
    return t->block.x + t->grid_size.x * (t->block.y + t->grid_size.y * t->block.z);
}

void record(access_kind kind, const void *address, size_t size, const void *code)
{
    const fiber *f = static_cast<const fiber *>(simt_now);
    const worker *w = the_worker;
    uint32_t thread = static_cast<uint32_t>(f - w->fibers);
    access now = {block_number(), thread, w->barriers, w->orders[thread / LANES].now, code, 0, kind};
    bool shared = in_shared(address);
    uintptr_t at = reinterpret_cast<uintptr_t>(address), end = at + size;
    for (uintptr_t word = at & ~uintptr_t(3); word < end; word += 4) {
        unsigned first = word < at ? static_cast<unsigned>(at - word) : 0;
        unsigned last = end - word < 4 ? static_cast<unsigned>(end - word) : 4;
        now.bytes = static_cast<uint8_t>(((1u << last) - 1) & ~((1u << first) - 1));
        record_word(now, word, shared);
    }
}

/* Called before the access; a write is checked once its value is in memory. */
void touch(access_kind kind, const void *address, size_t size, const void *code)
{
    if (!simt_now || (!in_shared(address) && !fake_in_arena(address)))
        return;
    race_settle();
    if (kind != WRITE) {
        record(kind, address, size, code);
        return;
    }
    race_write *write = &static_cast<fiber *>(simt_now)->write;
    if (size > sizeof write->before) {
        record(kind, address, size, code);
        return;
    }
    write->at = static_cast<unsigned char *>(const_cast<void *>(address));
    write->size = size;
    write->code = code;
    memcpy(write->before, address, size);
}

} // namespace

void race_new_grid()
{
    for (cell &c : cells)
        c = cell();
    used = 0;
}

void race_new_block(race_order *warps, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        warps[i] = race_order();
}

void race_sync_warp(race_order *warp, uint32_t mask)
{
    warp->now++;
    if (mask == 0xffffffffu) {
        warp->all = warp->now;
        return;
    }
    for (uint32_t i = 0; i < LANES; i++)
        for (uint32_t j = 0; j < LANES; j++)
            if (mask >> i & mask >> j & 1)
                warp->pair[i][j] = warp->now;
}

/* A write that does not change the value is not a race. */
void race_settle()
{
    race_write *write = &static_cast<fiber *>(simt_now)->write;
    if (write->size > 0 && memcmp(write->at, write->before, write->size) != 0)
        record(WRITE, write->at, write->size, write->code);
    write->size = 0;
}

/* The functions that the compiler inserts calls of. */
#define CALLER __builtin_return_address(0)
#define HOOKS(size)                             \
    void __tsan_read##size(void *at)            \
    {                                           \
        touch(READ, at, size, CALLER);          \
    }                                           \
    void __tsan_write##size(void *at)           \
    {                                           \
        touch(WRITE, at, size, CALLER);         \
    }                                           \
    void __tsan_unaligned_read##size(void *at)  \
    {                                           \
        touch(READ, at, size, CALLER);          \
    }                                           \
    void __tsan_unaligned_write##size(void *at) \
    {                                           \
        touch(WRITE, at, size, CALLER);         \
    }
#define FETCH(T, bits, name)                                     \
    T __tsan_atomic##bits##_##name(volatile T *at, T value, int) \
    {                                                            \
        touch(ATOMIC, const_cast<T *>(at), sizeof(T), CALLER);   \
        return __atomic_##name(at, value, __ATOMIC_RELAXED);     \
    }
#define EXCHANGE(T, bits, name)                                                                             \
    bool __tsan_atomic##bits##_compare_exchange_##name(volatile T *at, T *expected, T value, int, int)      \
    {                                                                                                       \
        touch(ATOMIC, const_cast<T *>(at), sizeof(T), CALLER);                                              \
        return __atomic_compare_exchange_n(at, expected, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
    }
#define ATOMICS(T, bits)                                           \
    FETCH(T, bits, fetch_add)                                      \
    FETCH(T, bits, fetch_sub)                                      \
    FETCH(T, bits, fetch_and)                                      \
    FETCH(T, bits, fetch_or)                                       \
    FETCH(T, bits, fetch_xor)                                      \
    EXCHANGE(T, bits, strong)                                      \
    EXCHANGE(T, bits, weak)                                        \
    T __tsan_atomic##bits##_exchange(volatile T *at, T value, int) \
    {                                                              \
        touch(ATOMIC, const_cast<T *>(at), sizeof(T), CALLER);     \
        return __atomic_exchange_n(at, value, __ATOMIC_RELAXED);   \
    }                                                              \
    T __tsan_atomic##bits##_load(const volatile T *at, int)        \
    {                                                              \
        touch(ATOMIC, const_cast<T *>(at), sizeof(T), CALLER);     \
        return __atomic_load_n(at, __ATOMIC_RELAXED);              \
    }

extern "C" {
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)
ATOMICS(uint32_t, 32)
ATOMICS(uint64_t, 64)
void __tsan_read_range(void *at, size_t size)
{
    touch(READ, at, size, CALLER);
}
void __tsan_write_range(void *at, size_t size)
{
    touch(WRITE, at, size, CALLER);
}
void __tsan_init(void)
{
}
void __tsan_func_entry(void *)
{
}
void __tsan_func_exit(void)
{
}
void __tsan_atomic_thread_fence(int)
{
}
}
