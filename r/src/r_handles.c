/* External pointers that own contexts, corpora, models and results of the library. */
#include "r_ezlda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what R's garbage collector frees ---- */

static void free_records(void *records)
{
    free(records);
}

static void free_of_kind(void *handle, r_kind kind)
{
    switch (kind) {
    case R_CORPUS: ezlda_corpus_free(handle); break;
    case R_MODEL: ezlda_model_free(handle); break;
    case R_SCORES: ezlda_scores_free(handle); break;
    case R_SWEEP: ezlda_sweep_free(handle); break;
    case R_MATCH: ezlda_match_free(handle); break;
    case R_REPORT: ezlda_report_free(handle); break;
    default: free_records(handle); break;
    }
}

void r_release(SEXP holder, r_kind kind)
{
    void *handle = R_ExternalPtrAddr(holder);
    R_ClearExternalPtr(holder);
    free_of_kind(handle, kind);
}

#define FINALIZER(name, kind)     \
    static void name(SEXP holder) \
    {                             \
        r_release(holder, kind);  \
    }
FINALIZER(finish_corpus, R_CORPUS)
FINALIZER(finish_model, R_MODEL)
FINALIZER(finish_scores, R_SCORES)
FINALIZER(finish_sweep, R_SWEEP)
FINALIZER(finish_match, R_MATCH)
FINALIZER(finish_report, R_REPORT)
FINALIZER(finish_records, R_RECORDS)

typedef struct kind_facts {
    const char *tag;
    R_CFinalizer_t finish;
} kind_facts;

static const kind_facts kinds[R_KINDS] = {
    [R_CORPUS] = {"ezlda_corpus_handle", finish_corpus},
    [R_MODEL] = {"ezlda_model_handle", finish_model},
    [R_SCORES] = {"ezlda_scores_handle", finish_scores},
    [R_SWEEP] = {"ezlda_sweep_handle", finish_sweep},
    [R_MATCH] = {"ezlda_match_handle", finish_match},
    [R_REPORT] = {"ezlda_report_handle", finish_report},
    [R_RECORDS] = {"ezlda_records_handle", finish_records},
};

SEXP r_holder(r_kind kind)
{
    SEXP holder = PROTECT(R_MakeExternalPtr(NULL, Rf_install(kinds[kind].tag), R_NilValue));
    R_RegisterCFinalizerEx(holder, kinds[kind].finish, FALSE);
    UNPROTECT(1);
    return holder;
}

/* Raises a condition of the package. Only for the beginning of a routine: it jumps. */
_Noreturn static void raise_argument(const char *text)
{
    SEXP status = PROTECT(Rf_ScalarInteger(EZLDA_ERROR_ARGUMENT));
    SEXP message = PROTECT(r_text(text));
    SEXP call = PROTECT(Rf_lang3(Rf_install("raise_failure"), status, message));
    SEXP name = PROTECT(Rf_mkString("ezlda"));
    SEXP package = PROTECT(R_FindNamespace(name));
    Rf_eval(call, package);
    Rf_error("%s", text); /* the package was unloaded */
}

static void *handle_of(SEXP object, r_kind kind, const char *what, const char *keeper)
{
    char text[200];
    if (TYPEOF(object) != EXTPTRSXP || R_ExternalPtrTag(object) != Rf_install(kinds[kind].tag)) {
        snprintf(text, sizeof text, "expected %s", what);
        raise_argument(text);
    }
    void *handle = R_ExternalPtrAddr(object);
    if (!handle) {
        snprintf(text, sizeof text,
                 "this is %s of another session, which saveRDS() and save() cannot keep; %s", what,
                 keeper);
        raise_argument(text);
    }
    return handle;
}

ezlda_corpus *r_corpus_of(SEXP object)
{
    return handle_of(object, R_CORPUS, "a corpus", "keep it with write_corpus()");
}

ezlda_model *r_model_of(SEXP object)
{
    return handle_of(object, R_MODEL, "a model", "keep it with write_model()");
}

