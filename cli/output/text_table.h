/* Aligned tables on standard output, by display width. Rows are buffered in blocks, so that a table
 * of millions of rows needs little memory: a column takes the width of its widest cell so far. */
#ifndef CLI_TEXT_TABLE_H
#define CLI_TEXT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cli_column {
    const char *title;
    bool right; /* numbers */
    size_t cut; /* longer cells are cut with an ellipsis; 0: never */
} cli_column;

typedef struct cli_table cli_table;

/* columns must outlive the table; where the first title is empty, none are printed. On a terminal
 * the last column is wrapped at its width. */
cli_table *table_open(const cli_column *columns, size_t n_columns);
/* The next cell, rows filled from left to right. */
void table_cell(cli_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The next cell, from a string of a file: escaped. */
void table_string(cli_table *table, const char *string);
/* The next cell, from text that is safe already. */
void table_safe(cli_table *table, const char *text);
/* Prints what is left and frees the table. */
void table_close(cli_table *table);

/* Columns of the terminal on a file descriptor, 0 where it is none. */
size_t terminal_width(int descriptor);

#endif
