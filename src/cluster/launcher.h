/* What has started this process, from its environment. */
#ifndef EZ_LAUNCHER_H
#define EZ_LAUNCHER_H

/* "openmpi", "mpich" or what EZLDA_MPI names; NULL where the process was started by none of them,
 * or alone. */
const char *ez_launcher(void);

/* This process' number among those of the job on this machine; 0 where that is not known. */
int ez_launcher_local(void);

/* How many processes the job has on this machine, and in all; 1 where that is not known. */
int ez_launcher_local_ranks(void);
int ez_launcher_ranks(void);

#endif
