/* What musl's iconv.c finds in musl's header of this name, for a C library with wide characters of 16 bits and without
 * UTF-8: characters of 32 bits, conversions from and to UTF-8, and a locale that is never used. */
#ifndef EZ_LOCALE_IMPL_H
#define EZ_LOCALE_IMPL_H

#include <errno.h>
#include <stdint.h>
#include <wchar.h>

#define wchar_t uint32_t
#define mbrtowc ez_from_utf8
#define wctomb ez_to_utf8
#define locale_t int
#define CURRENT_LOCALE ez_no_locale
#define UTF8_LOCALE 0

static _Thread_local int ez_no_locale;

/* The number of bytes of the first character; -1: it is not UTF-8; -2: it is incomplete. */
static size_t ez_from_utf8(uint32_t *out, const char *text, size_t n, void *state)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *at = (const unsigned char *)text;
    size_t length = at[0] < 0x80 ? 1 : at[0] < 0xc2 ? 0 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : at[0] < 0xf5 ? 4 : 0;
    (void)state;
    if (length == 0)
        return (size_t)-1;
    uint32_t c = length == 1 ? at[0] : at[0] & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if (i == n)
            return (size_t)-2;
        if ((at[i] & 0xc0) != 0x80)
            return (size_t)-1;
        c = c << 6 | (at[i] & 0x3f);
    }
    *out = c;
    return c < least[length] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? (size_t)-1 : length;
}

/* The number of bytes written; -1: no character has this number. */
static int ez_to_utf8(char *text, uint32_t c)
{
    if (c < 0x80) {
        text[0] = (char)c;
        return 1;
    }
    if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) {
        errno = EILSEQ;
        return -1;
    }
    int n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (int i = n - 1; i > 0; i--, c >>= 6)
        text[i] = (char)(0x80 | (c & 0x3f));
    text[0] = (char)((0xf00u >> n) | c);
    return n;
}

#endif
