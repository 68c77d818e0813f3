/* Waiting for a change with a time limit. Threads, locks and conditions themselves are those of
 * <pthread.h>, which every supported system has. */
#ifndef EZ_OS_THREADS_H
#define EZ_OS_THREADS_H

#include <pthread.h>

/* A condition whose time limits do not change when the clock is set. */
void ez_os_condition_init(pthread_cond_t *condition);
/* With the lock held: waits for a change, at most `seconds`. */
void ez_os_condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock, int seconds);

#endif
