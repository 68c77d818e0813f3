/* Reads the names of genes and cells beside a matrix of single cells, makes gene symbols unique,
 * and decides whether cells are rows or columns. */
#include "corpus/formats/cell_files.h"

#include "base/copy_string.h"
#include "base/os/os_files.h"
#include "corpus/input/input.h"
#include "corpus/input/utf8.h"
#include "corpus/text/string_table.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const EZ_FEATURES[] = {"features.tsv", "genes.tsv", "peaks.bed"};
enum { EZ_N_FEATURES = sizeof EZ_FEATURES / sizeof *EZ_FEATURES };

/* ---- finding the files ---- */

/* Length of a path before its final `name`, compressed or not; SIZE_MAX if it has another name. */
static size_t before_name(const char *path, const char *name)
{
    size_t n = ez_unpacked_length(path, strlen(path)), length = strlen(name);
    return n >= length && !memcmp(path + n - length, name, length) ? n - length : SIZE_MAX;
}

static bool find_features(char *out, const char *path, size_t prefix)
{
    for (int i = 0; i < EZ_N_FEATURES; i++)
        if (ez_find_packed(out, path, prefix, EZ_FEATURES[i], NULL))
            return true;
    return false;
}

static bool is_features(const char *path)
{
    for (int i = 0; i < EZ_N_FEATURES; i++)
        if (before_name(path, EZ_FEATURES[i]) != SIZE_MAX)
            return true;
    return false;
}

bool ez_cell_folder(char *matrix, const char *folder)
{
    char path[EZ_PATH_SIZE], other[EZ_PATH_SIZE];
    size_t n = strlen(folder);
    int length = snprintf(path, sizeof path, "%s%s", folder,
                          n && ez_os_is_separator(folder[n - 1]) ? "" : "/");
    if (length < 0 || (size_t)length >= sizeof path)
        return false;
    return find_features(other, path, (size_t)length) &&
           ez_find_packed(other, path, (size_t)length, "barcodes.tsv", NULL) &&
           ez_find_packed(matrix, path, (size_t)length, "matrix.mtx", NULL);
}

/* ---- reading the files ---- */

/* The kind of file decides which columns of a line make its name: the first of a barcode; the
 * second of a feature (its symbol), else the first; all three of a region of peaks.bed, as
 * "chr1:100-200". */
typedef enum name_kind { BARCODE, FEATURE, REGION } name_kind;

/* The first columns of a line; missing ones are empty. */
typedef struct line_columns {
    const char *at[3];
    size_t n[3];
} line_columns;

static line_columns cut_line(const char *line, size_t n)
{
    line_columns out = {.at = {line, line, line}};
    const char *at = line, *end = line + n;
    for (int i = 0; i < 3 && at; i++) {
        const char *tab = memchr(at, '\t', (size_t)(end - at));
        out.at[i] = at;
        out.n[i] = (size_t)((tab ? tab : end) - at);
        at = tab ? tab + 1 : NULL;
    }
    return out;
}

static ezlda_status add_name(ez_buffer *name, ezlda_context *context, name_kind kind,
                             const line_columns *line)
{
    int column = kind == FEATURE && line->n[1] ? 1 : 0;
    name->used = 0;
    EZ_TRY(ez_buffer_append(name, context, line->at[column], line->n[column]));
    if (kind != REGION || !line->n[1] || !line->n[2])
        return EZLDA_OK;
    EZ_TRY(ez_buffer_append(name, context, ":", 1));
    EZ_TRY(ez_buffer_append(name, context, line->at[1], line->n[1]));
    EZ_TRY(ez_buffer_append(name, context, "-", 1));
    return ez_buffer_append(name, context, line->at[2], line->n[2]);
}

/* A file of names while it is read. */
typedef struct name_file {
    ez_vocabulary *names;
    name_kind kind;
    ez_buffer name;   /* the name on the current line */
    ez_strings types; /* types of features: their third column */
    ez_buffer counts; /* uint64_t: number of features of each type */
} name_file;

static ezlda_status count_type(name_file *file, ezlda_context *context, const line_columns *line)
{
    uint32_t id;
    uint64_t none = 0;
    bool added = false;
    EZ_TRY(ez_strings_add(&file->types, context, line->at[2], line->n[2], &id, &added));
    if (added)
        EZ_TRY(ez_buffer_append(&file->counts, context, &none, sizeof none));
    ((uint64_t *)(void *)file->counts.data)[id]++;
    return EZLDA_OK;
}

/* Features of all types (genes, antibodies, regions) make one vocabulary. A note says so, in case
 * only some of them were meant. */
