/* Parses lists of whole numbers and ranges, such as --topics of sweep and --topic of topics. */
#include "options/number_list.h"

#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEM_MAX = 48 };

/* Parses "7" or "7-9" into first and last. False unless first <= last < limit. */
static bool parse_item(char *item, uint32_t limit, uint64_t *first, uint64_t *last)
{
    char *dash = strchr(item, '-');
    if (dash)
        *dash = '\0';
    if (!cli_parse_u64(item, first) || !cli_parse_u64(dash ? dash + 1 : item, last))
        return false;
    return *first <= *last && *last < limit;
}

bool *number_list(const cli_call *call, const char *option, const char *text, uint32_t limit)
{
    bool *wanted = cli_zeroed(limit, sizeof *wanted);
    for (const char *at = text;; at++) {
        char item[ITEM_MAX] = "";
        size_t length = strcspn(at, ",");
        if (length < ITEM_MAX)
            memcpy(item, at, length);
        uint64_t first, last;
        if (!parse_item(item, limit, &first, &last)) {
            cli_misuse(call->command, "%s: expected numbers from 0 to %u (3 or 3,7-9), found '%s'",
                       option, limit - 1, text);
            free(wanted);
            return NULL;
        }
        for (uint64_t i = first; i <= last; i++)
            wanted[i] = true;
        at += length;
        if (!*at)
            return wanted;
    }
}

uint32_t *number_list_values(const cli_call *call, const char *option, const char *text,
                             uint32_t limit, size_t *n)
{
    bool *wanted = number_list(call, option, text, limit);
    if (!wanted)
        return NULL;
    uint32_t *values = cli_zeroed(limit, sizeof *values);
    *n = 0;
    for (uint32_t i = 0; i < limit; i++)
        if (wanted[i])
            values[(*n)++] = i;
    free(wanted);
    return values;
}
