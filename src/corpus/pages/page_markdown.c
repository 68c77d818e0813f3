/* Reads Markdown: removes code, marks of emphasis and the targets of links, and keeps the lines of
 * the text. Tags and entities are left to the markup filter. */
#include "corpus/markup/markup_parts.h"
#include "corpus/pages/page_reader.h"

#include <string.h>

enum { MOST_OPEN = 32, LONGEST_TARGET = 2000, CODE_INDENT = 4 };

typedef struct markdown_line {
    const char *at, *end; /* without its line end and the spaces at its start */
    size_t indent;
} markdown_line;

typedef struct markdown {
    ez_page_set *set;
    ezlda_context *context;
    char fence; /* character of the open code fence; 0: none is open */
    size_t fence_length;
    bool after_empty, in_list, in_code;
    markdown_line before; /* the last line with text, which an underline makes a heading */
} markdown;

static ezlda_status put(markdown *self, const char *text, size_t n)
{
    return ez_buffer_append(&self->set->text, self->context, text, n);
}

static markdown_line line_of(const char *at, const char *end)
{
    markdown_line line = {at, end, 0};
    for (; line.at < end && (*line.at == ' ' || *line.at == '\t'); line.at++)
        line.indent += *line.at == '\t' ? CODE_INDENT - line.indent % CODE_INDENT : 1;
    while (line.end > line.at && ez_is_space(line.end[-1]))
        line.end--;
    return line;
}

/* The length of the run of `mark` that a text begins with. */
static size_t run_of(const char *at, const char *end, char mark)
{
    size_t n = 0;
    while (at + n < end && at[n] == mark)
        n++;
    return n;
}

/* ---- inside a line ---- */

/* The end of a link's target, `(url "title")` or `[label]`; NULL: it is not one. */
static const char *target_end(const char *at, const char *end)
{
    char open = *at, close = open == '(' ? ')' : ']';
    size_t depth = 0;
    bool space = false, quoted = false;
    end = end - at > LONGEST_TARGET ? at + LONGEST_TARGET : end;
    for (; at < end; at++) {
        quoted = quoted || (space && (*at == '"' || *at == '\''));
        if (ez_is_space(*at))
            space = true;
        else if (space && !quoted && open == '(' && *at != close)
            return NULL; /* words in parentheses */
        depth += *at == open;
        if (*at == close && --depth == 0)
            return at + 1;
    }
    return NULL;
}

/* Removes the bracket that opened a link, and the '!' of an image. */
static void close_link(ez_buffer *text, size_t open)
{
    size_t from = open && text->data[open - 1] == '!' ? open - 1 : open;
    memmove(text->data + from, text->data + open + 1, text->used - open - 1);
    text->used -= open + 1 - from;
}

/* Whether the stars of a line are marks of emphasis: they come in pairs. */
static bool has_emphasis(const char *at, const char *end)
{
    size_t runs = 0;
    for (; at < end; at++)
        runs += *at == '*' && (at + 1 == end || at[1] != '*');
    return runs >= 2;
}

typedef struct open_links {
    size_t at[MOST_OPEN]; /* places of open brackets in the text */
    size_t n;
} open_links;

/* What is at a bracket or star; returns the place after it, or `at` if it is text. */
static ezlda_status take_mark(markdown *self, open_links *links, const char **at, const char *end)
{
    ez_buffer *text = &self->set->text;
    const char *next = *at + 1, *after = NULL;
    bool target = next < end && (*next == '(' || *next == '[');
    if (**at == '[' && next < end && *next == '^')
        after = target_end(*at, end);
    if (after) { /* a footnote's mark */
        *at = after;
        return EZLDA_OK;
    }
    if (**at == '[')
        links->at[links->n < MOST_OPEN ? links->n++ : MOST_OPEN - 1] = text->used;
    bool open = **at == ']' && links->n;
    if (open && target)
        after = target_end(next, end);
    links->n -= open;
    if (after)
        close_link(text, links->at[links->n]);
    *at = after ? after : next;
    return after ? EZLDA_OK : put(self, next - 1, 1);
}

static ezlda_status put_inline(markdown *self, const char *at, const char *end)
{
    open_links links = {.n = 0};
    bool emphasis = has_emphasis(at, end);
    while (at < end) {
        const char *start = at;
        while (at < end && !strchr("\\[]*`", *at))
            at++;
        EZ_TRY(put(self, start, (size_t)(at - start)));
        if (at == end)
            break;
        if (*at == '[' || *at == ']') {
            EZ_TRY(take_mark(self, &links, &at, end));
            continue;
        }
        if (*at == '\\' && at + 1 < end && !(at[1] & 0x80))
            at++, start = at;
        else
            start = (*at == '*' && emphasis) || *at == '`' ? NULL : at;
        at++;
        EZ_TRY(put(self, at - 1, start != NULL));
    }
    return put(self, "\n", 1);
}

