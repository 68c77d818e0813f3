/* Text for people and for tables: a growing string, escaping, display width, numbers with units,
 * and standard output itself.
 *
 * Words and document names come from files. On a terminal they must not move the cursor, change
 * colours or reverse the line, so control characters, bidirectional controls and bytes that are not
 * UTF-8 are shown as escapes. */
#ifndef CLI_TEXT_OUT_H
#define CLI_TEXT_OUT_H

#include "platform.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cli_text {
    char *data; /* ended by '\0' once something was put; NULL before */
    size_t n, capacity;
    bool fixed; /* the memory is the caller's; text that does not fit is dropped */
} cli_text;

/* A text in an array of the caller, for lines that must be printed even if memory has run out. */
#define TEXT_IN(array)                                             \
    {                                                              \
        .data = (array), .capacity = sizeof(array), .fixed = true, \
    }

void text_put(cli_text *text, const char *bytes, size_t n);
void text_printf(cli_text *text, const char *format, ...) PLATFORM_PRINTF(2, 3);
void text_clear(cli_text *text); /* keeps the memory */
void text_free(cli_text *text);

/* Appends a string from a file, made safe to print: \n, \t, \xNN (bytes that are not UTF-8),
 * \u{NNNN}. */
void text_shown(cli_text *text, const char *string);
/* The same for a TSV field: a backslash is doubled, so that the escapes can be undone. */
void text_tsv(cli_text *text, const char *string);

/* Width on a terminal, in columns, of a string that is safe to print. */
size_t text_width(const char *string);
/* Length in bytes of the longest prefix that is at most `columns` wide. */
size_t text_fitting(const char *string, size_t columns);

/* 1234567 as "1,234,567"; 15300000 as "15.3 M"; bytes as "15.3 MB"; 3725 seconds as "1:02:05". */
const char *text_count(uint64_t n, char buffer[32]);
const char *text_short(double n, char buffer[32]);
const char *text_bytes(uint64_t n, char buffer[32]);
const char *text_seconds(double seconds, char buffer[32]);

/* Standard output that remembers why a write failed: errno has changed by the time the command
 * ends. Begin before anything is printed. End writes the rest, closes, and returns 0 or the errno
 * of the first write that failed (EIO if it is unknown). */
void standard_output_begin(void);
int standard_output_end(void);

/* Whether two texts are the same but for the case of ASCII letters. */
bool text_same_letters(const char *a, const char *b);

#endif
