/* Which launcher started this process, and as which of its ranks: read from the environment before
 * any MPI library is opened. */
#ifndef EZ_LAUNCHER_H
#define EZ_LAUNCHER_H

/* "openmpi", "mpich" or the name in EZLDA_MPI; NULL if the process was started without a launcher,
 * or as the only rank. */
const char *ez_launcher(void);

/* The number of this process among those of the job on this machine; 0 if unknown. */
int ez_launcher_local(void);

/* How many processes the job has on this machine, and in total; 1 if unknown. */
int ez_launcher_local_ranks(void);
int ez_launcher_ranks(void);

#endif
