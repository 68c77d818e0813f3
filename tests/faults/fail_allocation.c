/* Allocations that fail on demand. Linked into a program it takes the place of malloc and its kin, for the program and
 * for the libraries it uses; in a sanitized build it stands before the sanitizer's.
 *
 * EZLDA_FAIL_ALLOCATION=N     the N-th allocation fails (from 1), or with a "+" behind N that one and all later ones
 * EZLDA_COUNT_ALLOCATIONS=F   at the end the number of allocations is written to the file F
 *
 * Not counted and never failed are those after which others end the process by themselves: of the OpenMP runtime (and
 * the C++ library that its tools use), of the dynamic loader for thread-local data, of a GPU's driver, and of the look
 * at the stack of a new thread. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* This file itself is compiled without sanitizers, for it is called before they have started. */
#ifdef FAULTS_SANITIZED
#define REAL(name) __interceptor_##name
#else
#define REAL(name) __libc_##name
#endif

void *REAL(malloc)(size_t size);
void *REAL(calloc)(size_t n, size_t size);
void *REAL(realloc)(void *old, size_t size);
void *REAL(memalign)(size_t alignment, size_t size);

#define EXPORTED __attribute__((visibility("default")))

static atomic_ulong counted;
static unsigned long first; /* to fail; 0: none */
static bool all_later, started;

__attribute__((constructor)) static void start(void)
{
    const char *text = getenv("EZLDA_FAIL_ALLOCATION");
    if (text) {
        char *end;
        first = strtoul(text, &end, 10);
        all_later = *end == '+';
    }
    started = true;
}

__attribute__((destructor)) static void finish(void)
{
    const char *path = getenv("EZLDA_COUNT_ALLOCATIONS");
    char text[32];
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    started = false;
    if (fd < 0)
        return;
    int n = snprintf(text, sizeof text, "%lu\n", atomic_load(&counted));
    (void)!write(fd, text, (size_t)n);
    close(fd);
}

static bool is_spared(void *caller)
{
    static const char *const spared[] = {"libomp",   "libgomp", "libarcher", "libstdc++",
                                         "ld-linux", "libcuda", "libnvidia"};
    Dl_info where;
    if (!dladdr(caller, &where) || !where.dli_fname)
        return false;
    const char *slash = strrchr(where.dli_fname, '/'), *name = slash ? slash + 1 : where.dli_fname;
    for (size_t i = 0; i < sizeof spared / sizeof *spared; i++)
        if (strncmp(name, spared[i], strlen(spared[i])) == 0)
            return true;
    return false;
}

static _Thread_local bool inside; /* a call that is spared as a whole */

static bool fails(void *caller)
{
    if (!started || inside)
        return false;
    inside = true;
    bool fail = false;
    if (!is_spared(caller)) {
        unsigned long number = atomic_fetch_add(&counted, 1) + 1;
        fail = first && (number == first || (all_later && number > first));
    }
    inside = false;
    if (fail)
        errno = ENOMEM;
    return fail;
}

/* The sanitizer and the OpenMP runtime look at a new thread's stack by it. */
EXPORTED int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes)
{
    bool before = inside;
    inside = true;
    void *symbol = dlsym(RTLD_NEXT, "pthread_getattr_np");
    int (*real)(pthread_t, pthread_attr_t *);
    memcpy(&real, &symbol, sizeof real);
    int result = real(thread, attributes);
    inside = before;
    return result;
}

#define CALLER __builtin_return_address(0)

EXPORTED void *malloc(size_t size)
{
    return fails(CALLER) ? NULL : REAL(malloc)(size);
}

EXPORTED void *calloc(size_t n, size_t size)
{
    return fails(CALLER) ? NULL : REAL(calloc)(n, size);
}

EXPORTED void *realloc(void *old, size_t size)
{
    return fails(CALLER) ? NULL : REAL(realloc)(old, size);
}

EXPORTED void *reallocarray(void *old, size_t n, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes) || fails(CALLER)) {
        errno = ENOMEM;
        return NULL;
    }
    return REAL(realloc)(old, bytes);
}

EXPORTED void *aligned_alloc(size_t alignment, size_t size)
{
    return fails(CALLER) ? NULL : REAL(memalign)(alignment, size);
}

EXPORTED void *memalign(size_t alignment, size_t size)
{
    return fails(CALLER) ? NULL : REAL(memalign)(alignment, size);
}

EXPORTED int posix_memalign(void **out, size_t alignment, size_t size)
{
    void *memory = fails(CALLER) ? NULL : REAL(memalign)(alignment, size);
    if (memory)
        *out = memory;
    return memory ? 0 : ENOMEM;
}

EXPORTED char *strdup(const char *text)
{
    size_t n = strlen(text) + 1;
    char *copy = fails(CALLER) ? NULL : REAL(malloc)(n);
    return copy ? memcpy(copy, text, n) : NULL;
}

EXPORTED char *strndup(const char *text, size_t n)
{
    size_t length = strnlen(text, n);
    char *copy = fails(CALLER) ? NULL : REAL(malloc)(length + 1);
    if (!copy)
        return NULL;
    copy[length] = '\0';
    return memcpy(copy, text, length);
}
