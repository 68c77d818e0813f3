/* Appends JSON values and base64 to a buffer, and passes the buffer of a file on whenever it is
 * large. */
#include "base/json_writer.h"

#include "base/number_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "arrays are packed as they lie in memory");

enum { EZ_JSON_FLUSH = 1 << 20 };

/* What differs between the styles. Control characters are escaped in both. */
static const struct json_rules {
    const char *comma, *colon, *escaped;
    bool line_separators; /* U+2028 and U+2029 are escaped */
    int digits;
} rules[] = {
    [EZ_JSON_PAGE] = {",", ":", "\"\\<>&\x7f", true, EZ_TABLE_DIGITS},
    [EZ_JSON_FILE] = {", ", ": ", "\"\\<\x7f", false, EZ_ALL_DIGITS},
};

/* ---- text ---- */

static void flush(ez_json *json)
{
    if (json->status == EZLDA_OK)
        json->status =
            ez_output_write(json->output, json->context, json->text->data, json->text->used);
    json->text->used = 0;
}

static void put(ez_json *json, const char *text, size_t n)
{
    if (json->status == EZLDA_OK)
        json->status = ez_buffer_append(json->text, json->context, text, n);
    if (json->output && json->text->used >= EZ_JSON_FLUSH)
        flush(json);
}

static void put_text(ez_json *json, const char *text)
{
    put(json, text, strlen(text));
}

static void separate(ez_json *json)
{
    if (json->comma)
        put_text(json, rules[json->style].comma);
    json->comma = true;
}

/* ---- a file ---- */

ezlda_status ez_json_open(ez_json *json, ezlda_context *context, const char *path)
{
    *json = (ez_json){.context = context, .style = EZ_JSON_FILE};
    json->text = &json->unwritten;
    return ez_output_open(&json->output, context, path);
}

ezlda_status ez_json_close(ez_json *json)
{
    put_text(json, "\n");
    flush(json);
    ez_free(json->unwritten.data);
    if (json->status == EZLDA_OK)
        return ez_output_commit(json->output, json->context);
    ez_output_abandon(json->output);
    return json->status;
}

/* ---- values ---- */

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
    put_text(json, rules[json->style].colon);
    json->comma = false;
}

void ez_json_null(ez_json *json)
{
    separate(json);
    put_text(json, "null");
}

void ez_json_bool(ez_json *json, bool value)
{
    separate(json);
    put_text(json, value ? "true" : "false");
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
    if (!isfinite(value)) {
        ez_json_null(json);
        return;
    }
    separate(json);
    put(json, text, ez_put_real(text, value, rules[json->style].digits));
}

/* ---- strings ---- */

/* Bytes at the front of a string that need no escape. */
static size_t plain_bytes(const struct json_rules *rule, const char *text)
{
    size_t n = 0;
    while ((unsigned char)text[n] >= ' ' && !strchr(rule->escaped, text[n]) &&
           !(rule->line_separators && memcmp(text + n, "\xe2\x80", 2) == 0))
        n++;
    return n;
}

/* Escapes the first character and returns how many bytes it had. */
static size_t put_escape(ez_json *json, const char *text)
{
    unsigned code = (unsigned char)*text;
    size_t n = 1;
    if (code == 0xe2) { /* U+2000 to U+203F, of which only the line separators matter */
        n = 3;
        code = 0x2000 + ((unsigned char)text[2] & 0x3f);
        if (code != 0x2028 && code != 0x2029) {
            put(json, text, n);
            return n;
        }
    }
    char escape[8];
    put(json, escape, (size_t)snprintf(escape, sizeof escape, "\\u%04x", code));
    return n;
}

void ez_json_string(ez_json *json, const char *text)
{
    if (!text) {
        ez_json_null(json);
        return;
    }
    separate(json);
    put(json, "\"", 1);
    for (;;) {
        size_t n = plain_bytes(&rules[json->style], text);
        put(json, text, n);
        text += n;
        if (!*text)
            break;
        text += put_escape(json, text);
    }
    put(json, "\"", 1);
}

/* ---- base64 ---- */

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

ezlda_status ez_append_base64(ez_buffer *text, ezlda_context *context, const void *bytes, size_t n)
{
    const unsigned char *in = bytes;
    EZ_TRY(ez_buffer_reserve(text, context, n / 3 * 4 + 4));
    unsigned char *out = text->data + text->used;
    for (size_t i = 0; i < n; i += 3) {
        size_t left = n - i;
        uint32_t word = (uint32_t)in[i] << 16;
        word |= left > 1 ? (uint32_t)in[i + 1] << 8 : 0;
        word |= left > 2 ? (uint32_t)in[i + 2] : 0;
        *out++ = (unsigned char)alphabet[word >> 18];
        *out++ = (unsigned char)alphabet[word >> 12 & 63];
        *out++ = left > 1 ? (unsigned char)alphabet[word >> 6 & 63] : '=';
        *out++ = left > 2 ? (unsigned char)alphabet[word & 63] : '=';
    }
    text->used = (size_t)(out - text->data);
    return EZLDA_OK;
}

void ez_json_packed(ez_json *json, const void *array, size_t n, size_t size)
{
    separate(json);
    put(json, "\"", 1);
    if (json->status == EZLDA_OK)
        json->status = ez_append_base64(json->text, json->context, array, n * size);
    put(json, "\"", 1);
}