/* ---- lines ---- */

static bool is_list_item(const markdown_line *line)
{
    const char *at = line->at, *end = line->end;
    if (at < end && strchr("-*+", *at))
        return end - at > 1 && ez_is_space(at[1]);
    while (at < end && ez_is_ascii_digit(*at))
        at++;
    return at > line->at && end - at > 1 && (*at == '.' || *at == ')') && ez_is_space(at[1]);
}

/* Whether a line opens a code block between fences. */
static bool opens_fence(markdown *self, const markdown_line *line)
{
    char mark = line->at < line->end ? *line->at : 0;
    size_t n = mark == '`' || mark == '~' ? run_of(line->at, line->end, mark) : 0;
    if (n < 3 || (mark == '`' && memchr(line->at + n, '`', (size_t)(line->end - line->at) - n)))
        return false;
    self->fence = mark;
    self->fence_length = n;
    return true;
}

static bool closes_fence(const markdown *self, const markdown_line *line)
{
    size_t n = run_of(line->at, line->end, self->fence);
    return n >= self->fence_length && line->at + n == line->end;
}

/* Whether a line is code by its indentation; inside a list, that is its text. */
static bool is_indented_code(const markdown *self, const markdown_line *line)
{
    return line->indent >= CODE_INDENT && !self->in_list && (self->after_empty || self->in_code);
}

/* `[label]: target`, but not the text of a footnote. */
static bool is_definition(const markdown_line *line)
{
    const char *at = line->at, *close;
    size_t n = (size_t)(line->end - at);
    if (n < 4 || *at != '[' || at[1] == '^')
        return false;
    close = memchr(at, ']', n < LONGEST_TARGET ? n : LONGEST_TARGET);
    return close && line->end - close > 2 && close[1] == ':' && ez_is_space(close[2]);
}

static ezlda_status put_title(markdown *self, const char *at, const char *end)
{
    while (at < end && (*at == '#' || ez_is_space(*at)))
        at++;
    while (end > at && (end[-1] == '#' || ez_is_space(end[-1])))
        end--;
    if (at == end || !ez_page_set_lacks(self->set, "title"))
        return EZLDA_OK;
    ez_buffer *text = &self->set->text;
    size_t used = text->used;
    EZ_TRY(put_inline(self, at, end));
    ezlda_status status =
        ez_page_set_field(self->set, self->context, "title", (const char *)text->data + used,
                          text->used - used - 1, false);
    text->used = used;
    return status;
}

static bool is_underline(const markdown_line *line)
{
    size_t n = (size_t)(line->end - line->at);
    return n && line->indent < CODE_INDENT &&
           (run_of(line->at, line->end, '=') == n || run_of(line->at, line->end, '-') == n);
}

/* The marks of headings, quotations and list items separate words and nothing else. */
static ezlda_status read_text(markdown *self, const markdown_line *line)
{
    size_t marks = run_of(line->at, line->end, '#');
    bool item = is_list_item(line);
    if (is_underline(line) && self->before.at)
        EZ_TRY(put_title(self, self->before.at, self->before.end));
    if (marks && marks <= 6 && line->indent < CODE_INDENT &&
        (line->at + marks == line->end || ez_is_space(line->at[marks])))
        EZ_TRY(put_title(self, line->at, line->end));
    self->in_list = item || (self->in_list && (line->indent > 1 || !self->after_empty));
    self->in_code = self->after_empty = false;
    self->before = *line;
    if (is_definition(line))
        return EZLDA_OK;
    return put_inline(self, line->at + (item && *line->at == '*'), line->end);
}

static ezlda_status read_line(markdown *self, const markdown_line *line)
{
    bool empty = line->at == line->end;
    if (self->fence) {
        if (closes_fence(self, line))
            self->fence = 0;
        return EZLDA_OK;
    }
    if (empty) {
        self->after_empty = true;
        self->before = (markdown_line){0};
        return put(self, "\n", 1);
    }
    if (opens_fence(self, line))
        return put(self, "\n", 1);
    if (is_indented_code(self, line)) {
        self->in_code = true;
        return EZLDA_OK;
    }
    return read_text(self, line);
}

ezlda_status ez_page_read_markdown(ez_page_set *set, ezlda_context *context, const char *text,
                                   size_t n)
{
    markdown self = {.set = set, .context = context, .after_empty = true};
    const char *at = text, *end = text + n;
    size_t front;
    EZ_TRY(ez_page_set_add(set, context));
    EZ_TRY(ez_page_front_matter(set, context, text, n, &front));
    for (at += front; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        markdown_line line = line_of(at, newline ? newline : end);
        EZ_TRY(read_line(&self, &line));
        at = newline ? newline + 1 : end;
    }
    return EZLDA_OK;
}
