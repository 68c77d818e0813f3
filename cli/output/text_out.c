/* Builds lines of text that are safe to print, formats numbers for people, and watches standard
 * output for write errors. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* fopencookie */
#endif
#include "output/text_out.h"

#include "cli.h"
#include "platform.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

/* Makes room for `more` bytes; false if a fixed text has none left. */
static bool reserve(cli_text *text, size_t more)
{
    size_t needed = text->n + more + 1;
    if (needed <= text->capacity)
        return true;
    if (text->fixed)
        return false;
    text->capacity = needed < 64 ? 64 : needed * 2;
    text->data = cli_grow(text->data, text->capacity, 1);
    return true;
}

void text_put(cli_text *text, const char *bytes, size_t n)
{
    if (!reserve(text, n))
        return;
    memcpy(text->data + text->n, bytes, n);
    text->n += n;
    text->data[text->n] = '\0';
}

void text_printf(cli_text *text, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length > 0 && reserve(text, (size_t)length)) {
        vsnprintf(text->data + text->n, (size_t)length + 1, format, again);
        text->n += (size_t)length;
    }
    va_end(again);
}

void text_clear(cli_text *text)
{
    (void)reserve(text, 0);
    text->n = 0;
    text->data[0] = '\0';
}

void text_free(cli_text *text)
{
    if (!text->fixed)
        free(text->data);
    *text = (cli_text){0};
}

/* ---- escaping ---- */

static bool plays_with_terminal(utf8proc_int32_t c)
{
    utf8proc_category_t category = utf8proc_category(c);
    bool bidi =
        (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0x200E || c == 0x200F;
    return bidi || category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_ZL ||
           category == UTF8PROC_CATEGORY_ZP;
}

static void put_escaped(cli_text *text, utf8proc_int32_t c)
{
    if (c == '\n')
        text_put(text, "\\n", 2);
    else if (c == '\t')
        text_put(text, "\\t", 2);
    else if (c == '\r')
        text_put(text, "\\r", 2);
    else if (c < 0x80)
        text_printf(text, "\\x%02x", (unsigned)c);
    else
        text_printf(text, "\\u{%x}", (unsigned)c);
}

static void escape(cli_text *text, const char *string, bool double_backslash)
{
    const utf8proc_uint8_t *s = (const utf8proc_uint8_t *)string;
    utf8proc_ssize_t left = (utf8proc_ssize_t)strlen(string);
    (void)reserve(text, (size_t)left);
    text->data[text->n] = '\0';
    while (left > 0) {
        utf8proc_int32_t c;
        utf8proc_ssize_t n = utf8proc_iterate(s, left, &c);
        if (n <= 0) {
            text_printf(text, "\\x%02x", *s);
            n = 1;
        } else if (plays_with_terminal(c)) {
            put_escaped(text, c);
        } else {
            if (c == '\\' && double_backslash)
                text_put(text, "\\", 1);
            text_put(text, (const char *)s, (size_t)n);
        }
        s += n;
        left -= n;
    }
}

void text_shown(cli_text *text, const char *string)
{
    escape(text, string, false);
}

void text_tsv(cli_text *text, const char *string)
{
    escape(text, string, true);
}

/* ---- width ---- */

size_t text_fitting(const char *string, size_t columns)
{
    const utf8proc_uint8_t *s = (const utf8proc_uint8_t *)string;
    utf8proc_ssize_t left = (utf8proc_ssize_t)strlen(string);
    size_t width = 0;
    while (left > 0) {
        utf8proc_int32_t c;
        utf8proc_ssize_t n = utf8proc_iterate(s, left, &c);
        if (n <= 0)
            break;
        width += (size_t)utf8proc_charwidth(c);
        if (width > columns)
            break;
        s += n;
        left -= n;
    }
    return (size_t)(s - (const utf8proc_uint8_t *)string);
}

size_t text_width(const char *string)
{
    const utf8proc_uint8_t *s = (const utf8proc_uint8_t *)string;
    utf8proc_ssize_t left = (utf8proc_ssize_t)strlen(string);
    size_t width = 0;
    while (left > 0) {
        utf8proc_int32_t c;
        utf8proc_ssize_t n = utf8proc_iterate(s, left, &c);
        if (n <= 0)
            return width + (size_t)left;
        width += (size_t)utf8proc_charwidth(c);
        s += n;
        left -= n;
    }
    return width;
}

/* ---- numbers ---- */

const char *text_count(uint64_t n, char buffer[32])
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
    char *out = buffer;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            *out++ = ',';
        *out++ = digits[i];
    }
    *out = '\0';
    return buffer;
}

