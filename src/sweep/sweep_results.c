/* Reads, checks and writes the table of runs (see sweep_results.h). Numbers are read and written
 * without the locale, and a line counts only if its checksum is right. */
#include "sweep/sweep_results.h"

#include "base/files/content_hash.h"
#include "base/files/output_file.h"
#include "base/number_text.h"
#include "base/os/os_files.h"
#include "base/os/os_text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_FILE = 1 << 26, FIELD_MAX = 64 };

typedef enum column_type { WHOLE32, WHOLE64, REAL, HASH } column_type;

#define RUN(field) offsetof(ezlda_sweep_run, field)

static const struct column {
    const char *name;
    column_type type;
    size_t offset;
} columns[] = {
    {"k", WHOLE32, RUN(topics)},
    {"seed", WHOLE64, RUN(seed)},
    {"iterations", WHOLE32, RUN(iterations)},
    {"perplexity", REAL, RUN(completion.perplexity)},
    {"error", REAL, RUN(completion.error)},
    {"unigram", REAL, RUN(completion.unigram)},
    {"unigram_error", REAL, RUN(completion.unigram_error)},
    {"npmi", REAL, RUN(npmi)},
    {"c_v", REAL, RUN(c_v)},
    {"u_mass", REAL, RUN(u_mass)},
    {"diversity", REAL, RUN(diversity)},
    {"exclusivity", REAL, RUN(exclusivity)},
    {"similarity", REAL, RUN(similarity)},
    {"llpt", REAL, RUN(llpt)},
    {"seconds", REAL, RUN(seconds)},
    {"scoring_seconds", REAL, RUN(scoring_seconds)},
    {"scored_documents", WHOLE64, RUN(completion.docs)},
    {"scored_tokens", WHOLE64, RUN(completion.tokens)},
    {"log_likelihood", REAL, RUN(completion.log_likelihood)},
    {"topics_hash", HASH, RUN(topics_hash)},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

ezlda_sweep_run ez_no_run(uint32_t topics, uint64_t seed)
{
    return (ezlda_sweep_run){
        .size = sizeof(ezlda_sweep_run),
        .topics = topics,
        .seed = seed,
        .llpt = NAN,
        .completion = {0, 0, NAN, NAN, NAN, NAN, NAN, 0},
        .u_mass = NAN,
        .npmi = NAN,
        .c_v = NAN,
        .diversity = NAN,
        .exclusivity = NAN,
        .similarity = NAN,
    };
}

/* ---- writing ---- */

static ezlda_status append_value(ez_buffer *text, ezlda_context *context,
                                 const struct column *column, const ezlda_sweep_run *run)
{
    const void *at = (const char *)run + column->offset;
    char hex[20];
    switch (column->type) {
    case WHOLE32: return ez_append_whole(text, context, *(const uint32_t *)at);
    case WHOLE64: return ez_append_whole(text, context, *(const uint64_t *)at);
    case HASH:
        snprintf(hex, sizeof hex, "%016" PRIx64, *(const uint64_t *)at);
        return ez_append_text(text, context, hex);
    default: break;
    }
    double value = *(const double *)at;
    return isfinite(value) ? ez_append_real(text, context, value, EZ_ALL_DIGITS)
                           : ez_append_text(text, context, "-");
}

/* The last field is a checksum of the line's preceding bytes. */
static ezlda_status append_run(ez_buffer *text, ezlda_context *context, const ezlda_sweep_run *run)
{
    size_t begin = text->used;
    char check[24];
    for (int c = 0; c < COLUMNS; c++) {
        EZ_TRY(append_value(text, context, &columns[c], run));
        EZ_TRY(ez_append_text(text, context, "\t"));
    }
    snprintf(check, sizeof check, "%016" PRIx64 "\n",
             ez_hash_bytes(text->data + begin, text->used - begin));
    return ez_append_text(text, context, check);
}

static ezlda_status append_titles(ez_buffer *text, ezlda_context *context)
{
    for (int c = 0; c < COLUMNS; c++) {
        EZ_TRY(ez_append_text(text, context, columns[c].name));
        EZ_TRY(ez_append_text(text, context, "\t"));
    }
    return ez_append_text(text, context, "check\n");
}

static size_t run_count(const ez_results *results)
{
    return results->runs.used / sizeof(ezlda_sweep_run);
}

static ezlda_sweep_run *run_at(const ez_results *results, size_t i)
{
    return (ezlda_sweep_run *)(void *)results->runs.data + i;
}

static ezlda_status write_file(ez_results *results, ezlda_context *context,
                               const ez_buffer *settings)
{
    ez_buffer text = {0};
    ez_output *output = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(ez_buffer_append(&text, context, settings->data, settings->used));
    EZ_TRY_GOTO(append_titles(&text, context));
    for (size_t i = 0; i < run_count(results); i++)
        EZ_TRY_GOTO(append_run(&text, context, run_at(results, i)));
    EZ_TRY_GOTO(ez_output_open(&output, context, results->path));
    status = ez_output_write(output, context, text.data, text.used);
    if (status == EZLDA_OK)
        status = ez_output_commit(output, context);
    else
        ez_output_abandon(output);
    results->written = status == EZLDA_OK;
done:
    ez_free(text.data);
    return status;
}

/* ---- runs ---- */

/* Position of the first run that is not before (topics, seed). */
static size_t position_of(const ez_results *results, uint32_t topics, uint64_t seed)
{
    size_t i = 0;
    for (; i < run_count(results); i++) {
        const ezlda_sweep_run *run = run_at(results, i);
        if (run->topics > topics || (run->topics == topics && run->seed >= seed))
            break;
    }
    return i;
}

const ezlda_sweep_run *ez_results_find(const ez_results *results, uint32_t topics, uint64_t seed)
{
    size_t i = position_of(results, topics, seed);
    if (i == run_count(results))
        return NULL;
    const ezlda_sweep_run *run = run_at(results, i);
    return run->topics == topics && run->seed == seed ? run : NULL;
}

static ezlda_status put_run(ez_results *results, ezlda_context *context, const ezlda_sweep_run *run)
{
    size_t i = position_of(results, run->topics, run->seed), n = run_count(results);
    if (!ez_results_find(results, run->topics, run->seed)) {
        EZ_TRY(ez_buffer_append(&results->runs, context, run, sizeof *run));
        memmove(run_at(results, i + 1), run_at(results, i), (n - i) * sizeof *run);
    }
    *run_at(results, i) = *run;
    return EZLDA_OK;
}

ezlda_status ez_results_put(ez_results *results, ezlda_context *context, const ez_buffer *settings,
                            const ezlda_sweep_run *run)
{
    EZ_TRY(put_run(results, context, run));
    return write_file(results, context, settings);
}

/* ---- reading ---- */

static bool parse_u64(const char *field, int base, uint64_t *value)
{
    static const char digits[] = "0123456789abcdef";
    if (!*field || strspn(field, base == 16 ? digits : "0123456789") != strlen(field))
        return false;
    errno = 0;
    *value = strtoull(field, NULL, base);
    return errno == 0;
}

static bool parse_value(const char *field, const struct column *column, void *plain,
                        ezlda_sweep_run *run)
{
    void *at = (char *)run + column->offset;
    uint64_t whole;
    char *end;
    switch (column->type) {
    case WHOLE32:
        if (!parse_u64(field, 10, &whole) || whole > UINT32_MAX)
            return false;
        *(uint32_t *)at = (uint32_t)whole;
        return true;
    case WHOLE64: return parse_u64(field, 10, at);
    case HASH: return strlen(field) == 16 && parse_u64(field, 16, at);
    default: break;
    }
    *(double *)at = strcmp(field, "-") == 0 ? NAN : ez_os_plain_real(field, &end, plain);
    return strcmp(field, "-") == 0 || (*field && !*end && isfinite(*(double *)at));
}

/* Copies the next field, which ends with a tab. False if there is none, or if it is longer than any
 * field of a sweep. */
static bool next_field(const char **at, const char *end, char field[FIELD_MAX])
{
    const char *tab = memchr(*at, '\t', (size_t)(end - *at));
    if (!tab || tab - *at >= FIELD_MAX)
        return false;
    memcpy(field, *at, (size_t)(tab - *at));
    field[tab - *at] = '\0';
    *at = tab + 1;
    return true;
}

static bool parse_run(const char *line, const char *end, void *plain, ezlda_sweep_run *run)
{
    const char *at = line;
    char field[FIELD_MAX], check[20];
    *run = ez_no_run(0, 0);
    for (int c = 0; c < COLUMNS; c++)
        if (!next_field(&at, end, field) || !parse_value(field, &columns[c], plain, run))
            return false;
    snprintf(check, sizeof check, "%016" PRIx64, ez_hash_bytes(line, (size_t)(at - line)));
    run->done = 1;
    return end - at == 16 && memcmp(at, check, 16) == 0;
}

/* The end of a line: its newline, or the end of the text. */
static const char *line_end(const char *at, const char *end)
{
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    return newline ? newline : end;
}

/* Checks the lines before the runs, which must be those that this sweep would write, and moves *at
 * behind them. */
static ezlda_status check_head(const ez_results *results, ezlda_context *context, const char **at,
                               const char *end, const ez_buffer *head)
{
    const char *want = (const char *)head->data, *want_end = want + head->used;
    for (unsigned number = 1; want < want_end; number++) {
        const char *stop = line_end(*at, end), *want_stop = line_end(want, want_end);
        int n = (int)(stop - *at < 500 ? stop - *at : 500), m = (int)(want_stop - want);
        bool same = stop < end && stop - *at == m && memcmp(*at, want, (size_t)m) == 0;
        if (!same && (number == 1 || *want != '#' || !n || **at != '#'))
            return ez_fail(context, EZLDA_ERROR_FORMAT,
                           "%s:%u: not the results of a sweep: expected '%.*s', found '%.*s'",
                           results->path, number, m, want, n, *at);
        if (!same)
            return ez_fail(
                context, EZLDA_ERROR_ARGUMENT,
                "%s:%u: expected '%.*s', found '%.*s' (this folder's sweep): use another "
                "folder, or the corpus and options of this one",
                results->path, number, m - 2, want + 2, n > 2 ? n - 2 : 0, *at + (n > 2 ? 2 : 0));
        *at = stop + 1;
        want = want_stop + 1;
    }
    return EZLDA_OK;
}

static ezlda_status parse_text(ez_results *results, ezlda_context *context, const ez_buffer *text,
                               const ez_buffer *head, void *plain)
{
    const char *at = (const char *)text->data, *end = at + text->used;
    EZ_TRY(check_head(results, context, &at, end, head));
    while (at < end) {
        ezlda_sweep_run run;
        const char *stop = line_end(at, end);
        if (parse_run(at, stop, plain, &run))
            EZ_TRY(put_run(results, context, &run));
        else
            ez_warn(context, "%s: a damaged line is ignored: '%.*s'", results->path,
                    (int)(stop - at < 40 ? stop - at : 40), at);
        at = stop + 1;
    }
    return EZLDA_OK;
}

static ezlda_status read_text(ez_buffer *text, ezlda_context *context, const char *path, FILE *file)
{
    enum { PIECE = 1 << 16 };
    size_t n;
    do {
        EZ_TRY(ez_buffer_reserve(text, context, PIECE));
        n = fread(text->data + text->used, 1, PIECE, file);
        text->used += n;
        if (text->used > LARGEST_FILE)
            return ez_fail(context, EZLDA_ERROR_FORMAT,
                           "%s: not the results of a sweep: more than %d bytes", path,
                           LARGEST_FILE);
    } while (n);
    return ferror(file) ? ez_fail_errno(context, path, "read") : EZLDA_OK;
}

static ezlda_status read_file(ez_results *results, ezlda_context *context,
                              const ez_buffer *settings, FILE *file)
{
    ez_buffer text = {0}, head = {0};
    ezlda_status status;
    void *plain = ez_os_plain_open();
    if (!plain)
        return ez_fail(context, EZLDA_ERROR_MEMORY, "not enough memory for a locale");
    EZ_TRY_GOTO(read_text(&text, context, results->path, file));
    EZ_TRY_GOTO(ez_buffer_append(&head, context, settings->data, settings->used));
    EZ_TRY_GOTO(append_titles(&head, context));
    EZ_TRY_GOTO(parse_text(results, context, &text, &head, plain));
done:
    ez_os_plain_close(plain);
    ez_free(text.data);
    ez_free(head.data);
    return status;
}

ezlda_status ez_results_open(ez_results *results, ezlda_context *context, const ez_buffer *settings)
{
    FILE *file = ez_os_stream(results->path);
    if (!file && errno != ENOENT)
        return ez_fail_errno(context, results->path, "read");
    if (!file)
        return EZLDA_OK;
    results->written = true;
    ezlda_status status = read_file(results, context, settings, file);
    fclose(file);
    return status;
}

ezlda_status ez_results_begin(ez_results *results, ezlda_context *context,
                              const ez_buffer *settings)
{
    return results->written ? EZLDA_OK : write_file(results, context, settings);
}

void ez_results_free(ez_results *results)
{
    ez_free(results->path);
    ez_free(results->runs.data);
    *results = (ez_results){0};
}
