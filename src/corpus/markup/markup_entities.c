/* Decodes character entities: &eacute; &#233; &#xe9; and, as people write them, &amp;nbsp; and
 * &nbsp without its semicolon. */
#include "corpus/markup/markup_parts.h"

#include <string.h>

enum { LONGEST_NAME = 31, LONGEST_NUMBER = 8 };

/* HTML gives the codes 128 to 159, which are control characters, the meaning that they have in
 * windows-1252. */
static uint32_t mend_code(uint32_t code)
{
    static const uint16_t windows[32] = {
        0x20ac, ' ',    0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
        0x2039, 0x0152, ' ',    0x017d, ' ',    ' ',    0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
        0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, ' ',    0x017e, 0x0178};
    if (code >= 0x80 && code < 0xa0)
        return windows[code - 0x80];
    bool valid = code && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return valid ? code : ' ';
}

/* Parses "#233" or "#xe9" at *at and moves *at after it; 0: not a number. */
static uint32_t parse_number(const ez_marked *marked, size_t *at)
{
    const char *text = marked->text;
    size_t i = *at + 1;
    bool hex = i < marked->n && (text[i] | 0x20) == 'x';
    i += hex;
    size_t start = i;
    uint32_t code = 0;
    for (; i < marked->n && i - start < LONGEST_NUMBER; i++) {
        char low = (char)(text[i] | 0x20);
        if (ez_is_ascii_digit(text[i]))
            code = code * (hex ? 16 : 10) + (uint32_t)(text[i] - '0');
        else if (hex && low >= 'a' && low <= 'f')
            code = code * 16 + (uint32_t)(low - 'a' + 10);
        else
            break;
    }
    if (i == start || (i < marked->n && ez_is_ascii_alnum(text[i])))
        return 0;
    *at = i + (i < marked->n && text[i] == ';');
    return mend_code(code);
}

/* Without a semicolon, a name counts only if it is not a word. */
static uint32_t parse_name(const ez_marked *marked, size_t *at)
{
    static const char *const bare[] = {"amp", "lt", "gt", "quot", "nbsp"};
    const char *name = marked->text + *at;
    size_t left = marked->n - *at, n = 0;
    while (n < left && n < LONGEST_NAME && ez_is_ascii_alnum(name[n]))
        n++;
    bool ended = n < left && name[n] == ';', known = ended;
    for (size_t i = 0; !known && i < sizeof bare / sizeof *bare; i++)
        known = strlen(bare[i]) == n && memcmp(bare[i], name, n) == 0;
    uint32_t code = known && n && n < LONGEST_NAME ? ez_entity_code(name, n) : 0;
    *at += code ? n + ended : 0;
    return code;
}

/* Moves past the "amp;" of an ampersand that was escaped again: &amp;nbsp; */
static size_t skip_escapes(const ez_marked *marked, size_t at)
{
    while (marked->n - at > 5 && memcmp(marked->text + at, "amp;", 4) == 0 &&
           (marked->text[at + 4] == '#' || ez_is_ascii_letter(marked->text[at + 4])))
        at += 4;
    return at;
}

static uint32_t parse_entity(const ez_marked *marked, size_t *at)
{
    if (*at >= marked->n)
        return 0;
    return marked->text[*at] == '#' ? parse_number(marked, at) : parse_name(marked, at);
}

bool ez_match_entity(ez_marked *marked, size_t at, ez_markup_match *match)
{
    if (ez_match_escaped_tag(marked, at, match))
        return true;
    *match = (ez_markup_match){.kind = EZ_MARKUP_ENTITY, .from = at};
    size_t after = skip_escapes(marked, at + 1);
    match->code = parse_entity(marked, &after);
    if (!match->code && after > at + 1) { /* &amp;word: only the ampersand was escaped */
        after = at + 1;
        match->code = parse_entity(marked, &after);
    }
    match->to = after;
    return match->code != 0;
}
