/* The folder of an ensemble: seed1.ezm and so on, and members.txt with everything that the members
 * depend on, so that a call with the same options finds them and another one is refused. */
#include "base/files/content_hash.h"
#include "base/files/output_file.h"
#include "base/number_text.h"
#include "base/os/os_files.h"
#include "base/os/os_folders.h"
#include "ensemble/ensemble.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SETTINGS "members.txt"

static ezlda_status path_in(char **out, const ez_ensemble *e, const char *name)
{
    const char *folder = e->options.folder;
    size_t size = strlen(folder) + strlen(name) + 2;
    EZ_TRY(ez_array(out, e->context, size, 1, "a file name"));
    snprintf(*out, size, "%s%s%s", folder,
             ez_os_is_separator(folder[strlen(folder) - 1]) ? "" : "/", name);
    return EZLDA_OK;
}

static ezlda_status member_path(char **out, const ez_ensemble *e)
{
    char name[64];
    snprintf(name, sizeof name, "seed%" PRIu64 ".ezm", e->train.seed + e->number);
    return path_in(out, e, name);
}

/* ---- settings ---- */

static ezlda_status put_real(ez_buffer *text, const ez_ensemble *e, const char *name, double value)
{
    EZ_TRY(ez_append_text(text, e->context, name));
    if (value > 0)
        EZ_TRY(ez_append_real(text, e->context, value, EZ_ALL_DIGITS));
    else
        EZ_TRY(ez_append_text(text, e->context, "not given"));
    return ez_append_text(text, e->context, "\n");
}

static ezlda_status put_line(ez_buffer *text, const ez_ensemble *e, const char *format, ...)
    EZ_PRINTF(3, 4);

static ezlda_status put_line(ez_buffer *text, const ez_ensemble *e, const char *format, ...)
{
    char row[160];
    va_list args;
    va_start(args, format);
    vsnprintf(row, sizeof row, format, args);
    va_end(args);
    return ez_append_text(text, e->context, row);
}

/* Writes what the members depend on, apart from their seeds. */
static ezlda_status put_settings(ez_buffer *text, const ez_ensemble *e)
{
    const ezlda_train_options *t = &e->train;
    uint64_t alphas =
        t->alpha_vector ? ez_hash_bytes(t->alpha_vector, t->topics * sizeof *t->alpha_vector) : 0;
    EZ_TRY(put_line(text, e, "ezlda ensemble 1\ncorpus: %016" PRIx64 "\ntopics: %u\n",
                    e->corpus_hash, t->topics));
    if (t->iterations == EZLDA_UNTIL_SETTLED)
        EZ_TRY(put_line(text, e, "iterations: not given\n"));
    else
        EZ_TRY(put_line(text, e, "iterations: %u\n", t->iterations));
    EZ_TRY(put_real(text, e, "alpha: ", t->alpha));
    EZ_TRY(put_line(text, e, "alpha of each topic: %016" PRIx64 "\n", alphas));
    EZ_TRY(put_real(text, e, "beta: ", t->beta));
    EZ_TRY(put_line(text, e, "priors: every %u after %u, %s\n", t->optimize_interval,
                    t->optimize_burn_in, t->symmetric_alpha ? "symmetric" : "by topic"));
    EZ_TRY(put_line(text, e, "estimator: %d\nstart: %d\nword samples: %u\n", (int)t->estimator,
                    (int)t->start, t->word_samples));
    EZ_TRY(put_real(text, e, "until converged: ", t->converged_gain));
    return t->converged_gain > 0 ? put_line(text, e, "scored every: %u\n", t->eval_every)
                                 : EZLDA_OK;
}

/* *text: the file, ended by NUL; stays empty if there is none. */
static ezlda_status read_settings(ez_buffer *text, const ez_ensemble *e, const char *path)
{
    char room[512];
    int file = ez_os_open(path);
    if (file < 0 && errno == ENOENT)
        return EZLDA_OK;
    if (file < 0)
        return ez_fail_errno(e->context, path, "open");
    int64_t n;
    ezlda_status status = EZLDA_OK;
    while (status == EZLDA_OK && (n = ez_os_read(file, room, sizeof room)) != 0)
        status = n < 0 ? ez_fail_errno(e->context, path, "read")
                       : ez_buffer_append(text, e->context, room, (size_t)n);
    ez_os_close(file);
    return status == EZLDA_OK ? ez_buffer_append(text, e->context, "", 1) : status;
}

