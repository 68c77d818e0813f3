/* Finds an optimal assignment with prices of columns. A row's gain from a column is its value minus
 * the price. Two invariants make the assignment optimal once every row has a column:
 * - an assigned row has its best gain in its own column;
 * - prices are not negative, and those of columns without a row are 0. */
#include "compare/assignment.h"

#include "base/memory.h"

#include <stdbool.h>

#define UNASSIGNED UINT32_MAX

typedef struct assignment {
    const uint32_t *values;
    uint32_t rows, cols;
    uint32_t *col_of_row, *row_of_col;
    int64_t *price;
    uint32_t *waiting; /* rows without a column */
    uint32_t n_waiting;
    int64_t *distance; /* this and the next three belong to one search; by column */
    uint32_t *before;  /* the row from which a column was reached */
    uint32_t *open;    /* columns whose distance is not final */
    uint32_t *closed;  /* columns whose distance is final, in order */
} assignment;

static int64_t loss(const assignment *a, uint32_t row, uint32_t col)
{
    return a->price[col] - (int64_t)a->values[(size_t)row * a->cols + col];
}

static void assign(assignment *a, uint32_t row, uint32_t col)
{
    a->col_of_row[row] = col;
    a->row_of_col[col] = row;
}

/* Gives each row its best column if that is free, at price 0. */
static void assign_best(assignment *a)
{
    for (uint32_t i = 0; i < a->rows; i++) {
        const uint32_t *value = a->values + (size_t)i * a->cols;
        uint32_t best = 0;
        for (uint32_t j = 1; j < a->cols; j++)
            best = value[j] > value[best] ? j : best;
        if (a->row_of_col[best] == UNASSIGNED)
            assign(a, i, best);
        else
            a->waiting[a->n_waiting++] = i;
    }
}

/* Finds the two columns in which a row loses least; cols >= 2. */
static void two_best(const assignment *a, uint32_t row, uint32_t col[2], int64_t lost[2])
{
    lost[0] = lost[1] = INT64_MAX;
    col[0] = col[1] = UNASSIGNED;
    for (uint32_t j = 0; j < a->cols; j++) {
        int64_t x = loss(a, row, j);
        if (x >= lost[1])
            continue;
        bool first = x < lost[0];
        lost[1] = first ? lost[0] : x;
        col[1] = first ? col[0] : j;
        lost[0] = first ? x : lost[0];
        col[0] = first ? j : col[0];
    }
}

/* A waiting row gets its best column at the price that makes the second best as good; the row that
 * loses it is next. If the two columns are equally good, the row gets one that is free, or keeps
 * waiting. Every step keeps the invariants, so their number may be limited: small differences would
 * need many. */
static void bid(assignment *a)
{
    uint64_t steps = 4 * (uint64_t)a->rows;
    uint32_t left = 0;
    for (uint32_t w = 0; w < a->n_waiting; w++) {
        uint32_t row = a->waiting[w];
        while (row != UNASSIGNED && steps) {
            uint32_t col[2];
            int64_t lost[2];
            steps--;
            two_best(a, row, col, lost);
            bool equal = lost[0] == lost[1];
            uint32_t chosen = equal && a->row_of_col[col[0]] != UNASSIGNED ? col[1] : col[0];
            uint32_t owner = a->row_of_col[chosen];
            if (equal && owner != UNASSIGNED)
                break;
            if (owner != UNASSIGNED)
                a->price[chosen] += lost[1] - lost[0];
            assign(a, row, chosen);
            row = owner;
        }
        if (row != UNASSIGNED)
            a->waiting[left++] = row;
    }
    a->n_waiting = left;
}

/* Reaches the open columns from a row, its losses there shifted by `offset`, and returns the
 * position in `open` of the nearest one: free ones first among equals, then the smaller number. */
