/* The formula of a regression, "share ~ s(year) + party*region": its variables and the products of
 * variables that are its terms. */
#ifndef EZ_FORMULA_H
#define EZ_FORMULA_H

#include "base/memory.h"

enum { EZ_FORMULA_VARIABLES = 12, EZ_FORMULA_TERMS = 40, EZ_FORMULA_FACTORS = 3 };

typedef enum ez_variable_form {
    EZ_FORM_PLAIN,    /* year: a number, a date or a category, by its values */
    EZ_FORM_SPLINE,   /* s(year), s(year, 5) */
    EZ_FORM_CATEGORY, /* factor(year) */
} ez_variable_form;

typedef struct ez_formula_variable {
    char *field;
    ez_variable_form form;
    uint32_t df; /* of a spline; 0: chosen */
} ez_formula_variable;

typedef struct ez_term {
    uint32_t n; /* variables that are multiplied, ascending */
    uint32_t variable[EZ_FORMULA_FACTORS];
} ez_term;

typedef struct ez_formula {
    uint32_t variables, terms;
    ez_formula_variable variable[EZ_FORMULA_VARIABLES];
    ez_term term[EZ_FORMULA_TERMS]; /* by their number of variables */
} ez_formula;

/* Reads a formula; EZLDA_ERROR_ARGUMENT names the place of what is wrong. Free also after an error.
 */
ezlda_status ez_formula_read(ez_formula *formula, ezlda_context *context, const char *text);
void ez_formula_free(ez_formula *formula);

#endif
