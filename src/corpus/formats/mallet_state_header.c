#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* strtod_l */
#endif
#include "corpus/formats/mallet_state.h"
#include "corpus/formats/number_parse.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EZ_STATE_MAX_TOPICS = 65536 };

typedef struct header_reader {
    ezlda_context *context;
    const char *path;
    locale_t plain; /* numbers with a point, whatever the process' locale is */
    ez_mallet_state *state;
} header_reader;

/* A finite number above 0 at *at, which moves behind it. The text ends with a newline and a NUL. */
static ezlda_status take_prior(const header_reader *r, const ez_lines *line, const char **at,
                               double *value)
{
    char *end;
    *value = strtod_l(*at, &end, r->plain);
    if (end == *at || !(ez_is_blank(*end) || *end == '\n') || !(*value > 0) || !isfinite(*value))
        return ez_fail_expected(r->context, r->path, line->first_line, *at, "a number above 0");
    *at = end;
    return EZLDA_OK;
}

static ezlda_status take_alpha(const header_reader *r, const ez_lines *line, const char *at)
{
    ez_buffer values = {0};
    ezlda_status status = EZLDA_OK;
    uint32_t topics = 0;
    for (at = ez_skip_blanks(at); *at != '\n' && status == EZLDA_OK;
         at = ez_skip_blanks(at), topics++) {
        double value = 0;
        status =
            topics < EZ_STATE_MAX_TOPICS
                ? take_prior(r, line, &at, &value)
                : ez_fail(r->context, EZLDA_ERROR_FORMAT, "%s:%" PRIu64 ": more than %d topics",
                          r->path, line->first_line, EZ_STATE_MAX_TOPICS);
        if (status == EZLDA_OK)
            status = ez_buffer_append(&values, r->context, &value, sizeof value);
    }
    if (status == EZLDA_OK && !topics)
        status =
            ez_fail_expected(r->context, r->path, line->first_line, at, "the alpha of each topic");
    ez_free(r->state->alpha);
    r->state->alpha = (double *)(void *)values.data;
    r->state->topics = topics;
    r->state->has_alpha = status == EZLDA_OK;
    return status;
}

static ezlda_status take_line(const header_reader *r, const ez_lines *line)
{
    const char *text = line->text;
    if (strncmp(text, "#alpha :", 8) == 0)
        return take_alpha(r, line, text + 8);
    if (strncmp(text, "#beta :", 7) != 0)
        return EZLDA_OK;
    const char *at = ez_skip_blanks(text + 7);
    EZ_TRY(take_prior(r, line, &at, &r->state->beta));
    r->state->has_beta = true;
    at = ez_skip_blanks(at);
    return *at == '\n'
               ? EZLDA_OK
               : ez_fail_expected(r->context, r->path, line->first_line, at, "nothing behind beta");
}

static ezlda_status take_first(const header_reader *r, const ez_lines *line)
{
    if (line->n > strlen(EZ_MALLET_STATE_MARK) &&
        strncmp(line->text, EZ_MALLET_STATE_MARK, strlen(EZ_MALLET_STATE_MARK)) == 0)
        return EZLDA_OK;
    return ez_fail(r->context, EZLDA_ERROR_FORMAT,
                   "%s:1: expected '%s', the header of a MALLET state", r->path,
                   EZ_MALLET_STATE_MARK);
}

/* Room for a NUL, which strtod_l stops at in any case. */
static ezlda_status end_line(const header_reader *r, ez_lines *line)
{
    if (line->n < line->capacity) {
        line->text[line->n] = '\0';
        return EZLDA_OK;
    }
    char *copy;
    EZ_TRY(ez_array(&copy, r->context, line->n + 1, 1, "a line"));
    memcpy(copy, line->text, line->n);
    copy[line->n] = '\0';
    ez_free(line->text);
    line->text = copy;
    line->capacity = line->n + 1;
    return EZLDA_OK;
}

static ezlda_status take_lines(const header_reader *r, ez_input *input, ez_lines *line)
{
    const unsigned char *head;
    size_t n;
    for (bool first = true;; first = false) {
        EZ_TRY(ez_input_peek(input, r->context, &head, &n));
        if (!first && (!n || head[0] != '#'))
            return EZLDA_OK;
        EZ_TRY(ez_input_line(input, r->context, line));
        EZ_TRY(end_line(r, line));
        EZ_TRY(first ? take_first(r, line) : take_line(r, line));
    }
}

ezlda_status ez_mallet_state_header(ez_mallet_state *state, ezlda_context *context, ez_input *input)
{
    header_reader r = {context, ez_input_name(input), newlocale(LC_ALL_MASK, "C", (locale_t)0),
                       state};
    if (r.plain == (locale_t)0)
        return ez_fail(context, EZLDA_ERROR_MEMORY, "not enough memory for a locale");
    ez_lines line = {0};
    ezlda_status status = take_lines(&r, input, &line);
    ez_lines_free(&line);
    freelocale(r.plain);
    return status;
}
