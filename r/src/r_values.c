/* Values that routines return: named lists, strings, hashes, failures. */
#include "r_ezlda.h"

#include <inttypes.h>
#include <stdio.h>

void r_list_open(r_list *list, int n)
{
    list->list = PROTECT(Rf_allocVector(VECSXP, n));
    SEXP names = PROTECT(Rf_allocVector(STRSXP, n));
    Rf_setAttrib(list->list, R_NamesSymbol, names);
    list->names = names; /* the list holds it from here on */
    UNPROTECT(1);
    list->n = 0;
    list->room = n;
}

void r_list_add(r_list *list, const char *name, SEXP value)
{
    PROTECT(value);
    if (list->n >= list->room)
        Rf_error("a list of %d values has no room for %s", list->room, name);
    SET_VECTOR_ELT(list->list, list->n, value);
    SET_STRING_ELT(list->names, list->n, Rf_mkChar(name));
    list->n++;
    UNPROTECT(1);
}

void r_list_number(r_list *list, const char *name, double value)
{
    r_list_add(list, name, Rf_ScalarReal(value));
}

void r_list_text(r_list *list, const char *name, const char *value)
{
    r_list_add(list, name, r_text(value));
}

void r_list_flag(r_list *list, const char *name, bool value)
{
    r_list_add(list, name, Rf_ScalarLogical(value));
}

SEXP r_text(const char *text)
{
    SEXP c = PROTECT(Rf_mkCharCE(text ? text : "", CE_UTF8));
    SEXP value = Rf_ScalarString(c);
    UNPROTECT(1);
    return value;
}

SEXP r_hash(uint64_t hash)
{
    char text[24];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    return Rf_mkString(text);
}

const char *r_path(SEXP path)
{
    return CHAR(STRING_ELT(path, 0));
}

const char **r_strings(SEXP strings)
{
    R_xlen_t n = Rf_xlength(strings);
    const char **out = (const char **)R_alloc((size_t)n + 1, sizeof *out);
    for (R_xlen_t i = 0; i < n; i++)
        out[i] = CHAR(STRING_ELT(strings, i));
    return out;
}

size_t r_count(SEXP object, double most)
{
    double value = Rf_asReal(object);
    return !(value > 0) ? 0 : (size_t)(value < most ? value : most);
}

SEXP r_failure(ezlda_status status, const char *text)
{
    r_list failure;
    r_list_open(&failure, 2);
    r_list_add(&failure, "status", Rf_ScalarInteger((int)status));
    r_list_text(&failure, "message", text);
    SEXP class = PROTECT(Rf_mkString("ezlda_failure"));
    Rf_setAttrib(failure.list, R_ClassSymbol, class);
    UNPROTECT(2);
    return failure.list;
}

SEXP r_failed(const r_context *owner, ezlda_status status)
{
    const char *text = ezlda_error_message(owner->context);
    return r_failure(status, text && *text ? text : ezlda_status_name(status));
}

SEXP r_version(void)
{
    return Rf_mkString(ezlda_version_string());
}
