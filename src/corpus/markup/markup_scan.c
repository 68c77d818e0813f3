/* The quick scan of the markup filter: finds the next place where something may have to be removed,
 * sixteen bytes at a time. */
#include "corpus/markup/markup_parts.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { STEP = EZ_MARKUP_STEP };

/* Signed, because x86 compares signed bytes only. */
typedef signed char bytes16 __attribute__((vector_size(STEP)));

static bytes16 load(const char *at)
{
    bytes16 v;
    memcpy(&v, at, sizeof v);
    return v;
}

/* Bit i is the top bit of byte i. */
static unsigned top_bits(bytes16 v)
{
#ifdef __SSE2__
    return (unsigned)_mm_movemask_epi8((__m128i)v);
#else
    uint64_t half[2];
    unsigned bits = 0;
    memcpy(half, &v, sizeof half);
    if (!((half[0] | half[1]) & 0x8080808080808080u))
        return 0;
    for (int i = 0; i < STEP; i++)
        bits |= (v[i] < 0 ? 1u : 0u) << i;
    return bits;
#endif
}

/* The places of '<', '&', '@' and of two equal bytes 'w', '-' or '/', as in www, "---" and "://".
 */
static unsigned marks(const char *at)
{
    bytes16 a = load(at), b = load(at + 1);
    bytes16 single = (bytes16)((a == '<') | (a == '&') | (a == '@'));
    bytes16 twice = (bytes16)((a == b) & (((a | 0x20) == 'w') | ((a | 2) == '/')));
    return top_bits(single | twice);
}

/* Whether 16 bytes have no small letter (and are ASCII), or have no space (and are ASCII). */
static bool is_dense(const char *at)
{
    bytes16 a = load(at);
    bytes16 small = (bytes16)(a > 0x60) | a, open = (bytes16)(a < 0x21);
    return !top_bits(small) || !top_bits(open);
}

static bool marks_at(const char *p)
{
    char c = *p;
    return c == '<' || c == '&' || c == '@' ||
           (c == p[1] && ((c | 0x20) == 'w' || c == '-' || c == '/'));
}

/* A run of 31 bytes of one kind contains a whole step, wherever the scan started. The last step
 * overlaps the one before it, so that this holds at the end too; nothing begins at the last byte.
 */
ez_suspect ez_markup_next(const ez_marked *marked, size_t at)
{
    const char *text = marked->text;
    size_t n = marked->n;
    while (n > STEP && at < n - 1) {
        size_t from = at < n - STEP - 1 ? at : n - STEP - 1, next = from + STEP;
        if (from >= marked->quiet && is_dense(text + from))
            return (ez_suspect){from, true};
        unsigned found = marks(text + from) & (0xffffu << (at - from));
        if (found)
            return (ez_suspect){from + (size_t)__builtin_ctz(found), false};
        if (from < marked->quiet && marked->quiet < next && marked->quiet > at)
            next = marked->quiet;
        at = next;
    }
    for (; n && at < n - 1; at++)
        if (marks_at(text + at))
            return (ez_suspect){at, false};
    return (ez_suspect){n, false};
}
