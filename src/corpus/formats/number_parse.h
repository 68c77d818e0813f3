/* Parses numbers in lines of text. Every line ends with '\n', which is part of no number: no bounds
 * need to be checked. */
#ifndef EZ_NUMBER_PARSE_H
#define EZ_NUMBER_PARSE_H

#include "base/context.h"

#include <stdbool.h>

static inline bool ez_is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static inline const char *ez_skip_spaces(const char *at)
{
    while (ez_is_space(*at))
        at++;
    return at;
}

static inline const char *ez_next_line(const char *at)
{
    while (*at != '\n')
        at++;
    return at + 1;
}

static inline bool ez_ends_number(char c)
{
    return ez_is_space(c) || c == '\n' || c == ':' || c == '#';
}

/* Parses an unsigned whole number up to `most` (below 2^60): only digits, up to whitespace, a
 * colon, a # or the end of the line. Returns its end, or NULL if there is no such number. */
static inline const char *ez_parse_whole(const char *at, uint64_t most, uint64_t *value)
{
    uint64_t v = 0;
    unsigned digit = (unsigned)(unsigned char)*at - '0';
    if (digit > 9)
        return NULL;
    do {
        v = v * 10 + digit;
        if (v > most)
            return NULL;
        digit = (unsigned)(unsigned char)*++at - '0';
    } while (digit <= 9);
    *value = v;
    return ez_ends_number(*at) ? at : NULL;
}

/* The same for a number with a decimal point or an exponent ("3.0", "3.000e+00") whose value is
 * whole. */
const char *ez_parse_real_whole(const char *at, uint64_t most, uint64_t *value);

/* Parses a count, 0 to 2^32-1; returns as above. */
static inline const char *ez_parse_count(const char *at, bool real, uint32_t *count)
{
    uint64_t value;
    const char *end = ez_parse_whole(at, UINT32_MAX, &value);
    if (!end && real)
        end = ez_parse_real_whole(at, UINT32_MAX, &value);
    if (end)
        *count = (uint32_t)value;
    return end;
}

#define EZ_EXPECTED_COUNT "a count (a whole number from 0 to 4294967295)"

/* Fails with "PATH:LINE: expected WHAT, found 'the text at `at`'". */
ezlda_status ez_fail_expected(ezlda_context *context, const char *path, uint64_t line,
                              const char *at, const char *what, ...) EZ_PRINTF(5, 6);

#endif