static const char *with_unit(double n, const char *const *units, char buffer[32])
{
    int i = 0;
    while (n >= 999.5 && units[i + 1]) {
        n /= 1000;
        i++;
    }
    snprintf(buffer, 32, "%.*f%s%s", i && n < 99.95 ? 1 : 0, n, *units[i] ? " " : "", units[i]);
    return buffer;
}

const char *text_short(double n, char buffer[32])
{
    static const char *const units[] = {"", "k", "M", "G", "T", NULL};
    return with_unit(n, units, buffer);
}

const char *text_bytes(uint64_t n, char buffer[32])
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB", NULL};
    return with_unit((double)n, units, buffer);
}

const char *text_seconds(double seconds, char buffer[32])
{
    unsigned long whole = seconds < 1e9 ? (unsigned long)(seconds + 0.5) : 1000000000UL;
    if (whole >= 3600)
        snprintf(buffer, 32, "%lu:%02lu:%02lu", whole / 3600, whole / 60 % 60, whole % 60);
    else
        snprintf(buffer, 32, "%lu:%02lu", whole / 60, whole % 60);
    return buffer;
}

bool text_same_letters(const char *a, const char *b)
{
    for (; *a && *b; a++, b++) {
        char x = *a >= 'A' && *a <= 'Z' ? (char)(*a + 32) : *a;
        char y = *b >= 'A' && *b <= 'Z' ? (char)(*b + 32) : *b;
        if (x != y)
            return false;
    }
    return *a == *b;
}

/* ---- standard output ---- */

static int failed_with; /* errno of the first write that failed */

#ifdef __GLIBC__ /* which allows assigning to stdout */
/* Writes to the original stdout, which is unbuffered. */
static ssize_t pass_on(void *cookie, const char *bytes, size_t n)
{
    size_t done = fwrite(bytes, 1, n, cookie);
    if (done < n && !failed_with)
        failed_with = errno;
    return done < n ? 0 : (ssize_t)n;
}

void standard_output_begin(void)
{
    FILE *outer = fopencookie(stdout, "w", (cookie_io_functions_t){.write = pass_on});
    if (!outer)
        return;
    setvbuf(outer, NULL, platform_is_terminal(STANDARD_OUTPUT) ? _IOLBF : _IOFBF, BUFSIZ);
    setvbuf(stdout, NULL, _IONBF, 0);
    stdout = outer;
}
#else
/* The stream itself remembers that a write has failed, and errno why, if it was the last one. */
void standard_output_begin(void)
{
    enum { BUFFER = 1 << 16 };
    if (!platform_is_terminal(STANDARD_OUTPUT))
        setvbuf(stdout, NULL, _IOFBF, BUFFER);
}
#endif

/* Only the descriptor is closed: messages that are printed later still flush the stream. */
int standard_output_end(void)
{
    bool failed = ferror(stdout) != 0;
    int likely = platform_likely_error(STANDARD_OUTPUT);
    errno = 0;
    failed |= fflush(stdout) != 0;
    failed |= platform_close(STANDARD_OUTPUT) != 0;
    if (failed && !failed_with)
        failed_with = errno ? errno : likely;
    return failed_with;
}
