/* Decompresses gzip with zlib: any number of members, zero padding between them allowed. */
#include "corpus/input/codec.h"

#include <limits.h>
#include <zlib.h>

typedef struct ez_gzip {
    z_stream stream;
    bool member_done; /* another member, padding or the end follows */
} ez_gzip;

static ezlda_status gzip_open(void **state, ezlda_context *context)
{
    ez_gzip *gzip;
    EZ_TRY(ez_array_zero(&gzip, context, 1, sizeof *gzip, "gzip"));
    if (inflateInit2(&gzip->stream, 15 + 16) != Z_OK) {
        ez_free(gzip);
        return ez_fail(context, EZLDA_ERROR_MEMORY, "not enough memory for gzip");
    }
    *state = gzip;
    return EZLDA_OK;
}

/* Skips the zero bytes that may pad a file; *more says whether another member follows. */
static ezlda_status next_member(ez_gzip *gzip, ezlda_context *context, ez_raw *raw, bool *more)
{
    *more = false;
    for (;;) {
        EZ_TRY(ez_raw_fill(raw, context));
        if (raw->at == raw->end)
            return EZLDA_OK;
        if (raw->buffer[raw->at])
            break;
        raw->at++;
    }
    inflateReset(&gzip->stream);
    gzip->member_done = false;
    *more = true;
    return EZLDA_OK;
}

static ezlda_status inflate_some(ez_gzip *gzip, ezlda_context *context, ez_raw *raw,
                                 unsigned char *out, size_t n, size_t *got)
{
    EZ_TRY(ez_raw_fill(raw, context));
    if (raw->at == raw->end)
        return ez_codec_truncated(raw, context, "gzip");
    z_stream *stream = &gzip->stream;
    uInt room = n < UINT_MAX ? (uInt)n : UINT_MAX;
    stream->next_in = raw->buffer + raw->at;
    stream->avail_in = (uInt)(raw->end - raw->at);
    stream->next_out = out;
    stream->avail_out = room;
    int result = inflate(stream, Z_NO_FLUSH);
    raw->at = raw->end - stream->avail_in;
    *got = room - stream->avail_out;
    if (result == Z_STREAM_END)
        gzip->member_done = true;
    else if (result != Z_OK && result != Z_BUF_ERROR)
        return ez_codec_damaged(raw, context, "gzip", stream->msg ? stream->msg : "unknown reason");
    return EZLDA_OK;
}

static ezlda_status gzip_read(void *state, ezlda_context *context, ez_raw *raw, unsigned char *out,
                              size_t n, size_t *got)
{
    ez_gzip *gzip = state;
    *got = 0;
    while (*got < n) {
        bool more = true;
        if (gzip->member_done)
            EZ_TRY(next_member(gzip, context, raw, &more));
        if (!more)
            break;
        size_t some = 0;
        EZ_TRY(inflate_some(gzip, context, raw, out + *got, n - *got, &some));
        *got += some;
    }
    return EZLDA_OK;
}

static void gzip_close(void *state)
{
    ez_gzip *gzip = state;
    inflateEnd(&gzip->stream);
    ez_free(gzip);
}

const ez_codec ez_codec_gzip = {.open = gzip_open, .read = gzip_read, .close = gzip_close};
