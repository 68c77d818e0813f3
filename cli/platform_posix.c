/* The operating system for the command: POSIX. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* O_NOFOLLOW, open_memstream, SIGXFSZ */
#endif
#include "platform.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

_Static_assert(PLATFORM_PATH >= PATH_MAX && PLATFORM_NAME >= NAME_MAX, "realpath needs PATH_MAX");

/* If a standard stream is closed, the next file that is opened would get its number, and text would
 * be printed into a model. /dev/null takes its place, opened the wrong way round so that using it
 * is an error. */
static void guard_streams(void)
{
    for (int descriptor = 0; descriptor <= 2; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF)
            (void)!open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
}

void platform_begin(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    guard_streams();
    /* a reader that goes away or a limit of file size must not end a run: writes report it */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

/* ---- the terminal ---- */

bool platform_is_terminal(int descriptor)
{
    return isatty(descriptor);
}

size_t platform_terminal_width(int descriptor)
{
    struct winsize size;
    if (!isatty(descriptor))
        return 0;
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
}

bool platform_can_redraw(int descriptor)
{
    const char *term = getenv("TERM");
    return isatty(descriptor) && term && strcmp(term, "dumb") != 0;
}

int platform_likely_error(int descriptor)
{
    (void)descriptor;
    return EIO;
}

/* ---- clocks, the process ---- */

double platform_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void platform_pause(double seconds)
{
    struct timespec time = {.tv_sec = (time_t)seconds};
    time.tv_nsec = (long)(1e9 * (seconds - floor(seconds)));
    nanosleep(&time, NULL);
}

bool platform_day(uint64_t seconds, char day[16])
{
    struct tm calendar;
    time_t then = (time_t)seconds;
    return gmtime_r(&then, &calendar) && strftime(day, 16, "%Y-%m-%d", &calendar);
}

uint64_t platform_peak_memory(void)
{
    struct rusage usage;
#ifdef __APPLE__
    const uint64_t unit = 1;
#else
    const uint64_t unit = 1024;
#endif
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * unit : 0;
}

long platform_process_id(void)
{
    return (long)getpid();
}

/* ---- files ---- */

static int copy_info(int result, const struct stat *from, platform_info *info)
{
    if (result == 0)
        *info = (platform_info){.is_regular = S_ISREG(from->st_mode),
                                .is_folder = S_ISDIR(from->st_mode),
                                .is_screen = S_ISCHR(from->st_mode),
                                .bytes = (uint64_t)from->st_size,
                                .device = (uint64_t)from->st_dev,
                                .number = (uint64_t)from->st_ino};
    return result;
}

int platform_look(const char *path, platform_info *info)
{
    struct stat found;
    return copy_info(stat(path, &found), &found, info);
}

int platform_look_at(int descriptor, platform_info *info)
{
    struct stat found;
    return copy_info(fstat(descriptor, &found), &found, info);
}

int platform_can_write(const char *path, bool folder)
{
    return access(path, folder ? W_OK | X_OK : W_OK);
}

const char *platform_last_separator(const char *path)
{
    return strrchr(path, '/');
}

bool platform_is_separator(char c)
{
    return c == '/';
}

bool platform_is_descriptor(const char *path)
{
    return !strncmp(path, "/dev/std", 8) || !strncmp(path, "/dev/fd/", 8) ||
           !strncmp(path, "/proc/", 6);
}

bool platform_resolve(const char *path, char resolved[PLATFORM_PATH])
{
    return realpath(path, resolved) != NULL;
}

FILE *platform_open(const char *path, const char *mode)
{
    return fopen(path, mode);
}

int platform_cut(FILE *file, uint64_t bytes)
{
    if (fseeko(file, (off_t)bytes, SEEK_SET) != 0)
        return -1;
    return ftruncate(fileno(file), (off_t)bytes);
}

int platform_open_new(const char *path)
{
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

/* /dev/stdout and /dev/stderr share the descriptor, and so its position in the file. */
int platform_open_append(const char *path)
{
    int descriptor = strcmp(path, "/dev/stdout") == 0   ? STDOUT_FILENO
                     : strcmp(path, "/dev/stderr") == 0 ? STDERR_FILENO
                                                        : -1;
    return descriptor < 0 ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
                          : fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
}

int64_t platform_write(int descriptor, const char *bytes, size_t n)
{
    return write(descriptor, bytes, n);
}

int platform_sync(int descriptor)
{
    return fsync(descriptor);
}

int platform_close(int descriptor)
{
    return close(descriptor);
}

int platform_replace(const char *from, const char *to)
{
    return rename(from, to);
}

int platform_remove(const char *path)
{
    return unlink(path);
}

bool platform_memory_open(platform_memory *memory)
{
    *memory = (platform_memory){0};
    memory->file = open_memstream(&memory->bytes, &memory->n);
    return memory->file != NULL;
}

bool platform_memory_close(platform_memory *memory)
{
    return fclose(memory->file) == 0;
}
