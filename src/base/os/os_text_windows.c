/* Functions on text that the C library of Windows does not have. */
#include "base/os/os_text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static unsigned char lower(char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

int ez_os_compare_n(const char *a, const char *b, size_t n)
{
    for (; n > 0; a++, b++, n--)
        if (lower(*a) != lower(*b) || !*a)
            return lower(*a) - lower(*b);
    return 0;
}

int ez_os_compare(const char *a, const char *b)
{
    return ez_os_compare_n(a, b, SIZE_MAX);
}

void *ez_os_find(const void *text, size_t n, const void *what, size_t length)
{
    const char *at = text, *end = at + n;
    if (length == 0)
        return (void *)(uintptr_t)text;
    while ((size_t)(end - at) >= length) {
        at = memchr(at, *(const char *)what, (size_t)(end - at) - length + 1);
        if (!at)
            return NULL;
        if (memcmp(at, what, length) == 0)
            return (void *)(uintptr_t)at;
        at++;
    }
    return NULL;
}

void *ez_os_find_last(const void *text, int c, size_t n)
{
    for (const char *start = text; n > 0; n--)
        if (start[n - 1] == (char)c)
            return (void *)(uintptr_t)(start + n - 1);
    return NULL;
}

/* ---- patterns ---- */

/* Bytes of the character of UTF-8 at a place. */
static size_t character(const char *at)
{
    size_t n = 1;
    while (((unsigned char)at[n] & 0xc0) == 0x80)
        n++;
    return n;
}

/* Compares two characters by their bytes, which is the order of their numbers. */
static int by_number(const char *a, size_t n, const char *b, size_t m)
{
    int order = memcmp(a, b, n < m ? n : m);
    return order ? order : (n > m) - (n < m);
}

/* Whether a set, from behind its "[", has the character; *end: behind its "]", NULL if it has
 * none. */
static bool set_has(const char *set, const char *c, size_t n, const char **end)
{
    bool inverted = *set == '!' || *set == '^', found = false;
    const char *at = set + inverted, *first = at;
    *end = NULL;
    while (*at && (*at != ']' || at == first)) {
        at += *at == '\\' && at[1];
        const char *low = at, *high = at;
        size_t low_n = character(low), high_n = low_n;
        at += low_n;
        if (at[0] == '-' && at[1] && at[1] != ']') {
            high = at + 1 + (at[1] == '\\' && at[2]);
            high_n = character(high);
            at = high + high_n;
        }
        found = found || (by_number(c, n, low, low_n) >= 0 && by_number(c, n, high, high_n) <= 0);
    }
    if (*at == ']')
        *end = at + 1;
    return found != inverted;
}

/* Matches one character of the text; returns the rest of the pattern, NULL: it does not match. */
static const char *match_one(const char *pattern, const char *text, size_t n)
{
    const char *end;
    if (*pattern == '?')
        return pattern + 1;
    if (*pattern == '[') {
        bool has = set_has(pattern + 1, text, n, &end);
        if (end)
            return has ? end : NULL;
    }
    pattern += *pattern == '\\' && pattern[1];
    return strncmp(pattern, text, n) == 0 ? pattern + n : NULL;
}

bool ez_os_matches(const char *pattern, const char *text)
{
    const char *star = NULL, *from = NULL; /* behind the last *, and what it has not matched */
    while (*text) {
        size_t n = character(text);
        const char *rest = *pattern && *pattern != '*' ? match_one(pattern, text, n) : NULL;
        if (*pattern == '*') {
            star = ++pattern;
            from = text;
        } else if (rest) {
            pattern = rest;
            text += n;
        } else if (star) {
            from += character(from);
            text = from;
            pattern = star;
        } else {
            return false;
        }
    }
    pattern += strspn(pattern, "*");
    return *pattern == '\0';
}

/* ---- numbers ---- */

/* The strtod of MinGW-w64 rounds as C demands and does not follow the locale. */
void *ez_os_plain_open(void)
{
    static char none;
    return &none;
}

double ez_os_plain_real(const char *text, char **end, void *plain)
{
    (void)plain;
    return strtod(text, end);
}

void ez_os_plain_close(void *plain)
{
    (void)plain;
}
