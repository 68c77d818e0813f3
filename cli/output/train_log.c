/* Writes the lines of --log, and continues a log with --resume. */
#include "output/train_log.h"

#include "cli.h"
#include "output/json_out.h"
#include "output/text_out.h"
#include "platform.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char BEGIN[] = "{\"iteration\": ";

int train_log_open(train_log *log, const char *path, bool resume)
{
    platform_info at;
    *log = (train_log){.path = path, .resume = resume};
    if (!path)
        return 0;
    log->has_lines = platform_look(path, &at) == 0 && at.is_regular;
    log->file = platform_open(path, !log->has_lines ? "w" : resume ? "r+" : "a");
    return log->file ? 0 : cli_fail_errno(path, "write --log");
}

/* Reads a line with its end; false if there is none. */
static bool read_line(FILE *file, cli_text *line)
{
    text_clear(line);
    for (int c = 0; c != '\n' && (c = getc(file)) != EOF;)
        text_put(line, &(char){(char)c}, 1);
    return line->n > 0;
}

/* Whether the line is complete and describes an iteration before `first`. */
static bool is_before(const char *line, size_t length, uint32_t first)
{
    if (length < sizeof BEGIN || strncmp(line, BEGIN, sizeof BEGIN - 1) != 0 ||
        line[length - 1] != '\n')
        return false;
    return strtoull(line + sizeof BEGIN - 1, NULL, 10) < first;
}

/* Removes the lines from iteration `first` on, which is run again, and a last line that is
 * incomplete; without --resume, removes all lines. */
static void cut_from(train_log *log, uint32_t first)
{
    cli_text line = {0};
    uint64_t end = 0;
    while (log->resume && read_line(log->file, &line) && is_before(line.data, line.n, first))
        end += line.n;
    text_free(&line);
    if (platform_cut(log->file, end) != 0)
        log->failed_with = errno;
    log->has_lines = false;
}

void train_log_put(train_log *log, const ezlda_progress *p)
{
    if (!log->file)
        return;
    if (log->has_lines)
        cut_from(log, p->iteration);
    json_out json = {.file = log->file};
    json_open(&json, '{', false);
    json_put_u64(&json, "iteration", p->iteration);
    json_put_real(&json, "seconds", p->seconds);
    json_put_real(&json, "iteration_seconds", p->iteration_seconds);
    json_put_real(&json, "tokens_per_second",
                  p->iteration_seconds > 0 ? (double)p->tokens / p->iteration_seconds : 0);
    json_put_real(&json, "skipped", p->skipped);
    json_put_real(&json, "moved", p->moved);
    json_put_real(&json, "llpt", p->llpt);
    json_close(&json, '}');
    if ((fflush(log->file) != 0 || ferror(log->file)) && !log->failed_with)
        log->failed_with = errno;
}

/* The model is written by now: if the log could not be written (a full disk), the command fails,
 * but the run did not. */
int train_log_close(train_log *log)
{
    if (!log->file)
        return 0;
    if (fclose(log->file) != 0 && !log->failed_with)
        log->failed_with = errno;
    return log->failed_with
               ? cli_fail("%s: cannot write --log: %s", log->path, strerror(log->failed_with))
               : 0;
}
