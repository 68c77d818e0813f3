/* Redraws the progress of a run at most ten times per second on a terminal; elsewhere prints it
 * every ten seconds. */
#include "output/progress_line.h"

#include "output/text_out.h"
#include "platform.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double REDRAW_SECONDS = 0.1;
static const double PLAIN_SECONDS = 10;
enum { BAR = 20, BAR_WIDTH = 70 }; /* cells of the bar; a narrower terminal has none */

void progress_begin(progress_line *line, bool quiet)
{
    *line = (progress_line){.quiet = quiet, .may_end_early = line->may_end_early, .llpt = NAN};
    const char *plain = getenv("NO_COLOR");
    line->live = platform_can_redraw(STANDARD_ERROR);
    line->coloured = line->live && !(plain && *plain);
    line->started = line->last_call = platform_clock();
    line->last_shown = line->live ? line->started - REDRAW_SECONDS : line->started;
}

/* Early iterations are slow, so recent ones have more weight. */
static void time_iteration(progress_line *line, double now, uint32_t iteration)
{
    double took = now - line->last_call;
    double weight = iteration < 10 ? 1.0 / iteration : 0.1;
    line->per_iteration += weight * (took - line->per_iteration);
    line->last_call = now;
}

/* Fields in order of importance; a narrow terminal gets the first ones. */
static void compose(const progress_line *line, const ezlda_progress *p, size_t width, cli_text *out)
{
    char fields[5][64], number[32];
    int n = 0;
    double rate = p->iteration_seconds > 0 ? (double)p->tokens / p->iteration_seconds : 0;
    snprintf(fields[n++], 64, line->may_end_early ? "%s%siteration %u" : "%s%siteration %u/%u",
             line->label ? line->label : "", line->label ? ", " : "", p->iteration, p->iterations);
    snprintf(fields[n++], 64, "%s tokens/s", text_short(rate, number));
    if (!isnan(line->llpt))
        snprintf(fields[n++], 64, "LLPT %.4f", line->llpt);
    if (p->iteration < p->iterations)
        snprintf(fields[n++], 64, line->may_end_early ? "at most %s left" : "%s left",
                 text_seconds(line->per_iteration * (p->iterations - p->iteration), number));
    for (int i = 0; i < n; i++) {
        if (width && out->n + 2 + strlen(fields[i]) >= width)
            break;
        text_printf(out, "%s%s", i ? ", " : "", fields[i]);
    }
}

/* "[=====>              ] ", or nothing if the terminal is narrow. */
static void make_bar(const ezlda_progress *p, size_t width, char bar[BAR + 4])
{
    int full = p->iterations ? (int)((double)p->iteration / p->iterations * BAR) : 0;
    full = full < 0 ? 0 : full > BAR ? BAR : full;
    *bar = '\0';
    if (width && width < BAR_WIDTH)
        return;
    bar[0] = '[';
    memset(bar + 1, '=', (size_t)full);
    memset(bar + 1 + full, ' ', (size_t)(BAR - full));
    if (full < BAR)
        bar[1 + full] = '>';
    memcpy(bar + 1 + BAR, "] ", 3);
}

/* The iteration is bold, the time that is left green. */
static void print_line(const progress_line *line, const char *bar, const char *text)
{
    size_t first = strcspn(text, ","), n = strlen(text);
    const char *last = strrchr(text, ',');
    size_t time =
        last && n > 5 && strcmp(text + n - 5, " left") == 0 ? (size_t)(last - text) + 2 : n;
    if (line->coloured)
        fprintf(stderr, "\r%s\033[1m%.*s\033[0m%.*s\033[32m%s\033[0m\033[K", bar, (int)first, text,
                (int)(time - first), text + first, text + time);
    else if (line->live)
        fprintf(stderr, "\r%s%s\033[K", bar, text);
    else
        fprintf(stderr, "%s\n", text);
}

void progress_show(progress_line *line, const ezlda_progress *p)
{
    double now = platform_clock();
    time_iteration(line, now, p->iteration);
    bool scored = !isnan(p->llpt), last = p->iteration == p->iterations;
    if (scored)
        line->llpt = p->llpt;
    double wait = line->live ? REDRAW_SECONDS : PLAIN_SECONDS;
    bool due = now - line->last_shown >= wait || last || (scored && !line->live);
    if (line->quiet || !due)
        return;
    char room[512] = "";
    cli_text text = TEXT_IN(room);
    char bar[BAR + 4];
    size_t width = line->live ? platform_terminal_width(STANDARD_ERROR) : 0;
    make_bar(p, width, bar);
    size_t taken = strlen(bar);
    compose(line, p, width ? width - taken : 0, &text);
    print_line(line, bar, text.data);
    fflush(stderr);
    line->drawn = line->live;
    line->last_shown = now;
}

void progress_clear(progress_line *line)
{
    if (line->drawn)
        fputs("\r\033[K", stderr);
    fflush(stderr);
    line->drawn = false;
}
