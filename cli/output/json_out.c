/* Writes JSON to a file, item by item. */
#include "output/json_out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

static void new_line(json_out *json)
{
    fprintf(json->file, "\n%*s", 2 * json->depth, "");
}

/* Separates an item from the one before it. */
static void begin_item(json_out *json)
{
    if (json->after_key || !json->depth) {
        json->after_key = false;
        return;
    }
    int level = json->depth - 1;
    if (json->filled[level])
        fputs(json->lines[level] ? "," : ", ", json->file);
    if (json->lines[level])
        new_line(json);
    json->filled[level] = true;
}

void json_open(json_out *json, char bracket, bool lines)
{
    begin_item(json);
    putc(bracket, json->file);
    json->lines[json->depth] = lines;
    json->filled[json->depth] = false;
    json->depth++;
}

void json_close(json_out *json, char bracket)
{
    json->depth--;
    if (json->lines[json->depth] && json->filled[json->depth])
        new_line(json);
    putc(bracket, json->file);
    if (!json->depth)
        putc('\n', json->file);
}

static void put_character(FILE *file, utf8proc_int32_t c, const utf8proc_uint8_t *bytes, size_t n)
{
    if (c == '"' || c == '\\')
        fprintf(file, "\\%c", (char)c);
    else if (c == '\n')
        fputs("\\n", file);
    else if (c == '\t')
        fputs("\\t", file);
    else if (utf8proc_category(c) == UTF8PROC_CATEGORY_CC || c == 0x2028 || c == 0x2029)
        fprintf(file, "\\u%04x", (unsigned)c);
    else
        fwrite(bytes, 1, n, file);
}

static void put_string(FILE *file, const char *string)
{
    const utf8proc_uint8_t *s = (const utf8proc_uint8_t *)string;
    utf8proc_ssize_t left = (utf8proc_ssize_t)strlen(string);
    putc('"', file);
    while (left > 0) {
        utf8proc_int32_t c;
        utf8proc_ssize_t n = utf8proc_iterate(s, left, &c);
        if (n > 0)
            put_character(file, c, s, (size_t)n);
        else
            fputs("\\ufffd", file);
        s += n > 0 ? n : 1;
        left -= n > 0 ? n : 1;
    }
    putc('"', file);
}

void json_key(json_out *json, const char *key)
{
    begin_item(json);
    put_string(json->file, key);
    fputs(": ", json->file);
    json->after_key = true;
}

void json_string(json_out *json, const char *string)
{
    begin_item(json);
    if (string)
        put_string(json->file, string);
    else
        fputs("null", json->file);
}

void json_u64(json_out *json, uint64_t number)
{
    begin_item(json);
    fprintf(json->file, "%llu", (unsigned long long)number);
}

void json_real(json_out *json, double number)
{
    begin_item(json);
    if (!isfinite(number)) {
        fputs("null", json->file);
        return;
    }
    char text[32];
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    fputs(text, json->file);
}

void json_bool(json_out *json, bool value)
{
    begin_item(json);
    fputs(value ? "true" : "false", json->file);
}

void json_put_string(json_out *json, const char *key, const char *string)
{
    json_key(json, key);
    json_string(json, string);
}

void json_put_u64(json_out *json, const char *key, uint64_t number)
{
    json_key(json, key);
    json_u64(json, number);
}

void json_put_real(json_out *json, const char *key, double number)
{
    json_key(json, key);
    json_real(json, number);
}

void json_put_bool(json_out *json, const char *key, bool value)
{
    json_key(json, key);
    json_bool(json, value);
}
