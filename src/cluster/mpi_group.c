/* The ranks of an MPI job as a group. The module of the MPI implementation is looked for beside the
 * program or the library, or in their library folder, and is opened at run time. */
#include "base/memory.h"
#include "base/os/os_files.h"
#include "base/os/os_libraries.h"
#include "cluster/group.h"
#include "cluster/launcher.h"
#include "cluster/mpi/mpi_module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
enum { EZ_HAS_MPI = 0 };
#else
enum { EZ_HAS_MPI = 1 };
#endif

typedef struct mpi_group {
    ezlda_group base;
    const ez_mpi_module *mpi;
} mpi_group;

static ezlda_status check(ezlda_group *group, ezlda_context *context, const char *failed)
{
    if (!failed)
        return EZLDA_OK;
    return ez_fail(context, EZLDA_ERROR_DEVICE, "%s (rank %d of %d)", failed, group->rank,
                   group->ranks);
}

static const ez_mpi_module *module_of(ezlda_group *group)
{
    return ((mpi_group *)group)->mpi;
}

static ezlda_status sum32(ezlda_group *group, ezlda_context *context, uint32_t *data, size_t n)
{
    return check(group, context, module_of(group)->sum(data, n, sizeof *data));
}

static ezlda_status sum64(ezlda_group *group, ezlda_context *context, uint64_t *data, size_t n)
{
    return check(group, context, module_of(group)->sum(data, n, sizeof *data));
}

static ezlda_status sizes(ezlda_group *group, ezlda_context *context, size_t own, size_t *bytes)
{
    return check(group, context, module_of(group)->sizes(own, bytes));
}

static ezlda_status gather_into(ezlda_group *group, ezlda_context *context, const void *data,
                                const size_t *bytes, bool to_all, void *out)
{
    return check(group, context, module_of(group)->gather(data, bytes, out, to_all));
}

static ezlda_status gather(ezlda_group *group, ezlda_context *context, const void *data,
                           size_t bytes, bool to_all, void **out, size_t *at)
{
    size_t *size = NULL;
    char *all = NULL;
    ezlda_status status;
    *out = NULL;
    EZ_TRY_GOTO(ez_array(&size, context, (size_t)group->ranks, sizeof *size,
                         "the sizes of the ranks' data"));
    EZ_TRY_GOTO(sizes(group, context, bytes, size));
    at[0] = 0;
    for (int i = 0; i < group->ranks; i++)
        at[i + 1] = at[i] + size[i];
    if (to_all || group->rank == 0)
        EZ_TRY_GOTO(ez_array(&all, context, at[group->ranks], 1, "what the ranks have"));
    EZ_TRY_GOTO(gather_into(group, context, data, size, to_all, all));
    *out = all;
    all = NULL;
done:
    ez_free(size);
    ez_free(all);
    return status;
}

static ezlda_status share(ezlda_group *group, ezlda_context *context, void *data, size_t bytes)
{
    return check(group, context, module_of(group)->share(data, bytes));
}

static void fail(ezlda_group *group)
{
    module_of(group)->fail(1);
}

static void close_group(ezlda_group *group)
{
    module_of(group)->close();
    ez_free(group);
}

static const ez_group_ops mpi_ops = {sum32,       sum64, gather, sizes,
                                     gather_into, share, fail,   close_group};

/* Opens the module's file in the first folder that has it. `tried` is for the message. */
static void *open_file(const char *name, char *tried, size_t size)
{
    static const char *const places[] = {"%s/%s", "%s/ezlda/%s",
                                         "%s/../" EZLDA_MODULE_FOLDER "/%s"};
    char folder[3072], path[4096];
    if (strchr(name, '/')) {
        void *file = ez_os_library_open(name, true);
        snprintf(tried, size, "%s", file ? "" : ez_os_library_error());
        return file;
    }
    ez_os_own_folder(&mpi_ops, folder, sizeof folder);
    snprintf(tried, size, "%.2000s/%.1000s is not there", folder, name);
    if (!*folder) {
        snprintf(tried, size, "the program's folder is not known");
        return NULL;
    }
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(path, sizeof path, places[i], folder, name);
        if (!ez_os_is_readable(path))
            continue;
        void *file = ez_os_library_open(path, true);
        if (file)
            return file;
        snprintf(tried, size, "%s", ez_os_library_error());
        return NULL;
    }
    return NULL;
}

