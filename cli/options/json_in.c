/* A strict reader of JSON (RFC 8259) without a tree. */
#include "options/json_in.h"

#include <string.h>

enum { DEEPEST = 64 };

static bool wrong(json_in *json, const char *expected)
{
    if (!json->expected)
        json->expected = expected;
    return false;
}

static void skip_spaces(json_in *json)
{
    while (json->at < json->end && strchr(" \t\r\n", *json->at))
        json->line += *json->at++ == '\n';
}

bool json_in_is(json_in *json, char begin)
{
    skip_spaces(json);
    return json->at < json->end && *json->at == begin;
}

bool json_in_at_end(json_in *json)
{
    skip_spaces(json);
    return json->at == json->end;
}

bool json_in_take(json_in *json, char wanted)
{
    if (!json_in_is(json, wanted))
        return false;
    json->at++;
    return true;
}

bool json_in_open(json_in *json)
{
    return json_in_take(json, '{') || wrong(json, "a JSON object");
}

bool json_in_key(json_in *json, cli_text *key, bool *first)
{
    if (json->expected || json_in_take(json, '}'))
        return false;
    if (!*first && !json_in_take(json, ','))
        return wrong(json, "a comma or the end of the object");
    *first = false;
    return json_in_string(json, key) && (json_in_take(json, ':') || wrong(json, "a colon"));
}

static bool read_hex(json_in *json, uint32_t *unit)
{
    *unit = 0;
    for (int i = 0; i < 4; i++, json->at++) {
        static const char digits[] = "0123456789abcdef0123456789ABCDEF";
        const char *found = json->at < json->end && *json->at ? strchr(digits, *json->at) : NULL;
        if (!found)
            return wrong(json, "four hexadecimal digits");
        *unit = *unit * 16 + (uint32_t)(found - digits) % 16;
    }
    return true;
}

static void put_utf8(cli_text *value, uint32_t c)
{
    char bytes[4];
    size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = n; i-- > 1; c >>= 6)
        bytes[i] = (char)(0x80 | (c & 0x3f));
    bytes[0] = (char)(lead[n] | c);
    text_put(value, bytes, n);
}

/* \uXXXX, or two of them for a character beyond 16 bits. */
static bool read_unicode(json_in *json, cli_text *value)
{
    uint32_t high, low;
    if (!read_hex(json, &high))
        return false;
    if (high < 0xd800 || high > 0xdfff) {
        put_utf8(value, high);
        return high != 0 || wrong(json, "a character other than NUL");
    }
    if (high > 0xdbff || json->end - json->at < 2 || json->at[0] != '\\' || json->at[1] != 'u')
        return wrong(json, "a pair of surrogates");
    json->at += 2;
    if (!read_hex(json, &low) || low < 0xdc00 || low > 0xdfff)
        return wrong(json, "a pair of surrogates");
    put_utf8(value, 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00));
    return true;
}

static bool read_escape(json_in *json, cli_text *value)
{
    static const char names[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    char c = json->at < json->end ? *json->at++ : 0;
    const char *found = c ? strchr(names, c) : NULL;
    if (c == 'u')
        return read_unicode(json, value);
    if (!found)
        return wrong(json, "an escape of JSON");
    text_put(value, &meanings[found - names], 1);
    return true;
}

bool json_in_string(json_in *json, cli_text *value)
{
    text_clear(value);
    text_put(value, "", 0);
    if (!json_in_take(json, '"'))
        return wrong(json, "a string");
    while (json->at < json->end && *json->at != '"') {
        unsigned char c = (unsigned char)*json->at++;
        if (c < ' ')
            return wrong(json, "a string on one line");
        if (c != '\\')
            text_put(value, (const char *)&c, 1);
        else if (!read_escape(json, value))
            return false;
    }
    return json_in_take(json, '"') || wrong(json, "the end of a string");
}

bool json_in_whole(json_in *json, uint64_t *value)
{
    size_t digits = 0;
    *value = 0;
    skip_spaces(json);
    for (; json->at < json->end && *json->at >= '0' && *json->at <= '9' && digits < 18; digits++)
        *value = 10 * *value + (uint64_t)(*json->at++ - '0');
    bool ends = json->at == json->end || strchr(" \t\r\n,}]", *json->at);
    return (digits > 0 && ends) || wrong(json, "a whole number");
}

/* Skips a number, true, false or null. */
static bool skip_word(json_in *json)
{
    const char *from = json->at;
    while (json->at < json->end && strchr("+-.0123456789abcdefghijklmnopqrstuvwxyzE", *json->at))
        json->at++;
    return json->at > from || wrong(json, "a JSON value");
}

bool json_in_skip(json_in *json)
{
    char open[DEEPEST];
    int depth = 0;
    cli_text ignored = {0};
    do {
        if (depth > 0 && json_in_take(json, open[depth - 1])) {
            depth--;
        } else if (depth > 0 && (json_in_take(json, ',') || json_in_take(json, ':'))) {
            continue;
        } else if (json_in_is(json, '"')) {
            json_in_string(json, &ignored);
        } else if (json_in_is(json, '{') || json_in_is(json, '[')) {
            if (depth == DEEPEST)
                wrong(json, "values that are less deep");
            else
                open[depth++] = *json->at++ == '{' ? '}' : ']';
        } else {
            skip_word(json);
        }
    } while (depth > 0 && !json->expected);
    text_free(&ignored);
    return !json->expected;
}
