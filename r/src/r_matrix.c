/* Makes a corpus from a matrix of counts that R holds by columns or as triplets. Every value is
 * checked. */
#include "r_ezlda.h"

#include <math.h>
#include <stdio.h>

/* The nearest whole number if the value is that to a millionth, as counts are after a logarithm and
 * its inverse; otherwise the value. The Python package has the same rule. */
static double near_whole(double value)
{
    double whole = rint(value);
    return fabs(value - whole) <= 1e-6 * fmax(1, whole) ? whole : value;
}

/* Returns NULL if the value is a count, or what is wrong with it. */
static const char *flaw_of(double value)
{
    if (isnan(value))
        return "is NA; expected a count";
    if (value < 0)
        return "is negative; expected a count";
    if (value != floor(value))
        return "is not a whole number; expected counts, not shares, logarithms or tf-idf";
    return value > UINT32_MAX ? "is too large" : NULL;
}

/* A matrix: entry i has a row, a column and a value. */
typedef struct entries {
    size_t rows, columns, n;
    const int *row;          /* from `base` */
    const int *column_start; /* columns + 1, for entries by column; else NULL */
    const int *column;       /* from `base`, for triplets */
    int base;
    const double *value; /* or NULL: */
    const int *whole;
} entries;

static double value_of(const entries *m, size_t i)
{
    if (m->value)
        return near_whole(m->value[i]);
    return m->whole[i] == NA_INTEGER ? R_NaN : m->whole[i];
}

/* Checks the entries and counts those of each row into row_start[row + 1]. Returns NULL or a
 * failure. */
static SEXP count_rows(const entries *m, uint64_t *row_start)
{
    char text[200];
    for (size_t r = 0; r <= m->rows; r++)
        row_start[r] = 0;
    for (size_t c = 0; m->column_start && c < m->columns; c++)
        if (m->column_start[c] < 0 || m->column_start[c + 1] < m->column_start[c] ||
            (size_t)m->column_start[c + 1] > m->n)
            return r_failure(EZLDA_ERROR_ARGUMENT, "the matrix is damaged: its columns overlap");
    for (size_t i = 0; i < m->n; i++) {
        int row = m->row[i] - m->base;
        if (row < 0 || (size_t)row >= m->rows ||
            (m->column &&
             (m->column[i] < m->base || (size_t)(m->column[i] - m->base) >= m->columns)))
            return r_failure(EZLDA_ERROR_ARGUMENT,
                             "the matrix is damaged: an entry is outside its rows or columns");
        const char *flaw = flaw_of(value_of(m, i));
        if (flaw) {
            snprintf(text, sizeof text, "row %d: %.15g %s", row + 1, value_of(m, i), flaw);
            return r_failure(EZLDA_ERROR_ARGUMENT, text);
        }
        row_start[row + 1]++;
    }
    for (size_t r = 0; r < m->rows; r++)
        row_start[r + 1] += row_start[r];
    return NULL;
}

static void place(const entries *m, size_t i, uint32_t column, uint64_t *next, uint32_t *word,
                  uint32_t *count)
{
    uint64_t at = next[m->row[i] - m->base]++;
    word[at] = column;
    count[at] = (uint32_t)value_of(m, i);
}

/* matrix: a list of dim, row, column_start or column, value. words: the names of the columns. */
SEXP r_corpus_matrix(SEXP context, SEXP matrix, SEXP words)
{
    r_context *owner = r_context_of(context);
    const int *dim = INTEGER(VECTOR_ELT(matrix, 0));
    SEXP row = VECTOR_ELT(matrix, 1), start = VECTOR_ELT(matrix, 2), column = VECTOR_ELT(matrix, 3),
         value = VECTOR_ELT(matrix, 4);
    entries m = {.rows = (size_t)dim[0],
                 .columns = (size_t)dim[1],
                 .n = (size_t)Rf_xlength(row),
                 .row = INTEGER(row),
                 .column_start = start == R_NilValue ? NULL : INTEGER(start),
                 .column = column == R_NilValue ? NULL : INTEGER(column),
                 .base = column != R_NilValue,
                 .value = TYPEOF(value) == REALSXP ? REAL(value) : NULL,
                 .whole = TYPEOF(value) == INTSXP ? INTEGER(value) : NULL};
    ezlda_corpus *corpus = NULL;
    uint64_t *row_start = (uint64_t *)R_alloc(m.rows + 2, sizeof *row_start);
    SEXP failure = count_rows(&m, row_start);
    if (failure)
        return failure;
    uint64_t *next = (uint64_t *)R_alloc(m.rows + 1, sizeof *next);
    uint32_t *word = (uint32_t *)R_alloc(m.n + 1, sizeof *word);
    uint32_t *count = (uint32_t *)R_alloc(m.n + 1, sizeof *count);
    for (size_t r = 0; r < m.rows; r++)
        next[r] = row_start[r];
    for (size_t c = 0; m.column_start && c < m.columns; c++)
        for (int i = m.column_start[c]; i < m.column_start[c + 1]; i++)
            place(&m, (size_t)i, (uint32_t)c, next, word, count);
    for (size_t i = 0; m.column && i < m.n; i++)
        place(&m, i, (uint32_t)(m.column[i] - m.base), next, word, count);
    const char **names = r_strings(words);
    SEXP holder = PROTECT(r_holder(R_CORPUS));
    ezlda_status status = ezlda_corpus_from_csr(&corpus, owner->context, m.rows,
                                                (uint32_t)m.columns, row_start, word, count, names);
    UNPROTECT(1);
    if (status != EZLDA_OK)
        return r_failed(owner, status);
    R_SetExternalPtrAddr(holder, corpus);
    return holder;
}
