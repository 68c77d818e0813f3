/* Ctrl-C, Ctrl-Break and the end of the console on Windows, which calls a handler in a thread of
 * its own. */
#include "interrupts.h"

#include "ezlda.h"
#include "output/output_path.h"

#include <signal.h>
#include <stdatomic.h>
#include <windows.h>

/* How long the system waits for a program whose console is closed, less a little. */
enum { CLOSING_MS = 4500 };

static atomic_int stop_asked;
static atomic_bool catching;

static void tidy(void)
{
    ezlda_remove_temporaries();
    output_remove_temporary();
}

/* Returning FALSE ends the process. A closed console ends it in any case once the handler returns,
 * so the main thread gets time to stop. */
static BOOL WINAPI handle(DWORD event)
{
    int nothing = 0, number = event == CTRL_C_EVENT ? SIGINT : SIGTERM;
    bool first =
        atomic_load(&catching) && atomic_compare_exchange_strong(&stop_asked, &nothing, number);
    if (first && (event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT))
        return TRUE;
    if (first)
        Sleep(CLOSING_MS);
    tidy();
    return FALSE;
}

void interrupts_begin(void)
{
    SetConsoleCtrlHandler(handle, FALSE);
    SetConsoleCtrlHandler(handle, TRUE);
}

void interrupts_catch(void)
{
    atomic_store(&catching, true);
}

bool interrupts_asked(void)
{
    return atomic_load(&stop_asked) != 0;
}

int interrupts_signal(void)
{
    return atomic_load(&stop_asked);
}

bool interrupts_end_soon(void)
{
    return atomic_load(&stop_asked) == SIGTERM;
}
