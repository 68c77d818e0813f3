/* Tables on standard output, aligned by display width. Rows are buffered in blocks, so that a table
 * of millions of rows needs little memory: a column is as wide as its widest cell so far. */
#ifndef CLI_TEXT_TABLE_H
#define CLI_TEXT_TABLE_H

#include "platform.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct cli_column {
    const char *title;
    bool right; /* numbers */
    size_t cut; /* longer cells are cut with an ellipsis; 0: never */
} cli_column;

typedef struct cli_table cli_table;

/* columns must outlive the table. If the first title is empty, no titles are printed. On a terminal
 * the last column is wrapped to fit. */
cli_table *table_open(const cli_column *columns, size_t n_columns);
/* Adds the next cell; rows are filled from left to right. */
void table_cell(cli_table *table, const char *format, ...) PLATFORM_PRINTF(2, 3);
/* Adds a cell with a string that comes from a file: it is escaped. */
void table_string(cli_table *table, const char *string);
/* Adds a cell with text that is safe to print. */
void table_safe(cli_table *table, const char *text);
/* Prints the remaining rows and frees the table. */
void table_close(cli_table *table);

#endif
