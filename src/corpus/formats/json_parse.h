/* A strict parser of JSON (RFC 8259) that walks through one object and offers each value, with the
 * path that leads to it, to its caller. */
#ifndef EZ_JSON_PARSE_H
#define EZ_JSON_PARSE_H

#include "corpus/text/text_source.h"

enum { EZ_JSON_STEPS = 32 }; /* values that are deeper are skipped */

/* One step of a path: a key of an object or, if key.at is NULL, an element of a list. */
typedef struct ez_json_step {
    ez_span key;
    size_t index;
} ez_json_step;

typedef enum ez_json_kind { EZ_JSON_SCALAR, EZ_JSON_OBJECT, EZ_JSON_LIST } ez_json_kind;
typedef enum ez_json_answer { EZ_JSON_SKIP, EZ_JSON_ENTER, EZ_JSON_WRONG } ez_json_answer;

/* The text is UTF-8 without NUL and ends with '\n', at which every scan stops. */
typedef struct ez_json {
    char *at;
    const char *end;   /* the last byte, a newline */
    bool many_lines;   /* newlines are spaces; otherwise no value contains one */
    const char *wrong; /* what was expected at the first error; NULL: no error */
    char *line_start;
    uint64_t line; /* line of `at` */
    ez_json_step steps[EZ_JSON_STEPS];
    size_t depth;
    /* Called for every value: a scalar with its text ("" for null), an object or list before its
     * content, which is skipped unless the answer is EZ_JSON_ENTER. */
    ez_json_answer (*value)(struct ez_json *json, ez_json_kind kind, ez_span text);
    void *user;
} ez_json;

/* Parses an object at `at`. Strings are decoded in place. */
bool ez_json_object(ez_json *json);
void ez_json_spaces(ez_json *json);
/* Keeps what was expected, unless an error is kept already; returns false. */
bool ez_json_expected(ez_json *json, const char *what);

/* How a name such as a.b[0].c relates to the path of the value at hand. A name without an index
 * means all elements of a list; *listed: the path has such elements. */
typedef enum ez_json_relation { EZ_JSON_APART, EZ_JSON_ABOVE, EZ_JSON_SAME } ez_json_relation;
ez_json_relation ez_json_relate(const ez_json *json, const char *name, bool *listed);

#endif
