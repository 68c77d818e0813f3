/* Parses whole numbers that are written as decimal fractions, and makes the message of what was
 * found instead. */
#include "corpus/formats/number_parse.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

enum { EZ_LARGEST_EXPONENT = 9999 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *parse_exponent(const char *at, int *value)
{
    bool minus = *at == '-';
    int e = 0;
    at += *at == '-' || *at == '+';
    if (!is_digit(*at))
        return NULL;
    for (; is_digit(*at); at++)
        e = e < EZ_LARGEST_EXPONENT ? e * 10 + (*at - '0') : e;
    *value = minus ? -e : e;
    return at;
}

/* The value is the digits before the point, after it was moved by the exponent; the digits after it
 * must be zeros. */
const char *ez_parse_real_whole(const char *at, uint64_t most, uint64_t *value)
{
    at += *at == '+';
    const char *start = at;
    int64_t before = 0, digits = 0;
    int shift = 0;
    for (; is_digit(*at); at++)
        before = ++digits;
    if (*at == '.')
        for (at++; is_digit(*at); at++)
            digits++;
    const char *end = at;
    if (digits && (*at == 'e' || *at == 'E'))
        end = parse_exponent(at + 1, &shift);
    if (!digits || !end || !ez_ends_number(*end))
        return NULL;
    uint64_t v = 0;
    int64_t whole = before + shift, i = 0;
    for (const char *p = start; p < at; p++) {
        if (*p == '.')
            continue;
        if (i++ >= whole) {
            if (*p != '0')
                return NULL;
            continue;
        }
        v = v * 10 + (uint64_t)(*p - '0');
        if (v > most)
            return NULL;
    }
    for (; i < whole && v; i++) {
        v *= 10;
        if (v > most)
            return NULL;
    }
    *value = v;
    return end;
}

/* Copies the text at `at` up to whitespace: printable and at most size - 1 bytes. */
static void quote(const char *at, char *out, size_t size)
{
    size_t n = 0;
    for (; n + 1 < size && *at != '\n' && !ez_is_space(*at); at++)
        out[n++] = *at > ' ' && *at < 127 ? *at : '?';
    out[n] = '\0';
}

ezlda_status ez_fail_expected(ezlda_context *context, const char *path, uint64_t line,
                              const char *at, const char *what, ...)
{
    char expected[256], found[40];
    va_list args;
    va_start(args, what);
    vsnprintf(expected, sizeof expected, what, args);
    va_end(args);
    quote(at, found, sizeof found);
    if (!found[0])
        return ez_fail(context, EZLDA_ERROR_FORMAT,
                       "%s:%" PRIu64 ": expected %s, found the end of the line", path, line,
                       expected);
    return ez_fail(context, EZLDA_ERROR_FORMAT, "%s:%" PRIu64 ": expected %s, found '%s'", path,
                   line, expected, found);
}
