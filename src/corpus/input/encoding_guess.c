/* Looks at the bytes of a text and decides which encoding it has. */
#include "corpus/input/encoding_guess.h"

#include "base/os/os_text.h"
#include "corpus/input/utf8.h"

#include <iconv.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <utf8proc.h>
#ifdef EZLDA_HAVE_UCHARDET
#include <uchardet.h>
#endif

enum {
    DETECT_BYTES = 1 << 18, /* the detector sees at most these */
    SURE_LATIN = 12, /* letters beyond ASCII; with fewer, Latin encodings cannot be distinguished */
    SURE_RARE = 100, /* the same for encodings that are rare */
};

static void set(ez_encoding_guess *guess, const char *name, bool whole)
{
    snprintf(guess->name, sizeof guess->name, "%s", name);
    guess->whole = whole;
    guess->mixed = false;
}

/* ---- marks and NUL bytes ---- */

static const char *by_mark(const char *text, size_t n)
{
    if (n >= 4 && memcmp(text, "\xff\xfe\0\0", 4) == 0)
        return "UTF-32";
    if (n >= 4 && memcmp(text, "\0\0\xfe\xff", 4) == 0)
        return "UTF-32";
    if (n >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0))
        return "UTF-16";
    return NULL;
}

static bool is_text_code(uint32_t code)
{
    if (code < 0x20 || code == 0x7f)
        return code == '\t' || code == '\n' || code == '\r' || code == '\f';
    utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)code);
    return category != UTF8PROC_CATEGORY_CN && category != UTF8PROC_CATEGORY_CO &&
           category != UTF8PROC_CATEGORY_CS && category != UTF8PROC_CATEGORY_CC;
}

static uint32_t unit_at(const unsigned char *p, unsigned width, bool big)
{
    uint32_t code = 0;
    for (unsigned i = 0; i < width; i++)
        code |= (uint32_t)p[i] << 8 * (big ? width - 1 - i : i);
    return code;
}

/* Whether all units are characters of text, and some of them spaces, line ends or other ASCII. */
static bool reads_as(const char *text, size_t n, unsigned width, bool big)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t plain = 0, reversed = 0;
    for (size_t i = 0; i + width <= n; i += width) {
        uint32_t code = unit_at(p + i, width, big);
        plain += code < 0x80;
        reversed += (code & 0xff) == 0;
        if (width == 2 && code >= 0xd800 && code < 0xdc00 && i + 4 <= n) {
            uint32_t low = unit_at(p + i + 2, 2, big);
            if (low < 0xdc00 || low > 0xdfff)
                return false;
            code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
            i += 2;
        }
        if (code > 0x10ffff || !is_text_code(code))
            return false;
    }
    return plain > 4 * reversed && plain * 50 >= n / width;
}

/* UTF-16 and UTF-32 without a mark. Their spaces and line ends have NUL bytes. */
static const char *by_nul(const char *text, size_t n, bool all)
{
    static const struct {
        unsigned width;
        bool big;
        const char *name;
    } forms[] = {{4, false, "UTF-32LE"},
                 {4, true, "UTF-32BE"},
                 {2, false, "UTF-16LE"},
                 {2, true, "UTF-16BE"}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if ((!all || n % forms[i].width == 0) && reads_as(text, n, forms[i].width, forms[i].big))
            return forms[i].name;
    return NULL;
}

/* ---- the detector ---- */

/* What the lines that are not UTF-8 are made of. */
typedef struct line_facts {
    size_t high, runs;  /* bytes beyond ASCII, and runs of them */
    size_t letters;     /* ASCII letters */
    size_t lines, utf8; /* lines that are not UTF-8; others that are not ASCII */
    size_t odd;         /* signs of windows-1252 inside words */
    bool windows;       /* all bytes have a meaning in windows-1252 */
    bool controls;      /* bytes 0x80 to 0x9f, which Latin-1 does not use */
} line_facts;

static bool is_ascii_letter(char c)
{
    return (unsigned char)((c | 0x20) - 'a') < 26;
}

/* Whether a byte between letters is a sign of windows-1252 that does not occur there: a letter of
 * another encoding. */
static bool is_odd(const char *line, size_t n, size_t i)
{
    static const char signs[] =
        "\xa1\xa2\xa3\xa5\xa6\xa9\xac\xae\xaf\xb1\xb3\xb6\xb9\xbc\xbd\xbe\xbf";
    return i > 0 && i + 1 < n && is_ascii_letter(line[i - 1]) && is_ascii_letter(line[i + 1]) &&
           strchr(signs, line[i]);
}

static void gather(line_facts *facts, const char *line, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)line[i];
        facts->letters += is_ascii_letter(line[i]);
        if (c < 0x80)
            continue;
        facts->high++;
        facts->runs += i == 0 || !(line[i - 1] & 0x80);
        facts->odd += is_odd(line, n, i);
        facts->controls = facts->controls || c < 0xa0;
        if (c == 0x81 || c == 0x8d || c == 0x8f || c == 0x90 || c == 0x9d)
            facts->windows = false;
    }
}

