/* Parses JSON in place. An escape is never shorter than the character it stands for, so strings are
 * decoded where they are. */
#include "corpus/formats/json_parse.h"

#include "corpus/input/utf8.h"

#include <string.h>

enum { MAX_DEPTH = 512 };

bool ez_json_expected(ez_json *json, const char *what)
{
    if (!json->wrong)
        json->wrong = what;
    return false;
}

void ez_json_spaces(ez_json *json)
{
    for (; json->at < json->end; json->at++) {
        if (*json->at == '\n' && json->many_lines) {
            json->line++;
            json->line_start = json->at + 1;
        } else if (*json->at != ' ' && *json->at != '\t' && *json->at != '\r') {
            return;
        }
    }
}

static bool hex4(const char *at, uint32_t *value)
{
    *value = 0;
    for (int i = 0; i < 4; i++) {
        char c = at[i], low = (char)(c | 0x20);
        if (c >= '0' && c <= '9')
            *value = *value << 4 | (uint32_t)(c - '0');
        else if (low >= 'a' && low <= 'f')
            *value = *value << 4 | (uint32_t)(low - 'a' + 10);
        else
            return false;
    }
    return true;
}

/* Parses \uXXXX at json->at (on the u); a pair of surrogates is one character. */
static bool parse_unicode_escape(ez_json *json, char **to)
{
    uint32_t code, low;
    if (!hex4(json->at + 1, &code))
        return ez_json_expected(json, "four hexadecimal digits after \\u");
    json->at += 5;
    if (code >= 0xdc00 && code <= 0xdfff)
        return ez_json_expected(json, "a high surrogate before a low one");
    if (code >= 0xd800 && code <= 0xdbff) {
        if (json->at[0] != '\\' || json->at[1] != 'u' || !hex4(json->at + 2, &low) ||
            low < 0xdc00 || low > 0xdfff)
            return ez_json_expected(json, "a low surrogate after a high one");
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        json->at += 6;
    }
    if (!code)
        return ez_json_expected(json, "text without NUL (\\u0000)");
    *to += ez_utf8_encode(code, *to);
    return true;
}

