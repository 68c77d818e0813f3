/* Classifies characters with utf8proc, finds words beyond ASCII, and normalises forms. */
#include "corpus/text/tokeniser/tokeniser.h"

#include "corpus/input/utf8.h"
#include "corpus/text/tokeniser/unspaced_scripts.h"
#include "corpus/text/tokeniser/word_joiners.h"

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
    case UTF8PROC_CATEGORY_LO:
        return tokeniser->runs && ez_unspaced_script(code) ? EZ_UNSPACED : EZ_LETTER;
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME: return EZ_MARK;
    case UTF8PROC_CATEGORY_ND: return tokeniser->numbers ? EZ_LETTER : EZ_OTHER;
    default: break;
    }
    if (code == 0x3007 && tokeniser->runs) /* the Han character for zero is a number by category */
        return EZ_UNSPACED;
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
    tokeniser->plain_path = tokeniser->runs = true;
    tokeniser->casing = EZ_CASE_LOWER;
    tokeniser->min_length = min_length;
    for (uint32_t c = 0; c < 0x80; c++)
        if (ascii_letter(c) || (numbers && c - '0' < 10))
            tokeniser->classes[c] = EZ_LETTER;
    if (underscores)
        tokeniser->classes['_'] = EZ_UNDERSCORE;
    memset(tokeniser->classes + 0x80, EZ_BEYOND_ASCII, 0x80);
}

static int class_at(const ez_tokeniser *tokeniser, const char *at, const char *end)
{
    size_t length;
    return at < end ? class_of(tokeniser, ez_utf8_decode(at, &length)) : EZ_OTHER;
}

bool ez_is_run(const ez_tokeniser *tokeniser, const char *form)
{
    return class_at(tokeniser, form, form + 1) == EZ_UNSPACED;
}

/* A word while its end is looked for. */
typedef struct word_scan {
    const ez_tokeniser *tokeniser;
    const char *end;  /* end of the text */
    int kind;         /* EZ_LETTER or EZ_UNSPACED: the class of its letters; EZ_OTHER: none yet */
    uint32_t before;  /* the last character without its marks */
    const char *last; /* after the last character that is not hidden */
} word_scan;

/* Whether a character at `at` continues the word. An underscore joins words only directly between
 * two letters of scripts with spaces. */
static bool continues(word_scan *scan, int class, uint32_t code, const char *at, size_t length)
{
    switch (class) {
    case EZ_LETTER:
    case EZ_UNSPACED:
        if (scan->kind == EZ_OTHER)
            scan->kind = class;
        return scan->kind == class;
    case EZ_UNDERSCORE:
        return scan->last == at && scan->kind == EZ_LETTER &&
               class_at(scan->tokeniser, at + 1, scan->end) == EZ_LETTER;
    case EZ_OTHER:
        return scan->last == at && scan->tokeniser->casing != EZ_CASE_FOLDED &&
               ez_joins_letters(scan->before, code, at + length, scan->end);
    default: return true;
    }
}

/* Works for any characters. Hidden ones at the end do not belong to the word. */
const char *ez_word_end(const ez_tokeniser *tokeniser, const char *start, const char *at,
                        const char *end)
{
    word_scan scan = {tokeniser, end, EZ_OTHER, 0, at};
    if (at > start) {
        scan.kind = EZ_LETTER;
        scan.before = (unsigned char)at[-1];
    }
    while (at < end) {
        size_t length;
        uint32_t code = ez_utf8_decode(at, &length);
        int class = class_of(tokeniser, code);
        if (!continues(&scan, class, code, at, length))
            break;
        at += length;
        if (class != EZ_HIDDEN)
            scan.last = at;
        if (class != EZ_HIDDEN && class != EZ_MARK)
            scan.before = code;
    }
    return scan.last;
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
        if (class == EZ_LETTER || class == EZ_UNSPACED)
            return at;
        at += length;
    }
    return end;
}

/* The bytes of the whitespace at `at`; 0 if there is none. */
static size_t whitespace_at(const char *at)
{
    size_t length;
    if ((unsigned char)*at < 0x80)
        return *at == ' ' || (*at >= '\t' && *at <= '\r');
    uint32_t code = ez_utf8_decode(at, &length);
    utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)code);
    bool space = category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_ZL ||
                 category == UTF8PROC_CATEGORY_ZP || code == 0x85;
    return space ? length : 0;
}

static bool separates(const ez_tokeniser *tokeniser, const char *at)
{
    return tokeniser->units ? *at == '\x1f' : whitespace_at(at) != 0;
}

