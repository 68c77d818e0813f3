/* Text for people and for tables: a growing string, escaping, display width, numbers with units.
 *
 * Words and document names come from files. On a terminal they must not move the cursor, change
 * colours or reverse the line, so control characters, bidirectional controls and bytes that are not
 * UTF-8 are shown as escapes. */
#ifndef CLI_TEXT_OUT_H
#define CLI_TEXT_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cli_text {
    char *data; /* ended by '\0' once something was put; NULL before */
    size_t n, capacity;
    bool fixed; /* the memory is the caller's and does not grow: what has no room is left out */
} cli_text;

/* A text in an array of the caller, for lines that must come out, and must not end the program,
 * where memory lacks. */
#define TEXT_IN(array)                                             \
    {                                                              \
        .data = (array), .capacity = sizeof(array), .fixed = true, \
    }

void text_put(cli_text *text, const char *bytes, size_t n);
void text_printf(cli_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_clear(cli_text *text); /* keeps the memory */
void text_free(cli_text *text);

/* Appends a string from a file so that it is safe to show: \n, \t, \xNN (bytes that are not UTF-8),
 * \u{NNNN}. */
void text_shown(cli_text *text, const char *string);
/* The same for a TSV field: a backslash is doubled, so that the escapes can be undone. */
void text_tsv(cli_text *text, const char *string);

/* Columns on a terminal of a string that is safe to show. */
size_t text_width(const char *string);
/* Bytes of the longest beginning of string that takes at most `columns`. */
size_t text_fitting(const char *string, size_t columns);

/* 1234567 as "1,234,567"; 15300000 as "15.3 M"; bytes as "15.3 MB"; 3725 seconds as "1:02:05". */
const char *text_count(uint64_t n, char buffer[32]);
const char *text_short(double n, char buffer[32]);
const char *text_bytes(uint64_t n, char buffer[32]);
const char *text_seconds(double seconds, char buffer[32]);

#endif
