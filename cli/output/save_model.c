#include "output/save_model.h"

#include "interrupts.h"
#include "output/output_path.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const double MOST_SECONDS = 5; /* between two attempts */

/* Ends early at a signal. */
static void wait_seconds(double seconds)
{
    struct timespec time = {.tv_sec = (time_t)seconds};
    time.tv_nsec = (long)(1e9 * (seconds - floor(seconds)));
    nanosleep(&time, NULL);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Says what is wrong, where that is something else than the last time. */
static void tell(char *told, size_t size, const char *message)
{
    if (strcmp(told, message) == 0)
        return;
    snprintf(told, size, "%s", message);
    (void)cli_fail("%s; the model is in memory, and writing it is tried again every %g seconds (an "
                   "interrupt gives up)",
                   message, MOST_SECONDS);
}

int save_model(const ezlda_model *model, ezlda_context *context, const char *path, double patience)
{
    const double begin = now();
    const bool stopped_before = interrupts_asked();
    char told[1024] = "";
    double pause = 0.5;
    for (;;) {
        ezlda_status status = ezlda_model_save(context, model, path);
        if (status == EZLDA_OK)
            break;
        bool give_up = interrupts_asked() && !stopped_before;
        if (status != EZLDA_ERROR_IO || give_up || now() - begin >= patience ||
            output_is_straight(path))
            return cli_fail_library(context, status);
        tell(told, sizeof told, ezlda_error_message(context));
        wait_seconds(pause);
        pause = fmin(2 * pause, MOST_SECONDS);
    }
    if (told[0])
        (void)cli_fail("%s: written now", path);
    return 0;
}
