/* Processes and clocks on POSIX systems. */
#include "base/os/os_process.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

long ez_os_process_id(void)
{
    return (long)getpid();
}

bool ez_os_process_runs(long id)
{
    return kill((pid_t)id, 0) == 0 || errno != ESRCH;
}

void ez_os_watch_forks(void (*lost)(void))
{
    (void)pthread_atfork(NULL, NULL, lost);
}

void ez_os_host_name(char *name, size_t size)
{
    name[0] = '\0';
    (void)gethostname(name, size - 1); /* a long name is cut */
    name[size - 1] = '\0';
}

uint64_t ez_os_peak_memory(void)
{
    struct rusage usage;
#ifdef __APPLE__
    const uint64_t unit = 1;
#else
    const uint64_t unit = 1024;
#endif
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * unit : 0;
}

int64_t ez_os_clock_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t ez_os_time(void)
{
    return (int64_t)time(NULL);
}

bool ez_os_date(int64_t time, char date[16])
{
    struct tm calendar;
    time_t then = (time_t)time;
    return gmtime_r(&then, &calendar) && strftime(date, 16, "%Y-%m-%d", &calendar);
}

void ez_os_pause(int64_t ns)
{
    const struct timespec pause = {.tv_sec = (time_t)(ns / 1000000000),
                                   .tv_nsec = (long)(ns % 1000000000)};
    nanosleep(&pause, NULL);
}

bool ez_os_random(void *bytes, size_t n)
{
    int file = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    bool whole = read(file, bytes, n) == (ssize_t)n;
    close(file);
    return whole;
}

void ez_os_yield(void)
{
    sched_yield();
}
