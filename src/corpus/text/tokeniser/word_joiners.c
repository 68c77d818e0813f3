/* Decides by the letters on both sides whether a mark is part of a word, and by what is between two
 * words whether they are neighbours. */
#include "corpus/text/tokeniser/word_joiners.h"

#include "corpus/input/utf8.h"
#include "corpus/text/tokeniser/unspaced_scripts.h"

#include <string.h>

enum { MODIFIER_APOSTROPHE = 0x2bc, GERESH = 0x5f3, GERSHAYIM = 0x5f4, MIDDLE_DOT = 0xb7 };

static bool is_apostrophe(uint32_t code)
{
    return code == '\'' || code == 0x2019;
}

static bool is_cyrillic(uint32_t code)
{
    return ez_between(code, 0x0400, 0x052f);
}

static bool is_hebrew(uint32_t code)
{
    return ez_between(code, 0x05d0, 0x05ea);
}

/* Letters that a geresh changes the sound of. After others an apostrophe opens a quotation. */
static bool takes_geresh(uint32_t code)
{
    static const uint16_t letters[] = {0x5d2, 0x5d3, 0x5d6, 0x5d7, 0x5d8,
                                       0x5e2, 0x5e5, 0x5e6, 0x5e8, 0x5ea};
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (letters[i] == code)
            return true;
    return false;
}

uint32_t ez_joiner(uint32_t before, uint32_t code)
{
    if (is_apostrophe(code) && is_cyrillic(before))
        return MODIFIER_APOSTROPHE;
    if ((is_apostrophe(code) || code == GERESH) && takes_geresh(before))
        return GERESH;
    if ((code == '"' || code == 0x201d || code == GERSHAYIM) && is_hebrew(before))
        return GERSHAYIM;
    return code == MIDDLE_DOT && (before | 0x20) == 'l' ? MIDDLE_DOT : 0;
}

/* The character at *at, which moves past it; 0 at the end. */
static uint32_t read_code(const char **at, const char *end)
{
    size_t length = 0;
    uint32_t code = *at < end ? ez_utf8_decode(*at, &length) : 0;
    *at += length;
    return code;
}

bool ez_joins_letters(uint32_t before, uint32_t code, const char *next, const char *end)
{
    uint32_t joiner = ez_joiner(before, code);
    if (!joiner)
        return false;
    uint32_t after = read_code(&next, end);
    if (joiner == MODIFIER_APOSTROPHE)
        return is_cyrillic(after);
    if (joiner == MIDDLE_DOT)
        return (after | 0x20) == 'l';
    /* Gershayim stand before the last letter of an abbreviation; elsewhere they are quotation
     * marks. */
    return is_hebrew(after) && (joiner == GERESH || !is_hebrew(read_code(&next, end)));
}

/* The bytes of a character that leaves the words beside it neighbours: white space, a hyphen, an
 * underscore or an apostrophe; 0 if p is at another one. */
static size_t joiner_at(const char *p, const char *end)
{
    static const char *const wide[] = {"\xc2\xa0", "\xe2\x80\x90", "\xe2\x80\x91", "\xe2\x80\x99",
                                       "\xe3\x80\x80"};
    if (*p && strchr(" \t\r\n-_'", *p))
        return 1;
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        size_t n = strlen(wide[i]);
        if ((size_t)(end - p) >= n && memcmp(p, wide[i], n) == 0)
            return n;
    }
    return 0;
}

bool ez_separates_words(const char *p, const char *end)
{
    size_t lines = 0;
    for (size_t n; p < end; p += n) {
        n = joiner_at(p, end);
        lines += *p == '\n';
        if (!n || lines > 1)
            return true;
    }
    return false;
}
