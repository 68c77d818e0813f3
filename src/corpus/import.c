/* ezlda_corpus_read: checks the inputs, finds their format and calls its reader; joins and filters
 * bags of words. */
#include "base/copy_string.h"
#include "base/files/container.h"
#include "base/memory.h"
#include "base/os/os_files.h"
#include "corpus/bags/bags.h"
#include "corpus/formats/cell_files.h"
#include "corpus/formats/hdf5_file.h"
#include "corpus/formats/readers.h"
#include "corpus/import_check.h"
#include "corpus/import_text.h"
#include "corpus/input/input.h"
#include "corpus/text/rules/text_rules.h"
#include "corpus/text/text_pipeline.h"

#include <string.h>

typedef ezlda_status (*bag_reader)(ezlda_corpus **out, ezlda_context *context, ez_input *input,
                                   const ezlda_import_options *options);

static const bag_reader bag_readers[EZ_FORMATS] = {
    [EZ_FORMAT_UCI] = ez_read_uci,
    [EZ_FORMAT_MM] = ez_read_matrix_market,
    [EZ_FORMAT_LDAC] = ez_read_ldac,
    [EZ_FORMAT_SVMLIGHT] = ez_read_svmlight,
    [EZ_FORMAT_MALLET_STATE] = ez_read_mallet_state,
};

static const ez_record_reader *const record_readers[EZ_FORMATS] = {
    [EZ_FORMAT_MALLET] = &ez_mallet_reader, [EZ_FORMAT_TEXT] = &ez_text_reader,
    [EZ_FORMAT_DIR] = &ez_directory_reader, [EZ_FORMAT_CSV] = &ez_csv_reader,
    [EZ_FORMAT_TSV] = &ez_tsv_reader,       [EZ_FORMAT_JSONL] = &ez_jsonl_reader,
    [EZ_FORMAT_JSON] = &ez_json_reader,     [EZ_FORMAT_HTML] = &ez_directory_reader,
    [EZ_FORMAT_XML] = &ez_directory_reader, [EZ_FORMAT_MARKDOWN] = &ez_directory_reader,
};

typedef struct import_job {
    ezlda_context *context;
    const char *const *paths;
    size_t n_paths;
    ezlda_import_options options;
    ez_format format;
    ez_input *first;     /* the first input, if it was opened to recognise the format */
    char **matrices;     /* replaces paths if some are folders of single cells; else NULL */
    ez_text_units units; /* what plain text looks like */
    ez_format pages;     /* format of the first input that is a page; EZ_FORMATS: there is none */
} import_job;

static bool is_directory(const char *path)
{
    return strcmp(path, "-") != 0 && ez_os_is_folder(path);
}

/* A directory, or an archive that is read like one. */
static bool is_folder(const char *path)
{
    return is_directory(path) || ez_is_zip(path);
}

/* The format "dir" reads only directories, the other formats only files. */
static ezlda_status check_kinds(const import_job *in)
{
    for (size_t i = 0; i < in->n_paths; i++) {
        bool directory = is_folder(in->paths[i]);
        if (directory && in->format != EZ_FORMAT_DIR)
            return ez_fail(in->context, EZLDA_ERROR_IO, "%s: expected a file, found a %s",
                           in->paths[i], is_directory(in->paths[i]) ? "directory" : "ZIP archive");
        if (!directory && in->format == EZ_FORMAT_DIR)
            return ez_fail(in->context, EZLDA_ERROR_IO, "%s: expected a directory", in->paths[i]);
    }
    return EZLDA_OK;
}

static ezlda_status check_paths(const import_job *in)
{
    size_t standard = 0;
    if (!in->paths || !in->n_paths)
        return ez_fail(in->context, EZLDA_ERROR_ARGUMENT, "no input was named");
    for (size_t i = 0; i < in->n_paths; i++) {
        if (!in->paths[i] || !*in->paths[i])
            return ez_fail(in->context, EZLDA_ERROR_ARGUMENT, "an input without a name");
        standard += strcmp(in->paths[i], "-") == 0;
    }
    if (standard > 1)
        return ez_fail(in->context, EZLDA_ERROR_ARGUMENT, "standard input can be read only once");
    return EZLDA_OK;
}