static uint32_t reach(assignment *a, uint32_t row, int64_t offset, uint32_t n_open)
{
    uint32_t nearest = 0;
    int64_t least = INT64_MAX;
    bool least_free = false;
    for (uint32_t o = 0; o < n_open; o++) {
        uint32_t j = a->open[o];
        int64_t x = loss(a, row, j) + offset;
        if (x < a->distance[j]) {
            a->distance[j] = x;
            a->before[j] = row;
        }
        x = a->distance[j];
        if (x > least)
            continue;
        bool unowned = a->row_of_col[j] == UNASSIGNED;
        if (x == least && (least_free > unowned || (least_free == unowned && j > a->open[nearest])))
            continue;
        least = x;
        least_free = unowned;
        nearest = o;
    }
    return nearest;
}

/* Shifts columns along the path that ends in `col`; the start gets the first column of the path. */
static void shift_along(assignment *a, uint32_t start, uint32_t col)
{
    uint32_t row;
    do {
        row = a->before[col];
        uint32_t next = a->col_of_row[row];
        assign(a, row, col);
        col = next;
    } while (row != start);
}

/* Finds the cheapest path from a row to a free column over columns that others give up, and shifts
 * the columns along it. */
static void augment(assignment *a, uint32_t start)
{
    uint32_t n_open = a->cols, n_closed = 0, row = start, col;
    int64_t offset = 0;
    for (uint32_t j = 0; j < a->cols; j++) {
        a->distance[j] = INT64_MAX;
        a->open[j] = j;
    }
    for (;;) {
        uint32_t place = reach(a, row, offset, n_open);
        col = a->open[place];
        row = a->row_of_col[col];
        if (row == UNASSIGNED)
            break;
        a->open[place] = a->open[--n_open];
        a->closed[n_closed++] = col;
        offset = a->distance[col] - loss(a, row, col);
    }
    for (uint32_t c = 0; c < n_closed; c++)
        a->price[a->closed[c]] += a->distance[col] - a->distance[a->closed[c]];
    shift_along(a, start, col);
}

static void solve(assignment *a)
{
    for (uint32_t i = 0; i < a->rows; i++)
        a->col_of_row[i] = UNASSIGNED;
    for (uint32_t j = 0; j < a->cols; j++)
        a->row_of_col[j] = UNASSIGNED;
    assign_best(a);
    for (int pass = 0; pass < 2 && a->n_waiting; pass++)
        bid(a);
    for (uint32_t w = 0; w < a->n_waiting; w++)
        augment(a, a->waiting[w]);
}

ezlda_status ez_assign(ezlda_context *context, const uint32_t *values, uint32_t rows, uint32_t cols,
                       uint32_t *col_of_row)
{
    if (rows > cols)
        return ez_fail(context, EZLDA_ERROR_INTERNAL, "an assignment of %u rows to %u columns",
                       rows, cols);
    assignment a = {.values = values, .rows = rows, .cols = cols, .col_of_row = col_of_row};
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&a.row_of_col, context, cols, sizeof *a.row_of_col, "an assignment"));
    EZ_TRY_GOTO(ez_array_zero(&a.price, context, cols, sizeof *a.price, "an assignment"));
    EZ_TRY_GOTO(ez_array(&a.waiting, context, rows, sizeof *a.waiting, "an assignment"));
    EZ_TRY_GOTO(ez_array(&a.distance, context, cols, sizeof *a.distance, "an assignment"));
    EZ_TRY_GOTO(ez_array(&a.before, context, cols, sizeof *a.before, "an assignment"));
    EZ_TRY_GOTO(ez_array(&a.open, context, cols, sizeof *a.open, "an assignment"));
    EZ_TRY_GOTO(ez_array(&a.closed, context, cols, sizeof *a.closed, "an assignment"));
    solve(&a);
done:
    ez_free(a.row_of_col);
    ez_free(a.price);
    ez_free(a.waiting);
    ez_free(a.distance);
    ez_free(a.before);
    ez_free(a.open);
    ez_free(a.closed);
    return status;
}
