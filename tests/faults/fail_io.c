/* File operations that fail on demand. The linker's --wrap puts these in the place of the calls that the program and
 * our library make; those inside of the C library's streams stay as they are.
 *
 * EZLDA_FAIL_IO=CALL:N=WHAT   the N-th call of that name (from 1), "N+": that one and all later ones, "N-M": up to the
 *                             M-th. WHAT: an error (EINTR: of "N+" every other call only), `short` (reads and writes
 *                             of at most 5 bytes), `kill` (SIGKILL in the place of the call), `half` (half of a write,
 *                             then SIGKILL), `stop` (SIGSTOP before the call). Several are separated by commas.
 * EZLDA_COUNT_IO=F            at the end the number of calls of each name is written to the file F */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SHORT = 5 };

typedef enum what { PASS, FAIL, PART, KILL, HALF, STOP } what;

static const char *const names[] = {"open",   "read",  "write",  "fsync", "close",
                                    "rename", "mkdir", "unlink", "mmap",  "readdir"};
enum { OPEN, READ, WRITE, FSYNC, CLOSE, RENAME, MKDIR, UNLINK, MMAP, READDIR, CALLS };

static atomic_ulong counted[CALLS];

static const struct {
    const char *name;
    what what;
    int error;
} kinds[] = {{"stop", STOP, 0},        {"short", PART, 0},       {"kill", KILL, 0},        {"half", HALF, 0},
             {"EINTR", FAIL, EINTR},   {"ENOSPC", FAIL, ENOSPC}, {"EIO", FAIL, EIO},       {"ENOENT", FAIL, ENOENT},
             {"EACCES", FAIL, EACCES}, {"EMFILE", FAIL, EMFILE}, {"EDQUOT", FAIL, EDQUOT}, {"ENOMEM", FAIL, ENOMEM},
             {"EROFS", FAIL, EROFS}};

/* Applies one rule, CALL:N=WHAT, to a call. Returns PASS if the rule is about another call. */
static what apply(const char *rule, int call, unsigned long number)
{
    size_t length = strlen(names[call]);
    char *at;
    if (strncmp(rule, names[call], length) != 0 || rule[length] != ':')
        return PASS;
    unsigned long first = strtoul(rule + length + 1, &at, 10), last = first;
    bool open_end = *at == '+';
    if (open_end)
        last = (unsigned long)-1, at++;
    else if (*at == '-')
        last = strtoul(at + 1, &at, 10);
    if (*at != '=' || number < first || number > last)
        return PASS;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t n = strlen(kinds[i].name);
        if (strncmp(at + 1, kinds[i].name, n) != 0 || (at[1 + n] && at[1 + n] != ','))
            continue;
        errno = kinds[i].error;
        return kinds[i].error == EINTR && open_end && (number - first) % 2 ? PASS : kinds[i].what;
    }
    fprintf(stderr, "EZLDA_FAIL_IO: '%s' is not known\n", rule);
    abort();
}

static what decide(int call)
{
    unsigned long number = atomic_fetch_add(&counted[call], 1) + 1;
    what found = PASS;
    for (const char *rule = getenv("EZLDA_FAIL_IO"); rule && found == PASS;) {
        found = apply(rule, call, number);
        rule = strchr(rule, ',');
        rule = rule ? rule + 1 : NULL;
    }
    if (found == KILL)
        kill(getpid(), SIGKILL);
    if (found == STOP)
        kill(getpid(), SIGSTOP);
    return found == STOP ? PASS : found;
}

__attribute__((destructor)) static void finish_counts(void)
{
    const char *path = getenv("EZLDA_COUNT_IO");
    FILE *file = path ? fopen(path, "w") : NULL;
    for (int i = 0; file && i < CALLS; i++)
        fprintf(file, "%s %lu\n", names[i], atomic_load(&counted[i]));
    if (file)
        fclose(file);
}

#define WRAPPED(type, name, ...)     \
    type __real_##name(__VA_ARGS__); \
    type __wrap_##name(__VA_ARGS__); \
    type __wrap_##name(__VA_ARGS__)

WRAPPED(int, open, const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
    va_end(more);
    return decide(OPEN) == PASS ? __real_open(path, flags, mode) : -1;
}

WRAPPED(ssize_t, read, int fd, void *bytes, size_t n)
{
    what found = decide(READ);
    return found == FAIL ? -1 : __real_read(fd, bytes, found == PART && n > SHORT ? SHORT : n);
}

WRAPPED(ssize_t, write, int fd, const void *bytes, size_t n)
{
    what found = decide(WRITE);
    if (found == HALF) {
        (void)!__real_write(fd, bytes, n / 2);
        kill(getpid(), SIGKILL);
    }
    return found == FAIL ? -1 : __real_write(fd, bytes, found == PART && n > SHORT ? SHORT : n);
}

WRAPPED(int, fsync, int fd)
{
    return decide(FSYNC) == PASS ? __real_fsync(fd) : -1;
}

/* The descriptor is closed whatever is answered, as by the kernel. */
WRAPPED(int, close, int fd)
{
    what found = decide(CLOSE);
    int error = errno, result = __real_close(fd);
    if (found == PASS)
        return result;
    errno = error;
    return -1;
}

WRAPPED(int, rename, const char *from, const char *to)
{
    return decide(RENAME) == PASS ? __real_rename(from, to) : -1;
}

WRAPPED(int, mkdir, const char *path, mode_t mode)
{
    return decide(MKDIR) == PASS ? __real_mkdir(path, mode) : -1;
}

WRAPPED(int, unlink, const char *path)
{
    return decide(UNLINK) == PASS ? __real_unlink(path) : -1;
}

WRAPPED(void *, mmap, void *at, size_t n, int protection, int flags, int fd, off_t offset)
{
    return decide(MMAP) == PASS ? __real_mmap(at, n, protection, flags, fd, offset) : MAP_FAILED;
}

WRAPPED(struct dirent *, readdir, DIR *folder)
{
    return decide(READDIR) == PASS ? __real_readdir(folder) : NULL;
}
