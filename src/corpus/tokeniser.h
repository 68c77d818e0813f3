/* Text into words.
 *
 * A word is a run of letters and combining marks (Unicode categories L and M) that begins with a letter; with numbers
 * kept, decimal digits (Nd) count as letters, else they part words. Everything else parts words, apostrophes and
 * hyphens too (don't: don, t; l'homme: l, homme; well-known: well, known). Characters that show nothing (soft hyphen,
 * zero-width joiners) are dropped out of the middle of a word. A single underscore between letters is kept where the
 * option says so, for phrases that another tool has joined.
 *
 * A word's form as written is normalised to NFKC with full case folding (ligatures and full-width letters become plain
 * ones, STRASSE and Straße the same word). */
#ifndef EZ_TOKENISER_H
#define EZ_TOKENISER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    EZ_WORD_CHARACTERS = 255, /* longer runs are no words and are left out */
    EZ_WORD_BYTES = 1024      /* as are written forms longer than this; normalised words are never longer either */
};

typedef struct ez_tokeniser {
    bool keep_case, numbers, underscores;
    bool plain_path;            /* runs of ASCII take the fast path; the result is the same without */
    uint32_t min_length;        /* in characters of the normalised word */
    unsigned char classes[256]; /* of bytes, for the fast path */
} ez_tokeniser;

void ez_tokeniser_init(ez_tokeniser *tokeniser, bool keep_case, bool numbers, bool underscores, uint32_t min_length);

/* The next word from *at on, as written: its start, its bytes in *n, *at moved behind it; NULL at the end. The text
 * must be valid UTF-8. */
const char *ez_next_word(const ez_tokeniser *tokeniser, const char **at, const char *end, size_t *n);

/* Normalises a written form into `to` (EZ_WORD_BYTES+1 bytes, NUL-terminated); returns its bytes, 0 where it is no word
 * (too short, too long, nothing left). */
size_t ez_normalise_word(const ez_tokeniser *tokeniser, const char *form, size_t n, char *to);

#endif
