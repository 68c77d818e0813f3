/* JSON as pyLDAvis keeps its tables: an object of columns, each an array. Written as it is made;
 * the first failure is kept and told at the end. */
#ifndef EZ_JSON_COLUMNS_H
#define EZ_JSON_COLUMNS_H

#include "base/files/output_file.h"
#include "base/memory.h"

typedef struct ez_json {
    ez_output *output;
    ezlda_context *context;
    ezlda_status status;
    ez_buffer text; /* not yet written */
    bool comma;     /* the next value needs one before it */
} ez_json;

ezlda_status ez_json_open(ez_json *json, ezlda_context *context, const char *path);
/* Ends the file and commits it, or removes it where anything failed. */
ezlda_status ez_json_close(ez_json *json);

void ez_json_begin(ez_json *json, char bracket);  /* '{' or '[' */
void ez_json_end(ez_json *json, char bracket);    /* '}' or ']' */
void ez_json_key(ez_json *json, const char *key); /* plain ASCII */
void ez_json_whole(ez_json *json, uint64_t value);
void ez_json_real(ez_json *json, double value);
void ez_json_string(ez_json *json, const char *text); /* UTF-8 */

#endif
