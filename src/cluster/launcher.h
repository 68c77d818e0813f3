/* Which MPI has started this process. */
#ifndef EZ_LAUNCHER_H
#define EZ_LAUNCHER_H

/* "openmpi", "mpich" or what EZLDA_MPI names; NULL where the process was started by none of them, or alone. */
const char *ez_launcher(void);

#endif
