/* Makes the columns of a formula, their products and the factor of these. */
#include "effect/design.h"

#include "base/copy_string.h"
#include "corpus/corpus.h"
#include "numeric/least_squares.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The columns of one variable that are not 0. */
typedef struct part {
    uint32_t n;
    uint32_t column[EZ_SPLINE_COLUMNS];
    double value[EZ_SPLINE_COLUMNS];
} part;

void ez_design_free(ez_design *design)
{
    for (uint32_t i = 0; i < EZ_FORMULA_VARIABLES; i++) {
        ez_field_values_free(&design->variable[i].values);
        ez_free(design->variable[i].docs);
    }
    for (uint32_t j = 0; j < design->columns; j++)
        ez_free(design->name[j]);
    for (uint32_t t = 0; t < EZ_FORMULA_TERMS; t++)
        ez_free(design->term_name[t]);
    ez_free(design->use);
    ez_free(design->inverse);
    ez_free(design->root);
    ez_formula_free(&design->formula);
    *design = (ez_design){0};
}

/* ---- rows ---- */

/* Fills the part of a variable from a number or a category. */
static void fill_part(const ez_design *design, uint32_t variable, double x, part *to)
{
    const ez_design_variable *v = &design->variable[variable];
    to->n = 0;
    if (v->values.category) {
        if (x > 0) {
            to->column[0] = (uint32_t)x - 1;
            to->value[to->n++] = 1;
        }
    } else if (design->formula.variable[variable].form == EZ_FORM_SPLINE) {
        to->n = ez_spline_at(&v->spline, x, to->column, to->value);
    } else {
        to->column[0] = 0;
        to->value[to->n++] = x;
    }
}

static double value_of(const ez_design *design, uint32_t variable, uint64_t doc)
{
    const ez_field_values *values = &design->variable[variable].values;
    return values->category ? values->level[doc] : values->x[doc];
}

/* Adds the products of the parts of a term, from column `first` on. */
static void add_products(const ez_design *design, const ez_term *term, const part *parts,
                         uint32_t first, ez_design_row *row)
{
    uint32_t at[EZ_FORMULA_FACTORS] = {0};
    for (uint32_t i = 0; i < term->n; i++)
        if (!parts[term->variable[i]].n)
            return;
    for (;;) {
        uint32_t column = 0, i;
        double value = 1;
        for (i = 0; i < term->n; i++) {
            const part *p = &parts[term->variable[i]];
            column = column * design->variable[term->variable[i]].columns + p->column[at[i]];
            value *= p->value[at[i]];
        }
        row->column[row->n] = first + column;
        row->value[row->n++] = value;
        for (i = term->n; i-- > 0;) {
            if (++at[i] < parts[term->variable[i]].n)
                break;
            at[i] = 0;
        }
        if (i == UINT32_MAX)
            return;
    }
}

static uint32_t term_columns(const ez_design *design, const ez_term *term)
{
    uint32_t columns = 1;
    for (uint32_t i = 0; i < term->n; i++)
        columns *= design->variable[term->variable[i]].columns;
    return columns;
}

static void fill_terms(const ez_design *design, const part *parts, ez_design_row *row)
{
    uint32_t first = 0;
    row->n = 0;
    for (uint32_t t = 0; t < design->formula.terms; t++) {
        add_products(design, &design->formula.term[t], parts, first, row);
        first += term_columns(design, &design->formula.term[t]);
    }
}

void ez_design_fill(const ez_design *design, uint64_t doc, ez_design_row *row)
{
    part parts[EZ_FORMULA_VARIABLES];
    for (uint32_t i = 0; i < design->formula.variables; i++)
        fill_part(design, i, value_of(design, i, doc), &parts[i]);
    fill_terms(design, parts, row);
}

