/* Recognises tags, comments and declarations in text. Only real ones count: `a < b`, `<3`, `<grin>`
 * and `if i<p and p>q` stay text. */
#include "base/os/os_text.h"
#include "corpus/markup/markup_parts.h"

#include <string.h>

enum { LONGEST_NAME = 64, LONGEST_TAG = 1 << 16, LONGEST_ESCAPED = 512, NEAR_END = 1 << 14 };

/* A tag while it is parsed. */
typedef struct tag_parse {
    const char *name;
    size_t n; /* bytes of the name */
    bool closing, closed_itself;
    bool values;  /* an attribute has a value */
    bool strange; /* an attribute without a value that HTML does not know */
    size_t end;   /* after the '>' */
} tag_parse;

static bool is_name_byte(char c)
{
    return ez_is_ascii_alnum(c) || c == '-' || c == '_' || c == '.' || c == ':' || (c & 0x80);
}

static bool is_flag(const char *name, size_t n)
{
    static const char *const flags[] = {
        "allowfullscreen", "async",   "autofocus", "autoplay", "border",   "checked", "compact",
        "controls",        "default", "defer",     "disabled", "download", "hidden",  "ismap",
        "itemscope",       "loop",    "multiple",  "muted",    "nohref",   "noshade", "novalidate",
        "nowrap",          "open",    "readonly",  "required", "reversed", "selected"};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strlen(flags[i]) == n && ez_os_compare_n(flags[i], name, n) == 0)
            return true;
    return false;
}

/* The end of a value in quotes or without them; 0 if there is none. Values contain no '<', so that
 * unclosed tags are found at once. */
static size_t value_end(const char *text, size_t at, size_t end)
{
    if (at == end)
        return 0;
    char quote = text[at] == '"' || text[at] == '\'' ? text[at] : 0;
    size_t start = at;
    for (at += quote != 0; at < end && text[at] != '<'; at++) {
        if (quote && text[at] == quote)
            return at + 1;
        if (!quote && (ez_is_space(text[at]) || text[at] == '>'))
            return at > start ? at : 0;
    }
    return 0;
}

static size_t skip_spaces(const char *text, size_t at, size_t end)
{
    while (at < end && ez_is_space(text[at]))
        at++;
    return at;
}

/* Parses one attribute; returns the place after it, 0 if there is none. */
static size_t parse_attribute(tag_parse *tag, const char *text, size_t at, size_t end)
{
    size_t start = at;
    while (at < end && is_name_byte(text[at]))
        at++;
    size_t n = at - start, equals = skip_spaces(text, at, end);
    if (!n)
        return 0;
    if (equals < end && text[equals] == '=') {
        tag->values = true;
        return value_end(text, skip_spaces(text, equals + 1, end), end);
    }
    tag->strange = tag->strange || !is_flag(text + start, n);
    return at;
}

/* Parses `<name attribute="value">` at '<'. */
static bool parse_tag(tag_parse *tag, const ez_marked *marked, size_t at)
{
    const char *text = marked->text;
    size_t end = marked->n - at < LONGEST_TAG ? marked->n : at + LONGEST_TAG;
    *tag = (tag_parse){.closing = text[at + 1] == '/'};
    at += 1 + tag->closing;
    tag->name = text + at;
    while (at < end && is_name_byte(text[at]) && tag->n < LONGEST_NAME)
        at++, tag->n++;
    if (!tag->n || !ez_is_ascii_letter(*tag->name) || tag->name[tag->n - 1] == ':')
        return false;
    for (;;) {
        size_t next = skip_spaces(text, at, end);
        if (next == end)
            return false;
        if (text[next] == '>') {
            tag->end = next + 1;
            return true;
        }
        if (text[next] == '/' && next + 1 < end && text[next + 1] == '>')
            tag->closed_itself = true, at = next + 1;
        else if (next == at || !(at = parse_attribute(tag, text, next, end)))
            return false;
    }
}

/* Whether `</name` follows, as far as the search may look. */
static bool closes_later(ez_marked *marked, const tag_parse *tag)
{
    char close[LONGEST_NAME + 2] = {'<', '/'};
    size_t left = marked->n - tag->end, look = left < NEAR_END ? left : NEAR_END;
    memcpy(close + 2, tag->name, tag->n);
    if (look > marked->lookahead)
        return false;
    const char *found = ez_os_find(marked->text + tag->end, look, close, tag->n + 2);
    marked->lookahead -= found ? (size_t)(found - marked->text) - tag->end : look;
    return found != NULL;
}

static bool is_real(ez_marked *marked, const tag_parse *tag)
{
    if (tag->strange)
        return false;
    if (tag->closing)
        return !tag->values;
    if (tag->values || tag->closed_itself || ez_is_html_name(tag->name, tag->n) ||
        memchr(tag->name, ':', tag->n))
        return true;
    return closes_later(marked, tag);
}

