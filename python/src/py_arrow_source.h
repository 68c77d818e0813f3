/* A table of Arrow as records: what py_arrow.c and py_arrow_source.c share. */
#ifndef PY_ARROW_SOURCE_H
#define PY_ARROW_SOURCE_H

#include "py_arrow_column.h"
#include "py_ezlda.h"

/* Rows that are handed over at a time. */
enum { PY_ARROW_ROWS = 1024 };

/* A column that is read. */
typedef struct arrow_column {
    char *name;
    arrow_type type;
    int64_t child; /* child array of the rows */
} arrow_column;

/* The tables that an object gives, one or several of the same columns. */
typedef struct arrow_source {
    PyObject *objects; /* an iterator of the tables after this one, or NULL */
    arrow_stream stream;
    arrow_schema schema;
    arrow_array batch;
    int64_t row;   /* the next one of the batch */
    uint64_t done; /* rows before the batch */
    arrow_column *column;
    uint32_t columns;
    arrow_arena arena;
    ezlda_text *values;
    char wrong[512]; /* what is wrong with the table; "": nothing */
} arrow_source;

typedef struct arrow_reading {
    py_call call;
    arrow_source *source;
} arrow_reading;

/* Opens an object of Arrow, or the first of an iterable of them. Returns 0, or -1 with an
 * exception. */
int py_arrow_open(arrow_source *s, PyObject *object);
/* Releases the table; needs no GIL. */
void py_arrow_drop(arrow_source *s);

/* The columns of the table; an array alone is one column. */
int64_t py_arrow_columns(const arrow_schema *schema);
const arrow_schema *py_arrow_column_schema(const arrow_schema *schema, int64_t i);
const char *py_arrow_name(const arrow_schema *schema); /* "" for none */

/* Checks the batch; on failure s->wrong says what is wrong. */
bool py_arrow_check(arrow_source *s);
/* An ezlda_records_fn whose user pointer is an arrow_reading. */
int py_arrow_hand_over(ezlda_records *records, void *user);

#endif
