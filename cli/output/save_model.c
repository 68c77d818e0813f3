/* Writes a finished model and retries while the disk is full or the folder is gone. */
#include "output/save_model.h"

#include "interrupts.h"
#include "output/output_path.h"
#include "platform.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double MOST_SECONDS = 5; /* between two attempts */

/* Prints an error unless it is the one that was printed last. */
static void report_once(char *reported, size_t size, const char *message)
{
    if (strcmp(reported, message) == 0)
        return;
    snprintf(reported, size, "%s", message);
    (void)cli_fail("%s; the model is in memory, and writing it is retried every %g seconds (an "
                   "interrupt gives up)",
                   message, MOST_SECONDS);
}

int save_model(const ezlda_model *model, ezlda_context *context, const char *path, double patience)
{
    const double begin = platform_clock();
    const bool stopped_before = interrupts_asked();
    char reported[1024] = "";
    double pause = 0.5;
    for (;;) {
        ezlda_status status = ezlda_model_save(context, model, path);
        if (status == EZLDA_OK)
            break;
        bool give_up = interrupts_asked() && !stopped_before;
        if (status != EZLDA_ERROR_IO || give_up || platform_clock() - begin >= patience ||
            output_is_direct(path))
            return cli_fail_library(context, status);
        report_once(reported, sizeof reported, ezlda_error_message(context));
        platform_pause(pause); /* a signal ends it early */
        pause = fmin(2 * pause, MOST_SECONDS);
    }
    if (reported[0])
        (void)cli_fail("%s: written now", path);
    return 0;
}
