/* Reads checkpoints: finds the newest intact one of a folder, and compares keys. */
#include "train/checkpoint/checkpoint_file.h"

#include "base/files/content_hash.h"
#include "base/os/os_folders.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool ez_checkpoint_number(const char *name, uint32_t *iteration)
{
    unsigned number;
    char again[64];
    /* NOLINTNEXTLINE(cert-err34-c): a number that does not fit is not written as it was read */
    if (sscanf(name, EZ_CHECKPOINT_NAME, &number) != 1)
        return false;
    snprintf(again, sizeof again, EZ_CHECKPOINT_NAME, number);
    if (strcmp(again, name) != 0)
        return false;
    *iteration = number;
    return true;
}

static int by_falling_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x > y ? -1 : x < y;
}

ezlda_status ez_checkpoint_list(ez_buffer *out, ezlda_context *context, const char *folder)
{
    ez_os_list *directory = ez_os_list_open(folder);
    uint32_t number;
    ezlda_status status = EZLDA_OK;
    if (!directory)
        return errno == ENOENT ? EZLDA_OK : ez_fail_errno(context, folder, "open");
    for (const char *name; status == EZLDA_OK && (name = ez_os_list_next(directory));)
        if (ez_checkpoint_number(name, &number))
            status = ez_buffer_append(out, context, &number, sizeof number);
    if (status == EZLDA_OK && errno != 0)
        status = ez_fail_errno(context, folder, "read");
    ez_os_list_close(directory);
    if (out->used)
        qsort(out->data, out->used / sizeof number, sizeof number, by_falling_number);
    return status;
}

ezlda_status ez_checkpoint_path(char **out, ezlda_context *context, const char *folder,
                                uint32_t iteration)
{
    size_t size = strlen(folder) + 48;
    EZ_TRY(ez_array(out, context, size, 1, "a file name"));
    snprintf(*out, size, "%s/" EZ_CHECKPOINT_NAME, folder, iteration);
    return EZLDA_OK;
}

/* Whether a prior is in the range that options and the prior fit allow. */
static bool is_prior(float value)
{
    return value >= 1e-6f && value <= 100;
}

/* Checks the numbers although the checksums are right: the file may be forged. */
static bool numbers_are_right(const ez_checkpoint *c)
{
    const ez_checkpoint_meta *meta = c->meta;
    bool good = meta->before <= meta->done && meta->undecided <= meta->tokens &&
                meta->moved <= meta->tokens;
    good = good && is_prior((float)meta->beta) && meta->seconds >= 0;
    good = good && meta->converge_scores <= meta->done && meta->converge_scores < INT_MAX;
    good = good && meta->converge_low <= meta->converge_scores;
    good = good && meta->settled <= meta->done && meta->done <= meta->end;
    good = good && memchr(meta->stopped, '\0', sizeof meta->stopped);
    for (uint32_t k = 0; good && k < meta->key.topics; k++)
        good = is_prior(c->alpha[k]);
    for (size_t i = 0; good && i < c->llpt_count; i++)
        good = c->llpt[i].iteration <= meta->done &&
               (i == 0 || c->llpt[i].iteration >= c->llpt[i - 1].iteration);
    return good;
}

/* Whether rows, topics and counts fit each other, so that they can be added to. */
static bool sampled_is_right(const ez_checkpoint *c, uint64_t starts, uint64_t topics,
                             uint64_t counts)
{
    const ez_count_rows *rows = &c->sampled;
    if (!rows->start || starts != (rows->rows + 1) * sizeof *rows->start || rows->start[0] != 0 ||
        topics / sizeof *rows->topic != rows->start[rows->rows] ||
        counts / sizeof *rows->count != rows->start[rows->rows] || topics % sizeof *rows->topic ||
        counts % sizeof *rows->count)
        return false;
    for (uint64_t r = 0; r < rows->rows; r++)
        if (rows->start[r] > rows->start[r + 1])
            return false;
    for (uint64_t r = 0; r < rows->rows; r++)
        for (uint64_t i = rows->start[r]; i < rows->start[r + 1]; i++)
            if (rows->topic[i] >= c->meta->key.topics || rows->count[i] == 0 ||
                (i > rows->start[r] && rows->topic[i] <= rows->topic[i - 1]))
                return false;
    return true;
}

