/* Copies a text line by line; lines that are not UTF-8 go through iconv. */
#include "corpus/input/line_mender.h"

#include "corpus/input/utf8.h"

#include <iconv.h>
#include <string.h>

/* One byte becomes at most four of UTF-8 in every encoding that iconv knows. */
enum { MOST_BYTES = 4 };

/* Converts a line to the end of `room`; *good is false if it cannot be. */
static ezlda_status convert_line(iconv_t conversion, ezlda_context *context, char *line, size_t n,
                                 ez_buffer *room, bool *good)
{
    size_t most = ez_product(n, MOST_BYTES), left = n, space = most;
    EZ_TRY(ez_buffer_reserve(room, context, most));
    char *to = (char *)room->data + room->used;
    iconv(conversion, NULL, NULL, NULL, NULL);
    *good = iconv(conversion, &line, &left, &to, &space) != (size_t)-1 && left == 0;
    size_t made = most - space;
    *good = *good && ez_utf8_check((char *)room->data + room->used, made) == made;
    room->used += made;
    return EZLDA_OK;
}

static ezlda_status mend(const ez_buffer *text, ezlda_context *context, size_t from,
                         iconv_t conversion, ez_buffer *room, ez_mended *mended)
{
    uint64_t line = 0;
    for (size_t at = from, n; at < text->used; at += n, line++) {
        char *start = (char *)text->data + at;
        const char *newline = memchr(start, '\n', text->used - at);
        bool good = true;
        n = newline ? (size_t)(newline - start) + 1 : text->used - at;
        if (ez_utf8_check(start, n) == n) {
            EZ_TRY(ez_buffer_append(room, context, start, n));
            continue;
        }
        EZ_TRY(convert_line(conversion, context, start, n, room, &good));
        if (!good) {
            mended->bad = at;
            return EZLDA_OK;
        }
        mended->first = mended->lines++ ? mended->first : line;
    }
    return EZLDA_OK;
}

ezlda_status ez_mend_lines(ez_buffer *text, ezlda_context *context, size_t from,
                           const char *encoding, ez_buffer *room, ez_mended *mended)
{
    *mended = (ez_mended){.bad = from};
    iconv_t conversion = iconv_open("UTF-8", encoding);
    if (conversion == (iconv_t)-1)
        return EZLDA_OK;
    mended->bad = SIZE_MAX;
    room->used = 0;
    ezlda_status status = ez_buffer_append(room, context, text->data, from);
    if (status == EZLDA_OK)
        status = mend(text, context, from, conversion, room, mended);
    iconv_close(conversion);
    if (status != EZLDA_OK || mended->bad != SIZE_MAX)
        return status;
    ez_buffer swap = *text;
    *text = *room;
    *room = swap;
    return EZLDA_OK;
}
