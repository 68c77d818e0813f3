/* Parses numbers strictly, and finds the known word that is nearest to a misspelt one. */
#include "options/options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool cli_parse_u64(const char *text, uint64_t *value)
{
    uint64_t number = 0;
    if (!*text)
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            return false;
        uint64_t digit = (uint64_t)(*text - '0');
        if (number > (UINT64_MAX - digit) / 10)
            return false;
        number = number * 10 + digit;
    }
    *value = number;
    return true;
}

bool cli_parse_real(const char *text, double *value)
{
    /* strtod also accepts spaces, hexadecimal, infinity and NaN; decimal notation has only these
     * characters */
    if (!*text || strspn(text, "0123456789+-.eE") != strlen(text))
        return false;
    char *end;
    errno = 0;
    *value = strtod(text, &end);
    return !*end && isfinite(*value) && !(errno == ERANGE && fabs(*value) >= 1);
}

enum { WORD_MAX = 64 };

static size_t least_of(size_t a, size_t b, size_t c)
{
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

/* Edit distance (insert, delete, replace). */
static size_t distance(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    size_t row[WORD_MAX + 1];
    if (n > WORD_MAX || m > WORD_MAX)
        return WORD_MAX;
    for (size_t j = 0; j <= m; j++)
        row[j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t above = row[j];
            row[j] = least_of(row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = above;
        }
    }
    return row[m];
}

const char *cli_nearest(const char *word, const char *const *candidates)
{
    size_t length = strlen(word);
    size_t best = 1 + (length < 6 ? 2 : length / 3);
    const char *nearest = NULL;
    for (; *candidates; candidates++) {
        size_t d = distance(word, *candidates);
        /* "iter" for "iterations", "num-topics" for "topics" */
        if (length >= 3 && strlen(*candidates) >= 3 &&
            (strstr(word, *candidates) || strstr(*candidates, word)))
            d = d < 2 ? d : 2;
        if (d < best && d < length) {
            best = d;
            nearest = *candidates;
        }
    }
    return nearest;
}