/* Refuses a model or a checkpoint that is given as a corpus. */
static ezlda_status refuse_ours(ezlda_context *context, const char *name, const char *head,
                                size_t n)
{
    const char *kind = n < 8 || memcmp(head, "EZLDACRP", 8) == 0 ? NULL : ez_container_kind(head);
    return kind
               ? ez_fail(context, EZLDA_ERROR_FORMAT, "%s: expected a corpus, found %s", name, kind)
               : EZLDA_OK;
}

/* The first bytes of an input, and the format recognised by them and its name. */
typedef struct inspection {
    const char *head;
    size_t n;
    ez_format format;
} inspection;

/* Refuses packed files that are neither text nor a bag of words. */
static ezlda_status refuse_packed(ezlda_context *context, const char *name, const char *head,
                                  size_t n)
{
    const char *what = n > 262 && memcmp(head + 257, "ustar", 5) == 0
                           ? "a tar archive: extract it and give the folder"
                       : n > 4 && (memcmp(head, "RDX", 3) == 0 || memcmp(head, "X\n\0\0", 4) == 0)
                           ? "an R data file: write it as CSV in R (write.csv)"
                           : NULL;
    return what ? ez_fail(context, EZLDA_ERROR_FORMAT,
                          "%s: expected text or a bag of words, found %s", name, what)
                : EZLDA_OK;
}

static ezlda_status peek(const import_job *in, ez_input *input, const char *path, inspection *seen)
{
    const unsigned char *head;
    EZ_TRY(ez_input_peek(input, in->context, &head, &seen->n));
    seen->head = (const char *)head;
    const char *field = in->options.text_field;
    if (!field)
        field = ez_text_rules_setting(in->options.like, "text-field");
    seen->format =
        ez_recognise(path, seen->head, seen->n, field, ez_import_reads_pages(&in->options));
    return EZLDA_OK;
}

/* Recognises the format of an input. If the input is text, decodes it to UTF-8 and recognises it
 * again; bags of words are not decoded. */
static ezlda_status inspect(const import_job *in, ez_input *input, const char *path,
                            inspection *seen)
{
    EZ_TRY(peek(in, input, path, seen));
    EZ_TRY(refuse_ours(in->context, ez_input_name(input), seen->head, seen->n));
    EZ_TRY(refuse_packed(in->context, ez_input_name(input), seen->head, seen->n));
    const ez_encoding_guess *guess;
    if (!record_readers[seen->format])
        return EZLDA_OK;
    if (in->options.encoding)
        EZ_TRY(ez_input_decode(input, in->context, in->options.encoding));
    else
        EZ_TRY(ez_input_find_encoding(input, in->context, &guess));
    return peek(in, input, path, seen);
}

/* Refuses a JSON object over several lines: it is not a list of records. */
static ezlda_status refuse_object(const import_job *in, const inspection *seen, const char *path)
{
    size_t n = strlen(path), i = 0;
    while (i < seen->n && seen->head[i] && strchr(" \t\r\n", seen->head[i]))
        i++;
    if (seen->format != EZ_FORMAT_TEXT || i == seen->n || seen->head[i] != '{' || n < 5 ||
        strcmp(path + n - 5, ".json") != 0)
        return EZLDA_OK;
    return ez_fail(in->context, EZLDA_ERROR_FORMAT,
                   "%s: expected JSON Lines or an array of objects, found one object over several "
                   "lines",
                   path);
}

/* Recognises the format of the first input, which is that of all. */
static ezlda_status recognise(import_job *in)
{
    inspection seen;
    EZ_TRY(ez_input_open(&in->first, in->context, in->paths[0]));
    EZ_TRY(inspect(in, in->first, in->paths[0], &seen));
    const char *name = ez_input_name(in->first);
    if (!seen.n)
        return ez_fail(in->context, EZLDA_ERROR_FORMAT, "%s: no documents: the file is empty",
                       name);
    EZ_TRY(refuse_object(in, &seen, name));
    in->format = seen.format;
    EZ_TRY(ez_text_units_add(&in->units, in->context, seen.head, seen.n));
    ez_note(in->context, "%s: read as %s (%s)", name, ez_format_name(in->format),
            ez_format_description(in->format));
    return EZLDA_OK;
}

