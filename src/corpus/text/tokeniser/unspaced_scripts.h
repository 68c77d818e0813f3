/* Scripts that put no spaces between words: Chinese, Japanese, Thai, Lao, Burmese, Khmer. Their
 * text needs a dictionary to be cut into words (segmentation.h). */
#ifndef EZ_UNSPACED_SCRIPTS_H
#define EZ_UNSPACED_SCRIPTS_H

#include <stdbool.h>
#include <stdint.h>

/* Bits, to count what a text contains. */
enum {
    EZ_SCRIPT_HAN = 1,
    EZ_SCRIPT_KANA = 2,
    EZ_SCRIPT_THAI = 4,
    EZ_SCRIPT_LAO = 8,
    EZ_SCRIPT_MYANMAR = 16,
    EZ_SCRIPT_KHMER = 32
};

static inline bool ez_between(uint32_t code, uint32_t first, uint32_t last)
{
    return code - first <= last - first;
}

static inline bool ez_is_han(uint32_t code)
{
    return ez_between(code, 0x4e00, 0x9fff) || ez_between(code, 0x3400, 0x4dbf) ||
           ez_between(code, 0x3005, 0x3007) || ez_between(code, 0xf900, 0xfaff) ||
           ez_between(code, 0x20000, 0x3ffff);
}

static inline bool ez_is_kana(uint32_t code)
{
    return ez_between(code, 0x3040, 0x30ff) || ez_between(code, 0x31f0, 0x31ff) ||
           ez_between(code, 0xff66, 0xff9f) || ez_between(code, 0x1aff0, 0x1b16f);
}

/* The bit of the unspaced script of a letter; 0 if its script has spaces. */
static inline uint32_t ez_unspaced_script(uint32_t code)
{
    if (code < 0x0e00)
        return 0;
    if (ez_is_han(code))
        return EZ_SCRIPT_HAN;
    if (ez_is_kana(code))
        return EZ_SCRIPT_KANA;
    if (code < 0x0f00)
        return code < 0x0e80 ? EZ_SCRIPT_THAI : EZ_SCRIPT_LAO;
    if (ez_between(code, 0x1000, 0x109f) || ez_between(code, 0xa9e0, 0xa9ff) ||
        ez_between(code, 0xaa60, 0xaa7f))
        return EZ_SCRIPT_MYANMAR;
    return ez_between(code, 0x1780, 0x17ff) ? EZ_SCRIPT_KHMER : 0;
}

#endif
