/* Functions on text that not every C library has. */
#ifndef EZ_OS_TEXT_H
#define EZ_OS_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Compare the letters of ASCII without their case. */
int ez_os_compare(const char *a, const char *b);
int ez_os_compare_n(const char *a, const char *b, size_t n);

/* The first place of `what` in `text`, the last place of a character; NULL if there is none. */
void *ez_os_find(const void *text, size_t n, const void *what, size_t length);
void *ez_os_find_last(const void *text, int c, size_t n);

/* Whether a pattern of *, ? and [...] matches the whole text, in which "/" is like any other
 * character. */
bool ez_os_matches(const char *pattern, const char *text);

/* strtod whose numbers have a decimal point, whatever the locale of the process is. Between these
 * calls `plain` is what the first one returned; NULL: not enough memory. */
void *ez_os_plain_open(void);
double ez_os_plain_real(const char *text, char **end, void *plain);
void ez_os_plain_close(void *plain);

#endif