/* The sum of the samples of W so far. */
static ezlda_status find_sampled(ez_checkpoint *c, ezlda_context *context, const char *path)
{
    uint64_t starts = 0, topics = 0, counts = 0;
    if (c->meta->samples == 0)
        return EZLDA_OK;
    c->sampled = (ez_count_rows){
        .rows = c->meta->words,
        .start =
            (uint64_t *)ez_container_section(c->container, EZ_CHECKPOINT_SAMPLED_START, &starts),
        .topic =
            (uint16_t *)ez_container_section(c->container, EZ_CHECKPOINT_SAMPLED_TOPIC, &topics),
        .count =
            (uint32_t *)ez_container_section(c->container, EZ_CHECKPOINT_SAMPLED_COUNT, &counts)};
    return sampled_is_right(c, starts, topics, counts)
               ? EZLDA_OK
               : ez_fail(context, EZLDA_ERROR_FORMAT, "%s: expected rows of %u words, summed", path,
                         c->meta->words);
}

static ezlda_status find_sections(ez_checkpoint *c, ezlda_context *context, const char *path)
{
    uint64_t meta, alpha, llpt, topic;
    c->meta = ez_container_section(c->container, EZ_CHECKPOINT_META, &meta);
    if (!c->meta || meta != sizeof *c->meta)
        return ez_fail(context, EZLDA_ERROR_FORMAT,
                       "%s: expected a checkpoint's description of %zu bytes", path,
                       sizeof *c->meta);
    c->alpha = ez_container_section(c->container, EZ_CHECKPOINT_ALPHA, &alpha);
    c->llpt = ez_container_section(c->container, EZ_CHECKPOINT_LLPT, &llpt);
    c->topic = ez_container_section(c->container, EZ_CHECKPOINT_TOPICS, &topic);
    c->llpt_count = c->llpt ? llpt / sizeof *c->llpt : 0;
    if (c->llpt && llpt % sizeof *c->llpt)
        return ez_fail(context, EZLDA_ERROR_FORMAT, "%s: expected scores of %zu bytes each", path,
                       sizeof *c->llpt);
    if (!c->alpha || alpha != c->meta->key.topics * sizeof *c->alpha || !c->topic ||
        topic / sizeof *c->topic != c->meta->tokens || topic % sizeof *c->topic)
        return ez_fail(context, EZLDA_ERROR_FORMAT, "%s: expected %u priors and %llu topics", path,
                       c->meta->key.topics, (unsigned long long)c->meta->tokens);
    for (uint64_t i = 0; i < c->meta->tokens; i++)
        if (c->topic[i] >= c->meta->key.topics)
            return ez_fail(context, EZLDA_ERROR_FORMAT, "%s: a token in topic %u of %u", path,
                           c->topic[i], c->meta->key.topics);
    if (!numbers_are_right(c))
        return ez_fail(context, EZLDA_ERROR_FORMAT, "%s: priors, scores or counts that no run has",
                       path);
    return find_sampled(c, context, path);
}

void ez_checkpoint_free(ez_checkpoint *checkpoint)
{
    if (checkpoint)
        ez_container_free(checkpoint->container);
    ez_free(checkpoint);
}

/* Refuses a pipe, because opening it would block. */
static ezlda_status check_kind(ezlda_context *context, const char *path)
{
    ez_file_info info;
    if (ez_os_info(path, &info) != 0)
        return ez_fail_errno(context, path, "open");
    if (info.kind == EZ_FILE_REGULAR || info.kind == EZ_FILE_FOLDER)
        return EZLDA_OK;
    return ez_fail(context, EZLDA_ERROR_FORMAT,
                   "%s: expected a checkpoint, found something that is not a file", path);
}

static ezlda_status open_checkpoint(ez_checkpoint **out, ezlda_context *context, const char *path)
{
    ez_checkpoint *c = NULL;
    EZ_TRY(check_kind(context, path));
    EZ_TRY(ez_array_zero(&c, context, 1, sizeof *c, "a checkpoint"));
    ezlda_status status =
        ez_container_open(&c->container, context, path, EZ_CHECKPOINT_MAGIC, EZ_CHECKPOINT_VERSION);
    if (status == EZLDA_OK)
        status = find_sections(c, context, path);
    if (status != EZLDA_OK) {
        ez_checkpoint_free(c);
        return status;
    }
    *out = c;
    return EZLDA_OK;
}

static ezlda_status fail_other_run(ezlda_context *context, const char *path,
                                   const ez_key_difference *found)
{
    return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                   "%s is of another run: %s is %s there and %s here; resume with the same "
                   "options, or use another folder",
                   path, found->what, found->a, found->b);
}

