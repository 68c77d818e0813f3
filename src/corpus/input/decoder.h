/* Converts text in other encodings to UTF-8 while it is read, with the C library's iconv. */
#ifndef EZ_DECODER_H
#define EZ_DECODER_H

#include "base/memory.h"

/* Whether text in this encoding needs no conversion. NULL: UTF-8. */
bool ez_encoding_is_utf8(const char *encoding);
/* Fails with EZLDA_ERROR_ARGUMENT if iconv does not know the name. */
ezlda_status ez_encoding_check(ezlda_context *context, const char *encoding);

typedef struct ez_decoder ez_decoder;

/* Returns n bytes in the encoding, fewer only at the end. */
typedef ezlda_status (*ez_encoded_fn)(void *from, ezlda_context *context, unsigned char *out,
                                      size_t n, size_t *got);

/* held: encoded bytes that were read already; they are decoded first. The encoding and the name
 * (for messages) must stay valid as long as the decoder. */
ezlda_status ez_decoder_open(ez_decoder **out, ezlda_context *context, const char *encoding,
                             const char *name, const void *held, size_t n_held);
/* Returns n bytes of UTF-8, fewer only at the end. Bytes that are invalid in the encoding are an
 * error that names the line. */
ezlda_status ez_decoder_read(ez_decoder *decoder, ezlda_context *context, ez_encoded_fn more,
                             void *from, unsigned char *out, size_t n, size_t *got);
void ez_decoder_close(ez_decoder *decoder); /* accepts NULL */

#endif
