/* Signal handlers that remove temporary files, or ask a long run to stop. */
#include "interrupts.h"

#include "ezlda.h"
#include "output/output_path.h"

#include <signal.h>
#include <stddef.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { SIGNALS = sizeof signals / sizeof *signals };

static volatile sig_atomic_t stop_asked;

/* The handler was installed for one call, so raising the signal again has its usual effect. */
static void end_tidily(int signal_number)
{
    ezlda_remove_temporaries();
    output_remove_temporary();
    (void)raise(signal_number);
}

static void handle(int signal_number, void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags}, before;
    sigemptyset(&action.sa_mask);
    if (sigaction(signal_number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(signal_number, &action, NULL);
}

static void end_by(int signal_number)
{
    handle(signal_number, end_tidily, (int)(SA_RESETHAND | SA_NODEFER));
}

/* A second signal ends the program. SIGHUP is exempt: a closing terminal sends it twice, once by
 * itself and once through its shell. */
static void ask_stop(int signal_number)
{
    stop_asked = signal_number;
    if (signal_number != SIGHUP)
        end_by(signal_number);
}

void interrupts_begin(void)
{
    for (int i = 0; i < SIGNALS; i++)
        end_by(signals[i]);
}

void interrupts_catch(void)
{
    for (int i = 0; i < SIGNALS; i++)
        handle(signals[i], ask_stop, SA_RESTART);
}

bool interrupts_asked(void)
{
    return stop_asked != 0;
}

int interrupts_signal(void)
{
    return stop_asked;
}

bool interrupts_end_soon(void)
{
    return stop_asked == SIGTERM || stop_asked == SIGHUP;
}
