/* What commands that train one model do around the run: progress and --log, signals, and the model,
 * --summary and closing lines at the end. */
#ifndef CLI_TRAIN_WATCH_H
#define CLI_TRAIN_WATCH_H

#include "options/train_settings.h"
#include "output/live_page.h"
#include "output/progress_line.h"
#include "output/train_log.h"

typedef struct train_watch {
    progress_line line;
    train_log log;
    live_page live;
    bool replaces; /* the output replaces a model: no partial result is wanted */
} train_watch;

/* Checks --output, --log, --summary and --report before the work begins. They must not name an
 * operand; --output may name those that `keeps` does not have. 0, or an exit status after one line.
 */
int train_watch_check(const cli_call *call, const cli_call *keeps, const train_settings *settings);
/* Opens the log, and sets the callbacks of the run and of its notes (is_root: print them). Zero-
 * initialise before, apart from `replaces`; close in any case. 0, or an exit status after one line.
 */
int train_watch_open(train_watch *watch, train_settings *settings, ezlda_context *context,
                     bool is_root);
/* Erases the progress line, once the run has ended. */
void train_watch_end(train_watch *watch);
/* Closes the log. Returns exit_status, or one after one line if the log could not be written. */
int train_watch_close(train_watch *watch, int exit_status);

/* Writes the model, --summary and --report, and prints the closing lines. */
int train_watch_save(const train_settings *settings, const ezlda_model *model,
                     const ezlda_corpus *corpus, const char *corpus_name, ezlda_context *context);
/* The exit status of a run without a model: it failed, or a signal ended it at a checkpoint. */
int train_watch_failure(ezlda_context *context, ezlda_status status, bool is_root);

#endif
