/* Numbers as text, the same in every locale: with a point, never a comma. */
#ifndef EZ_NUMBER_TEXT_H
#define EZ_NUMBER_TEXT_H

#include "base/memory.h"

enum { EZ_NUMBER_ROOM = 40 }; /* most bytes of a number */

/* Significant digits: all that are needed to read the same double back, or a few less for large
 * tables. */
enum { EZ_ALL_DIGITS = 0, EZ_TABLE_DIGITS = 10, EZ_SHARE_DIGITS = 7 };

/* Writes a finite number without a terminating NUL and returns its length. A whole value ends in
 * ".0". */
size_t ez_put_real(char *out, double value, int digits);
/* Writes a number from 0 to 1 as "%.7g" does: a whole value has no ".0". */
size_t ez_put_share(char *out, double value);
size_t ez_put_whole(char *out, uint64_t value);

/* The same, appended to a buffer. */
ezlda_status ez_append_real(ez_buffer *buffer, ezlda_context *context, double value, int digits);
ezlda_status ez_append_whole(ez_buffer *buffer, ezlda_context *context, uint64_t value);
ezlda_status ez_append_text(ez_buffer *buffer, ezlda_context *context, const char *text);

#endif
