/* ezlda_corpus_from_records: text that a program holds in memory, read as a file of text would be.
 */
#include "corpus/formats/handed_records.h"
#include "corpus/import_check.h"
#include "corpus/import_text.h"

static ezlda_status check_fields(ezlda_context *context, const char *const *fields, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        EZ_TRY(ez_needs(context, fields[i], "the name of a field"));
    return EZLDA_OK;
}

static ezlda_status check_options(ezlda_context *context, const ezlda_import_options *options)
{
    if (options->format)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "records have no format");
    if (options->encoding)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "records are UTF-8 (encoding)");
    return EZLDA_OK;
}

ezlda_status ezlda_corpus_from_records(ezlda_corpus **out, ezlda_context *context,
                                       const char *const *fields, uint32_t n_fields,
                                       const ezlda_import_options *options, ezlda_records_fn next,
                                       void *user)
{
    static const char *const name = "records";
    ez_record_feed feed = {.next = next, .user = user, .fields = fields, .n_fields = n_fields};
    ezlda_import_options mine;
    ez_text_import import = {.context = context,
                             .paths = &name,
                             .n_paths = 1,
                             .options = &mine,
                             .format = EZ_FORMAT_JSONL, /* records with named fields */
                             .reader = &ez_handed_reader,
                             .feed = &feed};
    ez_clear(context);
    EZ_TRY(ez_needs(context, out, "a corpus to return"));
    *out = NULL;
    EZ_TRY(ez_needs(context, fields, "the fields of the records"));
    EZ_TRY(check_fields(context, fields, n_fields));
    if (!next)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "a function for the records is needed");
    EZ_TRY(ez_import_options_check(&mine, context, options));
    EZ_TRY(check_options(context, &mine));
    EZ_TRY(ez_import_options_fit(&mine, context, import.format, name));
    ezlda_status status = ez_import_text(out, &import);
    ez_record_feed_free(&feed);
    return status;
}
