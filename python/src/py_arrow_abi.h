/* The C data interface and the C stream interface of Apache Arrow: structs whose layout is a
 * published ABI, so that tables of other libraries are read without any of them. */
#ifndef PY_ARROW_ABI_H
#define PY_ARROW_ABI_H

#include <stdint.h>

/* The type of a column. A struct whose release is NULL is empty. */
typedef struct arrow_schema {
    const char *format, *name, *metadata;
    int64_t flags, n_children;
    struct arrow_schema **children, *dictionary;
    void (*release)(struct arrow_schema *);
    void *private_data;
} arrow_schema;

/* The values of a column. */
typedef struct arrow_array {
    int64_t length, null_count, offset, n_buffers, n_children;
    const void **buffers;
    struct arrow_array **children, *dictionary;
    void (*release)(struct arrow_array *);
    void *private_data;
} arrow_array;

/* Arrays of one type, one after the other; an empty one ends them. Calls return 0 or an errno. */
typedef struct arrow_stream {
    int (*get_schema)(struct arrow_stream *, arrow_schema *out);
    int (*get_next)(struct arrow_stream *, arrow_array *out);
    const char *(*get_last_error)(struct arrow_stream *);
    void (*release)(struct arrow_stream *);
    void *private_data;
} arrow_stream;

#endif