static ezlda_status check_same(const import_job *in, const inspection *seen, const char *path)
{
    const char *first = in->paths[0];
    if (!ez_formats_clash(first, in->format, path, seen->format, seen->head, seen->n))
        return EZLDA_OK;
    return ez_fail(in->context, EZLDA_ERROR_ARGUMENT,
                   "%s is recognised as %s (%s), but %s as %s (%s): --format NAME reads all inputs "
                   "as one format",
                   ez_input_name(in->first), ez_format_name(in->format),
                   ez_format_description(in->format), path, ez_format_name(seen->format),
                   ez_format_description(seen->format));
}

/* The other inputs must not have another format. Pipes are not checked, because they can be read
 * only once. */
static ezlda_status check_others(import_job *in)
{
    for (size_t i = 1; i < in->n_paths; i++) {
        ez_file_info about;
        if (strcmp(in->paths[i], "-") == 0 ||
            (ez_os_info(in->paths[i], &about) == 0 && about.kind != EZ_FILE_REGULAR)) {
            in->units.unseen = true;
            continue;
        }
        ez_input *input;
        inspection seen;
        EZ_TRY(ez_input_open(&input, in->context, in->paths[i]));
        ezlda_status status = inspect(in, input, in->paths[i], &seen);
        if (status == EZLDA_OK)
            status = check_same(in, &seen, in->paths[i]);
        if (status == EZLDA_OK)
            status = ez_text_units_add(&in->units, in->context, seen.head, seen.n);
        if (ez_format_is_page(seen.format) && in->pages == EZ_FORMATS)
            in->pages = seen.format;
        ez_input_close(input);
        EZ_TRY(status);
    }
    return EZLDA_OK;
}

/* Replaces a folder that has a matrix of single cells (cell_files.h) by that matrix, unless another
 * format was named. */
static ezlda_status find_matrices(import_job *in)
{
    char matrix[EZ_PATH_SIZE];
    bool any = false,
         other = in->options.format && ez_format_named(in->options.format) != EZ_FORMAT_MM;
    for (size_t i = 0; i < in->n_paths && !other && !any; i++)
        any = is_directory(in->paths[i]) && ez_cell_folder(matrix, in->paths[i]);
    if (!any)
        return EZLDA_OK;
    EZ_TRY(
        ez_array_zero(&in->matrices, in->context, in->n_paths, sizeof *in->matrices, "the inputs"));
    for (size_t i = 0; i < in->n_paths; i++) {
        bool cells = is_directory(in->paths[i]) && ez_cell_folder(matrix, in->paths[i]);
        EZ_TRY(ez_copy_string(&in->matrices[i], in->context, cells ? matrix : in->paths[i]));
    }
    in->paths = (const char *const *)in->matrices;
    return EZLDA_OK;
}

static ezlda_status find_format(import_job *in)
{
    EZ_TRY(find_matrices(in));
    if (in->options.format) {
        in->format = ez_format_named(in->options.format);
    } else if (is_folder(in->paths[0])) {
        in->format = EZ_FORMAT_DIR;
        ez_note(in->context, "%s: read as dir (%s)", in->paths[0],
                ez_is_zip(in->paths[0]) ? "a ZIP archive, one document per file"
                                        : ez_format_description(in->format));
    } else if (ez_is_hdf5(in->paths[0])) {
        in->format = EZ_FORMAT_HDF5;
        ez_note(in->context, "%s: read as hdf5 (%s)", in->paths[0],
                ez_format_description(in->format));
    } else {
        EZ_TRY(recognise(in));
    }
    EZ_TRY(check_kinds(in));
    if (in->first)
        EZ_TRY(check_others(in));
    /* Plain text among pages is one document per file. */
    bool lines = in->options.unit && strcmp(in->options.unit, "lines") == 0;
    if (in->format == EZ_FORMAT_TEXT && in->pages != EZ_FORMATS && !lines)
        in->format = in->pages;
    return EZLDA_OK;
}

static ezlda_status read_text(ezlda_corpus **out, import_job *in)
{
    ez_text_import text = {.context = in->context,
                           .paths = in->paths,
                           .n_paths = in->n_paths,
                           .options = &in->options,
                           .format = in->format,
                           .reader = record_readers[in->format],
                           .first = in->first};
    in->first = NULL;
    if (in->format == EZ_FORMAT_TEXT)
        ez_import_choose_unit(&text, &in->units);
    return ez_import_text(out, &text);
}