static ezlda_status open_module(const ez_mpi_module **out, ezlda_context *context, const char *mpi)
{
    char name[4096], tried[4096];
    if (!EZ_HAS_MPI)
        return ez_fail(context, EZLDA_ERROR_UNSUPPORTED,
                       "an MPI job (%s) cannot train together on Windows; EZLDA_MPI=none lets each "
                       "process train on its own",
                       mpi);
    if (strchr(mpi, '/'))
        snprintf(name, sizeof name, "%s", mpi);
    else
        snprintf(name, sizeof name, "libezlda-%s.so", mpi);
    void *file = open_file(name, tried, sizeof tried);
    if (!file)
        return ez_fail(
            context, EZLDA_ERROR_UNSUPPORTED,
            "cannot open %s, the module for an MPI job of several ranks (%s): %s; install "
            "that MPI's development files and rebuild",
            name, mpi, tried);
    ez_mpi_module_fn get = NULL;
    void *symbol = ez_os_library_symbol(file, EZ_MPI_MODULE_SYMBOL);
    memcpy(&get, &symbol, sizeof get);
    *out = get ? get() : NULL;
    if (!*out || (*out)->version != EZ_MPI_MODULE_VERSION)
        return ez_fail(context, EZLDA_ERROR_UNSUPPORTED,
                       "%s: version %d of the module; expected %d", name,
                       *out ? (*out)->version : 0, EZ_MPI_MODULE_VERSION);
    return EZLDA_OK;
}

/* Tasks of srun without MPI would all train the same model and write it to the same file. */
static ezlda_status check_alone(ezlda_context *context)
{
    const char *named = getenv("EZLDA_MPI");
    if ((named && *named) || ez_launcher_ranks() == 1)
        return EZLDA_OK;
    return ez_fail(context, EZLDA_ERROR_UNSUPPORTED,
                   "srun has started %d tasks without MPI; srun --mpi=pmix (Open MPI) or "
                   "--mpi=pmi2 (MPICH) lets them "
                   "train together, EZLDA_MPI=none each on its own",
                   ez_launcher_ranks());
}

ezlda_status ezlda_group_open(ezlda_group **out, ezlda_context *context, const char *mpi)
{
    ez_clear(context);
    EZ_TRY(ez_needs(context, out, "a place for the group"));
    *out = NULL;
    mpi_group *group = NULL;
    const ez_mpi_module *module = NULL;
    if (!mpi)
        mpi = ez_launcher();
    if (!mpi)
        return check_alone(context);
    EZ_TRY(open_module(&module, context, mpi));
    EZ_TRY(ez_array_zero(&group, context, 1, sizeof *group, "the ranks"));
    *group = (mpi_group){.base.ops = &mpi_ops, .mpi = module};
    const char *failed = module->open(&group->base.rank, &group->base.ranks);
    if (failed) {
        ez_free(group);
        return ez_fail(context, EZLDA_ERROR_DEVICE, "%s", failed);
    }
    if (group->base.ranks == 1 && ez_launcher_ranks() > 1) {
        close_group(&group->base);
        return ez_fail(
            context, EZLDA_ERROR_DEVICE,
            "%d processes were started, but %s reports one; set EZLDA_MPI to the MPI that "
            "started them (openmpi, mpich), or to none: each then trains on its own",
            ez_launcher_ranks(), mpi);
    }
    *out = &group->base;
    return EZLDA_OK;
}

int ezlda_group_rank(const ezlda_group *group)
{
    return group ? group->rank : 0;
}

int ezlda_group_ranks(const ezlda_group *group)
{
    return group ? group->ranks : 1;
}

const char *ezlda_group_library(const ezlda_group *group)
{
    return group ? ((const mpi_group *)group)->mpi->library : "";
}

void ezlda_group_fail(ezlda_group *group)
{
    if (group)
        group->ops->fail(group);
}

void ezlda_group_close(ezlda_group *group)
{
    if (group)
        group->ops->close(group);
}
