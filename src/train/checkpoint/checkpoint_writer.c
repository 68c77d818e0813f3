/* Writes checkpoints in a thread while the run continues: locks the folder, removes old files, and
 * tries again after failures. */
#include "base/copy_string.h"
#include "base/files/output_file.h"
#include "base/os/os_folders.h"
#include "base/os/os_process.h"
#include "base/os/os_threads.h"
#include "base/wall_clock.h"
#include "train/checkpoint/checkpoint_file.h"
#include "train/counts/sum_rows.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { EZ_KEPT = 2, EZ_RETRY_SECONDS = 5, EZ_LAST_SECONDS = 60, EZ_FAILURE_TEXT = 512 };

typedef struct job {
    ez_checkpoint_meta meta;
    float *alpha;
    ez_llpt_entry *llpt;
    size_t llpt_count;
    uint16_t *topic;
    ez_count_rows sampled;
} job;

enum { EZ_LOCK_TRIES = 30 };

struct ez_checkpoints {
    char *folder;
    ez_held_folder held; /* the folder, locked for one run at a time */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool waiting; /* there is a job for the thread */
    bool working; /* the thread has a job that is not on the disk yet */
    bool failing; /* the thread cannot write its job */
    bool closing;
    bool reported; /* a note was printed since the last success */
    double tried;  /* the time of the last failure */
    bool last;     /* the run has ended and waits */
    job next;
    char failure[EZ_FAILURE_TEXT];
};

static void free_job(job *j)
{
    ez_free(j->alpha);
    ez_free(j->llpt);
    ez_free(j->topic);
    ez_free_rows(&j->sampled);
    *j = (job){0};
}

static ezlda_status put_section(ez_container_writer *writer, ezlda_context *context, uint32_t tag,
                                const void *bytes, size_t n)
{
    EZ_TRY(ez_container_begin(writer, context, tag));
    return ez_container_write(writer, context, bytes, n);
}

static ezlda_status put_sampled(ez_container_writer *writer, ezlda_context *context,
                                const ez_count_rows *sampled)
{
    if (!sampled->start)
        return EZLDA_OK;
    uint64_t entries = sampled->start[sampled->rows];
    EZ_TRY(put_section(writer, context, EZ_CHECKPOINT_SAMPLED_START, sampled->start,
                       (sampled->rows + 1) * sizeof *sampled->start));
    EZ_TRY(put_section(writer, context, EZ_CHECKPOINT_SAMPLED_TOPIC, sampled->topic,
                       entries * sizeof *sampled->topic));
    return put_section(writer, context, EZ_CHECKPOINT_SAMPLED_COUNT, sampled->count,
                       entries * sizeof *sampled->count);
}

static ezlda_status write_file(const job *j, ezlda_context *context, const char *path)
{
    ez_container_writer *writer = NULL;
    ezlda_status status;
    const uint64_t tokens = j->meta.tokens;
    EZ_TRY(ez_container_writer_open(&writer, context, path, EZ_CHECKPOINT_MAGIC,
                                    EZ_CHECKPOINT_VERSION));
    EZ_TRY_GOTO(put_section(writer, context, EZ_CHECKPOINT_META, &j->meta, sizeof j->meta));
    EZ_TRY_GOTO(put_section(writer, context, EZ_CHECKPOINT_ALPHA, j->alpha,
                            j->meta.key.topics * sizeof *j->alpha));
    EZ_TRY_GOTO(
        put_section(writer, context, EZ_CHECKPOINT_LLPT, j->llpt, j->llpt_count * sizeof *j->llpt));
    EZ_TRY_GOTO(
        put_section(writer, context, EZ_CHECKPOINT_TOPICS, j->topic, tokens * sizeof *j->topic));
    status = put_sampled(writer, context, &j->sampled);
done:
    if (status == EZLDA_OK)
        return ez_container_finish(writer, context, NULL);
    ez_container_writer_abandon(writer);
    return status;
}

/* Removes the checkpoints up to an iteration except the newest of them. Later ones are damaged or
 * of an earlier run, and do not count. Files that cannot be removed are ignored. */
static void remove_old(const char *folder, uint32_t done)
{
    ez_buffer list = {0};
    size_t kept = 0;
    if (ez_checkpoint_list(&list, NULL, folder) == EZLDA_OK)
        for (size_t i = 0; i < list.used / sizeof(uint32_t); i++) {
            uint32_t iteration = ((const uint32_t *)list.data)[i];
            char *path = NULL;
            if (iteration > done || kept++ < EZ_KEPT)
                continue;
            if (ez_checkpoint_path(&path, NULL, folder, iteration) == EZLDA_OK)
                (void)ez_os_remove(path);
            ez_free(path);
        }
    ez_free(list.data);
}

