/* Watches a run of train or update, and writes its outcome. */
#include "output/train_watch.h"

#include "interrupts.h"
#include "output/output_path.h"
#include "output/report_file.h"
#include "output/save_model.h"
#include "output/train_report.h"

#include <signal.h>
#include <stdio.h>

static int after_iteration(const ezlda_progress *progress, void *user)
{
    train_watch *watch = user;
    progress_show(&watch->line, progress);
    train_log_put(&watch->log, progress);
    live_page_show(&watch->live, progress);
    if (interrupts_end_soon() || (watch->replaces && interrupts_asked()))
        return EZLDA_PROGRESS_LEAVE;
    return interrupts_asked() ? EZLDA_PROGRESS_STOP : EZLDA_PROGRESS_CONTINUE;
}

static void note_beside_line(ezlda_note_level level, const char *text, void *user)
{
    progress_clear(&((train_watch *)user)->line);
    cli_note(level, text, NULL);
}

int train_watch_check(const cli_call *call, const cli_call *keeps, const train_settings *settings)
{
    const char *paths[] = {settings->output, settings->log, settings->summary, settings->report};
    const char *names[] = {"--output", "--log", "--summary", "--report"};
    for (int i = 0; i < 4; i++) {
        int status = output_check(i == 0 ? keeps : call, names[i], paths[i]);
        if (status)
            return status;
    }
    if (cli_given(call, "live-port") && !settings->live)
        return cli_misuse(call->command, "--live-port needs --live");
    return 0;
}

int train_watch_open(train_watch *watch, train_settings *settings, ezlda_context *context,
                     bool is_root)
{
    ezlda_train_options *options = &settings->train;
    int exit_status = train_log_open(&watch->log, settings->log, options->resume);
    if (!exit_status && is_root)
        exit_status = live_page_open(&watch->live, settings);
    if (exit_status)
        return exit_status;
    options->progress = after_iteration;
    options->user = watch;
    if (is_root)
        ezlda_context_set_notes(
            context, settings->common.quiet ? cli_note_failure : note_beside_line, watch);
    interrupts_catch();
    watch->line.may_end_early =
        options->iterations == EZLDA_UNTIL_SETTLED || options->converged_gain > 0;
    progress_begin(&watch->line, settings->common.quiet);
    return 0;
}

void train_watch_end(train_watch *watch)
{
    progress_clear(&watch->line);
    live_page_end(&watch->live);
}

int train_watch_close(train_watch *watch, int exit_status)
{
    live_page_close(&watch->live);
    int log_status = train_log_close(&watch->log);
    return exit_status ? exit_status : log_status;
}

/* Writes the page of --report from the corpus that was read. */
static int write_report(const train_settings *settings, const ezlda_model *model,
                        const ezlda_corpus *corpus, const char *corpus_name, ezlda_context *context)
{
    ezlda_report *report = NULL;
    ezlda_report_options options;
    char day[16];
    ezlda_report_options_init(&options);
    options.title = report_file_title(settings->output);
    options.created = report_file_day(day);
    options.corpus_name = corpus_name;
    ezlda_status status = ezlda_report_make(&report, context, model, corpus, NULL, &options);
    if (status == EZLDA_OK)
        status = report_file_write(context, report, settings->report, settings->common.quiet);
    ezlda_report_free(report);
    return status == EZLDA_OK ? 0 : cli_fail_library(context, status);
}

int train_watch_save(const train_settings *settings, const ezlda_model *model,
                     const ezlda_corpus *corpus, const char *corpus_name, ezlda_context *context)
{
    ezlda_model_info info = {.size = sizeof info};
    ezlda_model_get_info(model, &info);
    if (info.stopped[0] && !settings->common.quiet)
        fprintf(stderr, "%s\n", info.stopped);
    int exit_status = save_model(model, context, settings->output, settings->patience_seconds);
    if (exit_status)
        return exit_status;
    exit_status =
        settings->summary ? report_summary(settings->summary, model, &settings->train) : 0;
    if (!settings->common.quiet && cli_closing() == stdout)
        report_closing(settings->output, model, context);
    if (settings->report) {
        int report_status = write_report(settings, model, corpus, corpus_name, context);
        exit_status = exit_status ? exit_status : report_status;
    }
    return exit_status;
}

int train_watch_failure(ezlda_context *context, ezlda_status status, bool is_root)
{
    if (status != EZLDA_ERROR_STOPPED)
        return cli_fail_library(context, status);
    if (is_root)
        (void)cli_fail("%s (--resume)", ezlda_error_message(context));
    /* without a signal here, another rank has received it */
    return 128 + (interrupts_signal() ? interrupts_signal() : SIGTERM);
}
