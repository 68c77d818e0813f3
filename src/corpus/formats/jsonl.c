/* Reads JSON Lines, strictly (RFC 8259): one object per line. Only top-level fields are used; the
 * rest is checked and skipped. Lines of spaces hold no record. The block is UTF-8 already and ends
 * with '\n', which no value may contain: every scan stops there. */
#include "corpus/text/text_source.h"

#include "corpus/input/utf8.h"

#include <string.h>

enum { MAX_DEPTH = 512 };

typedef struct json_cursor {
    char *at;
    const char *wrong; /* what was expected at the first error; NULL: no error */
    char *line_start;
} json_cursor;

static bool fails(json_cursor *json, const char *wrong)
{
    if (!json->wrong)
        json->wrong = wrong;
    return false;
}

static void skip_spaces(json_cursor *json)
{
    while (*json->at == ' ' || *json->at == '\t' || *json->at == '\r')
        json->at++;
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
static bool parse_unicode_escape(json_cursor *json, char **to)
{
    uint32_t code, low;
    if (!hex4(json->at + 1, &code))
        return fails(json, "four hexadecimal digits after \\u");
    json->at += 5;
    if (code >= 0xdc00 && code <= 0xdfff)
        return fails(json, "a high surrogate before a low one");
    if (code >= 0xd800 && code <= 0xdbff) {
        if (json->at[0] != '\\' || json->at[1] != 'u' || !hex4(json->at + 2, &low) ||
            low < 0xdc00 || low > 0xdfff)
            return fails(json, "a low surrogate after a high one");
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        json->at += 6;
    }
    if (!code)
        return fails(json, "text without NUL (\\u0000)");
    *to += ez_utf8_encode(code, *to);
    return true;
}

static bool parse_escape(json_cursor *json, char **to)
{
    static const char from[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    char c = *++json->at;
    if (c == 'u')
        return parse_unicode_escape(json, to);
    const char *found = c ? strchr(from, c) : NULL;
    if (!found)
        return fails(json, "a known escape after \\");
    *(*to)++ = meant[found - from];
    json->at++;
    return true;
}

/* Parses a string at its opening quote and decodes it in place: an escape is never shorter than the
 * character it stands for. */
static bool parse_string(json_cursor *json, ez_span *value)
{
    if (*json->at != '"')
        return fails(json, "a string");
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
            return fails(json, "a closing quote (control characters are escaped)");
        if (!parse_escape(json, &to))
            return false;
    }
    value->n = (size_t)(to - value->at);
    json->at++;
    return true;
}

static bool skip_digits(json_cursor *json)
{
    char *start = json->at;
    while (*json->at >= '0' && *json->at <= '9')
        json->at++;
    return json->at > start ? true : fails(json, "a digit");
}

static bool parse_number(json_cursor *json, ez_span *value)
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

static bool parse_literal(json_cursor *json, const char *word, ez_span *value)
{
    size_t n = strlen(word);
    if (strncmp(json->at, word, n) != 0)
        return fails(json, "a value");
    value->at = json->at;
    value->n = *word == 'n' ? 0 : n; /* null: an empty value */
    json->at += n;
    return true;
}

static bool skip_nested(json_cursor *json, int depth);

/* Parses any value; *value is its text, with at = NULL for an object or array. */
/* NOLINTNEXTLINE(misc-no-recursion): at most MAX_DEPTH deep */
static bool parse_value(json_cursor *json, ez_span *value, int depth)
{
    value->at = NULL;
    value->n = 0;
    switch (*json->at) {
    case '"': return parse_string(json, value);
    case '{':
    case '[': return skip_nested(json, depth + 1);
    case 't': return parse_literal(json, "true", value);
    case 'f': return parse_literal(json, "false", value);
    case 'n': return parse_literal(json, "null", value);
    default: break;
    }
    if (*json->at != '-' && (*json->at < '0' || *json->at > '9'))
        return fails(json, "a value");
    return parse_number(json, value);
}

static bool parse_key(json_cursor *json, ez_span *name)
{
    if (!parse_string(json, name))
        return false;
    skip_spaces(json);
    if (*json->at != ':')
        return fails(json, "\":\"");
    json->at++;
    skip_spaces(json);
    return true;
}

/* Moves past the comma after an element and returns true, or past the closing bracket and returns
 * false. */
static bool next_element(json_cursor *json, char close)
{
    skip_spaces(json);
    if (*json->at == close) {
        json->at++;
        return false;
    }
    if (*json->at != ',')
        return fails(json, close == '}' ? "\",\" or \"}\"" : "\",\" or \"]\"");
    json->at++;
    skip_spaces(json);
    return true;
}

/* Skips an object or array. */
/* NOLINTNEXTLINE(misc-no-recursion): at most MAX_DEPTH deep */
static bool skip_nested(json_cursor *json, int depth)
{
    char close = *json->at++ == '{' ? '}' : ']';
    ez_span ignored;
    if (depth > MAX_DEPTH)
        return fails(json, "at most 512 levels of nesting");
    skip_spaces(json);
    if (*json->at == close) {
        json->at++;
        return true;
    }
    do {
        if ((close == '}' && !parse_key(json, &ignored)) || !parse_value(json, &ignored, depth))
            return false;
    } while (next_element(json, close));
    return !json->wrong;
}

/* Puts a value into the slots of its field; false if an object or array is in such a field. */
static bool store(const ez_field_plan *plan, ez_span name, ez_span value, ez_span *slots)
{
    for (uint32_t i = 0; i < plan->slots; i++) {
        const char *wanted = plan->names[i];
        if (!wanted || strncmp(wanted, name.at, name.n) != 0 || wanted[name.n])
            continue;
        if (!value.at)
            return false;
        slots[i] = value;
    }
    return true;
}

static bool parse_object(json_cursor *json, const ez_field_plan *plan, ez_span *slots)
{
    if (*json->at != '{')
        return fails(json, "an object in braces");
    json->at++;
    skip_spaces(json);
    if (*json->at == '}') {
        json->at++;
        return true;
    }
    do {
        ez_span name, value;
        if (!parse_key(json, &name) || !parse_value(json, &value, 1))
            return false;
        if (!store(plan, name, value, slots))
            return fails(json, "text or a number in a field that is used, not an object or array");
    } while (next_element(json, '}'));
    return !json->wrong;
}

static int next_jsonl(const ez_text_source *source, ezlda_context *context, ez_block *block,
                      ez_span *slots, uint64_t *line, ez_fault *fault)
{
    (void)context;
    char *text = (char *)block->text.data;
    json_cursor json = {.at = text + block->at};
    while (json.at < text + block->text.used) {
        json.line_start = json.at;
        *line = block->line++;
        skip_spaces(&json);
        bool empty = *json.at == '\n';
        ez_record_clear(source->plan, slots);
        if (!empty && parse_object(&json, source->plan, slots)) {
            skip_spaces(&json);
            if (*json.at != '\n')
                fails(&json, "the end of the line");
        }
        if (json.wrong)
            return ez_fault_set(fault, *line,
                                "not valid JSON Lines: expected %s at byte %zu of the line",
                                json.wrong, (size_t)(json.at - json.line_start) + 1);
        block->at = (size_t)(++json.at - text);
        if (!empty)
            return 1;
    }
    return 0;
}

const ez_record_reader ez_jsonl_reader = {"jsonl", next_jsonl, ez_cut_lines, NULL};
