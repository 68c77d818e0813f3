/* Bytes as base64: the standard alphabet, padded. */
#ifndef EZ_BASE64_TEXT_H
#define EZ_BASE64_TEXT_H

#include "base/memory.h"

/* Appended to a buffer. */
ezlda_status ez_append_base64(ez_buffer *text, ezlda_context *context, const void *bytes, size_t n);

#endif
