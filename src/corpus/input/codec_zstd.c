/* Decompresses zstd: any number of frames, windows up to those of `zstd --long=31`. */
#include "corpus/input/codec.h"

#include <zstd.h>

typedef struct ez_zstd {
    ZSTD_DStream *stream;
    bool inside; /* inside a frame */
} ez_zstd;

enum { EZ_ZSTD_WINDOW_LOG = 31 }; /* the largest that `zstd --long` writes */

static ezlda_status zstd_open(void **state, ezlda_context *context)
{
    ez_zstd *zstd;
    EZ_TRY(ez_array_zero(&zstd, context, 1, sizeof *zstd, "zstd"));
    zstd->stream = ZSTD_createDStream();
    if (!zstd->stream || ZSTD_isError(ZSTD_DCtx_setParameter(zstd->stream, ZSTD_d_windowLogMax,
                                                             EZ_ZSTD_WINDOW_LOG))) {
        ZSTD_freeDStream(zstd->stream);
        ez_free(zstd);
        return ez_fail(context, EZLDA_ERROR_MEMORY, "not enough memory for zstd");
    }
    *state = zstd;
    return EZLDA_OK;
}

static ezlda_status zstd_read(void *state, ezlda_context *context, ez_raw *raw, unsigned char *out,
                              size_t n, size_t *got)
{
    ez_zstd *zstd = state;
    ZSTD_outBuffer to = {.dst = out, .size = n};
    while (to.pos < n) {
        EZ_TRY(ez_raw_fill(raw, context));
        bool ended = raw->at == raw->end;
        if (ended && !zstd->inside)
            break;
        ZSTD_inBuffer from = {.src = raw->buffer, .size = raw->end, .pos = raw->at};
        size_t before = to.pos, result = ZSTD_decompressStream(zstd->stream, &to, &from);
        raw->at = from.pos;
        if (ZSTD_isError(result))
            return ez_codec_damaged(raw, context, "zstd", ZSTD_getErrorName(result));
        zstd->inside = result != 0;
        /* Without input, zstd may still flush bytes that it decoded before. If it does not, the
         * frame is cut off. */
        if (ended && zstd->inside && to.pos == before)
            return ez_codec_truncated(raw, context, "zstd");
    }
    *got = to.pos;
    return EZLDA_OK;
}

static void zstd_close(void *state)
{
    ez_zstd *zstd = state;
    ZSTD_freeDStream(zstd->stream);
    ez_free(zstd);
}

const ez_codec ez_codec_zstd = {.open = zstd_open, .read = zstd_read, .close = zstd_close};
