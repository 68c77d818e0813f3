/* Columns of Arrow as texts. */
#ifndef PY_ARROW_COLUMN_H
#define PY_ARROW_COLUMN_H

#include "py_arrow_abi.h"

#include "ezlda.h"

#include <stdbool.h>

/* Memory for values that are made from others; all of it is freed at once. */
typedef struct arrow_arena {
    struct arrow_arena_block *first;
} arrow_arena;
void arrow_arena_clear(arrow_arena *arena);

typedef enum arrow_kind {
    ARROW_OTHER, /* has no text form */
    ARROW_NULL,
    ARROW_TEXT,
    ARROW_VIEW,
    ARROW_LIST, /* a list of texts */
    ARROW_SIGNED,
    ARROW_UNSIGNED,
    ARROW_BOOL,
    ARROW_REAL,
    ARROW_DATE,
    ARROW_TIME
} arrow_kind;

/* What a format says. */
typedef struct arrow_type {
    arrow_kind kind;
    int width;       /* bytes of an offset or a number; 0: a list of fixed size */
    int64_t size;    /* items of a list of fixed size; units per second, or per day of a date */
    bool zone;       /* a time of a time zone, in UTC */
    int index_width; /* bytes of an index into a dictionary; 0: none */
    bool index_is_signed;
    arrow_kind item;      /* list: text, view or null; */
    int item_width;       /* bytes of an offset of an item's text */
    int item_index_width; /* bytes of an index into the items' dictionary */
    bool item_index_is_signed;
} arrow_type;

void arrow_type_read(arrow_type *type, const arrow_schema *schema);
/* A name such as "list<string>". */
void arrow_type_name(const arrow_schema *schema, char *name, size_t size);

/* Returns NULL, or what is wrong with an array of this type. */
const char *arrow_array_wrong(const arrow_type *type, const arrow_array *array);
/* Gives a value as text; a missing one is "". The items of a list end with U+001F. Returns NULL, or
 * what is wrong. The array must have been checked, and row must be below its length. */
const char *arrow_value(const arrow_type *type, const arrow_array *array, int64_t row,
                        arrow_arena *arena, ezlda_text *out);

/* Whether a row of any array is missing. */
bool arrow_is_null(const arrow_array *array, int64_t row);

#endif
