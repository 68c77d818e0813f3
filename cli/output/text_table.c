/* Prints aligned tables, a block of rows at a time. */
#include "output/text_table.h"

#include "cli.h"
#include "output/text_out.h"
#include "platform.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_ROWS = 512, GAP = 2, NARROWEST_WRAP = 20 };

struct cli_table {
    const cli_column *columns;
    size_t n_columns;
    size_t *width;
    cli_text *cells; /* BLOCK_ROWS rows */
    size_t used;     /* cells filled */
    size_t wrap;     /* columns of the terminal, 0: no wrapping */
    bool titled;
};

cli_table *table_open(const cli_column *columns, size_t n_columns)
{
    cli_table *table = cli_zeroed(1, sizeof *table);
    table->columns = columns;
    table->n_columns = n_columns;
    table->width = cli_zeroed(n_columns, sizeof *table->width);
    table->cells = cli_zeroed(n_columns * BLOCK_ROWS, sizeof *table->cells);
    table->wrap = platform_terminal_width(STANDARD_OUTPUT);
    for (size_t c = 0; c < n_columns; c++)
        table->width[c] = text_width(columns[c].title);
    return table;
}

static void put_spaces(size_t n)
{
    printf("%*s", (int)n, "");
}

/* Prints the last column, broken at spaces so that each line fits the terminal. */
static void put_wrapped(const char *cell, size_t indent, size_t wrap)
{
    size_t room = wrap > indent ? wrap - indent : 0;
    while (room >= NARROWEST_WRAP && text_width(cell) > room) {
        size_t fitting = text_fitting(cell, room);
        size_t end = fitting;
        while (end && cell[end] != ' ')
            end--;
        if (!end)
            end = fitting;
        printf("%.*s\n", (int)end, cell);
        put_spaces(indent);
        cell += end;
        cell += strspn(cell, " ");
    }
    fputs(cell, stdout);
}

static void put_cell(const cli_table *table, size_t c, const char *cell, size_t indent)
{
    bool last = c + 1 == table->n_columns;
    size_t width = text_width(cell);
    size_t spaces = table->width[c] > width ? table->width[c] - width : 0;
    if (table->columns[c].right)
        put_spaces(spaces);
    if (last && !table->columns[c].right)
        put_wrapped(cell, indent, table->wrap);
    else
        fputs(cell, stdout);
    if (!table->columns[c].right && !last)
        put_spaces(spaces);
    if (last)
        putchar('\n');
    else
        put_spaces(GAP);
}

static void flush_rows(cli_table *table)
{
    for (size_t i = 0; i < table->used; i++) {
        size_t c = i % table->n_columns, width = text_width(table->cells[i].data);
        table->width[c] = width > table->width[c] ? width : table->width[c];
    }
    size_t indent = 0;
    for (size_t c = 0; c + 1 < table->n_columns; c++)
        indent += table->width[c] + GAP;
    if (!table->titled && table->columns[0].title[0])
        for (size_t c = 0; c < table->n_columns; c++)
            put_cell(table, c, table->columns[c].title, indent);
    table->titled = true;
    for (size_t i = 0; i < table->used; i++) {
        put_cell(table, i % table->n_columns, table->cells[i].data, indent);
        text_clear(&table->cells[i]);
    }
    table->used = 0;
}

static cli_text *next_cell(cli_table *table)
{
    if (table->used == table->n_columns * BLOCK_ROWS)
        flush_rows(table);
    cli_text *cell = &table->cells[table->used++];
    text_clear(cell);
    return cell;
}

static void cut_cell(cli_text *cell, size_t columns)
{
    if (!columns || text_width(cell->data) <= columns)
        return;
    cell->n = text_fitting(cell->data, columns - 1);
    text_printf(cell, "…");
}

void table_safe(cli_table *table, const char *text)
{
    cli_text *cell = next_cell(table);
    text_put(cell, text, strlen(text));
}

void table_cell(cli_table *table, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    table_safe(table, text);
}

void table_string(cli_table *table, const char *string)
{
    cli_text *cell = next_cell(table);
    text_shown(cell, string);
    cut_cell(cell, table->columns[(table->used - 1) % table->n_columns].cut);
}

void table_close(cli_table *table)
{
    flush_rows(table);
    for (size_t i = 0; i < table->n_columns * BLOCK_ROWS; i++)
        text_free(&table->cells[i]);
    free(table->cells);
    free(table->width);
    free(table);
}
