/* The quick scan of the markup filter: finds the next place where something may have to be removed,
 * sixteen bytes at a time. */
#include "corpus/markup/markup_parts.h"

#include <string.h>

enum { STEP = 16 };

typedef uint8_t bytes16 __attribute__((vector_size(STEP)));

static bytes16 load(const char *at)
{
    bytes16 v;
    memcpy(&v, at, sizeof v);
    return v;
}

static bool any(bytes16 v)
{
    uint64_t half[2];
    memcpy(half, &v, sizeof half);
    return (half[0] | half[1]) != 0;
}

/* Bytes that may begin or lie in a mark: '<', '&', '@', "://", "www", "---". */
static bytes16 marks(const char *at)
{
    bytes16 a = load(at), b = load(at + 1), c = load(at + 2);
    bytes16 single = (bytes16)((a == '<') | (a == '&') | (a == '@'));
    bytes16 slash = (bytes16)((a == ':') & (b == '/') & (c == '/'));
    bytes16 triple = (bytes16)(((a | 0x20) == 'w') & ((b | 0x20) == 'w') & ((c | 0x20) == 'w'));
    bytes16 dashes = (bytes16)((a == '-') & (b == '-') & (c == '-'));
    return single | slash | triple | dashes;
}

/* Whether 16 bytes have no small letter, or are ASCII without a space. */
static bool is_dense(const char *at)
{
    bytes16 a = load(at);
    bytes16 small = (bytes16)(a > 0x60), open = (bytes16)((a <= 0x20) | (a >= 0x7f));
    return !any(small) || !any(open);
}

static bool marks_at(const char *p)
{
    switch (*p) {
    case '<':
    case '&':
    case '@': return true;
    case ':': return p[1] == '/' && p[2] == '/';
    case 'w':
    case 'W': return (p[1] | 0x20) == 'w' && (p[2] | 0x20) == 'w';
    case '-': return p[1] == '-' && p[2] == '-';
    default: return false;
    }
}

/* A run of 31 bytes of one kind contains a whole step, whatever the scan started at. The last step
 * overlaps the one before it, so that this holds at the end too; nothing begins at the last two
 * bytes. */
ez_suspect ez_markup_next(const ez_marked *marked, size_t at)
{
    const char *text = marked->text;
    size_t n = marked->n;
    while (n >= STEP + 2 && at < n - 2) {
        size_t from = at < n - STEP - 2 ? at : n - STEP - 2;
        if (from >= marked->quiet && is_dense(text + from))
            return (ez_suspect){from, true};
        if (any(marks(text + from)))
            break;
        size_t next = from + STEP;
        if (from < marked->quiet && marked->quiet < next && marked->quiet > at)
            next = marked->quiet;
        at = next;
    }
    for (; n > 2 && at < n - 2; at++)
        if (marks_at(text + at))
            return (ez_suspect){at, false};
    return (ez_suspect){n, false};
}