/* Removes incomplete files of runs that were killed. */
static void remove_unfinished(const char *folder)
{
    ez_os_list *list = ez_os_list_open(folder);
    size_t length;
    uint32_t number;
    for (const char *entry; list && (entry = ez_os_list_next(list));) {
        char name[32], path[EZ_OS_PATH];
        if (!ez_output_left_behind(entry, &length) || length >= sizeof name)
            continue;
        memcpy(name, entry, length);
        name[length] = '\0';
        int n = snprintf(path, sizeof path, "%s/%s", folder, entry);
        if (ez_checkpoint_number(name, &number) && n > 0 && (size_t)n < sizeof path)
            (void)ez_os_remove(path);
    }
    if (list)
        ez_os_list_close(list);
}

static ezlda_status make_folder(ezlda_context *context, const char *folder)
{
    ez_file_info info;
    if (!*folder)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "expected a folder for checkpoints, found ''");
    if (ez_os_make_folder(folder) != 0 && errno != EEXIST)
        return ez_fail_errno(context, folder, "make the folder");
    if (ez_os_info(folder, &info) == 0 && info.kind != EZ_FILE_FOLDER)
        return ez_fail(context, EZLDA_ERROR_IO,
                       "%s: expected a folder for checkpoints, found a file", folder);
    return EZLDA_OK;
}

static bool is_held(const ez_checkpoints *all)
{
    ez_file_info held, named;
    return all->held.folder >= 0 && ez_os_held_info(&all->held, &held) == 0 &&
           ez_os_info(all->folder, &named) == 0 && held.device == named.device &&
           held.number == named.number;
}

/* Locks the folder; false if another process has the lock. A lock ends with its process, but a
 * killed process may take a moment to end. */
static bool try_lock(ez_held_folder *held)
{
    for (int tries = 0; !ez_os_lock(held); tries++) {
        if (tries == EZ_LOCK_TRIES)
            return false;
        ez_os_pause(100000000);
    }
    return true;
}

static ezlda_status hold_folder(ez_checkpoints *all, ezlda_context *context)
{
    if (is_held(all))
        return EZLDA_OK;
    ez_os_let_go(&all->held);
    if (ez_os_hold(&all->held, all->folder) != 0 || try_lock(&all->held))
        return EZLDA_OK;
    ez_os_let_go(&all->held);
    return ez_fail(context, EZLDA_ERROR_IO, "%s: another run is at work in this folder",
                   all->folder);
}

/* Refuses anything but a regular file under a checkpoint's name: opening a pipe would block, and a
 * link leads elsewhere. */
static ezlda_status check_target(ezlda_context *context, const char *path)
{
    ez_file_info info;
    if (ez_os_link_info(path, &info) != 0 || info.kind == EZ_FILE_REGULAR)
        return EZLDA_OK;
    return ez_fail(context, EZLDA_ERROR_IO,
                   "%s: cannot write: expected a file or nothing there, found a %s", path,
                   info.kind == EZ_FILE_FOLDER ? "folder"
                   : info.kind == EZ_FILE_LINK ? "link"
                                               : "pipe or device");
}

/* Makes the folder again if it was removed. */
static ezlda_status write_job(ez_checkpoints *all, const job *j, ezlda_context *context)
{
    char *path = NULL;
    ezlda_status status;
    ez_clear(context);
    EZ_TRY_GOTO(make_folder(context, all->folder));
    EZ_TRY_GOTO(hold_folder(all, context));
    EZ_TRY_GOTO(ez_checkpoint_path(&path, context, all->folder, j->meta.done));
    EZ_TRY_GOTO(check_target(context, path));
    EZ_TRY_GOTO(write_file(j, context, path));
    remove_old(all->folder, j->meta.done);
done:
    ez_free(path);
    return status;
}

/* Called with the lock held; releases it while writing. */
static void work_on(ez_checkpoints *all, job *j, ezlda_context *context)
{
    for (int pause = 1; !all->waiting;
         pause = 2 * pause < EZ_RETRY_SECONDS ? 2 * pause : EZ_RETRY_SECONDS) {
        pthread_mutex_unlock(&all->lock);
        ezlda_status status = write_job(all, j, context);
        pthread_mutex_lock(&all->lock);
        all->failing = status != EZLDA_OK;
        all->reported = all->reported && all->failing;
        all->tried = ez_now();
        pthread_cond_broadcast(&all->changed);
        if (status == EZLDA_OK)
            return;
        snprintf(all->failure, sizeof all->failure, "%s", ezlda_error_message(context));
        if (all->closing)
            return;
        ez_os_condition_wait(&all->changed, &all->lock, pause);
    }
}

static void *run_writer(void *user)
{
    ez_checkpoints *all = user;
    ezlda_context *context = NULL;
    (void)ezlda_context_create(&context);
    if (context)
        ezlda_context_set_threads(context, 1);
    pthread_mutex_lock(&all->lock);
    while (!all->closing || all->waiting) {
        if (!all->waiting) {
            pthread_cond_wait(&all->changed, &all->lock);
            continue;
        }
        job mine = all->next;
        all->next = (job){0};
        all->waiting = false;
        all->working = true;
        work_on(all, &mine, context);
        all->working = false;
        free_job(&mine);
        pthread_cond_broadcast(&all->changed);
    }
    pthread_mutex_unlock(&all->lock);
    ezlda_context_free(context);
    return NULL;
}

