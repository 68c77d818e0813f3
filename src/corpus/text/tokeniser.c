/* Classifies characters with utf8proc, finds words beyond ASCII, and normalises forms. */
#include "corpus/text/tokeniser.h"

#include "corpus/input/utf8.h"

#include <utf8proc.h>

/* NFKC expands a character to at most 18; a form has at most EZ_WORD_BYTES / 2 characters that are
 * not ASCII. */
enum { DECOMPOSED = EZ_WORD_BYTES / 2 * 18 };

static bool ascii_letter(uint32_t code)
{
    return (code | 0x20) - 'a' < 26;
}

static int class_beyond_ascii(const ez_tokeniser *tokeniser, uint32_t code)
{
    switch (utf8proc_category((utf8proc_int32_t)code)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO: return EZ_LETTER;
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME: return EZ_MARK;
    case UTF8PROC_CATEGORY_ND: return tokeniser->numbers ? EZ_LETTER : EZ_OTHER;
    default: break;
    }
    bool hidden =
        code == 0x00ad || code == 0x200c || code == 0x200d || code == 0x2060 || code == 0xfeff;
    return hidden ? EZ_HIDDEN : EZ_OTHER;
}

static int class_of(const ez_tokeniser *tokeniser, uint32_t code)
{
    return code < 0x80 ? tokeniser->classes[code] : class_beyond_ascii(tokeniser, code);
}

void ez_tokeniser_init(ez_tokeniser *tokeniser, bool keep_case, bool numbers, bool underscores,
                       uint32_t min_length)
{
    memset(tokeniser, 0, sizeof *tokeniser);
    tokeniser->keep_case = keep_case;
    tokeniser->numbers = numbers;
    tokeniser->underscores = underscores;
    tokeniser->plain_path = true;
    tokeniser->min_length = min_length;
    for (uint32_t c = 0; c < 0x80; c++)
        if (ascii_letter(c) || (numbers && c - '0' < 10))
            tokeniser->classes[c] = EZ_LETTER;
    if (underscores)
        tokeniser->classes['_'] = EZ_UNDERSCORE;
    memset(tokeniser->classes + 0x80, EZ_BEYOND_ASCII, 0x80);
}

/* Whether there is a letter at `at`: an underscore joins words only directly between two letters.
 */
static bool letter_at(const ez_tokeniser *tokeniser, const char *at, const char *end)
{
    size_t length;
    return at < end && class_of(tokeniser, ez_utf8_decode(at, &length)) == EZ_LETTER;
}

/* Works for any characters. Hidden ones at the end do not belong to the word. */
const char *ez_word_end(const ez_tokeniser *tokeniser, const char *at, const char *end)
{
    const char *last = at;
    while (at < end) {
        size_t length;
        int class = class_of(tokeniser, ez_utf8_decode(at, &length));
        if (class == EZ_OTHER ||
            (class == EZ_UNDERSCORE && (last != at || !letter_at(tokeniser, at + 1, end))))
            break;
        at += length;
        if (class != EZ_HIDDEN)
            last = at;
    }
    return last;
}

/* `end` if there is no further word. */
const char *ez_word_start(const ez_tokeniser *tokeniser, const char *at, const char *end)
{
    const unsigned char *classes = tokeniser->classes;
    while (at < end) {
        int class = classes[(unsigned char)*at];
        size_t length = 1;
        if (class == EZ_BEYOND_ASCII)
            class = class_beyond_ascii(tokeniser, ez_utf8_decode(at, &length));
        if (class == EZ_LETTER)
            return at;
        at += length;
    }
    return end;
}

static size_t normalise_ascii(const ez_tokeniser *tokeniser, const char *form, size_t n, char *to)
{
    for (size_t i = 0; i < n; i++)
        to[i] = !tokeniser->keep_case && form[i] >= 'A' && form[i] <= 'Z' ? (char)(form[i] | 0x20)
                                                                          : form[i];
    to[n] = '\0';
    return n >= tokeniser->min_length && n <= EZ_WORD_CHARACTERS ? n : 0;
}

/* Compatibility forms may expand to spaces and other characters that do not belong to words: these
 * are dropped. */
static size_t encode_word(const ez_tokeniser *tokeniser, const utf8proc_int32_t *codes, size_t n,
                          char *to)
{
    size_t used = 0, characters = 0;
    for (size_t i = 0; i < n; i++) {
        int class = class_of(tokeniser, (uint32_t)codes[i]);
        if (class == EZ_OTHER || class == EZ_HIDDEN)
            continue;
        if (++characters > EZ_WORD_CHARACTERS)
            return 0;
        used += ez_utf8_encode((uint32_t)codes[i], to + used);
    }
    to[used] = '\0';
    return characters >= tokeniser->min_length ? used : 0;
}

static size_t normalise_unicode(const ez_tokeniser *tokeniser, const char *form, size_t n, char *to)
{
    int options = UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT | UTF8PROC_IGNORE;
    if (!tokeniser->keep_case)
        options |= UTF8PROC_CASEFOLD;
    utf8proc_int32_t codes[DECOMPOSED];
    utf8proc_ssize_t count = utf8proc_decompose((const utf8proc_uint8_t *)form, (utf8proc_ssize_t)n,
                                                codes, DECOMPOSED, (utf8proc_option_t)options);
    if (count <= 0 || count > DECOMPOSED)
        return 0;
    count = utf8proc_normalize_utf32(codes, count, (utf8proc_option_t)options);
    return count > 0 ? encode_word(tokeniser, codes, (size_t)count, to) : 0;
}

size_t ez_normalise_word(const ez_tokeniser *tokeniser, const char *form, size_t n, char *to)
{
    if (!n || n > EZ_WORD_BYTES)
        return 0;
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)form[i] >= 0x80)
            return normalise_unicode(tokeniser, form, n, to);
    return normalise_ascii(tokeniser, form, n, to);
}