const char *ez_next_piece(const ez_tokeniser *tokeniser, const char **at, const char *end,
                          size_t *n)
{
    const char *start = *at;
    for (size_t space; start < end && ((space = whitespace_at(start)) || *start == '\x1f');)
        start += space ? space : 1;
    const char *last = start, *p = start;
    while (p < end && !separates(tokeniser, p)) {
        bool space = tokeniser->units && whitespace_at(p);
        for (p++; p < end && ((unsigned char)*p & 0xc0) == 0x80;)
            p++;
        if (!space)
            last = p;
    }
    *at = p;
    *n = (size_t)(last - start);
    return start < end ? start : NULL;
}

static size_t keep_piece(const ez_tokeniser *tokeniser, const char *form, size_t n, char *to)
{
    size_t characters = 0;
    for (size_t i = 0; i < n; i++)
        characters += ((unsigned char)form[i] & 0xc0) != 0x80;
    memcpy(to, form, n);
    to[n] = '\0';
    return characters >= tokeniser->min_length ? n : 0;
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
 * are dropped. Joiners between letters become one character each. */
static size_t keep_letters(const ez_tokeniser *tokeniser, utf8proc_int32_t *codes, size_t n)
{
    size_t kept = 0;
    uint32_t before = 0;
    bool folded = tokeniser->casing == EZ_CASE_FOLDED;
    for (size_t i = 0; i < n; i++) {
        uint32_t code = (uint32_t)codes[i];
        int class = class_of(tokeniser, code);
        if (class == EZ_OTHER && !folded && i + 1 < n &&
            class_of(tokeniser, (uint32_t)codes[i + 1]) == EZ_LETTER)
            code = ez_joiner(before, code);
        else if (class == EZ_OTHER || class == EZ_HIDDEN)
            code = 0;
        if (code)
            codes[kept++] = (utf8proc_int32_t)code;
        if (class != EZ_MARK)
            before = code;
    }
    return kept;
}

/* Puts marks in canonical order again, which dropped characters had separated. */
static void order_marks(utf8proc_int32_t *codes, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        utf8proc_int32_t code = codes[i];
        int class = utf8proc_get_property(code)->combining_class;
        size_t at = i;
        for (; class && at && utf8proc_get_property(codes[at - 1])->combining_class > class; at--)
            codes[at] = codes[at - 1];
        codes[at] = code;
    }
}

static size_t encode_word(const ez_tokeniser *tokeniser, const utf8proc_int32_t *codes, size_t n,
                          char *to)
{
    size_t used = 0, length = 0;
    bool folded = tokeniser->casing == EZ_CASE_FOLDED;
    if (n > EZ_WORD_CHARACTERS)
        return 0;
    for (size_t i = 0; i < n; i++) {
        length += ez_is_han((uint32_t)codes[i]) && !folded ? 2 : 1;
        used += ez_utf8_encode((uint32_t)codes[i], to + used);
    }
    to[used] = '\0';
    return length >= tokeniser->min_length ? used : 0;
}

/* Letters are rewritten between decomposition and composition, so that the result is normalised. */
static size_t normalise_unicode(const ez_tokeniser *tokeniser, const char *form, size_t n, char *to)
{
    int options = UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT | UTF8PROC_IGNORE;
    bool folded = tokeniser->casing == EZ_CASE_FOLDED, keep_case = tokeniser->keep_case;
    if (folded && !keep_case)
        options |= UTF8PROC_CASEFOLD;
    utf8proc_int32_t codes[DECOMPOSED];
    utf8proc_ssize_t count = utf8proc_decompose((const utf8proc_uint8_t *)form, (utf8proc_ssize_t)n,
                                                codes, DECOMPOSED, (utf8proc_option_t)options);
    if (count <= 0 || count > DECOMPOSED)
        return 0;
    if (!folded) {
        size_t kept =
            ez_rewrite_letters(codes, (size_t)count, tokeniser->casing, tokeniser->keep_case);
        kept = keep_letters(tokeniser, codes, kept);
        if (!keep_case)
            ez_place_sigmas(codes, kept);
        order_marks(codes, kept);
        count = (utf8proc_ssize_t)kept;
    }
    count = utf8proc_normalize_utf32(codes, count, (utf8proc_option_t)options);
    if (count <= 0)
        return 0;
    size_t left = folded ? keep_letters(tokeniser, codes, (size_t)count) : (size_t)count;
    return encode_word(tokeniser, codes, left, to);
}

size_t ez_normalise_word(const ez_tokeniser *tokeniser, const char *form, size_t n, char *to)
{
    if (!n || n > EZ_WORD_BYTES)
        return 0;
    if (tokeniser->pieces)
        return keep_piece(tokeniser, form, n, to);
    bool dotless = tokeniser->casing == EZ_CASE_TURKIC && !tokeniser->keep_case;
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)form[i] >= 0x80 || (dotless && form[i] == 'I'))
            return normalise_unicode(tokeniser, form, n, to);
    return normalise_ascii(tokeniser, form, n, to);
}