void ez_design_imagine(const ez_design *design, uint32_t variable, double x, double *dense)
{
    /* Products of dense parts: categories at their shares are not one column. */
    double *part_of[EZ_FORMULA_VARIABLES] = {0}, room[EZ_FORMULA_VARIABLES][EZ_DESIGN_COLUMNS];
    uint32_t first = 0;
    for (uint32_t i = 0; i < design->formula.variables; i++) {
        const ez_design_variable *v = &design->variable[i];
        bool same = v->values.field == design->variable[variable].values.field;
        part one;
        part_of[i] = memset(room[i], 0, sizeof room[i]);
        if (v->values.category && !same) {
            for (uint32_t l = 1; l < v->values.levels; l++)
                room[i][l - 1] = (double)v->docs[l] / (double)design->used;
            continue;
        }
        fill_part(design, i, same ? x : v->mean, &one);
        for (uint32_t c = 0; c < one.n; c++)
            room[i][one.column[c]] = one.value[c];
    }
    for (uint32_t t = 0; t < design->formula.terms; t++) {
        const ez_term *term = &design->formula.term[t];
        uint32_t columns = term_columns(design, term);
        for (uint32_t c = 0; c < columns; c++) {
            uint32_t rest = c;
            dense[first + c] = 1;
            for (uint32_t i = term->n; i-- > 0;) {
                uint32_t own = design->variable[term->variable[i]].columns;
                dense[first + c] *= part_of[term->variable[i]][rest % own];
                rest /= own;
            }
        }
        first += columns;
    }
}

/* ---- names ---- */

static void name_part(const ez_design *design, uint32_t variable, uint32_t column, char *to,
                      size_t room)
{
    const ez_formula_variable *f = &design->formula.variable[variable];
    const ez_field_values *values = &design->variable[variable].values;
    if (values->category)
        snprintf(to, room, "%s=%s", f->field, values->text[column + 1]);
    else if (f->form == EZ_FORM_SPLINE)
        snprintf(to, room, "s(%s).%u", f->field, column + 1);
    else
        snprintf(to, room, "%s", f->field);
}

/* s(year):party */
static ezlda_status name_term(ez_design *design, ezlda_context *context, uint32_t term)
{
    char name[400] = "";
    for (uint32_t i = 0; i < design->formula.term[term].n; i++) {
        const ez_formula_variable *f =
            &design->formula.variable[design->formula.term[term].variable[i]];
        size_t used = strlen(name);
        snprintf(name + used, sizeof name - used, "%s%s%s%s", i ? ":" : "",
                 f->form == EZ_FORM_SPLINE ? "s(" : "", f->field,
                 f->form == EZ_FORM_SPLINE ? ")" : "");
    }
    return ez_copy_string(&design->term_name[term], context, name);
}

static ezlda_status name_columns(ez_design *design, ezlda_context *context)
{
    for (uint32_t t = 0; t < design->formula.terms; t++) {
        const ez_term *term = &design->formula.term[t];
        uint32_t columns = term_columns(design, term);
        EZ_TRY(name_term(design, context, t));
        if (design->columns + columns > EZ_DESIGN_COLUMNS)
            return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                           "the formula has more than %d columns: categories with many values, or "
                           "products of them",
                           EZ_DESIGN_COLUMNS);
        for (uint32_t c = 0; c < columns; c++) {
            char name[400] = "", one[128];
            uint32_t rest = c, part_column[EZ_FORMULA_FACTORS];
            for (uint32_t i = term->n; i-- > 0;) {
                part_column[i] = rest % design->variable[term->variable[i]].columns;
                rest /= design->variable[term->variable[i]].columns;
            }
            for (uint32_t i = 0; i < term->n; i++) {
                name_part(design, term->variable[i], part_column[i], one, sizeof one);
                size_t used = strlen(name);
                snprintf(name + used, sizeof name - used, "%s%s", i ? ":" : "", one);
            }
            EZ_TRY(ez_copy_string(&design->name[design->columns], context, name));
            design->term_of[design->columns++] = t;
        }
    }
    return EZLDA_OK;
}

/* ---- variables ---- */

