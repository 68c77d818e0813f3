#include "corpus/formats/number_parse.h"
#include "corpus/formats/readers.h"
#include "corpus/formats/row_reader.h"

#include <inttypes.h>

/* `M word:count ...`: M distinct words, numbered from 0. */
static ezlda_status parse_row(ez_row *row, ezlda_context *context, const char *path, uint64_t line,
                              const char *at, uint32_t word_limit)
{
    uint64_t terms, found = 0;
    at = ez_skip_blanks(at);
    const char *end = ez_parse_whole(at, UINT32_MAX, &terms);
    if (!end || !(ez_is_blank(*end) || *end == '\n'))
        return ez_fail_expected(context, path, line, at, "the number of terms of a document");
    for (at = ez_skip_blanks(end); *at != '\n'; at = ez_skip_blanks(at), found++) {
        EZ_TRY(ez_parse_pair(row, context, path, line, &at, word_limit, false));
        if (!ez_is_blank(*at) && *at != '\n')
            return ez_fail_expected(context, path, line, at, "a blank behind a count");
    }
    if (found != terms)
        return ez_fail(context, EZLDA_ERROR_FORMAT,
                       "%s:%" PRIu64 ": expected %" PRIu64
                       " terms as the line says, found %" PRIu64,
                       path, line, terms, found);
    return EZLDA_OK;
}

ezlda_status ez_read_ldac(ezlda_corpus **out, ezlda_context *context, ez_input *input,
                          const ezlda_import_options *options)
{
    const ez_row_format format = {.parse = parse_row};
    return ez_read_rows(out, context, input, options, &format);
}
