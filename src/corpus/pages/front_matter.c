/* Reads the fields that a Markdown file opens with: YAML between lines of dashes, TOML between
 * lines of plus signs, or pandoc's lines of a percent sign. It knows the YAML that people write:
 * values with or without quotes, lists, nested keys (a.b) and blocks of text. */
#include "corpus/markup/markup_parts.h"
#include "corpus/pages/page_reader.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST_FRONT = 1 << 16 };

typedef struct front_matter {
    ez_page_set *set;
    ezlda_context *context;
    const char *at, *end; /* the lines between the marks */
    char key[EZ_PAGE_NAME];
    size_t outer; /* bytes of the key that is not indented; 0: none */
    char assign;  /* ':' in YAML, '=' in TOML */
} front_matter;

typedef struct text_span {
    const char *at, *end;
} text_span;

static text_span trim(text_span span)
{
    while (span.at < span.end && ez_is_space(*span.at))
        span.at++;
    while (span.end > span.at && ez_is_space(span.end[-1]))
        span.end--;
    return span;
}

/* Takes the next line off a text. */
static text_span next_line(const char **at, const char *end)
{
    const char *newline = memchr(*at, '\n', (size_t)(end - *at));
    text_span line = {*at, newline ? newline : end};
    *at = newline ? newline + 1 : end;
    return line;
}

static bool is_mark(text_span line, const char *mark)
{
    while (line.end > line.at && ez_is_space(line.end[-1]))
        line.end--;
    size_t n = strlen(mark);
    return (size_t)(line.end - line.at) == n && memcmp(line.at, mark, n) == 0;
}

/* ---- values ---- */

static ezlda_status put(front_matter *self, text_span value)
{
    static const char *const others[][2] = {{"lang", "language"},
                                            {"tags", "keywords"},
                                            {"authors", "author"},
                                            {"author.name", "author"},
                                            {"authors.name", "author"}};
    size_t n = (size_t)(value.end - value.at);
    EZ_TRY(ez_page_set_field(self->set, self->context, self->key, value.at, n, true));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i][0], self->key) == 0)
            return ez_page_set_field(self->set, self->context, others[i][1], value.at, n, true);
    return EZLDA_OK;
}

/* A value without its quotes, or without the comment after it. */
static text_span plain_value(text_span value)
{
    value = trim(value);
    char quote = value.at < value.end && strchr("\"'", *value.at) ? *value.at : 0;
    const char *from = value.at + 1;
    const char *close = quote ? memchr(from, quote, (size_t)(value.end - from)) : NULL;
    if (close)
        return (text_span){from, close};
    for (const char *c = value.at; c + 1 < value.end; c++)
        if (ez_is_space(*c) && c[1] == '#')
            return trim((text_span){value.at, c});
    return value;
}

/* `[a, "b"]` */
static ezlda_status put_list(front_matter *self, text_span list)
{
    for (const char *at = list.at + 1; at < list.end;) {
        const char *start = at;
        char quote = 0;
        for (; at < list.end && (quote || !strchr(",]", *at)); at++)
            if (*at == '"' || *at == '\'')
                quote = quote == *at ? 0 : quote ? quote : *at;
        EZ_TRY(put(self, plain_value((text_span){start, at})));
        at++;
    }
    return EZLDA_OK;
}

static ezlda_status put_value(front_matter *self, text_span value)
{
    value = trim(value);
    if (value.at < value.end && *value.at == '[')
        return put_list(self, value);
    bool block = value.at < value.end && (*value.at == '|' || *value.at == '>');
    return block ? EZLDA_OK : put(self, plain_value(value)); /* the lines of a block follow */
}

/* ---- keys ---- */

static bool is_key_byte(char c)
{
    return ez_is_ascii_alnum(c) || c == '_' || c == '-' || c == '.' || (c & 0x80);
}

/* Reads `key: value` at the start of a text into the key, after its first `outer` bytes. */
static bool take_key(front_matter *self, text_span *line)
{
    const char *at = line->at, *start = at;
    while (at < line->end && is_key_byte(*at))
        at++;
    size_t n = (size_t)(at - start), dot = self->outer != 0;
    while (at < line->end && *at == ' ')
        at++;
    if (!n || self->outer + dot + n >= sizeof self->key || at == line->end || *at != self->assign ||
        (self->assign == ':' && at + 1 < line->end && !ez_is_space(at[1])))
        return false;
    char *to = self->key + self->outer;
    if (dot)
        *to++ = '.';
    for (size_t i = 0; i < n; i++)
        to[i] = start[i] >= 'A' && start[i] <= 'Z' ? (char)(start[i] | 0x20) : start[i];
    to[n] = '\0';
    line->at = at + 1;
    return true;
}

static ezlda_status read_line(front_matter *self, text_span line)
{
    bool indented = line.at < line.end && (ez_is_space(*line.at) || *line.at == '-');
    if (!indented) {
        self->outer = 0;
        if (take_key(self, &line))
            self->outer = strlen(self->key);
        else
            return EZLDA_OK;
        return put_value(self, line);
    }
    line = trim(line);
    if (line.at < line.end && *line.at == '-')
        line = trim((text_span){line.at + 1, line.end});
    if (!self->outer || line.at == line.end)
        return EZLDA_OK;
    if (!take_key(self, &line))
        self->key[self->outer] = '\0';
    return put_value(self, line);
}

/* ---- where it is ---- */

/* Whether a line may be the first of the fields; text after a horizontal rule is not. */
static bool opens_fields(front_matter *self, const char *at, const char *end)
{
    text_span line = {at, at};
    while (at < end && line.at == line.end)
        line = trim(next_line(&at, end));
    bool comment = line.at < line.end && *line.at == '#' && self->assign == '=';
    return comment || take_key(self, &line);
}

/* Finds the lines between two marks at the start of a text. */
static bool find_front(front_matter *self, const char *text, size_t n, size_t *used)
{
    const char *at = text, *end = text + (n < LONGEST_FRONT ? n : LONGEST_FRONT);
    text_span first = next_line(&at, end);
    bool toml = is_mark(first, "+++");
    if (!toml && !is_mark(first, "---"))
        return false;
    self->at = at;
    self->assign = toml ? '=' : ':';
    if (!opens_fields(self, at, end))
        return false;
    while (at < end) {
        text_span line = next_line(&at, end);
        if (!is_mark(line, toml ? "+++" : "---") && (toml || !is_mark(line, "...")))
            continue;
        self->end = line.at;
        *used = (size_t)(at - text);
        return true;
    }
    return false;
}

/* pandoc: `% title`, `% authors`, `% date`. */
static ezlda_status read_percent_lines(front_matter *self, const char *text, size_t n, size_t *used)
{
    static const char *const names[] = {"title", "author", "date"};
    const char *at = text, *end = text + n;
    for (size_t i = 0; i < 3 && end - at > 1 && at[0] == '%' && at[1] == ' '; i++) {
        text_span line = next_line(&at, end);
        snprintf(self->key, sizeof self->key, "%s", names[i]);
        EZ_TRY(put(self, (text_span){line.at + 1, line.end}));
        *used = (size_t)(at - text);
    }
    return EZLDA_OK;
}

ezlda_status ez_page_front_matter(ez_page_set *set, ezlda_context *context, const char *text,
                                  size_t n, size_t *used)
{
    front_matter self = {.set = set, .context = context};
    *used = 0;
    if (!find_front(&self, text, n, used))
        return read_percent_lines(&self, text, n, used);
    while (self.at < self.end)
        EZ_TRY(read_line(&self, next_line(&self.at, self.end)));
    return EZLDA_OK;
}
