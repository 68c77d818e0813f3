/* Text into words.
 *
 * A word is a run of letters and combining marks (Unicode categories L and M) that begins with a
 * letter; with numbers kept, decimal digits (Nd) count as letters, else they part words. Everything
 * else parts words, apostrophes and hyphens too (don't: don, t; l'homme: l, homme; well-known:
 * well, known). Characters that show nothing (soft hyphen, zero-width joiners) are dropped out of
 * the middle of a word. A single underscore between letters is kept where the option says so, for
 * phrases that another tool has joined.
 *
 * A word's form as written is normalised to NFKC with full case folding (ligatures and full-width
 * letters become plain ones, STRASSE and Straße the same word). */
#ifndef EZ_TOKENISER_H
#define EZ_TOKENISER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    EZ_WORD_CHARACTERS = 255, /* longer runs are no words and are left out */
    EZ_WORD_BYTES =
        1024 /* as are written forms longer than this; normalised words are never longer either */
};

/* Classes of bytes and characters. */
enum { EZ_OTHER, EZ_LETTER, EZ_MARK, EZ_HIDDEN, EZ_UNDERSCORE, EZ_BEYOND_ASCII };

typedef struct ez_tokeniser {
    bool keep_case, numbers, underscores;
    bool plain_path;     /* runs of ASCII take the fast path; the result is the same without */
    uint32_t min_length; /* in characters of the normalised word */
    unsigned char classes[256]; /* of bytes */
} ez_tokeniser;

void ez_tokeniser_init(ez_tokeniser *tokeniser, bool keep_case, bool numbers, bool underscores,
                       uint32_t min_length);

/* The full rule: the start of the next word (end where there is none), and the end of a word from a
 * place in it. */
const char *ez_word_start(const ez_tokeniser *tokeniser, const char *at, const char *end);
const char *ez_word_end(const ez_tokeniser *tokeniser, const char *at, const char *end);

/* End of the ASCII letters (and digits, where they count) from p on. */
static inline const char *ez_plain_end(const ez_tokeniser *tokeniser, const char *p,
                                       const char *end)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const uint64_t ones = 0x0101010101010101u, high = 0x80 * ones;
    for (uint64_t x; !tokeniser->numbers && end - p >= 8; p += 8) {
        memcpy(&x, p, sizeof x);
        uint64_t low = (x | 0x20 * ones) &
                       ~high; /* letters in small, seven bits: the sums below cannot carry */
        uint64_t letters = (low + (0x80 - 'a') * ones) & ~(low + (0x7f - 'z') * ones) & ~x & high;
        if (letters != high)
            return p + (__builtin_ctzll(letters ^ high) >> 3);
    }
#endif
    while (p < end && tokeniser->classes[(unsigned char)*p] == EZ_LETTER)
        p++;
    return p;
}

/* The next word from *at on, as written: its start, its bytes in *n, *at moved behind it; NULL at
 * the end. The text must be valid UTF-8. */
static inline const char *ez_next_word(const ez_tokeniser *tokeniser, const char **at,
                                       const char *end, size_t *n)
{
    const char *start = *at, *p;
    while (start < end && tokeniser->classes[(unsigned char)*start] == EZ_OTHER)
        start++;
    if (start < end && tokeniser->classes[(unsigned char)*start] != EZ_LETTER)
        start = ez_word_start(tokeniser, start, end);
    *at = start;
    if (start == end)
        return NULL;
    p = tokeniser->plain_path ? ez_plain_end(tokeniser, start, end) : start;
    if (p < end && tokeniser->classes[(unsigned char)*p] != EZ_OTHER)
        p = ez_word_end(tokeniser, p, end);
    *at = p;
    *n = (size_t)(p - start);
    return start;
}

/* Normalises a written form into `to` (EZ_WORD_BYTES+1 bytes, NUL-terminated); returns its bytes, 0
 * where it is no word (too short, too long, nothing left). */
size_t ez_normalise_word(const ez_tokeniser *tokeniser, const char *form, size_t n, char *to);

#endif