static ezlda_status read_variable(ez_design *design, ezlda_context *context, uint32_t i)
{
    const ez_formula_variable *f = &design->formula.variable[i];
    ez_design_variable *v = &design->variable[i];
    EZ_TRY(ez_field_values_read(&v->values, context, design->corpus, f->field,
                                f->form == EZ_FORM_CATEGORY));
    if (v->values.category && f->form == EZ_FORM_SPLINE)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "s(%s): a spline needs numbers or dates, and '%s' is not one", f->field,
                       v->values.text[0]);
    if (v->values.category && v->values.levels < 2)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "field '%s': all documents that have a value have the same one", f->field);
    return EZLDA_OK;
}

/* Summaries over the documents that are used. */
static ezlda_status settle_variable(ez_design *design, ezlda_context *context, uint32_t i)
{
    ez_design_variable *v = &design->variable[i];
    uint64_t n = 0;
    if (v->values.category) {
        v->columns = v->values.levels - 1;
        EZ_TRY(ez_array_zero(&v->docs, context, v->values.levels, sizeof *v->docs, "categories"));
        for (uint64_t d = 0; d < design->docs; d++)
            if (design->use[d])
                v->docs[v->values.level[d]]++;
        return EZLDA_OK;
    }
    for (uint64_t d = 0; d < design->docs; d++) {
        double x = v->values.x[d];
        if (!design->use[d]) {
            v->values.x[d] = NAN;
            continue;
        }
        v->low = n == 0 || x < v->low ? x : v->low;
        v->high = n == 0 || x > v->high ? x : v->high;
        v->mean += (x - v->mean) / (double)++n;
    }
    v->columns = 1;
    if (design->formula.variable[i].form != EZ_FORM_SPLINE)
        return EZLDA_OK;
    EZ_TRY(ez_spline_fit(&v->spline, context, v->values.x, design->docs,
                         design->formula.variable[i].df));
    v->columns = v->spline.columns;
    return EZLDA_OK;
}

static ezlda_status choose_docs(ez_design *design, ezlda_context *context)
{
    EZ_TRY(ez_array_zero(&design->use, context, design->docs, 1, "the documents of a regression"));
    for (uint64_t d = 0; d < design->docs; d++) {
        design->use[d] = 1;
        for (uint32_t i = 0; i < design->formula.variables; i++) {
            const ez_field_values *v = &design->variable[i].values;
            design->use[d] &= v->category ? v->level[d] != UINT16_MAX : !isnan(v->x[d]);
        }
        design->used += design->use[d];
    }
    return EZLDA_OK;
}

/* ---- products ---- */

/* Sums in spans of documents would differ by rounding only; one thread is fast enough, because a
 * row has few values. */
static void add_row(double *products, uint32_t n, const ez_design_row *row, const double *mean,
                    double *dense)
{
    for (uint32_t j = 0; j < n; j++)
        dense[j] = -mean[j];
    for (uint32_t i = 0; i < row->n; i++)
        dense[row->column[i]] += row->value[i];
    for (uint32_t j = 0; j < n; j++)
        for (uint32_t k = 0; k <= j; k++)
            products[(size_t)j * n + k] += dense[j] * dense[k];
}

/* The same for categories alone: the means are subtracted at the end. */
static void add_sparse(double *products, uint32_t n, const ez_design_row *row)
{
    for (uint32_t i = 0; i < row->n; i++)
        for (uint32_t j = 0; j < row->n; j++)
            if (row->column[i] >= row->column[j])
                products[(size_t)row->column[i] * n + row->column[j]] +=
                    row->value[i] * row->value[j];
}

static void sum_products(ez_design *design, double *products)
{
    uint32_t n = design->columns;
    double dense[EZ_DESIGN_COLUMNS];
    ez_design_row row;
    bool sparse = true;
    for (uint32_t i = 0; i < design->formula.variables; i++)
        sparse = sparse && design->variable[i].values.category;
    for (uint64_t d = 0; d < design->docs; d++) {
        if (!design->use[d])
            continue;
        ez_design_fill(design, d, &row);
        for (uint32_t i = 0; i < row.n; i++)
            design->mean[row.column[i]] += row.value[i];
    }
    for (uint32_t j = 0; j < n; j++)
        design->mean[j] /= (double)design->used;
    for (uint64_t d = 0; d < design->docs; d++) {
        if (!design->use[d])
            continue;
        ez_design_fill(design, d, &row);
        if (sparse)
            add_sparse(products, n, &row);
        else
            add_row(products, n, &row, design->mean, dense);
    }
    for (uint32_t j = 0; sparse && j < n; j++)
        for (uint32_t k = 0; k <= j; k++)
            products[(size_t)j * n + k] -= (double)design->used * design->mean[j] * design->mean[k];
}

