/* Recognises URLs and e-mail addresses. */
#include "corpus/markup/markup_parts.h"

#include "corpus/input/utf8.h"

#include <string.h>

enum { LONGEST_SCHEME = 16, LONGEST_LOCAL = 64, LONGEST_DOMAIN = 255 };

/* Bytes that cannot be part of a URL. A closing bracket can if the URL opened one. */
static bool ends_url(char c, int brackets)
{
    return (unsigned char)c <= ' ' || c == 0x7f || c == '<' || c == '>' || c == '"' || c == '`' ||
           c == '{' || c == '}' || c == '|' || c == '\\' || c == '^' || (c == ')' && brackets <= 0);
}

/* Whether a letter beyond ASCII may be part of a URL: those of alphabets written with spaces.
 * Chinese text continues right after a URL. */
static bool is_url_letter(uint32_t code)
{
    return code >= 0xc0 && code < 0x600 && code != 0xd7 && code != 0xf7;
}

/* Whether an entity that is not part of a URL begins at '&': a space, a quote or a bracket. */
static bool ends_in_entity(const ez_marked *marked, size_t at)
{
    static const char *const names[] = {"&nbsp;", "&lt;", "&gt;", "&quot;", "&#160;"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (marked->n - at >= strlen(names[i]) &&
            memcmp(marked->text + at, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static size_t url_end(const ez_marked *marked, size_t at)
{
    int brackets = 0;
    while (at < marked->n) {
        char c = marked->text[at];
        size_t length = 1;
        if ((c & 0x80) && !is_url_letter(ez_utf8_decode(marked->text + at, &length)))
            break;
        if (!(c & 0x80) && (ends_url(c, brackets) || (c == '&' && ends_in_entity(marked, at))))
            break;
        brackets += (c == '(') - (c == ')');
        at += length;
    }
    return at;
}

static bool is_scheme_byte(char c)
{
    return ez_is_ascii_alnum(c) || c == '+' || c == '-' || c == '.';
}

static bool match_scheme(const ez_marked *marked, size_t at, ez_markup_match *match)
{
    size_t start = at, least = at > LONGEST_SCHEME ? at - LONGEST_SCHEME : 0;
    if (least < marked->done)
        least = marked->done;
    while (start > least && is_scheme_byte(marked->text[start - 1]))
        start--;
    while (start < at && !ez_is_ascii_letter(marked->text[start]))
        start++;
    if (at - start < 2 || at + 3 >= marked->n || ends_url(marked->text[at + 3], 0))
        return false;
    match->from = start;
    match->to = url_end(marked, at + 3);
    return true;
}

static bool match_www(const ez_marked *marked, size_t at, ez_markup_match *match)
{
    bool inside = at > marked->done &&
                  (ez_is_ascii_alnum(marked->text[at - 1]) || (marked->text[at - 1] & 0x80));
    if (inside || marked->n - at < 6 || (marked->text[at + 2] | 0x20) != 'w' ||
        marked->text[at + 3] != '.' || !ez_is_ascii_alnum(marked->text[at + 4]))
        return false;
    match->from = at;
    match->to = url_end(marked, at + 4);
    return true;
}

bool ez_match_url(const ez_marked *marked, size_t at, ez_markup_match *match)
{
    *match = (ez_markup_match){.kind = EZ_MARKUP_URL, .code = ' '};
    if (marked->text[at] != '/')
        return match_www(marked, at, match);
    return at > marked->done && marked->text[at - 1] == ':' && match_scheme(marked, at - 1, match);
}

static bool is_local_byte(char c)
{
    return ez_is_ascii_alnum(c) || (c && strchr("._%+-=!", c));
}

/* The end of a domain name: labels separated by dots, the last one of two letters or more; 0 if
 * there is none. */
static size_t domain_end(const ez_marked *marked, size_t at)
{
    size_t limit = marked->n - at < LONGEST_DOMAIN ? marked->n : at + LONGEST_DOMAIN, end = 0;
    for (size_t labels = 0;; labels++, at++) {
        size_t start = at, letters = 0;
        for (; at < limit && (ez_is_ascii_alnum(marked->text[at]) || marked->text[at] == '-'); at++)
            letters += ez_is_ascii_letter(marked->text[at]);
        if (at == start)
            return end;
        if (labels && letters >= 2 && letters == at - start)
            end = at;
        if (at == limit || marked->text[at] != '.')
            return end;
    }
}

bool ez_match_address(const ez_marked *marked, size_t at, ez_markup_match *match)
{
    size_t start = at, least = at > LONGEST_LOCAL ? at - LONGEST_LOCAL : 0;
    if (least < marked->done)
        least = marked->done;
    while (start > least && is_local_byte(marked->text[start - 1]))
        start--;
    while (start < at && !ez_is_ascii_alnum(marked->text[start]))
        start++;
    size_t end = start < at ? domain_end(marked, at + 1) : 0;
    if (start - marked->done >= 7 && memcmp(marked->text + start - 7, "mailto:", 7) == 0)
        start -= 7;
    *match = (ez_markup_match){EZ_MARKUP_ADDRESS, start, end, ' ', 0};
    return end != 0;
}
