/* Reads small JSON texts value by value, for files that people or programs hand back to the
 * command. */
#ifndef CLI_JSON_IN_H
#define CLI_JSON_IN_H

#include "output/text_out.h"

#include <stdbool.h>

typedef struct json_in {
    const char *at, *end;
    size_t line;
    const char *expected; /* set once something was wrong; NULL before */
} json_in;

/* Whether the next value begins with this character. */
bool json_in_is(json_in *json, char begin);
/* Skips this character if the rest begins with it. */
bool json_in_take(json_in *json, char wanted);
/* Opens an object. Then json_in_key reads its keys in turn: false at the end, and if the text is
 * wrong. The value of each key must be read. */
bool json_in_open(json_in *json);
bool json_in_key(json_in *json, cli_text *key, bool *first);
/* Read a value; false if it is another one. */
bool json_in_string(json_in *json, cli_text *value);
bool json_in_whole(json_in *json, uint64_t *value);
/* Skips a value of any kind, at most 64 deep. */
bool json_in_skip(json_in *json);
/* Whether nothing but spaces is left. */
bool json_in_at_end(json_in *json);

#endif