static bool has_high(const char *line, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (line[i] & 0x80)
            return true;
    return false;
}

/* Latin letters beyond ASCII stand alone among plain ones. */
static bool is_latin(const line_facts *facts)
{
    if (facts->high <= 2 * facts->runs && facts->letters >= 8 * facts->high)
        return true;
    return facts->high * 5 <= facts->runs * 8 && facts->letters >= 2 * facts->high;
}

static bool is_listed(const char *const *list, const char *name)
{
    while (*list && strcmp(*list, name) != 0)
        list++;
    return *list != NULL;
}

#ifdef EZLDA_HAVE_UCHARDET
typedef uchardet_t detector;

static detector open_detector(void)
{
    return uchardet_new();
}

static void feed(detector to, const char *line, size_t n)
{
    if (to)
        uchardet_handle_data(to, line, n);
}

static void close_detector(detector from, char *name)
{
    name[0] = '\0';
    if (!from)
        return;
    uchardet_data_end(from);
    snprintf(name, EZ_ENCODING_NAME, "%s", uchardet_get_charset(from));
    uchardet_delete(from);
}
#else
typedef int detector;

static detector open_detector(void)
{
    return 0;
}

static void feed(detector to, const char *line, size_t n)
{
    (void)to;
    (void)line;
    (void)n;
}

static void close_detector(detector from, char *name)
{
    (void)from;
    name[0] = '\0';
}
#endif

static bool is_known(const char *name)
{
    iconv_t conversion = iconv_open("UTF-8", name);
    if (conversion == (iconv_t)-1)
        return false;
    iconv_close(conversion);
    return true;
}

/* Checks what the detector says against what the lines are made of. */
static bool choose(const line_facts *facts, const char *found, ez_encoding_guess *guess)
{
    static const char *const latin[] = {"WINDOWS-1250",
                                        "WINDOWS-1252",
                                        "WINDOWS-1254",
                                        "WINDOWS-1257",
                                        "WINDOWS-1258",
                                        "ISO-8859-1",
                                        "ISO-8859-2",
                                        "ISO-8859-9",
                                        "ISO-8859-15",
                                        "VISCII",
                                        NULL};
    static const char *const rare[] = {"ISO-8859-3",        "ISO-8859-4",  "ISO-8859-10",
                                       "ISO-8859-13",       "ISO-8859-16", "IBM852",
                                       "MAC-CENTRALEUROPE", NULL};
    static const char *const wide[] = {"BIG5",  "EUC-JP",    "EUC-KR", "EUC-TW", "GB18030",
                                       "JOHAB", "SHIFT_JIS", "UHC",    NULL};
    bool plain = is_latin(facts), named = *found && is_known(found);
    bool western = !strcmp(found, "ISO-8859-1") || !strcmp(found, "ISO-8859-15");
    bool sure = is_listed(latin, found) && (facts->high >= SURE_LATIN || facts->odd > 1);
    sure = sure || (is_listed(rare, found) && facts->high >= SURE_RARE);
    if (plain && (!sure || (western && facts->controls)))
        named = false;
    if (named && strcmp(found, "ISO-8859-1") != 0) {
        set(guess, found, is_listed(wide, found));
        return true;
    }
    set(guess, "WINDOWS-1252", false);
    return facts->windows && plain;
}

bool ez_detect_encoding(const char *text, size_t n, ez_encoding_guess *guess)
{
    line_facts facts = {.windows = true};
    detector to = open_detector();
    char found[EZ_ENCODING_NAME];
    size_t fed = 0;
    for (size_t at = 0, length; at < n; at += length) {
        const char *newline = memchr(text + at, '\n', n - at);
        length = newline ? (size_t)(newline - text) + 1 - at : n - at;
        if (ez_utf8_check(text + at, length) == length) {
            facts.utf8 += has_high(text + at, length);
            continue;
        }
        facts.lines++;
        gather(&facts, text + at, length);
        if (fed < DETECT_BYTES)
            feed(to, text + at, length < DETECT_BYTES - fed ? length : DETECT_BYTES - fed);
        fed += length;
    }
    close_detector(to, found);
    bool likely = choose(&facts, found, guess);
    guess->mixed = facts.utf8 > (guess->whole ? facts.lines / 4 : 0);
    guess->whole = guess->whole && !guess->mixed;
    return likely;
}

void ez_guess_encoding(const char *text, size_t n, bool all, ez_encoding_guess *guess)
{
    const char *name = by_mark(text, n);
    size_t good = ez_utf8_check(text, n);
    set(guess, "UTF-8", false);
    if (!name && good < n && memchr(text, 0, n))
        name = by_nul(text, n, all);
    else if (!name && good == n && ez_os_find(text, n, "\x1b$", 2) &&
             ez_os_find(text, n, "\x1b(", 2))
        name = "ISO-2022-JP";
    if (name)
        set(guess, name, true);
    else if (good < n && (all || n - good > 3) && !memchr(text, 0, n) &&
             (!ez_detect_encoding(text, n, guess) || guess->mixed))
        set(guess, "UTF-8", false);
}
