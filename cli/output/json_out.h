/* A small JSON writer that takes care of commas, escaping and indentation. */
#ifndef CLI_JSON_OUT_H
#define CLI_JSON_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { JSON_MAX_DEPTH = 16 };

typedef struct json_out {
    FILE *file;
    int depth;
    bool lines[JSON_MAX_DEPTH];  /* whether the items of this level are on lines of their own */
    bool filled[JSON_MAX_DEPTH]; /* whether this level has an item already */
    bool after_key;
} json_out;

/* Zero-initialise with the file: json_out json = {.file = stdout}. bracket is '{' or '['. */
void json_open(json_out *json, char bracket, bool lines);
void json_close(json_out *json, char bracket); /* '}' or ']'; a newline follows the outermost */
void json_key(json_out *json, const char *key);

/* Bytes that are not UTF-8 become U+FFFD; NULL becomes null. */
void json_string(json_out *json, const char *string);
void json_u64(json_out *json, uint64_t number);
/* The shortest decimals that read back as the same number; null for NaN and infinities. */
void json_real(json_out *json, double number);
void json_bool(json_out *json, bool value);

/* A key with its value. */
void json_put_string(json_out *json, const char *key, const char *string);
void json_put_u64(json_out *json, const char *key, uint64_t number);
void json_put_real(json_out *json, const char *key, double number);
void json_put_bool(json_out *json, const char *key, bool value);

#endif
