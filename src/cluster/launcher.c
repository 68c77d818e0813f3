/* Reads the environment variables that Open MPI, MPICH and Slurm set for the ranks of a job. */
#include "cluster/launcher.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Variables that hold the number of ranks. A job of one rank needs no MPI. */
static const struct {
    const char *variable, *mpi;
} launchers[] = {
    {"OMPI_COMM_WORLD_SIZE", "openmpi"}, /* mpirun of Open MPI */
    {"PMI_SIZE", "mpich"},               /* Hydra: MPICH, Intel MPI; srun --mpi=pmi2 */
    {"MPI_LOCALNRANKS", "mpich"},
};

const char *ez_launcher(void)
{
    const char *named = getenv("EZLDA_MPI");
    if (named && *named)
        return strcmp(named, "none") == 0 ? NULL : named;
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
        const char *ranks = getenv(launchers[i].variable);
        if (ranks && strtol(ranks, NULL, 10) > 1)
            return launchers[i].mpi;
    }
    const char *tasks = getenv("SLURM_STEP_NUM_TASKS");
    return getenv("PMIX_RANK") && tasks && strtol(tasks, NULL, 10) > 1 ? "openmpi"
                                                                       : NULL; /* srun --mpi=pmix */
}

/* The number in the first of these variables that is set; -1 if none is. */
static int first_number(const char *const *variables, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *number = getenv(variables[i]);
        if (number && *number)
            return abs((int)strtol(number, NULL, 10));
    }
    return -1;
}

int ez_launcher_local(void)
{
    static const char *const variables[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID",
                                            "SLURM_LOCALID", "PALS_LOCAL_RANKID"};
    int rank = first_number(variables, sizeof variables / sizeof *variables);
    return rank > 0 ? rank : 0;
}

int ez_launcher_local_ranks(void)
{
    static const char *const variables[] = {
        "OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "PALS_LOCAL_SIZE",
        "SLURM_STEP_TASKS_PER_NODE"}; /* "4(x2)" begins with a number, too */
    int ranks = first_number(variables, sizeof variables / sizeof *variables);
    return ranks > 1 ? ranks : 1;
}

int ez_launcher_ranks(void)
{
    static const char *const variables[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                            "SLURM_STEP_NUM_TASKS"};
    int ranks = first_number(variables, sizeof variables / sizeof *variables);
    return ranks > 1 ? ranks : 1;
}
