#include "export/json_columns.h"

#include "base/number_text.h"

#include <stdio.h>
#include <string.h>

enum { EZ_JSON_FLUSH = 1 << 20 };

ezlda_status ez_json_open(ez_json *json, ezlda_context *context, const char *path)
{
    *json = (ez_json){.context = context};
    return ez_output_open(&json->output, context, path);
}

static void flush(ez_json *json)
{
    if (json->status == EZLDA_OK)
        json->status =
            ez_output_write(json->output, json->context, json->text.data, json->text.used);
    json->text.used = 0;
}

static void put(ez_json *json, const char *text, size_t n)
{
    if (json->status == EZLDA_OK)
        json->status = ez_buffer_append(&json->text, json->context, text, n);
    if (json->text.used >= EZ_JSON_FLUSH)
        flush(json);
}

static void separate(ez_json *json)
{
    if (json->comma)
        put(json, ", ", 2);
    json->comma = true;
}

ezlda_status ez_json_close(ez_json *json)
{
    put(json, "\n", 1);
    flush(json);
    ez_free(json->text.data);
    if (json->status == EZLDA_OK)
        return ez_output_commit(json->output, json->context);
    ez_output_abandon(json->output);
    return json->status;
}

void ez_json_begin(ez_json *json, char bracket)
{
    separate(json);
    put(json, &bracket, 1);
    json->comma = false;
}

void ez_json_end(ez_json *json, char bracket)
{
    put(json, &bracket, 1);
    json->comma = true;
}

void ez_json_key(ez_json *json, const char *key)
{
    ez_json_string(json, key);
    put(json, ": ", 2);
    json->comma = false;
}

void ez_json_whole(ez_json *json, uint64_t value)
{
    char text[EZ_NUMBER_ROOM];
    separate(json);
    put(json, text, ez_put_whole(text, value));
}

void ez_json_real(ez_json *json, double value)
{
    char text[EZ_NUMBER_ROOM];
    separate(json);
    put(json, text, ez_put_real(text, value, EZ_ALL_DIGITS));
}

/* '<' is escaped too, so that a word cannot end the script of a page that the JSON is pasted into.
 */
void ez_json_string(ez_json *json, const char *text)
{
    separate(json);
    put(json, "\"", 1);
    while (*text) {
        size_t plain = 0;
        while ((unsigned char)text[plain] >= ' ' && !strchr("\"\\<\x7f", text[plain]))
            plain++;
        put(json, text, plain);
        text += plain;
        if (!*text)
            break;
        char escape[8];
        put(json, escape,
            (size_t)snprintf(escape, sizeof escape, "\\u%04x", (unsigned)(unsigned char)*text++));
    }
    put(json, "\"", 1);
}
