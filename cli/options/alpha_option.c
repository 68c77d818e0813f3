/* Parses --alpha, and reads the file that it may name: numbers separated by whitespace. */
#include "options/alpha_option.h"

#include "cli.h"
#include "platform.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A longer word is not a number. */
enum { NUMBER_MAX = 64 };

/* Text that a user may have meant as a number is never read as a file name. */
static bool meant_as_number(const char *text)
{
    char *end;
    strtod(text, &end);
    return end != text && !*end;
}

static int read_values(FILE *file, const char *path, uint32_t topics, double *values)
{
    char text[NUMBER_MAX + 1];
    uint32_t n = 0;
    for (bool first = true; fscanf(file, "%64s", text) == 1; first = false) {
        double value;
        const char *word = first ? cli_skip_mark(text) : text;
        if (word > text && !*word)
            continue;
        if (n == topics)
            return cli_fail("%s: expected %u numbers (--topics), found more", path, topics);
        if (!cli_parse_real(word, &value) || value <= 0)
            return cli_fail("%s: number %u: expected a number above 0, found '%s'", path, n + 1,
                            word);
        values[n++] = value;
    }
    if (ferror(file))
        return cli_fail_errno(path, "read --alpha");
    if (n < topics)
        return cli_fail("%s: expected %u numbers (--topics), found %u", path, topics, n);
    return 0;
}

static int read_file(const cli_call *call, const char *path, uint32_t topics, double **vector)
{
    FILE *file = platform_open(path, "r");
    if (!file && errno == ENOENT)
        return cli_misuse(call->command,
                          "--alpha: expected a number above 0, sum:NUMBER or a file, found '%s'",
                          path);
    if (!file)
        return cli_fail_errno(path, "read --alpha");
    double *values = cli_zeroed(topics, sizeof *values);
    int status = read_values(file, path, topics, values);
    fclose(file);
    if (status)
        free(values);
    else
        *vector = values;
    return status;
}

int alpha_option(const cli_call *call, const char *text, uint32_t topics, double *alpha,
                 double **vector)
{
    if (!text)
        return 0;
    bool sum = strncmp(text, "sum:", 4) == 0;
    const char *number = sum ? text + 4 : text;
    if (!sum && !meant_as_number(text))
        return read_file(call, text, topics, vector);
    double value;
    if (!cli_parse_real(number, &value) || value <= 0)
        return cli_misuse(call->command, "--alpha: expected a number above 0, found '%s'", number);
    *alpha = sum ? value / topics : value;
    return 0;
}