static bool parse_escape(ez_json *json, char **to)
{
    static const char from[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    char c = *++json->at;
    if (c == 'u')
        return parse_unicode_escape(json, to);
    const char *found = c ? strchr(from, c) : NULL;
    if (!found)
        return ez_json_expected(json, "a known escape after \\");
    *(*to)++ = meant[found - from];
    json->at++;
    return true;
}

/* Parses a string at its opening quote and decodes it in place: an escape is never shorter than the
 * character it stands for. */
static bool parse_string(ez_json *json, ez_span *value)
{
    if (*json->at != '"')
        return ez_json_expected(json, "a string");
    char *to = ++json->at;
    value->at = to;
    for (;;) {
        char *run = json->at;
        while (*json->at != '"' && *json->at != '\\' && (unsigned char)*json->at >= 0x20)
            json->at++;
        size_t n = (size_t)(json->at - run);
        if (to != run)
            memmove(to, run, n);
        to += n;
        if (*json->at == '"')
            break;
        if (*json->at != '\\')
            return ez_json_expected(json, "a closing quote (control characters are escaped)");
        if (!parse_escape(json, &to))
            return false;
    }
    value->n = (size_t)(to - value->at);
    json->at++;
    return true;
}

static bool skip_digits(ez_json *json)
{
    char *start = json->at;
    while (*json->at >= '0' && *json->at <= '9')
        json->at++;
    return json->at > start ? true : ez_json_expected(json, "a digit");
}

static bool parse_number(ez_json *json, ez_span *value)
{
    value->at = json->at;
    json->at += *json->at == '-';
    if (*json->at == '0')
        json->at++;
    else if (!skip_digits(json))
        return false;
    if (*json->at == '.') {
        json->at++;
        if (!skip_digits(json))
            return false;
    }
    if ((*json->at | 0x20) == 'e') {
        json->at++;
        json->at += *json->at == '+' || *json->at == '-';
        if (!skip_digits(json))
            return false;
    }
    value->n = (size_t)(json->at - value->at);
    return true;
}

static bool parse_literal(ez_json *json, const char *word, ez_span *value)
{
    size_t n = strlen(word);
    if (strncmp(json->at, word, n) != 0)
        return ez_json_expected(json, "a value");
    value->at = json->at;
    value->n = *word == 'n' ? 0 : n; /* null: an empty value */
    json->at += n;
    return true;
}

static bool parse_scalar(ez_json *json, ez_span *value)
{
    switch (*json->at) {
    case '"': return parse_string(json, value);
    case 't': return parse_literal(json, "true", value);
    case 'f': return parse_literal(json, "false", value);
    case 'n': return parse_literal(json, "null", value);
    default: break;
    }
    if (*json->at != '-' && (*json->at < '0' || *json->at > '9'))
        return ez_json_expected(json, "a value");
    return parse_number(json, value);
}

static bool parse_key(ez_json *json, ez_span *name)
{
    if (!parse_string(json, name))
        return false;
    ez_json_spaces(json);
    if (*json->at != ':')
        return ez_json_expected(json, "\":\"");
    json->at++;
    ez_json_spaces(json);
    return true;
}

/* Moves past the comma after an element and returns true, or past the closing bracket and returns
 * false. */
static bool next_element(ez_json *json, char close)
{
    ez_json_spaces(json);
    if (*json->at == close) {
        json->at++;
        return false;
    }
    if (*json->at != ',')
        return ez_json_expected(json, close == '}' ? "\",\" or \"}\"" : "\",\" or \"]\"");
    json->at++;
    ez_json_spaces(json);
    return true;
}

static bool parse_nested(ez_json *json, int level, bool offered);

/* Parses any value. It is offered to the caller unless it is below one that is skipped. */
/* NOLINTNEXTLINE(misc-no-recursion): at most MAX_DEPTH deep */
static bool parse_value(ez_json *json, int level, bool offered)
{
    ez_span text = {0};
    bool nested = *json->at == '{' || *json->at == '[';
    ez_json_kind kind = *json->at == '{' ? EZ_JSON_OBJECT : EZ_JSON_LIST;
    if (!nested && !parse_scalar(json, &text))
        return false;
    ez_json_answer answer =
        offered ? json->value(json, nested ? kind : EZ_JSON_SCALAR, text) : EZ_JSON_SKIP;
    if (answer == EZ_JSON_WRONG)
        return ez_json_expected(json, "text, a number or a list of these in a field that is used");
    return !nested || parse_nested(json, level + 1, answer == EZ_JSON_ENTER);
}

/* Parses an object or list. */
/* NOLINTNEXTLINE(misc-no-recursion): at most MAX_DEPTH deep */
static bool parse_nested(ez_json *json, int level, bool offered)
{
    char close = *json->at++ == '{' ? '}' : ']';
    size_t depth = json->depth, index = 0;
    if (level > MAX_DEPTH)
        return ez_json_expected(json, "at most 512 levels of nesting");
    ez_json_spaces(json);
    if (*json->at == close) {
        json->at++;
        return true;
    }
    bool known = offered && depth < EZ_JSON_STEPS;
    do {
        ez_span key = {0};
        if (close == '}' && !parse_key(json, &key))
            return false;
        if (known)
            json->steps[depth] = (ez_json_step){key, index++};
        json->depth = depth + known;
        if (!parse_value(json, level, known))
            return false;
    } while (next_element(json, close));
    json->depth = depth;
    return !json->wrong;
}

bool ez_json_object(ez_json *json)
{
    json->depth = 0;
    return *json->at == '{' ? parse_nested(json, 0, true)
                            : ez_json_expected(json, "an object in braces");
}

/* Moves past the index at *name, such as [12]; false if it is another one. */
static bool same_index(const char **name, size_t index)
{
    const char *at = *name + 1;
    size_t number = 0, digits = 0;
    for (; *at >= '0' && *at <= '9' && digits < 9; at++, digits++)
        number = number * 10 + (size_t)(*at - '0');
    if (!digits || *at != ']' || number != index)
        return false;
    *name = at + 1;
    return true;
}

/* Moves past one step of a name, and the dot after it; false if the name has another step there. */
static bool same_step(const char **name, const ez_json_step *step, bool *listed)
{
    if (!step->key.at && **name != '[') {
        *listed = true;
        return true;
    }
    if (!step->key.at) {
        if (!same_index(name, step->index))
            return false;
    } else {
        if (strncmp(*name, step->key.at, step->key.n) != 0)
            return false;
        *name += step->key.n;
    }
    if (**name && **name != '.' && **name != '[')
        return false;
    *name += **name == '.';
    return true;
}

ez_json_relation ez_json_relate(const ez_json *json, const char *name, bool *listed)
{
    *listed = false;
    for (size_t i = 0; i < json->depth; i++) {
        if (!*name && json->steps[i].key.at)
            return EZ_JSON_APART;
        if (!same_step(&name, &json->steps[i], listed))
            return EZ_JSON_APART;
    }
    return *name ? EZ_JSON_ABOVE : EZ_JSON_SAME;
}
