/* Decompresses xz with liblzma: any number of streams, at most 4 GiB of memory. */
#include "corpus/input/codec.h"

#include <lzma.h>

typedef struct ez_xz {
    lzma_stream stream;
    bool done;
} ez_xz;

#define EZ_XZ_MEMORY ((uint64_t)4 << 30) /* more than any preset of xz asks for */

static ezlda_status xz_open(void **state, ezlda_context *context)
{
    ez_xz *xz;
    EZ_TRY(ez_array_zero(&xz, context, 1, sizeof *xz, "xz"));
    xz->stream = (lzma_stream)LZMA_STREAM_INIT;
    if (lzma_stream_decoder(&xz->stream, EZ_XZ_MEMORY, LZMA_CONCATENATED) != LZMA_OK) {
        ez_free(xz);
        return ez_fail(context, EZLDA_ERROR_MEMORY, "not enough memory for xz");
    }
    *state = xz;
    return EZLDA_OK;
}

static const char *reason(lzma_ret result)
{
    switch (result) {
    case LZMA_MEM_ERROR: return "not enough memory";
    case LZMA_MEMLIMIT_ERROR: return "it asks for more than 4 GiB of memory";
    case LZMA_FORMAT_ERROR: return "not the xz format";
    case LZMA_OPTIONS_ERROR: return "options that this version of liblzma does not know";
    default: return "checks fail";
    }
}

static ezlda_status xz_read(void *state, ezlda_context *context, ez_raw *raw, unsigned char *out,
                            size_t n, size_t *got)
{
    ez_xz *xz = state;
    xz->stream.next_out = out;
    xz->stream.avail_out = n;
    while (xz->stream.avail_out && !xz->done) {
        EZ_TRY(ez_raw_fill(raw, context));
        xz->stream.next_in = raw->buffer + raw->at;
        xz->stream.avail_in = raw->end - raw->at;
        lzma_ret result = lzma_code(&xz->stream, raw->at == raw->end ? LZMA_FINISH : LZMA_RUN);
        raw->at = raw->end - xz->stream.avail_in;
        if (result == LZMA_STREAM_END)
            xz->done = true;
        else if (result == LZMA_BUF_ERROR)
            return ez_codec_truncated(raw, context, "xz");
        else if (result != LZMA_OK)
            return ez_codec_damaged(raw, context, "xz", reason(result));
    }
    *got = n - xz->stream.avail_out;
    return EZLDA_OK;
}

static void xz_close(void *state)
{
    ez_xz *xz = state;
    lzma_end(&xz->stream);
    ez_free(xz);
}

const ez_codec ez_codec_xz = {.open = xz_open, .read = xz_read, .close = xz_close};
