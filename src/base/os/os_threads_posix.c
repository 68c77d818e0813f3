/* Waiting with a time limit on POSIX systems. */
#include "base/os/os_threads.h"

#include <time.h>

#ifdef __APPLE__
/* Conditions have no clock of their own here; a wait may be relative instead. */
void ez_os_condition_init(pthread_cond_t *condition)
{
    pthread_cond_init(condition, NULL);
}

void ez_os_condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock, int seconds)
{
    const struct timespec most = {.tv_sec = seconds};
    pthread_cond_timedwait_relative_np(condition, lock, &most);
}
#else
void ez_os_condition_init(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

void ez_os_condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock, int seconds)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += seconds;
    pthread_cond_timedwait(condition, lock, &until);
}
#endif
