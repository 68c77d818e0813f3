/* Reads CSV and TSV (RFC 4180). The first record names the columns. A field that begins with a
 * quote ends with one; quotes inside are doubled, and it may contain separators and newlines. A
 * quote elsewhere stands for itself. */
#include "corpus/text/text_source.h"

#include "corpus/formats/field_sample.h"
#include "corpus/input/utf8.h"

#include <stdio.h>
#include <string.h>

typedef struct csv_cursor {
    char *at, *end; /* end: after the last byte, which is '\n' */
    uint64_t line;
    char separator;
} csv_cursor;

/* How a field ended. */
typedef enum csv_stop { NEXT_FIELD, RECORD_END, BAD_FIELD } csv_stop;

/* Finds the quote that closes a field whose content begins at `at` and returns the byte after it;
 * NULL if there is none. */
static const char *closing_quote(const char *at, const char *end)
{
    while ((at = memchr(at, '"', (size_t)(end - at)))) {
        if (at + 1 == end || at[1] != '"')
            return at + 1;
        at += 2;
    }
    return NULL;
}

/* Replaces doubled quotes by single ones, in place. */
static size_t undouble(char *text, size_t n)
{
    char *first = memchr(text, '"', n);
    if (!first)
        return n;
    char *to = first;
    for (const char *from = first, *end = text + n; from < end; from++) {
        *to++ = *from;
        from += *from == '"';
    }
    return (size_t)(to - text);
}

static csv_stop parse_quoted(csv_cursor *cursor, ez_span *field, ez_fault *fault)
{
    char *start = cursor->at + 1;
    const char *close = closing_quote(start, cursor->end);
    if (!close) {
        ez_fault_set(fault, cursor->line, "a quote that opens here is never closed");
        return BAD_FIELD;
    }
    field->at = start;
    size_t raw = (size_t)(close - 1 - start);
    uint64_t first_line = cursor->line;
    cursor->line += ez_count_lines(start, raw);
    cursor->at = start + raw + 1;
    field->n = undouble(start, raw);
    if (*cursor->at == '\r' && cursor->at[1] == '\n')
        cursor->at++;
    char stop = *cursor->at++;
    if (stop == cursor->separator)
        return NEXT_FIELD;
    if (stop == '\n') {
        cursor->line++;
        return RECORD_END;
    }
    ez_fault_set(fault, cursor->line,
                 "expected a separator after a closing quote (the field began in line %llu; quotes "
                 "inside are doubled)",
                 (unsigned long long)first_line);
    return BAD_FIELD;
}

static csv_stop parse_plain(csv_cursor *cursor, ez_span *field)
{
    char *p = cursor->at;
    while (*p != cursor->separator && *p != '\n')
        p++;
    field->at = cursor->at;
    field->n = (size_t)(p - cursor->at);
    cursor->at = p + 1;
    if (*p == cursor->separator)
        return NEXT_FIELD;
    if (field->n && p[-1] == '\r')
        field->n--;
    cursor->line++;
    return RECORD_END;
}

static csv_stop parse_field(csv_cursor *cursor, ez_span *field, ez_fault *fault)
{
    return *cursor->at == '"' ? parse_quoted(cursor, field, fault) : parse_plain(cursor, field);
}

/* Skips empty lines, which are not records if there are several columns. */
static void skip_empty_lines(csv_cursor *cursor)
{
    while (cursor->at < cursor->end &&
           (*cursor->at == '\n' || (*cursor->at == '\r' && cursor->at[1] == '\n'))) {
        cursor->at += *cursor->at == '\r' ? 2 : 1;
        cursor->line++;
    }
}

static int next_csv(const ez_text_source *source, ezlda_context *context, ez_block *block,
                    ez_span *slots, uint64_t *line, ez_fault *fault)
{
    (void)context;
    const ez_csv_layout *layout = &source->layouts[block->input];
    char *text = (char *)block->text.data;
    csv_cursor cursor = {text + block->at, text + block->text.used, block->line, layout->separator};
    if (layout->columns > 1)
        skip_empty_lines(&cursor);
    *line = cursor.line;
    ez_record_clear(source->plan, slots);
    if (cursor.at == cursor.end)
        return 0;
    csv_stop stop = NEXT_FIELD;
    size_t column = 0;
    for (; stop == NEXT_FIELD; column++) {
        ez_span field;
        stop = parse_field(&cursor, &field, fault);
        for (uint32_t i = 0; stop != BAD_FIELD && i < source->plan->slots; i++)
            if (layout->column_of[i] == column)
                slots[i] = field;
    }
    if (stop == BAD_FIELD)
        return -1;
    if (column != layout->columns)
        return ez_fault_set(fault, *line, "expected %zu fields as in the first line, found %zu",
                            layout->columns, column);
    block->at = (size_t)(cursor.at - text);
    block->line = cursor.line;
    return 1;
}

/* Finds line ends first, then checks only the quotes of a line: a quote opens a field only at its
 * start. */
