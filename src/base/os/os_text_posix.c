/* Functions on text that POSIX systems have. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memmem, memrchr, strtod_l */
#endif
#include "base/os/os_text.h"

#include <fnmatch.h>
#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

int ez_os_compare(const char *a, const char *b)
{
    return strcasecmp(a, b);
}

int ez_os_compare_n(const char *a, const char *b, size_t n)
{
    return strncasecmp(a, b, n);
}

void *ez_os_find(const void *text, size_t n, const void *what, size_t length)
{
    return memmem(text, n, what, length);
}

void *ez_os_find_last(const void *text, int c, size_t n)
{
#ifdef __APPLE__
    for (const char *start = text; n > 0; n--)
        if (start[n - 1] == (char)c)
            return (void *)(uintptr_t)(start + n - 1);
    return NULL;
#else
    return memrchr(text, c, n);
#endif
}

bool ez_os_matches(const char *pattern, const char *text)
{
    return fnmatch(pattern, text, 0) == 0;
}

void *ez_os_plain_open(void)
{
    return newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

double ez_os_plain_real(const char *text, char **end, void *plain)
{
    return strtod_l(text, end, (locale_t)plain);
}

void ez_os_plain_close(void *plain)
{
    freelocale((locale_t)plain);
}
