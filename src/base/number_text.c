/* Formats numbers without the locale: shortest digits for reals, plain digits for whole numbers. */
#include "base/number_text.h"

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

size_t ez_put_real(char *out, double value, int digits)
{
    char text[64];
    decimal number;
    int most = digits ? digits : 17;
    for (int n = digits ? digits : 15; n <= most; n++) {
        snprintf(text, sizeof text, "%.*e", n - 1, value);
        if (n < most && strtod(text, NULL) == value)
            break;
    }
    split_digits(text, &number);
    return put_decimal(out, &number);
}

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
