/* Bytes in: a file or standard input ("-"), decompressed where it opens with the magic of gzip,
 * zstd or xz. */
#ifndef EZ_INPUT_H
#define EZ_INPUT_H

#include "base/context.h"

#include <stdbool.h>

typedef struct ez_input ez_input;

ezlda_status ez_input_open(ez_input **out, ezlda_context *context, const char *path);
/* The text is in this encoding (NULL: UTF-8) and is read as UTF-8 from here on; nothing but a look
 * at the input may have come before. The encoding's name must stay as long as the input. */
ezlda_status ez_input_decode(ez_input *input, ezlda_context *context, const char *encoding);
/* Opens text in an encoding. */
ezlda_status ez_input_open_text(ez_input **out, ezlda_context *context, const char *path,
                                const char *encoding);
/* Reads n bytes; fewer only at the end. Damaged or truncated compressed data is an error. */
ezlda_status ez_input_read(ez_input *input, ezlda_context *context, void *bytes, size_t n,
                           size_t *got);
/* The first bytes (up to 64 KiB, decompressed) without consuming them: what formats are recognised
 * by. */
ezlda_status ez_input_peek(ez_input *input, ezlda_context *context, const unsigned char **bytes,
                           size_t *n);
const char *ez_input_name(const ez_input *input); /* for messages: the path, or "standard input" */
void ez_input_close(ez_input *input);             /* accepts NULL */

uint64_t ez_count_lines(const char *text, size_t n); /* ends of lines */

/* Lines in: blocks of whole lines, the unit of parallel parsing. */
typedef struct ez_lines {
    char *text; /* whole lines, each ended by '\n' (one is added at the end of the file where it
                   lacks) */
    size_t n;
    uint64_t first_line; /* number of the first line, from 1 */
    size_t capacity;     /* of text */
} ez_lines;

/* The next block of about `target` bytes, cut at a line end, into lines->text. Zero-initialise
 * `lines` before its first use (the text grows as needed) and free it with ez_lines_free. n = 0 at
 * the end. A line over 1 GiB is an error. */
ezlda_status ez_input_lines(ez_input *input, ezlda_context *context, size_t target,
                            ez_lines *lines);
/* One line, with its '\n'; n = 0 at the end. */
ezlda_status ez_input_line(ez_input *input, ezlda_context *context, ez_lines *line);
void ez_lines_free(ez_lines *lines);

/* Files that may be compressed: their names with and without the ending that says so. */
enum { EZ_PATH_SIZE = 4096 };

/* Length of a name without .gz, .zst and .xz at its end. */
size_t ez_unpacked_length(const char *name, size_t n);

/* The first `prefix` bytes of path, then name: out (EZ_PATH_SIZE) gets what is there of it,
 * compressed or not. is_it: which files count; NULL: all of them. */
bool ez_find_packed(char *out, const char *path, size_t prefix, const char *name,
                    bool (*is_it)(const char *path));

#endif
