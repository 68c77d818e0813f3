/* The columns that a formula makes of the fields of documents: dummies of categories, numbers,
 * splines, and their products. There is always an intercept, which is no column here. Rows are made
 * when they are needed, so that a design takes as much memory as its fields. */
#ifndef EZ_DESIGN_H
#define EZ_DESIGN_H

#include "effect/field_values.h"
#include "effect/formula.h"
#include "effect/spline.h"

enum { EZ_DESIGN_COLUMNS = 300 };

typedef struct ez_design_variable {
    ez_field_values values;
    ez_spline spline; /* of EZ_FORM_SPLINE */
    uint32_t columns;
    double mean; /* of a number, over the documents that are used */
    double low, high;
    uint64_t *docs; /* of each category, of the documents that are used */
} ez_design_variable;

typedef struct ez_design {
    const ezlda_corpus *corpus;
    ez_formula formula;
    ez_design_variable variable[EZ_FORMULA_VARIABLES];
    uint64_t docs, used;
    uint8_t *use; /* documents: no value is missing */
    uint32_t columns;
    char *name[EZ_DESIGN_COLUMNS];
    uint32_t term_of[EZ_DESIGN_COLUMNS];
    char *term_name[EZ_FORMULA_TERMS];
    double mean[EZ_DESIGN_COLUMNS];  /* of a column, over the documents that are used */
    bool depends[EZ_DESIGN_COLUMNS]; /* on columns before it: it has no coefficient */
    double *inverse;                 /* of the centred products: columns x columns */
    double *root;                    /* a square root of it: root' root = inverse */
} ez_design;

/* A row without its zeros. */
typedef struct ez_design_row {
    uint32_t n;
    uint32_t column[EZ_DESIGN_COLUMNS];
    double value[EZ_DESIGN_COLUMNS];
} ez_design_row;

/* Zero-initialise; free also after an error. A term of which no column is independent, or with a
 * field of one value, is reported by a warning. */
ezlda_status ez_design_make(ez_design *design, ezlda_context *context, const ezlda_corpus *corpus,
                            const char *formula);
/* The same with one category for variable, whose values become the design's. */
ezlda_status ez_design_of_category(ez_design *design, ezlda_context *context,
                                   const ezlda_corpus *corpus, const char *name,
                                   ez_field_values *values);
void ez_design_free(ez_design *design);

void ez_design_fill(const ez_design *design, uint64_t doc, ez_design_row *row);

/* The row of an imagined document: `variable` is x (a number, or the number of a category), all
 * other numbers have their mean and all other categories their shares. */
void ez_design_imagine(const ez_design *design, uint32_t variable, double x, double *dense);

#endif