static size_t cut_csv(const ez_text_source *source, size_t input, const char *text, size_t from,
                      size_t n)
{
    char separator = source->layouts[input].separator;
    const char *start = text + from, *end = text + n, *p = start, *newline, *quote;
    while (p < end && (newline = memchr(p, '\n', (size_t)(end - p)))) {
        quote = memchr(p, '"', (size_t)(newline - p));
        if (!quote) {
            p = start = newline + 1;
        } else if (quote > text + from && quote[-1] != separator && quote[-1] != '\n') {
            p = quote + 1;
        } else {
            p = closing_quote(quote + 1, end);
            if (!p || p == end)
                break;
        }
    }
    return (size_t)(start - text);
}

/* The names of the columns, unquoted in a copy of the first record. */
typedef struct csv_header {
    char *copy;
    ez_span *names;
    size_t n;
    unsigned long long line;
} csv_header;

static void header_free(csv_header *header)
{
    ez_free(header->copy);
    ez_free(header->names);
    memset(header, 0, sizeof *header);
}

static ezlda_status read_header(csv_header *header, ezlda_context *context, const ez_block *block,
                                csv_cursor *cursor, ez_fault *fault)
{
    size_t left = block->text.used - block->at, room = left < 65536 ? left : 65536;
    EZ_TRY(ez_array(&header->copy, context, room + 1, 1, "column names"));
    EZ_TRY(ez_array(&header->names, context, room + 1, sizeof *header->names, "column names"));
    memcpy(header->copy, block->text.data + block->at, room);
    header->copy[room] = '\n';
    cursor->at = header->copy;
    cursor->end = header->copy + room + 1;
    cursor->line = block->line;
    csv_stop stop = NEXT_FIELD;
    for (header->n = 0; stop == NEXT_FIELD; header->n++)
        stop = parse_field(cursor, &header->names[header->n], fault);
    if (stop == RECORD_END && cursor->at > header->copy + room)
        ez_fault_set(fault, block->line, "the line of column names is longer than 65,536 bytes");
    return fault->text[0] ? EZLDA_ERROR_FORMAT : EZLDA_OK;
}

static bool same_name(const ez_span *a, const ez_span *b)
{
    return a->n == b->n && memcmp(a->at, b->at, a->n) == 0;
}

static size_t column_named(const csv_header *header, const char *name)
{
    size_t n = name ? strlen(name) : 0;
    for (size_t i = 0; name && i < header->n; i++)
        if (header->names[i].n == n && memcmp(header->names[i].at, name, n) == 0)
            return i;
    return SIZE_MAX;
}

static ezlda_status missing_column(ezlda_context *context, const char *path,
                                   const csv_header *header, const char *name)
{
    char list[512];
    size_t used = 0;
    for (size_t i = 0; i < header->n && used < sizeof list - 1; i++) {
        int n = snprintf(list + used, sizeof list - used, "%s%.*s", i ? ", " : "",
                         (int)header->names[i].n, header->names[i].at);
        used += n > 0 ? (size_t)n : 0;
    }
    return ez_fail(context, EZLDA_ERROR_FORMAT, "%s:%llu: no column \"%s\"; the columns are: %s%s",
                   path, header->line, name, list,
                   strcmp(name, "text") == 0 ? " (--text-field NAME names the text)" : "");
}

/* Prints a note if other columns have the same name as one that is used; only one note if several
 * slots use it. */
static void note_duplicates(const ez_text_source *source, ezlda_context *context,
                            const csv_header *header, const ez_csv_layout *layout, uint32_t slot)
{
    size_t used_column = layout->column_of[slot], more = 0;
    bool skip = used_column == SIZE_MAX ||
                (slot == EZ_SLOT_NAME_ELSE && layout->column_of[EZ_SLOT_NAME] != SIZE_MAX);
    for (uint32_t i = 0; i < slot && !skip; i++)
        skip = layout->column_of[i] == used_column;
    for (size_t i = used_column + 1; i < header->n && !skip; i++)
        more += same_name(&header->names[i], &header->names[used_column]);
    if (more)
        ez_warn(context,
                "%s:%llu: %zu columns are called \"%s\"; the first of them, column %zu, is used",
                ez_text_source_name(source, source->path), header->line, more + 1,
                source->plan->names[slot], used_column + 1);
}

static ezlda_status make_layout(ez_text_source *source, ezlda_context *context,
                                const csv_header *header, ez_csv_layout *layout)
{
    const ez_field_plan *plan = source->plan;
    EZ_TRY(ez_array(&layout->column_of, context, plan->slots, sizeof *layout->column_of,
                    "the layout of a table"));
    layout->columns = header->n;
    /* One column may have the whole list of text fields as its name. */
    bool whole = column_named(header, plan->names[EZ_SLOT_TEXT]) != SIZE_MAX;
    for (uint32_t i = 0; i < plan->slots; i++) {
        layout->column_of[i] = column_named(header, plan->names[i]);
        bool needed = ez_slot_asked(plan, i) && !(whole && i >= plan->text_parts);
        if (needed && layout->column_of[i] == SIZE_MAX)
            return missing_column(context, ez_text_source_name(source, source->path), header,
                                  plan->names[i]);
        if (!(whole && i >= plan->text_parts))
            note_duplicates(source, context, header, layout, i);
    }
    return EZLDA_OK;
}

