/* Reads Matrix Market files: the banner, the sizes and the files that may lie beside a matrix of
 * single cells; the triples are read by triple_reader.h. */
#include "base/os/os_text.h"
#include "corpus/formats/cell_files.h"
#include "corpus/formats/number_parse.h"
#include "corpus/formats/readers.h"
#include "corpus/formats/triple_reader.h"

#include <inttypes.h>
#include <string.h>

/* Moves *at to the next word of the banner and returns its length, 0 at the end of the line. */
static size_t banner_word(const char **at)
{
    *at = ez_skip_spaces(*at);
    size_t n = strcspn(*at, " \t\r\n");
    return n;
}

static bool is_word(const char *at, size_t n, const char *word)
{
    return n == strlen(word) && !ez_os_compare_n(at, word, n);
}

/* Reads "%%MatrixMarket matrix coordinate KIND general", in upper or lower case. */
static ezlda_status read_banner(ez_input *input, ezlda_context *context, ez_lines *line,
                                ez_triple_kind *kind)
{
    static const char *const fixed[] = {"%%MatrixMarket", "matrix", "coordinate"};
    EZ_TRY(ez_input_line(input, context, line));
    const char *path = ez_input_name(input), *at = line->n ? line->text : "\n";
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        size_t n = banner_word(&at);
        if (!is_word(at, n, fixed[i]))
            return ez_fail_expected(context, path, 1, at, "'%s'", fixed[i]);
        at += n;
    }
    size_t n = banner_word(&at);
    if (is_word(at, n, "integer"))
        *kind = EZ_TRIPLE_INTEGER;
    else if (is_word(at, n, "real") || is_word(at, n, "double"))
        *kind = EZ_TRIPLE_REAL;
    else if (is_word(at, n, "pattern"))
        *kind = EZ_TRIPLE_PATTERN;
    else
        return ez_fail_expected(context, path, 1, at, "'integer', 'real' or 'pattern'");
    at += n;
    n = banner_word(&at);
    return is_word(at, n, "general") ? EZLDA_OK
                                     : ez_fail_expected(context, path, 1, at, "'general'");
}

/* Reads the line `documents words triples` after the comments; gensim pads it with spaces. */
static ezlda_status read_sizes(ez_input *input, ezlda_context *context, ez_lines *line,
                               ez_triple_header *header)
{
    const char *at;
    do {
        EZ_TRY(ez_input_line(input, context, line));
        if (!line->n)
            return ez_fail(context, EZLDA_ERROR_FORMAT,
                           "%s:%" PRIu64
                           ": expected a line 'documents words triples', found the end of the file",
                           ez_input_name(input), line->first_line);
        at = ez_skip_spaces(line->text);
    } while (*at == '%' || *at == '\n');
    static const char *const what[] = {"the number of documents", "the number of words",
                                       "the number of triples"};
    uint64_t *const values[] = {&header->docs, &header->words, &header->triples};
    for (int i = 0; i < 3; i++) {
        const char *end = ez_parse_whole(at, (uint64_t)1 << 59, values[i]);
        if (!end)
            return ez_fail_expected(context, ez_input_name(input), line->first_line, at, "%s",
                                    what[i]);
        at = ez_skip_spaces(end);
    }
    if (*at != '\n')
        return ez_fail_expected(context, ez_input_name(input), line->first_line, at,
                                "the end of the line");
    header->docs_line = header->words_line = header->triples_line = line->first_line;
    return EZLDA_OK;
}

ezlda_status ez_read_matrix_market(ezlda_corpus **out, ezlda_context *context, ez_input *input,
                                   const ezlda_import_options *options)
{
    *out = NULL;
    ez_triple_header header = {0};
    ez_lines line = {0};
    ez_cell_files cells = {0};
    ezlda_status status;
    EZ_TRY_GOTO(read_banner(input, context, &line, &header.kind));
    EZ_TRY_GOTO(read_sizes(input, context, &line, &header));
    EZ_TRY_GOTO(ez_cell_files_find(&cells, context, input, options, &header));
    EZ_TRY_GOTO(ez_check_triple_header(context, input, &header));
    const ez_triple_names names = {.words = cells.features.path ? &cells.features : NULL,
                                   .docs = cells.barcodes.path ? &cells.barcodes : NULL};
    status = ez_read_triples(out, context, input, &header, options, &names);
done:
    ez_lines_free(&line);
    ez_cell_files_free(&cells);
    return status;
}
