/* This process and others, pauses, clocks and dates of the operating system. */
#ifndef EZ_OS_PROCESS_H
#define EZ_OS_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

long ez_os_process_id(void);
/* Whether a process of this number runs, or may run. */
bool ez_os_process_runs(long id);
/* Calls `lost` in each process that this one forks; it has none of its parent's other threads. */
void ez_os_watch_forks(void (*lost)(void));

/* The name of this machine in its network; "" if it has none. */
void ez_os_host_name(char *name, size_t size);

/* Most bytes of memory that this process has used; 0 if the system does not say. */
uint64_t ez_os_peak_memory(void);

/* A clock that never goes back. */
int64_t ez_os_clock_ns(void);
/* Seconds since 1970, UTC. */
int64_t ez_os_time(void);
/* The UTC day of a time as "2024-12-31"; false if it has none. */
bool ez_os_date(int64_t time, char date[16]);

/* Fills bytes that nobody can guess; false if the system has none. */
bool ez_os_random(void *bytes, size_t n);

void ez_os_pause(int64_t ns);
/* Lets other threads run. */
void ez_os_yield(void);

#endif
