#include "report/page/json_text.h"

#include "base/number_text.h"
#include "report/page/base64_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "arrays are packed as they lie in memory");

static void put(ez_json_text *json, const char *text, size_t n)
{
    if (json->status == EZLDA_OK)
        json->status = ez_buffer_append(json->text, json->context, text, n);
}

static void separate(ez_json_text *json)
{
    if (json->comma)
        put(json, ",", 1);
    json->comma = true;
}

void ez_jt_begin(ez_json_text *json, char bracket)
{
    separate(json);
    put(json, &bracket, 1);
    json->comma = false;
}

void ez_jt_end(ez_json_text *json, char bracket)
{
    put(json, &bracket, 1);
    json->comma = true;
}

void ez_jt_key(ez_json_text *json, const char *key)
{
    ez_jt_string(json, key);
    put(json, ":", 1);
    json->comma = false;
}

void ez_jt_null(ez_json_text *json)
{
    separate(json);
    put(json, "null", 4);
}

void ez_jt_bool(ez_json_text *json, bool value)
{
    separate(json);
    put(json, value ? "true" : "false", value ? 4 : 5);
}

void ez_jt_whole(ez_json_text *json, uint64_t value)
{
    char text[EZ_NUMBER_ROOM];
    separate(json);
    put(json, text, ez_put_whole(text, value));
}

void ez_jt_real(ez_json_text *json, double value)
{
    char text[EZ_NUMBER_ROOM];
    if (!isfinite(value)) {
        ez_jt_null(json);
        return;
    }
    separate(json);
    put(json, text, ez_put_real(text, value, EZ_TABLE_DIGITS));
}

/* Bytes at the front of a string that need no escape. */
static size_t plain(const char *text)
{
    size_t n = 0;
    while ((unsigned char)text[n] >= ' ' && !strchr("\"\\<>&\x7f", text[n]) &&
           memcmp(text + n, "\xe2\x80", 2) != 0)
        n++;
    return n;
}

/* Escapes what stands first, and returns how many bytes that was. */
static size_t put_escape(ez_json_text *json, const char *text)
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

void ez_jt_string(ez_json_text *json, const char *text)
{
    if (!text) {
        ez_jt_null(json);
        return;
    }
    separate(json);
    put(json, "\"", 1);
    for (;;) {
        size_t n = plain(text);
        put(json, text, n);
        text += n;
        if (!*text)
            break;
        text += put_escape(json, text);
    }
    put(json, "\"", 1);
}

void ez_jt_packed(ez_json_text *json, const void *array, size_t n, size_t size)
{
    separate(json);
    put(json, "\"", 1);
    if (json->status == EZLDA_OK)
        json->status = ez_append_base64(json->text, json->context, array, n * size);
    put(json, "\"", 1);
}
