/* Memory of the emulated devices. */
#include "fake_memory.h"

#include "simt_launch.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <sys/mman.h>

CUctx_st fake_devices[MOST_DEVICES];

namespace
{

enum { PAGE = 4096, UNIT = 512, END_MARK = 0xe7 };
/* The addresses of all allocations. None is used twice, so that an access to freed memory always faults. Under a
 * sanitizer fewer may be available. */
constexpr size_t MOST_ADDRESSES = size_t(1) << 40, LEAST_ADDRESSES = size_t(1) << 34;

struct allocation {
    CUctx_st *device;
    size_t bytes;
    unsigned long long number;
    int users; /* running work that may access it */
};

using allocation_map = std::map<const unsigned char *, allocation>;
std::mutex gate;
allocation_map allocations;
std::map<const unsigned char *, size_t> pinned;
unsigned long long made;
unsigned char *arena, *arena_next, *arena_end;
int all_open; /* running work that may access all memory */

size_t pages(size_t bytes)
{
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

size_t counted(size_t bytes)
{
    return (bytes + UNIT - 1) / UNIT * UNIT;
}

void check_end(const unsigned char *memory, const allocation &a, const char *when)
{
    for (size_t i = a.bytes; i < pages(a.bytes); i++)
        if (memory[i] != END_MARK)
            simt_fail("%s: allocation %llu of %zu bytes was written %zu bytes behind its end", when, a.number, a.bytes,
                      i - a.bytes);
}

/* Reserves that many addresses, which cannot be accessed yet. */
unsigned char *reserve_addresses(size_t bytes)
{
    for (size_t size = MOST_ADDRESSES; !arena && size >= LEAST_ADDRESSES; size /= 2) {
        void *all = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (all != MAP_FAILED) {
            arena = arena_next = static_cast<unsigned char *>(all);
            arena_end = arena + size;
        }
    }
    if (bytes > static_cast<size_t>(arena_end - arena_next))
        return nullptr;
    arena_next += bytes;
    return arena_next - bytes;
}

void open(const unsigned char *memory, allocation *a)
{
    if (a->users++ == 0)
        mprotect(const_cast<unsigned char *>(memory), pages(a->bytes), PROT_READ | PROT_WRITE);
}

void close(const unsigned char *memory, allocation *a)
{
    if (--a->users == 0)
        mprotect(const_cast<unsigned char *>(memory), pages(a->bytes), PROT_NONE);
}

void unmap(const unsigned char *memory, const allocation &a)
{
    mprotect(const_cast<unsigned char *>(memory), pages(a.bytes), PROT_READ);
    check_end(memory, a, "cuMemFree");
    mmap(const_cast<unsigned char *>(memory), pages(a.bytes), PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    a.device->bytes -= counted(a.bytes);
}

/* The allocation at or before an address. */
allocation_map::iterator find(const void *address)
{
    auto it = allocations.upper_bound(static_cast<const unsigned char *>(address));
    return it == allocations.begin() ? allocations.end() : --it;
}

} // namespace

const char *fake_text(const char *name, const char *fallback)
{
    const char *text = getenv(name);
    return text && *text ? text : fallback;
}

long long fake_number(const char *name, long long fallback)
{
    const char *text = fake_text(name, nullptr);
    return text ? strtoll(text, nullptr, 10) : fallback;
}

bool fake_in_arena(const void *address)
{
    return address >= arena && address < arena_next;
}

CUresult fake_allocate(CUctx_st *device, void **out, size_t bytes)
{
    std::lock_guard<std::mutex> lock(gate);
    if (bytes == 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (bytes > device->limit || device->bytes + counted(bytes) > device->limit)
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (bytes > static_cast<size_t>(fake_number("SIMT_PIECE", INT64_MAX)))
        return CUDA_ERROR_OUT_OF_MEMORY;
    size_t room = pages(bytes);
    unsigned char *memory = reserve_addresses(room + 2 * PAGE);
    if (!memory)
        return CUDA_ERROR_OUT_OF_MEMORY;
    memory += PAGE;
    mprotect(memory, room, PROT_READ | PROT_WRITE);
    memset(memory, SIMT_POISON, bytes);
    memset(memory + bytes, END_MARK, room - bytes);
    if (all_open == 0)
        mprotect(memory, room, PROT_NONE);
    allocations[memory] = {device, bytes, ++made, all_open};
    device->bytes += counted(bytes);
    *out = memory;
    return CUDA_SUCCESS;
}

CUresult fake_release(void *memory)
{
    std::lock_guard<std::mutex> lock(gate);
    auto it = allocations.find(static_cast<unsigned char *>(memory));
    if (it == allocations.end())
        return CUDA_ERROR_INVALID_VALUE;
    unmap(it->first, it->second);
    allocations.erase(it);
    return CUDA_SUCCESS;
}

size_t fake_release_all(CUctx_st *device)
{
    std::lock_guard<std::mutex> lock(gate);
    size_t n = 0;
    for (auto it = allocations.begin(); it != allocations.end();) {
        if (it->second.device == device) {
            unmap(it->first, it->second);
            it = allocations.erase(it);
            n++;
        } else {
            ++it;
        }
    }
    return n;
}

bool fake_holds(const void *memory, size_t bytes)
{
    std::lock_guard<std::mutex> lock(gate);
    auto it = find(memory);
    if (it == allocations.end())
        return false;
    size_t offset = static_cast<size_t>(static_cast<const unsigned char *>(memory) - it->first);
    return offset <= it->second.bytes && bytes <= it->second.bytes - offset;
}

void fake_check_ends(const char *when)
{
    std::lock_guard<std::mutex> lock(gate);
    for (const auto &it : allocations)
        check_end(it.first, it.second, when);
}

void fake_open_all()
{
    std::lock_guard<std::mutex> lock(gate);
    all_open++;
    for (auto &it : allocations)
        open(it.first, &it.second);
}

void fake_close_all()
{
    std::lock_guard<std::mutex> lock(gate);
    all_open--;
    for (auto &it : allocations)
        close(it.first, &it.second);
}

void fake_copy(void *to, const void *from, size_t bytes)
{
    std::lock_guard<std::mutex> lock(gate);
    allocation_map::iterator ends[] = {find(to), find(from)};
    for (auto it : ends)
        if (it != allocations.end())
            open(it->first, &it->second);
    memcpy(to, from, bytes);
    for (auto it : ends)
        if (it != allocations.end())
            close(it->first, &it->second);
}

void fake_fill(void *to, uint32_t value, size_t size, size_t n)
{
    std::lock_guard<std::mutex> lock(gate);
    auto it = find(to);
    if (n == 0)
        return;
    open(it->first, &it->second);
    for (size_t i = 0; i < n; i++)
        memcpy(static_cast<unsigned char *>(to) + i * size, &value, size);
    close(it->first, &it->second);
}

bool fake_is_pinned(const void *memory, size_t bytes)
{
    std::lock_guard<std::mutex> lock(gate);
    const unsigned char *at = static_cast<const unsigned char *>(memory);
    auto it = pinned.upper_bound(at);
    if (it == pinned.begin())
        return false;
    --it;
    return at + bytes <= it->first + it->second;
}

bool fake_pin(void *memory, size_t bytes)
{
    if (fake_is_pinned(memory, 1))
        return false;
    std::lock_guard<std::mutex> lock(gate);
    pinned[static_cast<unsigned char *>(memory)] = bytes;
    return true;
}

bool fake_unpin(void *memory)
{
    std::lock_guard<std::mutex> lock(gate);
    return pinned.erase(static_cast<unsigned char *>(memory)) > 0;
}

/* Called when a kernel has stopped for good: nobody holds the gate. */
bool simt_describe_address(const void *address, char *text, size_t size)
{
    const unsigned char *at = static_cast<const unsigned char *>(address);
    auto it = find(at + PAGE);
    if (it == allocations.end() || at >= it->first + pages(it->second.bytes) + PAGE) {
        snprintf(text, size, "memory that was freed");
        return fake_in_arena(at);
    }
    const allocation &a = it->second;
    if (at < it->first)
        snprintf(text, size, "%zu bytes before allocation %llu of %zu bytes", static_cast<size_t>(it->first - at),
                 a.number, a.bytes);
    else
        snprintf(text, size, "%zu bytes behind the start of allocation %llu of %zu bytes",
                 static_cast<size_t>(at - it->first), a.number, a.bytes);
    return true;
}