static void note_types(const name_file *file, ezlda_context *context)
{
    char list[256] = "";
    const uint64_t *count = (const uint64_t *)(const void *)file->counts.data;
    size_t used = 0;
    for (uint32_t i = 0; i < file->types.n && used < sizeof list; i++) {
        size_t n;
        const char *type = ez_strings_get(&file->types, i, &n);
        int more = snprintf(list + used, sizeof list - used, "%s%" PRIu64 " %s", i ? ", " : "",
                            count[i], n && ez_utf8_check(type, n) == n ? type : "without a type");
        used += more > 0 ? (size_t)more : sizeof list;
    }
    if (file->types.n > 1)
        ez_note(context, "%s: features of %u types (%s%s); all of them are words",
                file->names->path, file->types.n, list, used >= sizeof list ? "..." : "");
}

static ezlda_status add_line(name_file *file, ezlda_context *context, const char *text, size_t n,
                             uint64_t number)
{
    line_columns line = cut_line(text, n);
    EZ_TRY(add_name(&file->name, context, file->kind, &line));
    const char *name = (const char *)file->name.data;
    if (!file->name.used || ez_utf8_check(name, file->name.used) != file->name.used)
        return ez_fail(context, EZLDA_ERROR_FORMAT,
                       "%s:%" PRIu64 ": expected a name in UTF-8, found %s", file->names->path,
                       number, file->name.used ? "other bytes" : "none");
    if (file->names->n == UINT32_MAX)
        return ez_fail(context, EZLDA_ERROR_FORMAT, "%s: more than %u lines", file->names->path,
                       UINT32_MAX);
    file->names->n++;
    EZ_TRY(ez_buffer_append(&file->names->text, context, name, file->name.used));
    EZ_TRY(ez_buffer_append(&file->names->text, context, "", 1));
    return file->kind == FEATURE ? count_type(file, context, &line) : EZLDA_OK;
}

static ezlda_status read_lines(name_file *file, ezlda_context *context, ez_input *input,
                               ez_lines *line)
{
    for (;;) {
        EZ_TRY(ez_input_line(input, context, line));
        if (!line->n)
            return EZLDA_OK;
        size_t n = line->n - 1;
        n -= n && line->text[n - 1] == '\r';
        if (file->kind != REGION || !n || line->text[0] != '#')
            EZ_TRY(add_line(file, context, line->text, n, line->first_line));
    }
}

static ezlda_status read_file(ez_vocabulary *names, ezlda_context *context, const char *path,
                              name_kind kind)
{
    ez_input *input = NULL;
    ez_lines line = {0};
    name_file file = {.names = names, .kind = kind};
    ezlda_status status;
    EZ_TRY(ez_copy_string(&names->path, context, path));
    EZ_TRY_GOTO(ez_input_open(&input, context, path));
    EZ_TRY_GOTO(read_lines(&file, context, input, &line));
    note_types(&file, context);
done:
    ez_input_close(input);
    ez_lines_free(&line);
    ez_free(file.name.data);
    ez_free(file.counts.data);
    ez_strings_free(&file.types);
    return status;
}

/* ---- duplicate names ---- */

/* Makes the first of NAME-1, NAME-2, ... that no feature has. */
static ezlda_status another_name(ez_strings *table, ezlda_context *context, const char *name,
                                 size_t n, uint32_t *number, ez_buffer *made)
{
    bool added = false;
    while (!added) {
        char suffix[16];
        uint32_t id;
        int length = snprintf(suffix, sizeof suffix, "-%u", ++*number);
        made->used = 0;
        EZ_TRY(ez_buffer_append(made, context, name, n));
        EZ_TRY(ez_buffer_append(made, context, suffix, (size_t)length));
        EZ_TRY(ez_strings_add(table, context, made->data, made->used, &id, &added));
    }
    return EZLDA_OK;
}

/* Writes all names again, each once. The state of a name: whether it was seen (bit 0) and its last
 * number (the other bits). */
static ezlda_status write_unique(ez_vocabulary *names, ezlda_context *context, ez_strings *table,
                                 uint64_t *state, ez_buffer *text, ez_buffer *made)
{
    const char *at = (const char *)names->text.data;
    for (uint32_t i = 0; i < names->n; i++, at += strlen(at) + 1) {
        uint32_t id = ez_strings_find(table, at, strlen(at)), number = (uint32_t)(state[id] >> 1);
        const char *name = at;
        size_t n = strlen(at);
        if (state[id] & 1) {
            EZ_TRY(another_name(table, context, at, n, &number, made));
            name = (const char *)made->data;
            n = made->used;
        }
        state[id] = (uint64_t)number << 1 | 1;
        EZ_TRY(ez_buffer_append(text, context, name, n));
        EZ_TRY(ez_buffer_append(text, context, "", 1));
    }
    return EZLDA_OK;
}

