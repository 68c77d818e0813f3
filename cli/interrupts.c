#include "interrupts.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t stop_asked;

static void ask_stop(int signal_number)
{
    stop_asked = signal_number;
}

void interrupts_catch(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        /* The handler is gone after its first call; but a terminal that closes sends SIGHUP twice, itself and by the
         * shell in it. */
        int once = signals[i] == SIGHUP ? 0 : (int)SA_RESETHAND;
        struct sigaction action = {.sa_handler = ask_stop, .sa_flags = once | SA_RESTART}, before;
        sigemptyset(&action.sa_mask);
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
}

bool interrupts_asked(void)
{
    return stop_asked != 0;
}

int interrupts_signal(void)
{
    return stop_asked;
}
