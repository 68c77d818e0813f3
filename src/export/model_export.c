/* Checks the options of an export and calls the writer of the format. */
#include "base/options_struct.h"
#include "export/export.h"
#include "model/trained_on.h"

#include <string.h>

static const struct {
    const char *name;
    ez_export_fn write;
} formats[] = {
    {"mallet-state", ez_export_mallet_state},
    {"mallet-keys", ez_export_mallet_keys},
    {"mallet-doc-topics", ez_export_mallet_doc_topics},
    {"gensim", ez_export_gensim},
    {"pyldavis-json", ez_export_pyldavis},
    {"npz", ez_export_npz},
    {"csv", ez_export_csv},
};

static ezlda_status find_format(ez_export_fn *write, ezlda_context *context, const char *name)
{
    for (size_t i = 0; name && i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i].name, name) == 0) {
            *write = formats[i].write;
            return EZLDA_OK;
        }
    return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                   "export format: expected mallet-state, mallet-keys, mallet-doc-topics, gensim, "
                   "pyldavis-json, npz or csv, found '%s'",
                   name ? name : "");
}

void ezlda_export_options_init_sized(ezlda_export_options *options, size_t size)
{
    ezlda_export_options defaults = {.size = sizeof defaults};
    ez_options_init(options, size, &defaults, sizeof defaults);
}

static ezlda_status copy_options(ezlda_export_options *to, ezlda_context *context,
                                 const ezlda_export_options *from)
{
    ezlda_export_options_init(to);
    return ez_options_read(to, sizeof *to, context, from, "export");
}

ezlda_status ezlda_model_export(ezlda_context *context, const ezlda_model *model,
                                const char *format, const char *path,
                                const ezlda_export_options *options)
{
    ezlda_export_options copied;
    ez_export_fn write = NULL;
    ez_clear(context);
    if (!model || !path || !*path)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "ezlda_model_export: expected a model and a path");
    EZ_TRY(find_format(&write, context, format));
    EZ_TRY(copy_options(&copied, context, options));
    ezlda_corpus *restored = NULL;
    EZ_TRY(ez_restore_corpus(&restored, model, context, copied.corpus));
    const ez_export what = {model, context, restored ? restored : copied.corpus, copied.words,
                            path};
    ezlda_status status = ez_trained_on(model, context, what.corpus, copied.corpus_name);
    if (status == EZLDA_OK)
        status = write(&what);
    ezlda_corpus_free(restored);
    return status;
}
