/* Reads the options of calls from named lists: names, types and ranges are checked, and a failure
 * names the option. */
#include "r_ezlda.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE = 512 };

static const double PRIOR_LEAST = 1e-6, PRIOR_MOST = 100;

/* Describes a value for a message. */
static void describe(SEXP value, char *text, size_t size)
{
    if (Rf_xlength(value) != 1)
        snprintf(text, size, "%ld values", (long)Rf_xlength(value));
    else if (TYPEOF(value) == STRSXP)
        snprintf(text, size, "\"%.80s\"", CHAR(STRING_ELT(value, 0)));
    else if (TYPEOF(value) == REALSXP || TYPEOF(value) == INTSXP || TYPEOF(value) == LGLSXP)
        snprintf(text, size, "%.15g", Rf_asReal(value));
    else
        snprintf(text, size, "a value of type %s", Rf_type2char((SEXPTYPE)TYPEOF(value)));
}

static SEXP wrong(const r_option *option, const char *expected, SEXP value)
{
    char found[120], text[MESSAGE];
    describe(value, found, sizeof found);
    snprintf(text, sizeof text, "%s: expected %s, found %s", option->name, expected, found);
    return r_failure(EZLDA_ERROR_ARGUMENT, text);
}

static bool is_number(SEXP value)
{
    return Rf_xlength(value) == 1 && (TYPEOF(value) == REALSXP || TYPEOF(value) == INTSXP) &&
           !Rf_inherits(value, "factor");
}

/* A whole number of up to 64 bits: a number, or decimal digits in a string, as a double has only 53
 * bits. */
static bool read_u64(SEXP value, uint64_t *out)
{
    if (TYPEOF(value) == STRSXP && Rf_xlength(value) == 1) {
        const char *text = CHAR(STRING_ELT(value, 0));
        char *end;
        errno = 0;
        unsigned long long number = strtoull(text, &end, 10);
        *out = number;
        return *text && strspn(text, "0123456789") == strlen(text) && errno == 0 && !*end;
    }
    if (!is_number(value))
        return false;
    double number = Rf_asReal(value);
    if (!(number >= 0 && number <= 9007199254740992.0) || number != floor(number))
        return false;
    *out = (uint64_t)number;
    return true;
}

static SEXP read_number(const r_option *option, SEXP value, char *field)
{
    uint64_t whole = 0;
    double number = is_number(value) ? Rf_asReal(value) : R_NaN;
    switch (option->type) {
    case R_OPTION_U64:
        if (!read_u64(value, &whole))
            return wrong(option, "a whole number from 0 to 2^53, or more digits in a string",
                         value);
        memcpy(field, &whole, sizeof whole);
        return NULL;
    case R_OPTION_U32:
        if (!read_u64(value, &whole) || TYPEOF(value) == STRSXP || whole > UINT32_MAX)
            return wrong(option, "a whole number from 0 to 4294967295", value);
        memcpy(field, &(uint32_t){(uint32_t)whole}, sizeof(uint32_t));
        return NULL;
    case R_OPTION_INT:
        if (!read_u64(value, &whole) || TYPEOF(value) == STRSXP || whole > INT_MAX)
            return wrong(option, "a whole number from 0 to 2147483647", value);
        memcpy(field, &(int){(int)whole}, sizeof(int));
        return NULL;
    case R_OPTION_FLAG:
        if (TYPEOF(value) != LGLSXP || Rf_xlength(value) != 1 || LOGICAL(value)[0] == NA_LOGICAL)
            return wrong(option, "TRUE or FALSE", value);
        memcpy(field, &(int){LOGICAL(value)[0]}, sizeof(int));
        return NULL;
    case R_OPTION_PRIOR:
        if (!(number >= PRIOR_LEAST && number <= PRIOR_MOST))
            return wrong(option, "a number from 0.000001 to 100", value);
        break;
    default:
        if (isnan(number))
            return wrong(option, "a number", value);
        break;
    }
    memcpy(field, &number, sizeof number);
    return NULL;
}

static SEXP read_choice(const r_option *option, SEXP value, char *field)
{
    char names[160] = "one of";
    for (int i = 0; option->choices[i]; i++) {
        if (TYPEOF(value) == STRSXP && Rf_xlength(value) == 1 &&
            strcmp(CHAR(STRING_ELT(value, 0)), option->choices[i]) == 0) {
            memcpy(field, &i, sizeof i);
            return NULL;
        }
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s \"%s\"", i ? "," : "", option->choices[i]);
    }
    return wrong(option, names, value);
}

static SEXP read_text(const r_option *option, SEXP value, char *field)
{
    if (TYPEOF(value) != STRSXP || Rf_xlength(value) != 1 || STRING_ELT(value, 0) == NA_STRING)
        return wrong(option, "a string", value);
    const char *text = CHAR(STRING_ELT(value, 0));
    memcpy(field, &text, sizeof(text));
    return NULL;
}

static SEXP unknown(const char *name, const r_option *table)
{
    char text[2048];
    int used = snprintf(text, sizeof text, "there is no option \"%.80s\"; expected one of", name);
    for (; table->name && used < (int)sizeof text - 80; table++)
        used += snprintf(text + used, sizeof text - (size_t)used, " %s", table->name);
    return r_failure(EZLDA_ERROR_ARGUMENT, text);
}

SEXP r_options_read(SEXP list, const r_option *table, void *target)
{
    SEXP names = Rf_getAttrib(list, R_NamesSymbol), failure = NULL;
    for (R_xlen_t i = 0; i < Rf_xlength(list) && !failure; i++) {
        const char *name = names == R_NilValue ? "" : CHAR(STRING_ELT(names, i));
        SEXP value = VECTOR_ELT(list, i);
        const r_option *option = table;
        while (option->name && strcmp(option->name, name) != 0)
            option++;
        if (!option->name)
            return unknown(name, table);
        char *field = (char *)target + option->offset;
        if (value == R_NilValue)
            continue;
        failure = option->type == R_OPTION_TEXT     ? read_text(option, value, field)
                  : option->type == R_OPTION_CHOICE ? read_choice(option, value, field)
                                                    : read_number(option, value, field);
    }
    return failure;
}

/* The names of the options of a kind: "import", "train", "infer", "eval", "synth" or "report". */
SEXP r_option_names(SEXP kind)
{
    static const struct {
        const char *name;
        const r_option *table;
    } tables[] = {{"import", r_import_options}, {"train", r_train_options},
                  {"infer", r_infer_options},   {"eval", r_eval_options},
                  {"synth", r_synth_options},   {"report", r_report_options}};
    const r_option *table = NULL;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (strcmp(r_path(kind), tables[i].name) == 0)
            table = tables[i].table;
    int n = 0;
    while (table && table[n].name)
        n++;
    SEXP names = PROTECT(Rf_allocVector(STRSXP, n));
    for (int i = 0; i < n; i++)
        SET_STRING_ELT(names, i, Rf_mkChar(table[i].name));
    UNPROTECT(1);
    return names;
}
