/* Decompression: one codec a format, each reading raw bytes and giving plain ones. */
#ifndef EZ_CODEC_H
#define EZ_CODEC_H

#include "base/memory.h"

/* The bytes of a file as they are. */
typedef struct ez_raw {
    int fd;
    const char *name; /* for messages */
    unsigned char *buffer;
    size_t at, end; /* what is left in the buffer */
    bool ended;     /* the file has no more */
    uint64_t taken; /* bytes read from the file */
} ez_raw;

/* Reads on where the buffer is empty; afterwards it holds bytes or the file has ended. */
ezlda_status ez_raw_fill(ez_raw *raw, ezlda_context *context);

typedef struct ez_codec {
    ezlda_status (*open)(void **state, ezlda_context *context);
    /* Gives n bytes, fewer only at the end; data that are damaged or end too early are errors. */
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
