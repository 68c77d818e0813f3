/* Formats numbers without the locale: shortest digits for reals, plain digits for whole numbers.
 * Tables hold hundreds of millions of numbers, so their digits are found without printf. */
#include "base/number_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Decimal digits of a number: d.ddd times ten to the exponent. */
typedef struct decimal {
    char digit[24];
    int n, exponent;
    bool negative;
} decimal;

/* "%e" may write the locale's decimal point, so only digits, sign and exponent are used. */
static void split_digits(const char *text, decimal *number)
{
    *number = (decimal){.negative = *text == '-'};
    for (; *text && *text != 'e'; text++)
        if (*text >= '0' && *text <= '9' && number->n < (int)sizeof number->digit)
            number->digit[number->n++] = *text;
    number->exponent = *text ? (int)strtol(text + 1, NULL, 10) : 0;
    while (number->n > 1 && number->digit[number->n - 1] == '0')
        number->n--;
}

static size_t put_digits(char *out, const decimal *number, int from, int to)
{
    for (int i = from; i < to; i++)
        out[i - from] = i >= 0 && i < number->n ? number->digit[i] : '0';
    return to > from ? (size_t)(to - from) : 0;
}

/* Writes numbers like 0.00012, 12.5, 3.0, 1.5e-07. */
static size_t put_decimal(char *out, const decimal *number)
{
    char *at = out;
    int e = number->exponent;
    if (number->negative)
        *at++ = '-';
    if (e < -4 || e > 15) {
        at += put_digits(at, number, 0, 1);
        if (number->n > 1)
            *at++ = '.';
        at += put_digits(at, number, 1, number->n);
        return (size_t)(at - out) + (size_t)snprintf(at, 8, "e%c%02d", e < 0 ? '-' : '+', abs(e));
    }
    at += put_digits(at, number, e < 0 ? -1 : 0, e < 0 ? 0 : e + 1);
    *at++ = '.';
    int last = number->n > e + 2 ? number->n : e + 2;
    at += put_digits(at, number, e + 1, last);
    return (size_t)(at - out);
}

/* ---- few digits, fast ---- */

