/* Which of 64 bytes of text are ASCII letters, as bits of one number: words are found in it without
 * a branch for each byte. */
#ifndef EZ_LETTER_MASK_H
#define EZ_LETTER_MASK_H

#include "corpus/text/tokeniser/tokeniser.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { EZ_MASK_BYTES = 64 };

typedef struct ez_letter_mask {
    uint64_t letters; /* letters of ASCII, and digits if they count */
    uint64_t special; /* bytes that only the full rules can judge */
} ez_letter_mask;

/* The full rules and the masks agree only if words are runs of letters. */
static inline bool ez_may_use_masks(const ez_tokeniser *tokeniser)
{
    return tokeniser->plain_path && !tokeniser->pieces;
}

#ifdef __SSE2__
/* Signed, because x86 compares signed bytes only. */
typedef signed char ez_mask_step __attribute__((vector_size(16)));
#else
typedef signed char ez_mask_step __attribute__((vector_size(8)));
#endif

/* Bit i is the top bit of byte i. */
static inline uint64_t ez_mask_bits(ez_mask_step v)
{
#ifdef __SSE2__
    return (uint64_t)(unsigned)_mm_movemask_epi8((__m128i)v);
#elif defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t x;
    memcpy(&x, &v, sizeof x);
    return ((x >> 7 & 0x0101010101010101u) * 0x0102040810204080u) >> 56;
#else
    uint64_t bits = 0;
    for (unsigned i = 0; i < sizeof v; i++)
        bits |= (uint64_t)(v[i] < 0) << i;
    return bits;
#endif
}

/* The masks of `n` bytes of text, at most EZ_MASK_BYTES; bits from n on are zero. */
static inline ez_letter_mask ez_letter_mask_of(const ez_tokeniser *tokeniser, const char *text,
                                               size_t n)
{
    enum { STEP = sizeof(ez_mask_step) };
    char copy[EZ_MASK_BYTES];
    ez_letter_mask mask = {0, 0};
    if (n < EZ_MASK_BYTES) {
        memset(copy, 0, sizeof copy);
        memcpy(copy, text, n);
        text = copy;
    }
    for (size_t at = 0; at < EZ_MASK_BYTES; at += STEP) {
        ez_mask_step v;
        memcpy(&v, text + at, sizeof v);
        ez_mask_step low = v | 0x20;
        ez_mask_step letter = (ez_mask_step)((low >= 'a') & (low <= 'z'));
        ez_mask_step special = v;
        if (tokeniser->numbers)
            letter |= (ez_mask_step)((v >= '0') & (v <= '9'));
        if (tokeniser->underscores)
            special |= (ez_mask_step)(v == '_');
        mask.letters |= ez_mask_bits(letter) << at;
        mask.special |= ez_mask_bits(special) << at;
    }
    return mask;
}

#endif
