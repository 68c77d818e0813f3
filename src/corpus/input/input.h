/* Reads a file or standard input ("-") as bytes or as lines. Input that begins with the magic
 * number of gzip, zstd or xz is decompressed; text in another encoding is converted to UTF-8. */
#ifndef EZ_INPUT_H
#define EZ_INPUT_H

#include "base/memory.h"
#include "corpus/input/encoding_guess.h"

typedef struct ez_input ez_input;

enum { EZ_WHOLE_BYTES = 1 << 30, EZ_PEEK_BYTES = 1 << 16 };

ezlda_status ez_input_open(ez_input **out, ezlda_context *context, const char *path);
/* Declares the encoding of the text (NULL: UTF-8). From here on the input returns UTF-8. Only
 * ez_input_peek may have been called before. The name of the encoding must stay valid as long as
 * the input. */
ezlda_status ez_input_decode(ez_input *input, ezlda_context *context, const char *encoding);
/* Whether the bytes look like UTF-8 although ez_input_decode declared another encoding. */
bool ez_input_seems_utf8(const ez_input *input);
/* Guesses the encoding from the first bytes, under the same conditions. If the text has to be
 * converted as a whole, the input returns UTF-8 from here on. The guess belongs to the input; a
 * second call returns it again. */
ezlda_status ez_input_find_encoding(ez_input *input, ezlda_context *context,
                                    const ez_encoding_guess **guess);
/* ez_input_open, then ez_input_decode. */
ezlda_status ez_input_open_text(ez_input **out, ezlda_context *context, const char *path,
                                const char *encoding);
/* An input of bytes in memory, which it takes over from `bytes`; decompressed as a file is. */
ezlda_status ez_input_open_bytes(ez_input **out, ezlda_context *context, const char *name,
                                 ez_buffer *bytes);
/* Reads all of an input, at most EZ_WHOLE_BYTES; `to` is emptied first. */
ezlda_status ez_input_read_all(ez_input *input, ezlda_context *context, ez_buffer *to);
/* Reads n bytes; fewer only at the end. Damaged or truncated compressed data is an error. */
ezlda_status ez_input_read(ez_input *input, ezlda_context *context, void *bytes, size_t n,
                           size_t *got);
/* Returns the first bytes (up to 64 KiB, decompressed) without consuming them. Formats are
 * recognised by these. */
ezlda_status ez_input_peek(ez_input *input, ezlda_context *context, const unsigned char **bytes,
                           size_t *n);
const char *ez_input_name(const ez_input *input); /* for messages: the path, or "standard input" */
void ez_input_close(ez_input *input);             /* accepts NULL */

uint64_t ez_count_lines(const char *text, size_t n); /* number of newlines */

/* A block of whole lines, the unit of parallel parsing. */
typedef struct ez_lines {
    char *text; /* whole lines, each ended by '\n' (added to the last line of the file if it has
                   none) */
    size_t n;
    uint64_t first_line; /* number of the first line, from 1 */
    size_t capacity;     /* bytes that `text` has room for */
} ez_lines;

/* Reads the next block of about `target` bytes, cut at a line end. Zero-initialise `lines` before
 * its first use (the text grows as needed) and free it with ez_lines_free. n is 0 at the end. A
 * line over 1 GiB is an error. */
ezlda_status ez_input_lines(ez_input *input, ezlda_context *context, size_t target,
                            ez_lines *lines);
/* Reads one line, with its '\n'. n is 0 at the end. */
ezlda_status ez_input_line(ez_input *input, ezlda_context *context, ez_lines *line);
void ez_lines_free(ez_lines *lines);

/* Whether a regular file begins with these bytes, at most 8. */
bool ez_file_begins(const char *path, const char *magic, size_t n);

/* Names of files that may be compressed. */
enum { EZ_PATH_SIZE = 4096 };

/* Length of a name without a final .gz, .zst or .xz. */
size_t ez_unpacked_length(const char *name, size_t n);

/* Looks for the file called by the first `prefix` bytes of path, then name, compressed or not, and
 * writes its path to out (EZ_PATH_SIZE). is_it decides which files count; NULL: all. */
bool ez_find_packed(char *out, const char *path, size_t prefix, const char *name,
                    bool (*is_it)(const char *path));

#endif