static ezlda_status open_folder(ez_checkpoints *all, ezlda_context *context, const char *folder)
{
    EZ_TRY(ez_copy_string(&all->folder, context, folder));
    EZ_TRY(make_folder(context, folder));
    EZ_TRY(hold_folder(all, context));
    remove_unfinished(folder);
    return EZLDA_OK;
}

static void free_all(ez_checkpoints *all)
{
    ez_os_let_go(&all->held);
    ez_free(all->folder);
    ez_free(all);
}

ezlda_status ez_checkpoints_open(ez_checkpoints **out, ezlda_context *context, const char *folder)
{
    ez_checkpoints *all = NULL;
    EZ_TRY(ez_array_zero(&all, context, 1, sizeof *all, "checkpoints"));
    all->held = EZ_NO_FOLDER;
    ezlda_status status = open_folder(all, context, folder);
    if (status == EZLDA_OK) {
        pthread_mutex_init(&all->lock, NULL);
        ez_os_condition_init(&all->changed);
        if (pthread_create(&all->thread, NULL, run_writer, all) == 0) {
            *out = all;
            return EZLDA_OK;
        }
        status = ez_fail(context, EZLDA_ERROR_MEMORY, "no thread for checkpoints");
    }
    free_all(all);
    return status;
}

bool ez_checkpoints_busy(ez_checkpoints *all)
{
    pthread_mutex_lock(&all->lock);
    bool replaceable = all->failing && ez_now() - all->tried >= EZ_RETRY_SECONDS;
    bool busy = (all->waiting || all->working) && !replaceable;
    pthread_mutex_unlock(&all->lock);
    return busy;
}

ezlda_status ez_checkpoints_write(ez_checkpoints *all, ezlda_context *context,
                                  const ez_checkpoint_meta *meta, const float *alpha,
                                  ez_llpt_entry *llpt, size_t llpt_count, uint16_t *topic,
                                  ez_count_rows sampled)
{
    job mine = {
        .meta = *meta, .llpt = llpt, .llpt_count = llpt_count, .topic = topic, .sampled = sampled};
    size_t topics = meta->key.topics;
    ezlda_status status = ez_array(&mine.alpha, context, topics, sizeof *mine.alpha, "alpha");
    if (status != EZLDA_OK) {
        free_job(&mine);
        return status;
    }
    memcpy(mine.alpha, alpha, topics * sizeof *mine.alpha);
    pthread_mutex_lock(&all->lock);
    free_job(&all->next);
    all->next = mine;
    all->waiting = true;
    pthread_cond_broadcast(&all->changed);
    pthread_mutex_unlock(&all->lock);
    return EZLDA_OK;
}

void ez_checkpoints_report(ez_checkpoints *all, ezlda_context *context)
{
    char text[EZ_FAILURE_TEXT] = "";
    pthread_mutex_lock(&all->lock);
    if (all->failing && !all->reported)
        memcpy(text, all->failure, sizeof text);
    all->reported = all->reported || all->failing;
    pthread_mutex_unlock(&all->lock);
    if (text[0])
        ez_note_failure(context, "no checkpoint: %s; it is tried again every %d seconds%s", text,
                        EZ_RETRY_SECONDS, all->last ? "" : "; the run continues");
}

ezlda_status ez_checkpoints_wait(ez_checkpoints *all, ezlda_context *context)
{
    ezlda_status status = EZLDA_OK;
    double begin = ez_now();
    all->last = true;
    pthread_mutex_lock(&all->lock);
    all->reported = false; /* the run does not continue any more */
    while (all->waiting || all->working) {
        ez_os_condition_wait(&all->changed, &all->lock, 1);
        if (!all->working || !all->failing)
            continue;
        if (ez_now() - begin >= EZ_LAST_SECONDS) {
            status = ez_fail(context, EZLDA_ERROR_IO, "%s", all->failure);
            break;
        }
        pthread_mutex_unlock(&all->lock);
        ez_checkpoints_report(all, context);
        pthread_mutex_lock(&all->lock);
    }
    pthread_mutex_unlock(&all->lock);
    return status;
}

void ez_checkpoints_close(ez_checkpoints *all)
{
    if (!all)
        return;
    pthread_mutex_lock(&all->lock);
    all->closing = true;
    pthread_cond_broadcast(&all->changed);
    pthread_mutex_unlock(&all->lock);
    pthread_join(all->thread, NULL);
    free_job(&all->next);
    pthread_mutex_destroy(&all->lock);
    pthread_cond_destroy(&all->changed);
    free_all(all);
}
