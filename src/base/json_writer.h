/* Writes JSON, into a buffer or into a file. The report's page and its server use it, and the
 * export for pyLDAvis. Commas are placed here. The first error is kept in `status` and makes every
 * later call do nothing, so callers check it once at the end. */
#ifndef EZ_JSON_WRITER_H
#define EZ_JSON_WRITER_H

#include "base/files/output_file.h"
#include "base/memory.h"

typedef enum ez_json_style {
    /* For a script of a page: no spaces, numbers with EZ_TABLE_DIGITS. <, >, &, DEL, control
     * characters and the line separators U+2028 and U+2029 are escaped, so that no string can end
     * the script or open a comment. */
    EZ_JSON_PAGE,
    /* For a file that other programs read: a space after ',' and ':', numbers with all digits.
     * '<' is escaped too, so that a word cannot end the script of a page that embeds the JSON. */
    EZ_JSON_FILE
} ez_json_style;

/* In memory: (ez_json){.context = ..., .text = ...}. In a file: ez_json_open; then the struct must
 * not be copied. */
typedef struct ez_json {
    ezlda_context *context;
    ez_buffer *text; /* the JSON is appended to it */
    ezlda_status status;
    ez_json_style style;
    bool comma;          /* the next value needs one before it */
    ez_output *output;   /* NULL: in memory */
    ez_buffer unwritten; /* the text of a file */
} ez_json;

/* Starts a file, in the style EZ_JSON_FILE. */
ezlda_status ez_json_open(ez_json *json, ezlda_context *context, const char *path);
/* Ends the file with a newline and commits it, or removes it if anything failed. */
ezlda_status ez_json_close(ez_json *json);

void ez_json_begin(ez_json *json, char bracket); /* '{' or '[' */
void ez_json_end(ez_json *json, char bracket);   /* '}' or ']' */
void ez_json_key(ez_json *json, const char *key);
void ez_json_null(ez_json *json);
void ez_json_bool(ez_json *json, bool value);
void ez_json_whole(ez_json *json, uint64_t value);
void ez_json_real(ez_json *json, double value);       /* null if it is not finite */
void ez_json_string(ez_json *json, const char *text); /* UTF-8; NULL becomes null */
/* An array of numbers as a string: base64 of their bytes, little-endian. */
void ez_json_packed(ez_json *json, const void *array, size_t n, size_t size);

/* A key and its value: ez_json_pair(json, "topics", whole, 10). */
#define ez_json_pair(json, key, kind, ...) \
    (ez_json_key(json, key), ez_json_##kind(json, __VA_ARGS__))

/* Appends base64 (the standard alphabet, padded) to a buffer. */
ezlda_status ez_append_base64(ez_buffer *text, ezlda_context *context, const void *bytes, size_t n);

#endif
