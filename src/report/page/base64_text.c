#include "report/page/base64_text.h"

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

ezlda_status ez_append_base64(ez_buffer *text, ezlda_context *context, const void *bytes, size_t n)
{
    const unsigned char *in = bytes;
    EZ_TRY(ez_buffer_reserve(text, context, n / 3 * 4 + 4));
    unsigned char *out = text->data + text->used;
    for (size_t i = 0; i < n; i += 3) {
        size_t left = n - i;
        uint32_t word = (uint32_t)in[i] << 16;
        word |= left > 1 ? (uint32_t)in[i + 1] << 8 : 0;
        word |= left > 2 ? (uint32_t)in[i + 2] : 0;
        *out++ = (unsigned char)alphabet[word >> 18];
        *out++ = (unsigned char)alphabet[word >> 12 & 63];
        *out++ = left > 1 ? (unsigned char)alphabet[word >> 6 & 63] : '=';
        *out++ = left > 2 ? (unsigned char)alphabet[word & 63] : '=';
    }
    text->used = (size_t)(out - text->data);
    return EZLDA_OK;
}