/* Powers of ten that are exact as a double. */
static const double ten_to[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

enum { EZ_FAST_DIGITS = 10, EZ_LARGEST_TEN = 22 };

/* value = whole * 10^(exponent + 1 - digits), rounded; whole has that many digits. */
typedef struct rounded {
    uint64_t whole;
    int exponent;
} rounded;

/* The exponent of ten of a normal positive value, or one less: 78913 / 2^18 is log10(2). */
static int low_exponent(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    int two = (int)(bits >> 52) - 1023;
    return two < 0 ? -((-two * 78913 + (1 << 18) - 1) >> 18) : (two * 78913) >> 18;
}

/* Rounds to `digits` significant digits as printf does, or returns false: the value is out of
 * range, or so close to the middle of two roundings that the product's own rounding could decide.
 * The product is off by at most 2^-53 of itself. */
static inline bool round_fast(double value, int digits, rounded *out)
{
    if (digits > EZ_FAST_DIGITS || !(value >= 1e-11) || !(value < ten_to[digits - 1]))
        return false;
    int e = low_exponent(value);
    double most = ten_to[digits], scaled = value * ten_to[digits - 1 - e];
    if (scaled >= most)
        scaled = value * ten_to[digits - 1 - ++e];
    uint64_t whole = (uint64_t)scaled;
    double rest = scaled - (double)whole, margin = most * 0x1p-52;
    if (fabs(rest - 0.5) <= margin)
        return false;
    whole += rest > 0.5;
    if (whole == (uint64_t)most) {
        whole /= 10;
        e++;
    }
    *out = (rounded){whole, e};
    return true;
}

/* Splits a whole number into its decimal digits without zeros at the end. */
static void split_whole(uint64_t whole, int digits, int exponent, decimal *number)
{
    number->negative = false;
    number->exponent = exponent;
    for (int i = digits; i-- > 0; whole /= 10)
        number->digit[i] = (char)('0' + whole % 10);
    while (digits > 1 && number->digit[digits - 1] == '0')
        digits--;
    number->n = digits;
}

static void split_real(double value, int digits, decimal *number)
{
    char text[64];
    rounded fast;
    if (round_fast(value, digits, &fast)) {
        split_whole(fast.whole, digits, fast.exponent, number);
        return;
    }
    snprintf(text, sizeof text, "%.*e", digits - 1, value);
    split_digits(text, number);
}

/* ---- reals ---- */

/* As many digits as are needed to read the same value back. */
static void split_shortest(double value, decimal *number)
{
    enum { ENOUGH = 15, ALL = 17 };
    char text[64];
    for (int n = ENOUGH; n <= ALL; n++) {
        snprintf(text, sizeof text, "%.*e", n - 1, value);
        if (n < ALL && strtod(text, NULL) == value)
            break;
    }
    split_digits(text, number);
}

size_t ez_put_real(char *out, double value, int digits)
{
    decimal number;
    if (digits)
        split_real(value, digits, &number);
    else
        split_shortest(value, &number);
    return put_decimal(out, &number);
}

/* ---- shares ---- */

/* The seven digits of a whole number, in pairs. */
static void put_seven(char out[8], uint64_t whole)
{
    static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                                "25262728293031323334353637383940414243444546474849"
                                "50515253545556575859606162636465666768697071727374"
                                "75767778798081828384858687888990919293949596979899";
    uint32_t all = (uint32_t)whole, high = all / 10000, low = all % 10000;
    out[0] = (char)('0' + high / 100);
    memcpy(out + 1, pairs + 2 * (size_t)(high % 100), 2);
    memcpy(out + 3, pairs + 2 * (size_t)(low / 100), 2);
    memcpy(out + 5, pairs + 2 * (size_t)(low % 100), 2);
}

static size_t put_slow_share(char *out, double value)
{
    decimal number;
    split_real(value, EZ_SHARE_DIGITS, &number);
    size_t n = put_decimal(out, &number);
    return out[n - 1] == '0' && out[n - 2] == '.' ? n - 2 : n;
}

size_t ez_put_share(char *out, double value)
{
    char digit[8];
    rounded fast;
    if (!round_fast(value, EZ_SHARE_DIGITS, &fast) || fast.exponent >= 0)
        return put_slow_share(out, value);
    put_seven(digit, fast.whole);
    size_t n = EZ_SHARE_DIGITS, zeros = (size_t)(-1 - fast.exponent);
    while (n > 1 && digit[n - 1] == '0')
        n--;
    if (fast.exponent >= -4) {
        /* NOLINTNEXTLINE(bugprone-not-null-terminated-result): a number has no end mark */
        memcpy(out, "0.000", 5);
        memcpy(out + 2 + zeros, digit, EZ_SHARE_DIGITS);
        return 2 + zeros + n;
    }
    out[0] = digit[0];
    out[1] = '.';
    memcpy(out + 2, digit + 1, EZ_SHARE_DIGITS - 1);
    char *at = out + (n > 1 ? n + 1 : 1);
    at[0] = 'e';
    at[1] = '-';
    at[2] = (char)('0' + (zeros + 1) / 10);
    at[3] = (char)('0' + (zeros + 1) % 10);
    return (size_t)(at - out) + 4;
}

/* ---- whole numbers and text ---- */

size_t ez_put_whole(char *out, uint64_t value)
{
    char reversed[24];
    size_t n = 0;
    do {
        reversed[n++] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    for (size_t i = 0; i < n; i++)
        out[i] = reversed[n - 1 - i];
    return n;
}

ezlda_status ez_append_real(ez_buffer *buffer, ezlda_context *context, double value, int digits)
{
    EZ_TRY(ez_buffer_reserve(buffer, context, EZ_NUMBER_ROOM));
    buffer->used += ez_put_real((char *)buffer->data + buffer->used, value, digits);
    return EZLDA_OK;
}

ezlda_status ez_append_whole(ez_buffer *buffer, ezlda_context *context, uint64_t value)
{
    EZ_TRY(ez_buffer_reserve(buffer, context, EZ_NUMBER_ROOM));
    buffer->used += ez_put_whole((char *)buffer->data + buffer->used, value);
    return EZLDA_OK;
}

ezlda_status ez_append_text(ez_buffer *buffer, ezlda_context *context, const char *text)
{
    return ez_buffer_append(buffer, context, text, strlen(text));
}
