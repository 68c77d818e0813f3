/* What letters become in a normalised word, so that one word is spelled in one way and as people
 * write it: lower case (größte, not grösste), final sigma, Turkish i, no vowel points. */
#ifndef EZ_LETTER_CASE_H
#define EZ_LETTER_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How case is removed. Rules of text written before there was a choice have EZ_CASE_FOLDED. */
typedef enum ez_casing {
    EZ_CASE_FOLDED, /* full case folding: ß becomes ss; points are kept */
    EZ_CASE_LOWER,  /* lower case; İ becomes i */
    EZ_CASE_TURKIC  /* and I becomes ı, as in Turkish and Azerbaijani */
} ez_casing;

/* Rewrites the characters of a word, in NFKD, and returns how many remain: lower case unless case
 * is kept, without Arabic and Hebrew points and without tatweel. */
size_t ez_rewrite_letters(int32_t *codes, size_t n, ez_casing casing, bool keep_case);
/* A sigma at the end of a word, or of a part of a phrase, has its own letter. */
void ez_place_sigmas(int32_t *codes, size_t n);

/* Counts the letters that tell whether a text has a dotless i. */
typedef struct ez_dotless_count {
    uint64_t turkic; /* ı and İ */
    uint64_t plain;  /* i and I */
} ez_dotless_count;

void ez_dotless_feed(ez_dotless_count *count, const char *text, size_t n);
/* Whether I is the capital of ı. In Turkish and Azerbaijani a third of these letters are ı or İ;
 * other languages have them in names only. */
bool ez_dotless_found(const ez_dotless_count *count);

#endif
