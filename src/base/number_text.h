/* Numbers as text, the same in every locale: a point, never a comma. */
#ifndef EZ_NUMBER_TEXT_H
#define EZ_NUMBER_TEXT_H

#include "base/memory.h"

enum { EZ_NUMBER_ROOM = 40 }; /* bytes that a number takes at most */

/* Significant digits: as many as it takes to read the same double back, or a few less than that,
 * for large tables. */
enum { EZ_ALL_DIGITS = 0, EZ_TABLE_DIGITS = 10 };

/* Writes a finite number, without a terminating NUL, and returns its length. A whole one ends in
 * ".0". */
size_t ez_put_real(char *out, double value, int digits);
size_t ez_put_whole(char *out, uint64_t value);

/* Appended to a buffer. */
ezlda_status ez_append_real(ez_buffer *buffer, ezlda_context *context, double value, int digits);
ezlda_status ez_append_whole(ez_buffer *buffer, ezlda_context *context, uint64_t value);
ezlda_status ez_append_text(ez_buffer *buffer, ezlda_context *context, const char *text);

#endif
