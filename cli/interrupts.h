/* Ctrl-C, SIGTERM and SIGHUP (a terminal that was closed): work that takes long ends early and
 * cleanly. */
#ifndef CLI_INTERRUPTS_H
#define CLI_INTERRUPTS_H

#include <stdbool.h>

/* From here on they end the program as they usually do, but its temporary files are removed. One
 * that the caller has switched off (nohup) stays off, here and below. */
void interrupts_begin(void);
/* From here on the first interrupt is only noted, and a second one ends the program, unless it is
 * SIGHUP. */
void interrupts_catch(void);
/* Whether there was one, and which signal it was. */
bool interrupts_asked(void);
int interrupts_signal(void);

#endif
