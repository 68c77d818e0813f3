/* JSON in memory that is safe inside a page: <, >, &, DEL, control characters and the line
 * separators U+2028 and U+2029 are escaped, so that no string can end a script or open a comment.
 * The first failure is kept in `status`. */
#ifndef EZ_JSON_TEXT_H
#define EZ_JSON_TEXT_H

#include "base/memory.h"

typedef struct ez_json_text {
    ezlda_context *context;
    ez_buffer *text;
    ezlda_status status;
    bool comma; /* the next value needs one before it */
} ez_json_text;

void ez_jt_begin(ez_json_text *json, char bracket); /* '{' or '[' */
void ez_jt_end(ez_json_text *json, char bracket);   /* '}' or ']' */
void ez_jt_key(ez_json_text *json, const char *key);
void ez_jt_null(ez_json_text *json);
void ez_jt_bool(ez_json_text *json, bool value);
void ez_jt_whole(ez_json_text *json, uint64_t value);
void ez_jt_real(ez_json_text *json, double value);       /* null where it is not finite */
void ez_jt_string(ez_json_text *json, const char *text); /* UTF-8; null where NULL */
/* An array of numbers: base64 of their bytes, little-endian. */
void ez_jt_packed(ez_json_text *json, const void *array, size_t n, size_t size);

/* The same with their key. */
#define ez_jt_pair(json, key, kind, ...) (ez_jt_key(json, key), ez_jt_##kind(json, __VA_ARGS__))

#endif
