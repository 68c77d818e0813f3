/* Reads formulas. The grammar: [share] ~ product + product ...; a product is factors with ':'
 * (multiplied) or '*' (multiplied, and also each alone); a factor is a field, `a field`,
 * s(field[, df]) or factor(field). */
#include "effect/formula.h"

#include <ctype.h>
#include <string.h>

typedef struct reading {
    ez_formula *formula;
    ezlda_context *context;
    const char *text, *at;
} reading;

void ez_formula_free(ez_formula *formula)
{
    for (uint32_t i = 0; i < formula->variables; i++)
        ez_free(formula->variable[i].field);
    *formula = (ez_formula){0};
}

static ezlda_status fail(const reading *r, const char *expected)
{
    if (!*r->at)
        return ez_fail(r->context, EZLDA_ERROR_ARGUMENT,
                       "formula \"%s\": expected %s, found its end", r->text, expected);
    return ez_fail(r->context, EZLDA_ERROR_ARGUMENT,
                   "formula \"%s\": character %zu: expected %s, found '%s'", r->text,
                   (size_t)(r->at - r->text) + 1, expected, r->at);
}

static void skip(reading *r)
{
    while (*r->at == ' ' || *r->at == '\t' || *r->at == '\n')
        r->at++;
}

static bool take(reading *r, char letter)
{
    skip(r);
    if (*r->at != letter)
        return false;
    r->at++;
    return true;
}

/* Bytes above 127 are letters of other alphabets. */
static bool is_letter(char c, bool first)
{
    unsigned char u = (unsigned char)c;
    return u > 127 || isalpha(u) || c == '_' || (!first && (isdigit(u) || c == '.' || c == '['));
}

/* A name, or anything between backquotes. */
static ezlda_status read_name(reading *r, const char **name, size_t *n)
{
    skip(r);
    bool quoted = *r->at == '`';
    *name = r->at += quoted;
    if (quoted) {
        *n = strcspn(r->at, "`");
        if (!*n || !r->at[*n])
            return fail(r, "the name of a field and a closing backquote");
        r->at += *n + 1;
        return EZLDA_OK;
    }
    while (is_letter(*r->at, r->at == *name) || (r->at > *name && *r->at == ']'))
        r->at++;
    *n = (size_t)(r->at - *name);
    return *n ? EZLDA_OK : fail(r, "the name of a field");
}

static ezlda_status read_df(reading *r, uint32_t *df)
{
    *df = 0;
    skip(r);
    if (strncmp(r->at, "df", 2) == 0) {
        r->at += 2;
        if (!take(r, '='))
            return fail(r, "'='");
        skip(r);
    }
    while (isdigit((unsigned char)*r->at) && *df < 1000)
        *df = *df * 10 + (uint32_t)(*r->at++ - '0');
    return *df >= 1 && *df <= 50 ? EZLDA_OK : fail(r, "a number from 1 to 50");
}

static ezlda_status find_variable(reading *r, const char *name, size_t n, ez_variable_form form,
                                  uint32_t df, uint32_t *found)
{
    ez_formula *f = r->formula;
    for (*found = 0; *found < f->variables; ++*found) {
        const ez_formula_variable *v = &f->variable[*found];
        if (strlen(v->field) == n && memcmp(v->field, name, n) == 0 && v->form == form &&
            v->df == df)
            return EZLDA_OK;
    }
    if (f->variables == EZ_FORMULA_VARIABLES)
        return ez_fail(r->context, EZLDA_ERROR_ARGUMENT,
                       "formula \"%s\": at most %d variables are possible", r->text,
                       EZ_FORMULA_VARIABLES);
    ez_formula_variable *v = &f->variable[f->variables];
    *v = (ez_formula_variable){.form = form, .df = df};
    EZ_TRY(ez_array_zero(&v->field, r->context, n + 1, 1, "the name of a field"));
    memcpy(v->field, name, n);
    f->variables++;
    return EZLDA_OK;
}