static ezlda_status read_bag(ezlda_corpus **out, import_job *in, size_t i)
{
    if (in->format == EZ_FORMAT_EZC) {
        if (strcmp(in->paths[i], "-") == 0)
            return ez_fail(in->context, EZLDA_ERROR_UNSUPPORTED,
                           "standard input: a corpus file is mapped, so it must be a file");
        return ez_read_corpus_file(out, in->context, in->paths[i]);
    }
    if (in->format == EZ_FORMAT_HDF5)
        return ez_read_cells_hdf5(out, in->context, in->paths[i]);
    ez_input *input = i == 0 ? in->first : NULL;
    if (i == 0)
        in->first = NULL;
    if (!input)
        EZ_TRY(ez_input_open(&input, in->context, in->paths[i]));
    ezlda_status status = bag_readers[in->format](out, in->context, input, &in->options);
    ez_input_close(input);
    return status;
}

static ezlda_status check_text(const import_job *in, const ezlda_corpus *corpus, size_t i)
{
    if (in->options.keep_text <= 0 || ez_corpus_has_text(corpus))
        return EZLDA_OK;
    return ez_fail(in->context, EZLDA_ERROR_ARGUMENT,
                   "%s: has no text to keep: it was imported without keeping it", in->paths[i]);
}

static ezlda_status check_order(const import_job *in, const ezlda_corpus *corpus, size_t i)
{
    if (!in->options.keep_order || ez_corpus_has_order(corpus))
        return EZLDA_OK;
    return ez_fail(in->context, EZLDA_ERROR_ARGUMENT,
                   "%s: has no order of words to keep: it was imported without keeping it",
                   in->paths[i]);
}

/* Reads all inputs as one corpus. */
static ezlda_status join_bags(ezlda_corpus **out, import_job *in, ezlda_corpus **bags)
{
    for (size_t i = 0; i < in->n_paths; i++) {
        EZ_TRY(read_bag(&bags[i], in, i));
        EZ_TRY(check_order(in, bags[i], i));
        EZ_TRY(check_text(in, bags[i], i));
    }
    if (in->n_paths > 1)
        return ez_bags_join(out, in->context, bags, in->n_paths, in->paths,
                            in->format == EZ_FORMAT_EZC || in->format == EZ_FORMAT_HDF5 ||
                                in->format == EZ_FORMAT_MALLET_STATE);
    *out = bags[0];
    bags[0] = NULL;
    return EZLDA_OK;
}

static ezlda_status read_bags(ezlda_corpus **out, import_job *in)
{
    ezlda_corpus **bags, *all = NULL;
    EZ_TRY(ez_array_zero(&bags, in->context, in->n_paths, sizeof *bags, "the inputs"));
    ezlda_status status = join_bags(&all, in, bags);
    if (status == EZLDA_OK && ez_bag_filtered(&in->options)) {
        status = ez_bag_filter(out, in->context, all, &in->options);
    } else if (status == EZLDA_OK) {
        *out = all;
        all = NULL;
    }
    ezlda_corpus_free(all);
    for (size_t i = 0; i < in->n_paths; i++)
        ezlda_corpus_free(bags[i]);
    ez_free(bags);
    return status;
}

ezlda_status ezlda_corpus_read(ezlda_corpus **out, ezlda_context *context, const char *const *paths,
                               size_t n_paths, const ezlda_import_options *options)
{
    import_job in = {.context = context, .paths = paths, .n_paths = n_paths, .pages = EZ_FORMATS};
    ez_clear(context);
    if (!out)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "ezlda_corpus_read: no place for the corpus");
    *out = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(ez_import_options_check(&in.options, context, options));
    EZ_TRY_GOTO(check_paths(&in));
    EZ_TRY_GOTO(find_format(&in));
    EZ_TRY_GOTO(ez_import_options_fit(&in.options, context, in.format, in.paths[0]));
    status = record_readers[in.format] ? read_text(out, &in) : read_bags(out, &in);
done:
    ez_text_units_free(&in.units);
    ez_input_close(in.first);
    for (size_t i = 0; in.matrices && i < n_paths; i++)
        ez_free(in.matrices[i]);
    ez_free(in.matrices);
    return status;
}
