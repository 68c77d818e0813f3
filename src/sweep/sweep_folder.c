/* Opens and locks the folder of a sweep, and makes the paths of its files. */
#include "base/copy_string.h"
#include "base/os/os_folders.h"
#include "sweep/sweep.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#define RESULTS "results.tsv"

static ezlda_status path_in(char **out, const ez_sweep *s, const char *name)
{
    const char *folder = s->options.folder;
    size_t size = strlen(folder) + strlen(name) + 2;
    EZ_TRY(ez_array(out, s->context, size, 1, "a file name"));
    snprintf(*out, size, "%s%s%s", folder,
             ez_os_is_separator(folder[strlen(folder) - 1]) ? "" : "/", name);
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
static ezlda_status inspect(const ez_sweep *s, bool *has_results, bool *has_others)
{
    ez_os_list *listing = ez_os_list_open(s->options.folder);
    if (!listing)
        return ez_fail_errno(s->context, s->options.folder, "list");
    ezlda_status status = EZLDA_OK;
    for (const char *name; (name = ez_os_list_next(listing));)
        if (strcmp(name, RESULTS) == 0)
            *has_results = true;
        else if (!is_left_over(name))
            *has_others = true;
    if (errno != 0)
        status = ez_fail_errno(s->context, s->options.folder, "list");
    ez_os_list_close(listing);
    return status;
}

ezlda_status ez_sweep_folder_open(ez_sweep *s)
{
    const char *path = s->options.folder;
    bool results = false, others = false;
    s->folder_made = ez_os_make_folder(path) == 0;
    if (!s->folder_made && errno != EEXIST)
        return ez_fail_errno(s->context, path, "make the folder");
    if (ez_os_hold(&s->folder, path) != 0)
        return ez_fail_errno(s->context, path, "open as a folder");
    if (!ez_os_lock(&s->folder))
        return ez_fail(s->context, EZLDA_ERROR_IO, "%s: another sweep is running in this folder",
                       path);
    EZ_TRY(inspect(s, &results, &others));
    if (others && !results)
        return ez_fail(
            s->context, EZLDA_ERROR_ARGUMENT,
            "%s: expected an empty folder or one of an earlier sweep, found files but no " RESULTS,
            path);
    return EZLDA_OK;
}

void ez_sweep_folder_close(ez_sweep *s)
{
    ez_os_let_go(&s->folder);
    if (s->folder_made)
        (void)ez_os_remove_folder(s->options.folder);
}
