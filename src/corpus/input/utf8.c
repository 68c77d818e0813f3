/* Checks, reads and writes UTF-8; runs of ASCII are checked eight bytes at a time. */
#include "corpus/input/utf8.h"

#include <string.h>

/* Whether none of eight bytes is NUL or has its top bit set. */
static int plain_eight(const unsigned char *p)
{
    uint64_t x;
    memcpy(&x, p, sizeof x);
    const uint64_t high = 0x8080808080808080u, low = 0x0101010101010101u;
    return ((x | (x - low)) & high) == 0;
}

/* Length of the well-formed sequence at p, or 0 (table 3-7 of the Unicode standard). */
static size_t sequence(const unsigned char *p, size_t left)
{
    unsigned char c = p[0], low = 0x80, high = 0xbf;
    if (c < 0x80)
        return c != 0;
    size_t length = c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
    if (c < 0xc2 || c > 0xf4 || left < length)
        return 0;
    if (c == 0xe0)
        low = 0xa0;
    else if (c == 0xed)
        high = 0x9f;
    else if (c == 0xf0)
        low = 0x90;
    else if (c == 0xf4)
        high = 0x8f;
    if (p[1] < low || p[1] > high)
        return 0;
    for (size_t i = 2; i < length; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

size_t ez_utf8_check(const char *text, size_t n)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t i = 0;
    while (i < n) {
        if (n - i >= 8 && plain_eight(p + i)) {
            i += 8;
            continue;
        }
        size_t length = sequence(p + i, n - i);
        if (!length)
            return i;
        i += length;
    }
    return n;
}

size_t ez_byte_order_mark(const char *text, size_t n)
{
    return n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

uint32_t ez_utf8_decode(const char *at, size_t *length)
{
    const unsigned char *p = (const unsigned char *)at;
    if (p[0] < 0x80) {
        *length = 1;
        return p[0];
    }
    if (p[0] < 0xe0) {
        *length = 2;
        return (uint32_t)(p[0] & 0x1f) << 6 | (p[1] & 0x3f);
    }
    if (p[0] < 0xf0) {
        *length = 3;
        return (uint32_t)(p[0] & 0x0f) << 12 | (uint32_t)(p[1] & 0x3f) << 6 | (p[2] & 0x3f);
    }
    *length = 4;
    return (uint32_t)(p[0] & 0x07) << 18 | (uint32_t)(p[1] & 0x3f) << 12 |
           (uint32_t)(p[2] & 0x3f) << 6 | (p[3] & 0x3f);
}

size_t ez_utf8_encode(uint32_t code, char *to)
{
    unsigned char *p = (unsigned char *)to;
    if (code < 0x80) {
        p[0] = (unsigned char)code;
        return 1;
    }
    size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = length - 1; i > 0; i--, code >>= 6)
        p[i] = (unsigned char)(0x80 | (code & 0x3f));
    p[0] = (unsigned char)(lead[length] | code);
    return length;
}