ezlda_status ez_names_make_unique(ez_vocabulary *names, ezlda_context *context)
{
    ez_strings table = {0};
    ez_buffer text = {0}, made = {0};
    uint64_t *state = NULL;
    bool added;
    ezlda_status status = EZLDA_OK;
    const char *at = (const char *)names->text.data;
    for (uint32_t i = 0, id; i < names->n; i++, at += strlen(at) + 1)
        EZ_TRY_GOTO(ez_strings_add(&table, context, at, strlen(at), &id, &added));
    uint32_t duplicates = names->n - table.n;
    if (!duplicates)
        goto done;
    EZ_TRY_GOTO(ez_array_zero(&state, context, table.n, sizeof *state, "names"));
    EZ_TRY_GOTO(write_unique(names, context, &table, state, &text, &made));
    ez_free(names->text.data);
    names->text = text;
    text = (ez_buffer){0};
    ez_note(context, "%s: %u %s, made unique by -1, -2, ...", names->path, duplicates,
            duplicates == 1 ? "duplicate name" : "duplicate names");
done:
    ez_strings_free(&table);
    ez_free(text.data);
    ez_free(made.data);
    ez_free(state);
    return status;
}

/* ---- rows or columns ---- */

/* Whether the files that exist have as many lines as there are cells and features. */
static bool fits(const ez_cell_files *files, uint64_t cells, uint64_t features)
{
    return (!files->barcodes.path || files->barcodes.n == cells) &&
           (!files->features.path || files->features.n == features);
}

static ezlda_status misfit(const ez_cell_files *files, ezlda_context *context,
                           const ez_input *input, const ez_triple_header *header)
{
    char lengths[2][EZ_PATH_SIZE + 32] = {"", ""};
    const ez_vocabulary *names[2] = {&files->features, &files->barcodes};
    for (int i = 0; i < 2; i++)
        if (names[i]->path)
            snprintf(lengths[i], sizeof lengths[i], "%s has %u", names[i]->path, names[i]->n);
    return ez_fail(context, EZLDA_ERROR_FORMAT,
                   "%s:%" PRIu64 ": %" PRIu64 " rows and %" PRIu64 " columns, but %s%s%s",
                   ez_input_name(input), header->docs_line, header->docs, header->words, lengths[0],
                   *lengths[0] && *lengths[1] ? " and " : "", lengths[1]);
}

static ezlda_status orient_header(const ez_cell_files *files, ezlda_context *context,
                                  const ez_input *input, ez_triple_header *header)
{
    uint64_t rows = header->docs, columns = header->words;
    const ez_vocabulary *features = &files->features, *barcodes = &files->barcodes;
    header->by_column = fits(files, columns, rows);
    if (!header->by_column && !fits(files, rows, columns))
        return misfit(files, context, input, header);
    if (header->by_column) {
        header->docs = columns;
        header->words = rows;
    }
    ez_note(context, "cells are in the %s%s%s%s%s", header->by_column ? "columns" : "rows",
            features->path ? ", words from " : "", features->path ? features->path : "",
            barcodes->path ? ", names from " : "", barcodes->path ? barcodes->path : "");
    return EZLDA_OK;
}

ezlda_status ez_cell_files_find(ez_cell_files *files, ezlda_context *context, const ez_input *input,
                                const ezlda_import_options *options, ez_triple_header *header)
{
    char path[EZ_PATH_SIZE];
    const char *matrix = ez_input_name(input), *vocab = options ? options->vocab : NULL;
    size_t prefix = before_name(matrix, "matrix.mtx");
    const char *features = vocab && is_features(vocab) ? vocab : NULL;
    if (!vocab && prefix != SIZE_MAX && find_features(path, matrix, prefix))
        features = path;
    if (features) {
        name_kind kind = before_name(features, "peaks.bed") != SIZE_MAX ? REGION : FEATURE;
        EZ_TRY(read_file(&files->features, context, features, kind));
        EZ_TRY(ez_names_make_unique(&files->features, context));
    }
    if (prefix != SIZE_MAX && ez_find_packed(path, matrix, prefix, "barcodes.tsv", NULL))
        EZ_TRY(read_file(&files->barcodes, context, path, BARCODE));
    return files->features.path || files->barcodes.path
               ? orient_header(files, context, input, header)
               : EZLDA_OK;
}

void ez_cell_files_free(ez_cell_files *files)
{
    ez_vocabulary_free(&files->features);
    ez_vocabulary_free(&files->barcodes);
}
