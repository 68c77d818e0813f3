/* Writes the report of a model: the page, or its pictures. */
#include "r_ezlda.h"

#include <stddef.h>

#define REPORT(field, kind)                                                  \
    {                                                                        \
#field, R_OPTION_##kind, offsetof(ezlda_report_options, field), NULL \
    }
const r_option r_report_options[] = {
    REPORT(title, TEXT),          REPORT(other_title, TEXT), REPORT(created, TEXT),
    REPORT(words, U32),           REPORT(docs, U32),         REPORT(field, TEXT),
    {NULL, R_OPTION_U32, 0, NULL}};

/* path: a file for the page, or a folder for the pictures. */
SEXP r_report(SEXP context, SEXP model, SEXP corpus, SEXP other, SEXP options, SEXP path,
              SEXP pictures)
{
    r_context *owner = r_context_of(context);
    const ezlda_model *of = r_model_of(model), *compared = r_model_or_null(other);
    const ezlda_corpus *documents = r_corpus_or_null(corpus);
    ezlda_report_options shown;
    ezlda_report *report = NULL;
    ezlda_report_options_init(&shown);
    SEXP failure = r_options_read(options, r_report_options, &shown);
    if (failure)
        return failure;
    SEXP holder = PROTECT(r_holder(R_REPORT));
    ezlda_status status =
        ezlda_report_make(&report, owner->context, of, documents, compared, &shown);
    R_SetExternalPtrAddr(holder, report);
    if (status == EZLDA_OK)
        status = Rf_asLogical(pictures) == TRUE
                     ? ezlda_report_write_svg(owner->context, report, r_path(path))
                     : ezlda_report_write(owner->context, report, r_path(path));
    r_release(holder, R_REPORT);
    UNPROTECT(1);
    return status == EZLDA_OK ? R_NilValue : r_failed(owner, status);
}