static void report_terms(const ez_design *design, ezlda_context *context)
{
    for (uint32_t t = 0; t < design->formula.terms; t++) {
        uint32_t all = 0, lost = 0, first = 0;
        for (uint32_t j = 0; j < design->columns; j++) {
            if (design->term_of[j] != t)
                continue;
            first = design->depends[j] && !lost ? j : first;
            all++;
            lost += design->depends[j];
        }
        if (lost)
            ez_warn(context,
                    "formula: %u of %u columns of a term depend on the terms before it and have no "
                    "coefficient; the first is %s",
                    lost, all, design->name[first]);
    }
}

static ezlda_status factor_products(ez_design *design, ezlda_context *context)
{
    size_t n = design->columns;
    double *products = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(ez_array_zero(&products, context, ez_product(n, n), sizeof *products,
                              "products of columns"));
    EZ_TRY_GOTO(ez_array(&design->inverse, context, ez_product(n, n), sizeof(double),
                         "products of columns"));
    EZ_TRY_GOTO(ez_array_zero(&design->root, context, ez_product(n, n), sizeof(double),
                              "products of columns"));
    sum_products(design, products);
    size_t rank = ez_cholesky(products, n, design->depends);
    ez_cholesky_inverse(products, n, design->depends, design->inverse);
    if (design->used < rank + 3) {
        status = ez_fail(context, EZLDA_ERROR_ARGUMENT,
                         "%llu documents have all values: too few for a formula of %zu columns",
                         (unsigned long long)design->used, rank);
        goto done;
    }
    /* Row i of the root solves L' r = e_i: then the sum of r_i r_i' is the inverse. */
    for (size_t i = 0; i < n; i++) {
        double *r = design->root + i * n;
        r[i] = !design->depends[i];
        for (size_t j = i + 1; j-- > 0;) {
            for (size_t k = j + 1; k <= i; k++)
                r[j] -= products[k * n + j] * r[k];
            r[j] = design->depends[j] ? 0 : r[j] / products[j * n + j];
        }
    }
done:
    ez_free(products);
    return status;
}

static ezlda_status finish(ez_design *design, ezlda_context *context)
{
    EZ_TRY(choose_docs(design, context));
    for (uint32_t i = 0; i < design->formula.variables; i++)
        EZ_TRY(settle_variable(design, context, i));
    EZ_TRY(name_columns(design, context));
    return factor_products(design, context);
}

ezlda_status ez_design_make(ez_design *design, ezlda_context *context, const ezlda_corpus *corpus,
                            const char *formula)
{
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(corpus, &sizes);
    design->corpus = corpus;
    design->docs = sizes.docs;
    EZ_TRY(ez_formula_read(&design->formula, context, formula));
    for (uint32_t i = 0; i < design->formula.variables; i++)
        EZ_TRY(read_variable(design, context, i));
    EZ_TRY(finish(design, context));
    report_terms(design, context);
    return EZLDA_OK;
}

ezlda_status ez_design_of_category(ez_design *design, ezlda_context *context,
                                   const ezlda_corpus *corpus, const char *name,
                                   ez_field_values *values)
{
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(corpus, &sizes);
    design->corpus = corpus;
    design->docs = sizes.docs;
    design->variable[0].values = *values;
    *values = (ez_field_values){0};
    design->formula.variables = design->formula.terms = 1;
    design->formula.term[0].n = 1;
    design->formula.variable[0].form = EZ_FORM_CATEGORY;
    EZ_TRY(ez_copy_string(&design->formula.variable[0].field, context, name));
    return finish(design, context);
}
