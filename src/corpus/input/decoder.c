/* The decoder: a buffer of encoded bytes, iconv, and a buffer of UTF-8. */
#include "corpus/input/decoder.h"

#include "base/os/os_text.h"
#include "corpus/input/input.h"

#include <errno.h>
#include <iconv.h>
#include <string.h>

enum { ENCODED_BYTES = 1 << 16, DECODED_BYTES = 1 << 17 };

#define NO_CONVERSION ((iconv_t)-1)

struct ez_decoder {
    iconv_t conversion;
    const char *encoding, *name;
    ez_buffer in; /* encoded bytes */
    size_t in_at; /* the first byte of `in` that is not decoded */
    bool starved; /* `in` holds no whole character */
    bool ended;   /* no more encoded bytes follow */
    bool done;    /* iconv has returned all that it held back */
    unsigned char *out;
    size_t out_at, out_end; /* decoded, not yet returned */
    uint64_t lines;         /* line ends decoded so far */
};

bool ez_encoding_is_utf8(const char *encoding)
{
    return !encoding || !ez_os_compare(encoding, "UTF-8") || !ez_os_compare(encoding, "UTF8");
}

/* iconv reads the text after a slash as options, and an empty name as the locale's encoding: both
 * are refused. A name is tried twice, because the C library may report an unknown name when there
 * is not enough memory. */
static ezlda_status open_conversion(iconv_t *conversion, ezlda_context *context,
                                    const char *encoding)
{
    bool plain = *encoding && !strchr(encoding, '/');
    *conversion = NO_CONVERSION;
    errno = EINVAL;
    for (int i = 0; i < 2 && plain && *conversion == NO_CONVERSION && errno == EINVAL; i++)
        *conversion = iconv_open("UTF-8", encoding);
    if (*conversion != NO_CONVERSION)
        return EZLDA_OK;
    if (errno != EINVAL)
        return ez_fail_errno(context, encoding, "convert this encoding");
    return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                   "unknown encoding \"%s\": --encoding takes latin1, windows-1252, utf-16 and the "
                   "other names of "
                   "iconv -l",
                   encoding);
}

ezlda_status ez_encoding_check(ezlda_context *context, const char *encoding)
{
    iconv_t conversion;
    if (ez_encoding_is_utf8(encoding))
        return EZLDA_OK;
    EZ_TRY(open_conversion(&conversion, context, encoding));
    iconv_close(conversion);
    return EZLDA_OK;
}

static ezlda_status decoder_init(ez_decoder *decoder, ezlda_context *context, const void *held,
                                 size_t n_held)
{
    EZ_TRY(open_conversion(&decoder->conversion, context, decoder->encoding));
    EZ_TRY(ez_array(&decoder->out, context, DECODED_BYTES, 1, "decoded text"));
    EZ_TRY(ez_buffer_reserve(&decoder->in, context, n_held + ENCODED_BYTES));
    decoder->starved = n_held == 0;
    return ez_buffer_append(&decoder->in, context, held, n_held);
}

ezlda_status ez_decoder_open(ez_decoder **out, ezlda_context *context, const char *encoding,
                             const char *name, const void *held, size_t n_held)
{
    ez_decoder *decoder;
    EZ_TRY(ez_array_zero(&decoder, context, 1, sizeof *decoder, "a decoder"));
    decoder->conversion = NO_CONVERSION;
    decoder->encoding = encoding;
    decoder->name = name;
    ezlda_status status = decoder_init(decoder, context, held, n_held);
    if (status == EZLDA_OK)
        *out = decoder;
    else
        ez_decoder_close(decoder);
    return status;
}

void ez_decoder_close(ez_decoder *decoder)
{
    if (!decoder)
        return;
    if (decoder->conversion != NO_CONVERSION)
        iconv_close(decoder->conversion);
    ez_free(decoder->in.data);
    ez_free(decoder->out);
    ez_free(decoder);
}

/* Reads more bytes after those of an incomplete character. */
static ezlda_status refill(ez_decoder *decoder, ezlda_context *context, ez_encoded_fn more,
                           void *from)
{
    ez_buffer *in = &decoder->in;
    size_t got;
    if (decoder->in_at)
        memmove(in->data, in->data + decoder->in_at, in->used - decoder->in_at);
    in->used -= decoder->in_at;
    decoder->in_at = 0;
    EZ_TRY(ez_buffer_reserve(in, context, ENCODED_BYTES));
    EZ_TRY(more(from, context, in->data + in->used, ENCODED_BYTES, &got));
    in->used += got;
    decoder->ended = got < ENCODED_BYTES;
    decoder->starved = false;
    return EZLDA_OK;
}

static ezlda_status invalid(const ez_decoder *decoder, ezlda_context *context, bool cut_off)
{
    unsigned long long line = decoder->lines + 1;
    if (cut_off)
        return ez_fail(context, EZLDA_ERROR_FORMAT,
                       "%s:%llu: expected %s, found the end of the file inside a character",
                       decoder->name, line, decoder->encoding);
    return ez_fail(context, EZLDA_ERROR_FORMAT, "%s:%llu: expected %s, found the byte 0x%02x",
                   decoder->name, line, decoder->encoding,
                   (unsigned)decoder->in.data[decoder->in_at]);
}

/* Fills the empty output buffer from the input buffer; at the end of the input, with what iconv
 * holds back. */
static ezlda_status convert(ez_decoder *decoder, ezlda_context *context)
{
    char *from = (char *)decoder->in.data + decoder->in_at, *to = (char *)decoder->out;
    size_t left = decoder->in.used - decoder->in_at, room = DECODED_BYTES;
    bool last = decoder->ended && left == 0;
    size_t result =
        iconv(decoder->conversion, last ? NULL : &from, last ? NULL : &left, &to, &room);
    int why = result == (size_t)-1 ? errno : 0;
    decoder->in_at = decoder->in.used - left;
    decoder->out_at = 0;
    decoder->out_end = DECODED_BYTES - room;
    decoder->lines += ez_count_lines((const char *)decoder->out, decoder->out_end);
    decoder->starved = why == EINVAL || left == 0;
    decoder->done = last && !why;
    if (!why || why == E2BIG || (why == EINVAL && !decoder->ended))
        return EZLDA_OK;
    return invalid(decoder, context, why == EINVAL);
}

ezlda_status ez_decoder_read(ez_decoder *decoder, ezlda_context *context, ez_encoded_fn more,
                             void *from, unsigned char *out, size_t n, size_t *got)
{
    for (*got = 0; *got < n;) {
        size_t there = decoder->out_end - decoder->out_at,
               copied = n - *got < there ? n - *got : there;
        if (!there && decoder->done)
            break;
        memcpy(out + *got, decoder->out + decoder->out_at, copied);
        decoder->out_at += copied;
        *got += copied;
        if (there)
            continue;
        if (decoder->starved && !decoder->ended)
            EZ_TRY(refill(decoder, context, more, from));
        EZ_TRY(convert(decoder, context));
    }
    return EZLDA_OK;
}
