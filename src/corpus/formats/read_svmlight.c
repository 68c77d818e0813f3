#include "corpus/formats/number_parse.h"
#include "corpus/formats/readers.h"
#include "corpus/formats/row_reader.h"

/* `label word:count ... # remark`; a line of nothing but a remark is no document. LightLDA's lines
 * are the same, with the document's number for a label. */
static ezlda_status parse_row(ez_row *row, ezlda_context *context, const char *path, uint64_t line,
                              const char *at, uint32_t word_limit)
{
    at = ez_skip_blanks(at);
    row->none = *at == '\n' || *at == '#';
    if (row->none)
        return EZLDA_OK;
    row->label = at;
    while (*at != '\n' && !ez_is_blank(*at)) {
        if (*at == ':')
            return ez_fail_expected(context, path, line, row->label,
                                    "a label, then word:count pairs");
        at++;
    }
    row->label_length = (size_t)(at - row->label);
    for (at = ez_skip_blanks(at); *at != '\n' && *at != '#'; at = ez_skip_blanks(at))
        EZ_TRY(ez_parse_pair(row, context, path, line, &at, word_limit, true));
    return EZLDA_OK;
}

ezlda_status ez_read_svmlight(ezlda_corpus **out, ezlda_context *context, ez_input *input,
                              const ezlda_import_options *options)
{
    const ez_row_format format = {.parse = parse_row, .has_label = true, .from_one = true};
    return ez_read_rows(out, context, input, options, &format);
}
