#include "corpus/formats/number_parse.h"
#include "corpus/formats/readers.h"
#include "corpus/formats/triple_reader.h"

#include <inttypes.h>

/* A header line: one number, with blanks around it or not. */
static ezlda_status header_number(ez_input *input, ezlda_context *context, ez_lines *line,
                                  const char *what, uint64_t *value, uint64_t *where)
{
    EZ_TRY(ez_input_line(input, context, line));
    *where = line->first_line;
    if (!line->n)
        return ez_fail(context, EZLDA_ERROR_FORMAT,
                       "%s:%" PRIu64 ": expected %s, found the end of the file",
                       ez_input_name(input), line->first_line, what);
    const char *at = ez_skip_blanks(line->text),
               *end = ez_parse_whole(at, (uint64_t)1 << 59, value);
    if (end)
        end = ez_skip_blanks(end);
    if (!end || *end != '\n')
        return ez_fail_expected(context, ez_input_name(input), line->first_line, end ? end : at,
                                "%s alone on its line", what);
    return EZLDA_OK;
}

static ezlda_status read_header(ez_input *input, ezlda_context *context, ez_lines *line,
                                ez_triple_header *header)
{
    EZ_TRY(header_number(input, context, line, "the number of documents", &header->docs,
                         &header->docs_line));
    EZ_TRY(header_number(input, context, line, "the number of words", &header->words,
                         &header->words_line));
    EZ_TRY(header_number(input, context, line, "the number of triples", &header->triples,
                         &header->triples_line));
    return ez_check_triple_header(context, input, header);
}

ezlda_status ez_read_uci(ezlda_corpus **out, ezlda_context *context, ez_input *input,
                         const ezlda_import_options *options)
{
    *out = NULL;
    ez_triple_header header = {.kind = EZ_TRIPLE_INTEGER};
    ez_lines line = {0};
    ezlda_status status = read_header(input, context, &line, &header);
    ez_lines_free(&line);
    if (status != EZLDA_OK)
        return status;
    return ez_read_triples(out, context, input, &header, options, &(ez_triple_names){0});
}
