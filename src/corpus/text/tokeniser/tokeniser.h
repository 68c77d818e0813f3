/* Splits text into words.
 *
 * A word is a sequence of letters and combining marks (Unicode categories L and M) that begins with
 * a letter. If numbers are kept, decimal digits (Nd) count as letters. Everything else separates
 * words, including apostrophes and hyphens (don't: don, t; l'homme: l, homme; well-known: well,
 * known), except for marks that a script writes inside words (word_joiners.h). Invisible characters
 * (soft hyphen, zero-width joiners) inside a word are dropped. A single underscore between letters
 * is kept if the option says so, for phrases that another tool has joined.
 *
 * Letters of unspaced scripts (unspaced_scripts.h) form words of their own: a run of them is found
 * here as one form, which segmentation.h cuts.
 *
 * The form of a word is normalised to NFKC in lower case: ligatures and full-width letters become
 * plain ones (letter_case.h has the rest). */
#ifndef EZ_TOKENISER_H
#define EZ_TOKENISER_H

#include "corpus/text/tokeniser/letter_case.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    EZ_WORD_CHARACTERS = 255, /* longer words are ignored */
    EZ_WORD_BYTES = 1024      /* longer forms are ignored; normalised words are never longer */
};

/* Classes of bytes and characters. EZ_MARK: a combining mark; EZ_HIDDEN: an invisible character;
 * EZ_UNSPACED: a letter of an unspaced script. */
enum { EZ_OTHER, EZ_LETTER, EZ_MARK, EZ_HIDDEN, EZ_UNDERSCORE, EZ_BEYOND_ASCII, EZ_UNSPACED };

typedef struct ez_tokeniser {
    bool keep_case, numbers, underscores;
    bool plain_path;     /* ASCII uses the fast path; the result is the same without it */
    bool runs;           /* letters of unspaced scripts form words of their own */
    bool pieces;         /* every piece between whitespace is a word as it stands */
    bool units;          /* if pieces: between unit separators (U+001F) instead */
    ez_casing casing;    /* EZ_CASE_FOLDED also has none of the other rules of scripts */
    uint32_t min_length; /* characters of the normalised word; a Han character counts as two */
    unsigned char classes[256]; /* by byte */
} ez_tokeniser;

/* Text in lower case, runs of unspaced scripts apart. Other rules are set afterwards. */
void ez_tokeniser_init(ez_tokeniser *tokeniser, bool keep_case, bool numbers, bool underscores,
                       uint32_t min_length);

/* The full rules: the start of the next word (`end` if there is none), and the end of the word that
 * begins at `start` and has only ASCII letters before `at`. */
const char *ez_word_start(const ez_tokeniser *tokeniser, const char *at, const char *end);
const char *ez_word_end(const ez_tokeniser *tokeniser, const char *start, const char *at,
                        const char *end);
/* ez_next_word if every piece is a word. Whitespace at the ends of a piece does not belong to it.
 */
const char *ez_next_piece(const ez_tokeniser *tokeniser, const char **at, const char *end,
                          size_t *n);
/* Whether a form is a run of an unspaced script. */
bool ez_is_run(const ez_tokeniser *tokeniser, const char *form);

/* End of the ASCII letters (and digits, if they count) from p on. */
static inline const char *ez_plain_end(const ez_tokeniser *tokeniser, const char *p,
                                       const char *end)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const uint64_t ones = 0x0101010101010101u, high = 0x80 * ones;
    for (uint64_t x; !tokeniser->numbers && end - p >= 8; p += 8) {
        memcpy(&x, p, sizeof x);
        /* Lower-case letters of seven bits: the sums below cannot carry. */
        uint64_t low = (x | 0x20 * ones) & ~high;
        uint64_t letters = (low + (0x80 - 'a') * ones) & ~(low + (0x7f - 'z') * ones) & ~x & high;
        if (letters != high)
            return p + (__builtin_ctzll(letters ^ high) >> 3);
    }
#endif
    while (p < end && tokeniser->classes[(unsigned char)*p] == EZ_LETTER)
        p++;
    return p;
}

/* Finds the next form from *at on: returns its start, sets *n to its bytes and moves *at after it;
 * NULL at the end. The text must be valid UTF-8. */
static inline const char *ez_next_word(const ez_tokeniser *tokeniser, const char **at,
                                       const char *end, size_t *n)
{
    const char *start = *at, *p;
    if (tokeniser->pieces)
        return ez_next_piece(tokeniser, at, end, n);
    while (start < end && tokeniser->classes[(unsigned char)*start] == EZ_OTHER)
        start++;
    if (start < end && tokeniser->classes[(unsigned char)*start] != EZ_LETTER)
        start = ez_word_start(tokeniser, start, end);
    *at = start;
    if (start == end)
        return NULL;
    p = tokeniser->plain_path ? ez_plain_end(tokeniser, start, end) : start;
    if (p < end && tokeniser->classes[(unsigned char)*p] != EZ_OTHER)
        p = ez_word_end(tokeniser, start, p, end);
    *at = p;
    *n = (size_t)(p - start);
    return start;
}

/* Normalises a form into `to` (EZ_WORD_BYTES+1 bytes, NUL-terminated) and returns its length, 0 if
 * it is not a word (too short, too long, or empty). A piece between whitespace stays as it is. */
size_t ez_normalise_word(const ez_tokeniser *tokeniser, const char *form, size_t n, char *to);

#endif