ezlda_corpus *r_corpus_or_null(SEXP object)
{
    return object == R_NilValue ? NULL : r_corpus_of(object);
}

ezlda_model *r_model_or_null(SEXP object)
{
    return object == R_NilValue ? NULL : r_model_of(object);
}

const ezlda_text_rules *r_rules_of(SEXP object)
{
    if (object == R_NilValue)
        return NULL;
    if (TYPEOF(object) == EXTPTRSXP && R_ExternalPtrTag(object) == Rf_install(kinds[R_MODEL].tag))
        return ezlda_model_reading_rules(r_model_of(object));
    return ezlda_corpus_text_rules(r_corpus_of(object));
}

/* ---- contexts ---- */

static void forget_notes(r_context *owner)
{
    for (size_t i = 0; i < owner->n; i++)
        free(owner->text[i]);
    owner->n = 0;
}

static void finish_context(SEXP holder)
{
    r_context *owner = R_ExternalPtrAddr(holder);
    R_ClearExternalPtr(holder);
    if (!owner)
        return;
    forget_notes(owner);
    free(owner->text);
    free(owner->level);
    ezlda_context_free(owner->context);
    free(owner);
}

static bool grow_notes(r_context *owner)
{
    size_t room = 2 * owner->room + 8;
    char **text = r_reallocate(owner->text, room, sizeof *text);
    if (!text)
        return false;
    owner->text = text;
    int *level = r_reallocate(owner->level, room, sizeof *level);
    if (!level)
        return false;
    owner->level = level;
    owner->room = room;
    return true;
}

/* Keeps a note; one for which there is no memory is lost. */
static void keep_note(ezlda_note_level level, const char *text, void *user)
{
    r_context *owner = user;
    size_t size = strlen(text) + 1;
    char *copy = owner->n < owner->room || grow_notes(owner) ? calloc(size, 1) : NULL;
    if (!copy)
        return;
    memcpy(copy, text, size);
    owner->text[owner->n] = copy;
    owner->level[owner->n++] = (int)level;
}

SEXP r_context_new(SEXP threads)
{
    SEXP holder = PROTECT(R_MakeExternalPtr(NULL, Rf_install("ezlda_context_handle"), R_NilValue));
    R_RegisterCFinalizerEx(holder, finish_context, FALSE);
    r_context *owner = calloc(1, sizeof *owner);
    if (!owner)
        Rf_error("not enough memory for a context");
    R_SetExternalPtrAddr(holder, owner);
    if (ezlda_context_create(&owner->context) != EZLDA_OK)
        Rf_error("not enough memory for a context");
    ezlda_context_set_threads(owner->context, Rf_asInteger(threads));
    ezlda_context_set_notes(owner->context, keep_note, owner);
    UNPROTECT(1);
    return holder;
}

r_context *r_context_of(SEXP object)
{
    if (TYPEOF(object) != EXTPTRSXP || !R_ExternalPtrAddr(object) ||
        R_ExternalPtrTag(object) != Rf_install("ezlda_context_handle"))
        Rf_error("expected a context");
    return R_ExternalPtrAddr(object);
}

/* Returns the notes, named by their level (0 to 2), and forgets them. */
SEXP r_context_notes(SEXP context)
{
    r_context *owner = r_context_of(context);
    SEXP texts = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)owner->n));
    SEXP levels = PROTECT(Rf_allocVector(INTSXP, (R_xlen_t)owner->n));
    for (size_t i = 0; i < owner->n; i++) {
        SET_STRING_ELT(texts, (R_xlen_t)i, Rf_mkCharCE(owner->text[i], CE_UTF8));
        INTEGER(levels)[i] = owner->level[i];
    }
    forget_notes(owner);
    r_list notes;
    r_list_open(&notes, 2);
    r_list_add(&notes, "text", texts);
    r_list_add(&notes, "level", levels);
    UNPROTECT(3);
    return notes.list;
}
