/* Converts the lines of a text that are not UTF-8. A text may mix encodings: a log, or files that
 * were joined. */
#ifndef EZ_LINE_MENDER_H
#define EZ_LINE_MENDER_H

#include "base/memory.h"
#include "corpus/input/encoding_guess.h"

/* What was converted, and why it ended. */
typedef struct ez_mended {
    uint64_t lines; /* lines that were converted */
    char encoding[EZ_ENCODING_NAME];
    bool mixed;     /* other lines are UTF-8 and not ASCII */
    uint64_t first; /* the first of them, from 0 */
    size_t bad; /* offset in the text of a line that the encoding does not allow; SIZE_MAX: none */
} ez_mended;

/* Replaces text[from, used) by UTF-8; `room` is for the work. The text is not changed if a line is
 * bad. */
ezlda_status ez_mend_lines(ez_buffer *text, ezlda_context *context, size_t from,
                           const char *encoding, ez_buffer *room, ez_mended *mended);

#endif