static ezlda_status parse_header(ez_text_source *source, ezlda_context *context, ez_block *block,
                                 char separator, csv_header *header, ez_fault *fault)
{
    csv_cursor cursor = {.separator = separator};
    EZ_TRY(read_header(header, context, block, &cursor, fault));
    size_t used = (size_t)(cursor.at - header->copy);
    header->line = block->line;
    source->layouts[source->path].separator = separator;
    if (ez_text_check((const char *)block->text.data + block->at, used, block->line, fault))
        return EZLDA_ERROR_FORMAT;
    return EZLDA_OK;
}

/* Skips the first record, whose names were read from a copy. */
static void skip_header(const ez_text_source *source, ez_block *block)
{
    char *text = (char *)block->text.data;
    csv_cursor cursor = {text + block->at, text + block->text.used, block->line,
                         source->layouts[source->path].separator};
    ez_span field;
    ez_fault fault;
    while (parse_field(&cursor, &field, &fault) == NEXT_FIELD)
        ;
    block->at = (size_t)(cursor.at - text);
    block->line = cursor.line;
}

/* Reads and skips a first line like "sep=;", which names the separator; Excel reads it and many
 * programs write it. */
static void read_separator_line(ez_block *block, char *separator)
{
    const char *at = (const char *)block->text.data + block->at;
    size_t left = block->text.used - block->at, end = left > 6 && at[5] == '\r' ? 6 : 5;
    if (left <= end || memcmp(at, "sep=", 4) != 0 || !at[4] || !strchr(",;\t|", at[4]) ||
        at[end] != '\n')
        return;
    *separator = at[4];
    block->at += end + 1;
    block->line++;
}

/* If the header has semicolons and no comma, the table is separated by semicolons. */
static ezlda_status begin_csv(ez_text_source *source, ezlda_context *context, ez_block *block)
{
    csv_header header = {0};
    ez_fault fault = {0};
    char separator = source->reader == &ez_tsv_reader ? '\t' : ',';
    read_separator_line(block, &separator);
    ezlda_status status = parse_header(source, context, block, separator, &header, &fault);
    if (status == EZLDA_OK && separator == ',' && header.n == 1 &&
        memchr(header.names[0].at, ';', header.names[0].n)) {
        header_free(&header);
        status = parse_header(source, context, block, ';', &header, &fault);
    }
    if (status == EZLDA_OK)
        status = make_layout(source, context, &header, &source->layouts[source->path]);
    else if (fault.text[0])
        ez_fail(context, status, "%s:%llu: %s", ez_text_source_name(source, source->path),
                (unsigned long long)fault.line, fault.text);
    if (status == EZLDA_OK)
        skip_header(source, block);
    header_free(&header);
    return status;
}

/* The separator of a table whose first line has `n` bytes. */
static char separator_of(const char *line, size_t n, char separator)
{
    return separator == ',' && !memchr(line, ',', n) && memchr(line, ';', n) ? ';' : separator;
}

static ezlda_status sample_record(struct ez_field_sample *sample, ezlda_context *context,
                                  csv_cursor *cursor, ez_buffer *names, bool header)
{
    const ez_span *columns = (const ez_span *)(const void *)names->data;
    size_t n = names->used / sizeof *columns;
    csv_stop stop = NEXT_FIELD;
    ez_fault fault = {0};
    for (size_t column = 0; stop == NEXT_FIELD; column++) {
        ez_span field;
        stop = parse_field(cursor, &field, &fault);
        if (stop == BAD_FIELD)
            cursor->at = cursor->end;
        else if (header)
            EZ_TRY(ez_buffer_append(names, context, &field, sizeof field));
        if (stop == BAD_FIELD || (!header && column >= n))
            continue;
        ez_span none = {0}, name = header ? field : columns[column];
        EZ_TRY(ez_field_sample_add(sample, context, name, header ? none : field));
    }
    return EZLDA_OK;
}

ezlda_status ez_csv_sample(struct ez_field_sample *sample, ezlda_context *context, char separator,
                           char *text, size_t n)
{
    ez_block block = {.text = {(unsigned char *)text, n, n}, .line = 1};
    ez_buffer names = {0};
    block.at = ez_byte_order_mark(text, n);
    read_separator_line(&block, &separator);
    csv_cursor cursor = {text + block.at, text + n, 1, separator};
    const char *line = memchr(cursor.at, '\n', n - block.at);
    cursor.separator =
        separator_of(cursor.at, (size_t)((line ? line : text + n) - cursor.at), separator);
    ezlda_status status = EZLDA_OK;
    for (bool header = true; status == EZLDA_OK && cursor.at < cursor.end; header = false) {
        status = sample_record(sample, context, &cursor, &names, header);
        sample->records += !header;
    }
    ez_free(names.data);
    return status;
}

void ez_csv_layouts_free(ez_csv_layout *layouts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ez_free(layouts[i].column_of);
    ez_free(layouts);
}

const ez_record_reader ez_csv_reader = {"csv", next_csv, cut_csv, begin_csv};
const ez_record_reader ez_tsv_reader = {"tsv", next_csv, cut_csv, begin_csv};
