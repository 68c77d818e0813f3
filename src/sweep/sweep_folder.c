/* Opens and locks the folder of a sweep, and makes the paths of its files. */
#include "base/copy_string.h"
#include "sweep/sweep.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define RESULTS "results.tsv"

static ezlda_status path_in(char **out, const ez_sweep *s, const char *name)
{
    const char *folder = s->options.folder;
    size_t size = strlen(folder) + strlen(name) + 2;
    EZ_TRY(ez_array(out, s->context, size, 1, "a file name"));
    snprintf(*out, size, "%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", name);
    return EZLDA_OK;
}

ezlda_status ez_sweep_results_path(char **out, const ez_sweep *s)
{
    return path_in(out, s, RESULTS);
}

static ezlda_status run_path(char **out, const ez_sweep *s, const ezlda_sweep_run *run,
                             const char *ending)
{
    char name[64];
    snprintf(name, sizeof name, "k%u-seed%" PRIu64 "%s", run->topics, run->seed, ending);
    return path_in(out, s, name);
}

ezlda_status ez_sweep_model_path(char **out, const ez_sweep *s, const ezlda_sweep_run *run)
{
    return run_path(out, s, run, ".ezm");
}

ezlda_status ez_sweep_docs_path(char **out, const ez_sweep *s, const ezlda_sweep_run *run)
{
    return run_path(out, s, run, ".scores");
}

/* Whether a file may be left from a sweep that was killed before it had results. */
static bool is_left_over(const char *name)
{
    size_t n = strlen(name);
    return strncmp(name, RESULTS ".", sizeof RESULTS) == 0 && n > 4 &&
           strcmp(name + n - 4, ".tmp") == 0;
}

/* Finds out whether a folder has results, and whether it has files that are not a sweep's. */
static ezlda_status inspect(const ez_sweep *s, int descriptor, bool *has_results, bool *has_others)
{
    int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    DIR *listing = copy < 0 ? NULL : fdopendir(copy);
    if (!listing) {
        ezlda_status failed = ez_fail_errno(s->context, s->options.folder, "list");
        if (copy >= 0)
            close(copy);
        return failed;
    }
    ezlda_status status = EZLDA_OK;
    for (struct dirent *entry; (errno = 0, entry = readdir(listing));) {
        const char *name = entry->d_name;
        if (strcmp(name, RESULTS) == 0)
            *has_results = true;
        else if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && !is_left_over(name))
            *has_others = true;
    }
    if (errno != 0)
        status = ez_fail_errno(s->context, s->options.folder, "list");
    closedir(listing);
    return status;
}

ezlda_status ez_sweep_folder_open(ez_sweep *s)
{
    const char *path = s->options.folder;
    bool results = false, others = false;
    s->folder_made = mkdir(path, 0777) == 0;
    if (!s->folder_made && errno != EEXIST)
        return ez_fail_errno(s->context, path, "make the folder");
    s->folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (s->folder < 0)
        return ez_fail_errno(s->context, path, "open as a folder");
    /* file systems without locks are used unlocked */
    if (flock(s->folder, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return ez_fail(s->context, EZLDA_ERROR_IO, "%s: another sweep is running in this folder",
                       path);
    EZ_TRY(inspect(s, s->folder, &results, &others));
    if (others && !results)
        return ez_fail(
            s->context, EZLDA_ERROR_ARGUMENT,
            "%s: expected an empty folder or one of an earlier sweep, found files but no " RESULTS,
            path);
    return EZLDA_OK;
}

void ez_sweep_folder_close(ez_sweep *s)
{
    if (s->folder >= 0)
        close(s->folder);
    s->folder = -1;
    if (s->folder_made)
        (void)!rmdir(s->options.folder);
}