static ezlda_status read_factor(reading *r, uint32_t *variable)
{
    const char *name;
    size_t n;
    uint32_t df = 0;
    ez_variable_form form = EZ_FORM_PLAIN;
    skip(r);
    bool quoted = *r->at == '`';
    EZ_TRY(read_name(r, &name, &n));
    skip(r);
    if (!quoted && *r->at == '(') {
        bool spline = n == 1 && *name == 's', category = n == 6 && memcmp(name, "factor", 6) == 0;
        if (!spline && !category) {
            r->at = name;
            return fail(r, "a field, s(field), s(field, df) or factor(field)");
        }
        form = spline ? EZ_FORM_SPLINE : EZ_FORM_CATEGORY;
        r->at++;
        EZ_TRY(read_name(r, &name, &n));
        if (spline && take(r, ','))
            EZ_TRY(read_df(r, &df));
        if (!take(r, ')'))
            return fail(r, spline ? "',' or ')'" : "')'");
    }
    return find_variable(r, name, n, form, df, variable);
}

static bool has_variable(const ez_term *term, uint32_t variable)
{
    for (uint32_t i = 0; i < term->n; i++)
        if (term->variable[i] == variable)
            return true;
    return false;
}

/* Multiplies two terms; a variable that both have counts once. */
static ezlda_status multiply(reading *r, ez_term *product, const ez_term *other)
{
    for (uint32_t i = 0; i < other->n; i++) {
        if (has_variable(product, other->variable[i]))
            continue;
        if (product->n == EZ_FORMULA_FACTORS)
            return ez_fail(r->context, EZLDA_ERROR_ARGUMENT,
                           "formula \"%s\": at most %d variables can be multiplied", r->text,
                           EZ_FORMULA_FACTORS);
        uint32_t at = product->n++;
        for (; at > 0 && product->variable[at - 1] > other->variable[i]; at--)
            product->variable[at] = product->variable[at - 1];
        product->variable[at] = other->variable[i];
    }
    return EZLDA_OK;
}

static ezlda_status add_term(reading *r, const ez_term *term)
{
    ez_formula *f = r->formula;
    for (uint32_t i = 0; i < f->terms; i++)
        if (memcmp(&f->term[i], term, sizeof *term) == 0)
            return EZLDA_OK;
    if (f->terms == EZ_FORMULA_TERMS)
        return ez_fail(r->context, EZLDA_ERROR_ARGUMENT,
                       "formula \"%s\": at most %d terms are possible", r->text, EZ_FORMULA_TERMS);
    uint32_t at = f->terms++;
    for (; at > 0 && f->term[at - 1].n > term->n; at--)
        f->term[at] = f->term[at - 1];
    f->term[at] = *term;
    return EZLDA_OK;
}

/* Reads a*b:c and adds its terms: the products of all choices of a and b:c. */
static ezlda_status read_product(reading *r)
{
    ez_term part[EZ_FORMULA_FACTORS] = {{0}};
    uint32_t parts = 0;
    do {
        if (parts == EZ_FORMULA_FACTORS)
            return fail(r, "at most three factors");
        do {
            ez_term one = {.n = 1};
            EZ_TRY(read_factor(r, &one.variable[0]));
            EZ_TRY(multiply(r, &part[parts], &one));
        } while (take(r, ':'));
        parts++;
    } while (take(r, '*'));
    for (uint32_t chosen = 1; chosen < 1u << parts; chosen++) {
        ez_term term = {0};
        for (uint32_t i = 0; i < parts; i++)
            if (chosen >> i & 1)
                EZ_TRY(multiply(r, &term, &part[i]));
        EZ_TRY(add_term(r, &term));
    }
    return EZLDA_OK;
}

ezlda_status ez_formula_read(ez_formula *formula, ezlda_context *context, const char *text)
{
    reading r = {formula, context, text, text};
    *formula = (ez_formula){0};
    skip(&r);
    if (strncmp(r.at, "share", 5) == 0 && strchr(text, '~'))
        r.at += 5;
    if (strchr(text, '~') && !take(&r, '~'))
        return fail(&r, "share ~ and the terms");
    do
        EZ_TRY(read_product(&r));
    while (take(&r, '+'));
    skip(&r);
    return *r.at ? fail(&r, "'+', '*', ':' or the end") : EZLDA_OK;
}
