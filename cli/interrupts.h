/* Ctrl-C, SIGTERM and SIGHUP (from a closed terminal) end long work early and cleanly. */
#ifndef CLI_INTERRUPTS_H
#define CLI_INTERRUPTS_H

#include <stdbool.h>

/* From here on these signals end the program as usual, but remove its temporary files first. A
 * signal that the caller ignores (nohup) stays ignored, here and below. */
void interrupts_begin(void);
/* From here on the first signal is only noted, and a second one ends the program, unless it is
 * SIGHUP. */
void interrupts_catch(void);
/* Whether a signal was noted, and which (0: none). */
bool interrupts_asked(void);
int interrupts_signal(void);
/* Whether the signal asks the program to end soon (SIGTERM, SIGHUP; on Windows Ctrl-Break and the
 * end of the console), and not only to stop its work, as Ctrl-C does. */
bool interrupts_end_soon(void);

#endif