/* Extends the match of an opening <script> or <style> over its content. */
static void skip_content(const ez_marked *marked, const char *close, bool *none, size_t *end)
{
    size_t n = strlen(close);
    for (size_t at = *end; !*none && at + n <= marked->n; at++) {
        const char *mark = memchr(marked->text + at, '<', marked->n - n - at + 1);
        if (!mark)
            break;
        at = (size_t)(mark - marked->text);
        if (ez_os_compare_n(mark, close, n) != 0)
            continue;
        const char *last = memchr(mark, '>', marked->n - at);
        *end = last ? (size_t)(last - marked->text) + 1 : marked->n;
        return;
    }
    *none = true;
}

static bool match_comment(ez_marked *marked, size_t at, ez_markup_match *match)
{
    const char *start = marked->text + at + 4, *end = marked->text + marked->n;
    const char *close =
        marked->no_comment_end ? NULL : ez_os_find(start, (size_t)(end - start), "-->", 3);
    marked->no_comment_end = !close;
    match->to = close ? (size_t)(close - marked->text) + 3 : 0;
    return close != NULL;
}

/* `<!DOCTYPE ...>`, `<![CDATA[` (its text stays), `<![endif]>`. */
static bool match_declaration(const ez_marked *marked, size_t at, ez_markup_match *match)
{
    const char *start = marked->text + at;
    size_t left = marked->n - at, look = left < LONGEST_ESCAPED ? left : LONGEST_ESCAPED;
    if (left > 9 && memcmp(start, "<![CDATA[", 9) == 0) {
        match->to = at + 9;
        return true;
    }
    if (left < 4 || (start[2] != '[' && !ez_is_ascii_letter(start[2])))
        return false;
    const char *close = memchr(start + 1, '>', look - 1), *open = memchr(start + 1, '<', look - 1);
    match->to = close ? (size_t)(close - marked->text) + 1 : 0;
    return close && (!open || close < open) &&
           (start[2] != '[' || close[-1] == ']' || close[-1] == '-');
}

static bool match_instruction(const ez_marked *marked, size_t at, ez_markup_match *match)
{
    const char *start = marked->text + at;
    size_t left = marked->n - at, look = left < LONGEST_ESCAPED ? left : LONGEST_ESCAPED;
    if (left < 4 || !ez_is_ascii_letter(start[2]))
        return false;
    const char *close = ez_os_find(start, look, "?>", 2);
    match->to = close ? (size_t)(close - marked->text) + 2 : 0;
    return close != NULL;
}

bool ez_match_tag(ez_marked *marked, size_t at, ez_markup_match *match)
{
    tag_parse tag;
    const char *text = marked->text + at;
    size_t left = marked->n - at;
    *match = (ez_markup_match){.kind = EZ_MARKUP_TAG, .from = at, .code = ' '};
    if (left >= 4 && memcmp(text, "<!--", 4) == 0)
        return match_comment(marked, at, match);
    if (left >= 3 && text[1] == '!')
        return match_declaration(marked, at, match);
    if (left >= 3 && text[1] == '?')
        return match_instruction(marked, at, match);
    if (left < 3 || !parse_tag(&tag, marked, at) || !is_real(marked, &tag))
        return false;
    match->to = tag.end;
    if (ez_is_inline_name(tag.name, tag.n))
        match->code = 0;
    if (tag.closing || tag.closed_itself)
        return true;
    if (tag.n == 6 && ez_os_compare_n(tag.name, "script", 6) == 0)
        skip_content(marked, "</script", &marked->no_script_end, &match->to);
    else if (tag.n == 5 && ez_os_compare_n(tag.name, "style", 5) == 0)
        skip_content(marked, "</style", &marked->no_style_end, &match->to);
    return true;
}

/* Text that went through two programs has its tags escaped. Only names of HTML count, alone or with
 * attributes that have values. */
bool ez_match_escaped_tag(ez_marked *marked, size_t at, ez_markup_match *match)
{
    const char *text = marked->text, *end;
    size_t name = at + 4, left = marked->n - at;
    if (left < 9 || memcmp(text + at, "&lt;", 4) != 0)
        return false;
    name += text[name] == '/';
    size_t look = marked->n - name < LONGEST_ESCAPED ? marked->n - name : LONGEST_ESCAPED, n = 0;
    while (n < look && ez_is_ascii_alnum(text[name + n]))
        n++;
    end = ez_os_find(text + name, look, "&gt;", 4);
    if (!end || !ez_is_html_name(text + name, n))
        return false;
    size_t rest = (size_t)(end - text) - name - n;
    const char *after = text + name + n;
    bool bare = rest == 0 || (rest <= 2 && after[rest - 1] == '/');
    if (!bare &&
        (!ez_is_space(*after) || !memchr(after, '=', rest) || ez_os_find(after, rest, "&lt;", 4)))
        return false;
    *match = (ez_markup_match){.kind = EZ_MARKUP_TAG, .from = at, .to = (size_t)(end - text) + 4};
    match->code = ez_is_inline_name(text + name, n) ? 0 : ' ';
    return true;
}