static ezlda_status check_key(const ez_checkpoint_meta *theirs, const ez_checkpoint_key *ours,
                              uint64_t tokens, ezlda_context *context, const char *path)
{
    ez_key_difference found;
    if (ez_checkpoint_key_differs(&found, &theirs->key, ours) ||
        ez_numbers_differ(&found, "the number of tokens", theirs->tokens, tokens))
        return fail_other_run(context, path, &found);
    return EZLDA_OK;
}

ezlda_status ez_checkpoint_newest(ez_checkpoint **out, ezlda_context *context, const char *folder,
                                  const ez_checkpoint_key *key, uint64_t tokens)
{
    ez_buffer list = {0};
    char *path = NULL;
    ezlda_status status;
    *out = NULL;
    EZ_TRY_GOTO(ez_checkpoint_list(&list, context, folder));
    for (size_t i = 0; i < list.used / sizeof(uint32_t) && !*out; i++) {
        ez_free(path);
        path = NULL;
        EZ_TRY_GOTO(ez_checkpoint_path(&path, context, folder, ((const uint32_t *)list.data)[i]));
        status = open_checkpoint(out, context, path);
        if (status == EZLDA_ERROR_FORMAT)
            ez_note_failure(context, "skipped: %s", ezlda_error_message(context));
        else if (status !=
                 EZLDA_OK) /* it may be intact: resuming from an older one would lose it */
            goto done;
        ez_clear(context);
        status = EZLDA_OK;
    }
    if (!*out)
        goto done;
    status = check_key((*out)->meta, key, tokens, context, path);
    if (status != EZLDA_OK) {
        ez_checkpoint_free(*out);
        *out = NULL;
    }
done:
    ez_free(list.data);
    ez_free(path);
    return status;
}

/* ---- keys ---- */

bool ez_numbers_differ(ez_key_difference *out, const char *what, uint64_t a, uint64_t b)
{
    out->what = what;
    snprintf(out->a, sizeof out->a, "%llu", (unsigned long long)a);
    snprintf(out->b, sizeof out->b, "%llu", (unsigned long long)b);
    return a != b;
}

bool ez_reals_differ(ez_key_difference *out, const char *what, double a, double b)
{
    out->what = what;
    snprintf(out->a, sizeof out->a, "%.7g", a);
    snprintf(out->b, sizeof out->b, "%.7g", b);
    return a != b;
}

static bool hashes_differ(ez_key_difference *out, const char *what, uint64_t a, uint64_t b)
{
    out->what = what;
    snprintf(out->a, sizeof out->a, "%016llx", (unsigned long long)a);
    snprintf(out->b, sizeof out->b, "%016llx", (unsigned long long)b);
    return a != b;
}

bool ez_checkpoint_key_differs(ez_key_difference *out, const ez_checkpoint_key *a,
                               const ez_checkpoint_key *b)
{
    return hashes_differ(out, "the hash of the corpus", a->corpus_hash, b->corpus_hash) ||
           ez_numbers_differ(out, "topics", a->topics, b->topics) ||
           ez_numbers_differ(out, "seed", a->seed, b->seed) ||
           ez_reals_differ(out, "the sum of alpha", a->alpha_sum, b->alpha_sum) ||
           hashes_differ(out, "the hash of alpha", a->alpha_hash, b->alpha_hash) ||
           ez_reals_differ(out, "beta", a->beta, b->beta) ||
           ez_numbers_differ(out, "estimator (0: leave-one-out, 1: esca)", a->estimator,
                             b->estimator) ||
           ez_numbers_differ(out, "start (0: keyword, 1: random, 2: auto)", a->start, b->start) ||
           ez_numbers_differ(out, "optimize-interval", a->optimize_interval,
                             b->optimize_interval) ||
           ez_numbers_differ(out, "optimize-burn-in", a->optimize_burn_in, b->optimize_burn_in) ||
           ez_numbers_differ(out, "symmetric-alpha", a->symmetric_alpha, b->symmetric_alpha) ||
           ez_numbers_differ(out, "whether alpha is fitted", a->fit_alpha, b->fit_alpha) ||
           ez_numbers_differ(out, "whether beta is fitted", a->fit_beta, b->fit_beta) ||
           hashes_differ(out, "the hash of the seeds", a->seeds_hash, b->seeds_hash) ||
           ez_reals_differ(out, "seed-weight", a->seed_weight, b->seed_weight) ||
           ez_numbers_differ(out, "word-samples", a->samples, b->samples) ||
           hashes_differ(out, "the hash of the model to continue from", a->init_hash, b->init_hash);
}
