/* Decompression: one codec per compressed format. A codec reads the raw bytes of a file and returns
 * plain ones. */
#ifndef EZ_CODEC_H
#define EZ_CODEC_H

#include "base/memory.h"

/* A file as it is on disk, before any decompression. */
typedef struct ez_raw {
    int fd;
    const char *name; /* name of the file, for messages */
    unsigned char *buffer;
    size_t at, end;      /* bytes of the buffer that are not used yet */
    bool ended;          /* the file has no more bytes */
    uint64_t bytes_read; /* bytes read from the file so far */
} ez_raw;

/* Reads more if the buffer is empty. Afterwards it holds bytes or the file has ended. */
ezlda_status ez_raw_fill(ez_raw *raw, ezlda_context *context);

typedef struct ez_codec {
    ezlda_status (*open)(void **state, ezlda_context *context);
    /* Returns n bytes, fewer only at the end. Damaged or truncated data are errors. */
    ezlda_status (*read)(void *state, ezlda_context *context, ez_raw *raw, unsigned char *out,
                         size_t n, size_t *got);
    void (*close)(void *state);
} ez_codec;

extern const ez_codec ez_codec_gzip, ez_codec_zstd, ez_codec_xz;

static inline ezlda_status ez_codec_truncated(const ez_raw *raw, ezlda_context *context,
                                              const char *codec)
{
    return ez_fail(context, EZLDA_ERROR_FORMAT, "%s: %s data end too early: the file is truncated",
                   raw->name, codec);
}

static inline ezlda_status ez_codec_damaged(const ez_raw *raw, ezlda_context *context,
                                            const char *codec, const char *why)
{
    return ez_fail(context, EZLDA_ERROR_FORMAT, "%s: %s data are damaged: %s", raw->name, codec,
                   why);
}

#endif
