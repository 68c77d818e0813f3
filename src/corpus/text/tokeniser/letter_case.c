/* Lower case and the letters that a script writes in two ways; and the count that finds Turkish. */
#include "corpus/text/tokeniser/letter_case.h"

#include "corpus/text/tokeniser/unspaced_scripts.h"

#include <string.h>
#include <utf8proc.h>

enum { DOTLESS_I = 0x131, DOT_ABOVE = 0x307, SIGMA = 0x3c3, FINAL_SIGMA = 0x3c2 };

static int32_t lower(int32_t code, ez_casing casing)
{
    return code == 'I' && casing == EZ_CASE_TURKIC ? DOTLESS_I : utf8proc_tolower(code);
}

/* Vowel points and cantillation of Arabic and Hebrew, which most texts do not write, and tatweel,
 * which only stretches a word. Hamza and madda are parts of letters, so they stay. */
static bool is_point(uint32_t code)
{
    if (!ez_between(code, 0x0591, 0x06ed))
        return false;
    return ez_between(code, 0x0591, 0x05bd) || code == 0x05bf || ez_between(code, 0x05c1, 0x05c2) ||
           ez_between(code, 0x05c4, 0x05c5) || code == 0x05c7 || ez_between(code, 0x0610, 0x061a) ||
           code == 0x0640 || ez_between(code, 0x064b, 0x0652) || code == 0x0670 ||
           ez_between(code, 0x06d6, 0x06dc) || ez_between(code, 0x06df, 0x06e4) ||
           ez_between(code, 0x06e7, 0x06e8) || ez_between(code, 0x06ea, 0x06ed);
}

void ez_place_sigmas(int32_t *codes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (codes[i] == SIGMA || codes[i] == FINAL_SIGMA)
            codes[i] = n > 1 && (i + 1 == n || codes[i + 1] == '_') ? FINAL_SIGMA : SIGMA;
}

/* The place of the last dot that follows the letter at i, with points between them, which are
 * dropped; i: there is none. */
static size_t last_dot(const int32_t *codes, size_t i, size_t n)
{
    size_t last = i;
    for (size_t at = i + 1; at < n && (codes[at] == DOT_ABOVE || is_point((uint32_t)codes[at]));
         at++)
        last = codes[at] == DOT_ABOVE ? at : last;
    return last;
}

size_t ez_rewrite_letters(int32_t *codes, size_t n, ez_casing casing, bool keep_case)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (is_point((uint32_t)codes[i]))
            continue;
        /* A capital with a dot, decomposed; or an i with a second dot, which other tools make of
         * it. */
        size_t dots = !keep_case && (codes[i] | 0x20) == 'i' ? last_dot(codes, i, n) : i;
        codes[kept++] = dots > i ? 'i' : keep_case ? codes[i] : lower(codes[i], casing);
        i = dots;
    }
    return kept;
}

void ez_dotless_feed(ez_dotless_count *count, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char second = i + 1 < n ? (unsigned char)text[i + 1] : 0;
        count->plain += (text[i] | 0x20) == 'i';
        count->turkic += (unsigned char)text[i] == 0xc4 && (second == 0xb0 || second == 0xb1);
    }
}

bool ez_dotless_found(const ez_dotless_count *count)
{
    return count->turkic >= 5 && count->turkic * 5 >= count->turkic + count->plain;
}
