/* One document a line: the frame of the LDA-C and SVMlight readers. */
#ifndef EZ_ROW_READER_H
#define EZ_ROW_READER_H

#include "corpus/corpus.h"
#include "corpus/input/input.h"

/* What a line holds; the arrays are used again from line to line. */
typedef struct ez_row {
    ez_buffer words, counts; /* uint32_t each, word numbers as in the file */
    const char *label;
    size_t label_length;
    bool none; /* the line is no document */
} ez_row;

/* Parses the line at `at` (ended by '\n') into an empty row. word_limit: word numbers must be below
 * it. */
typedef ezlda_status (*ez_parse_row_fn)(ez_row *row, ezlda_context *context, const char *path,
                                        uint64_t line, const char *at, uint32_t word_limit);

typedef struct ez_row_format {
    ez_parse_row_fn parse;
    bool has_label;
    bool from_one; /* words count from 1, unless a word 0 is met: then all count from 0 */
} ez_row_format;

ezlda_status ez_read_rows(ezlda_corpus **out, ezlda_context *context, ez_input *input,
                          const ezlda_import_options *options, const ez_row_format *format);

/* `word:count` at *at, which moves behind it. */
ezlda_status ez_parse_pair(ez_row *row, ezlda_context *context, const char *path, uint64_t line,
                           const char **at, uint32_t word_limit, bool real);

#endif