static ezlda_status write_settings(const ez_buffer *text, const ez_ensemble *e, const char *path)
{
    ez_output *output = NULL;
    EZ_TRY(ez_output_open(&output, e->context, path));
    ezlda_status status = ez_output_write(output, e->context, text->data, text->used);
    if (status == EZLDA_OK)
        return ez_output_commit(output, e->context);
    ez_output_abandon(output);
    return status;
}

/* Names the first line that differs. */
static ezlda_status refuse(const ez_ensemble *e, const char *path, const char *has,
                           const char *wanted)
{
    int line = 1;
    while (true) {
        size_t n = strcspn(has, "\n"), m = strcspn(wanted, "\n");
        if (n != m || memcmp(has, wanted, n) != 0 || !has[n] || !wanted[m])
            return ez_fail(e->context, EZLDA_ERROR_ARGUMENT,
                           "%s:%d: the members in this folder were trained with \"%.*s\", and "
                           "\"%.*s\" is asked for; expected another folder or the same options",
                           path, line, (int)(n < 80 ? n : 80), has, (int)(m < 80 ? m : 80), wanted);
        has += n + 1;
        wanted += m + 1;
        line++;
    }
}

/* Whether the folder has files. */
static ezlda_status is_used(const ez_ensemble *e, bool *used)
{
    ez_os_list *listing = ez_os_list_open(e->options.folder);
    if (!listing)
        return ez_fail_errno(e->context, e->options.folder, "list");
    *used = ez_os_list_next(listing) != NULL;
    ez_os_list_close(listing);
    return EZLDA_OK;
}

static ezlda_status agree(const ez_ensemble *e, const char *path, const ez_buffer *has,
                          const ez_buffer *wanted)
{
    bool used = false;
    if (has->used > 0)
        return strcmp((const char *)has->data, (const char *)wanted->data) == 0
                   ? EZLDA_OK
                   : refuse(e, path, (const char *)has->data, (const char *)wanted->data);
    EZ_TRY(is_used(e, &used));
    if (used)
        return ez_fail(e->context, EZLDA_ERROR_ARGUMENT,
                       "%s: expected an empty folder or one of an earlier ensemble, found files "
                       "but no " SETTINGS,
                       e->options.folder);
    const ez_buffer text = {wanted->data, wanted->used - 1, 0}; /* without its NUL */
    return write_settings(&text, e, path);
}

ezlda_status ez_ensemble_folder(const ez_ensemble *e)
{
    ez_buffer has = {0}, wanted = {0};
    char *path = NULL;
    ezlda_status status;
    if (!e->options.folder)
        return EZLDA_OK;
    if (ez_os_make_folder(e->options.folder) != 0 && errno != EEXIST)
        return ez_fail_errno(e->context, e->options.folder, "make the folder");
    EZ_TRY_GOTO(path_in(&path, e, SETTINGS));
    EZ_TRY_GOTO(put_settings(&wanted, e));
    EZ_TRY_GOTO(ez_buffer_append(&wanted, e->context, "", 1));
    EZ_TRY_GOTO(read_settings(&has, e, path));
    EZ_TRY_GOTO(agree(e, path, &has, &wanted));
done:
    ez_free(path);
    ez_free(has.data);
    ez_free(wanted.data);
    return status;
}

/* ---- members ---- */

static bool is_member(const ez_ensemble *e, const ezlda_model *model)
{
    return model->meta->topics == e->train.topics &&
           model->meta->seed == e->train.seed + e->number &&
           model->meta->corpus_hash == e->corpus_hash && model->token_topics && !model->past;
}

ezlda_status ez_ensemble_find(const ez_ensemble *e, ezlda_model **out)
{
    char *path = NULL;
    *out = NULL;
    if (!e->options.folder)
        return EZLDA_OK;
    EZ_TRY(member_path(&path, e));
    ezlda_status status = ez_os_is_there(path) ? ezlda_model_load(out, e->context, path) : EZLDA_OK;
    if (status == EZLDA_ERROR_FORMAT || (*out && !is_member(e, *out))) {
        ez_warn(e->context, "%s is damaged or not this member; it is trained again", path);
        ez_clear(e->context);
        ezlda_model_free(*out);
        *out = NULL;
        status = EZLDA_OK;
    }
    ez_free(path);
    return status;
}

ezlda_status ez_ensemble_keep(const ez_ensemble *e, const ezlda_model *member)
{
    char *path = NULL;
    if (!e->options.folder)
        return EZLDA_OK;
    EZ_TRY(member_path(&path, e));
    ezlda_status status = ezlda_model_save(e->context, member, path);
    ez_free(path);
    return status;
}
