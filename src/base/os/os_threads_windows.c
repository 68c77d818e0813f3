/* Waiting with a time limit on Windows. */
#include "base/os/os_threads.h"

#include <time.h>

void ez_os_condition_init(pthread_cond_t *condition)
{
    pthread_cond_init(condition, NULL);
}

/* Conditions of winpthreads follow the clock that can be set. If it is set back while a thread
 * waits, that wait lasts longer; nothing else depends on it. */
void ez_os_condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock, int seconds)
{
    const struct timespec most = {.tv_sec = seconds};
    pthread_cond_timedwait_relative_np(condition, lock, &most);
}
