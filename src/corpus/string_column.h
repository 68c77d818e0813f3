/* A column of strings: each ended by a NUL byte, with the offset of every sixteenth. */
#ifndef EZ_STRING_COLUMN_H
#define EZ_STRING_COLUMN_H

#include "corpus/input/spool.h"

enum { EZ_COLUMN_GROUP = 16 };

typedef struct ez_column {
    uint64_t n;
    const char *text;
    uint64_t bytes;
    const uint64_t *index; /* ez_column_groups(n)+1 offsets into text, the last one `bytes` */
} ez_column;

static inline uint64_t ez_column_groups(uint64_t n)
{
    return n / EZ_COLUMN_GROUP + (n % EZ_COLUMN_GROUP != 0);
}

/* String i, i < n. */
const char *ez_column_at(const ez_column *column, uint64_t i);

/* The first string that is not UTF-8 or out of place; n if there is none. After this, ez_column_at
 * cannot fail. */
uint64_t ez_column_check(const ez_column *column, int threads);

/* Builds a column: add strings, then seal. The column is valid as long as the builder. */
typedef struct ez_column_builder {
    ez_spool text;
    ez_buffer index;
    uint64_t n;
} ez_column_builder;

void ez_column_builder_init(ez_column_builder *builder);
/* Adds a string of n bytes, which need not be terminated. */
ezlda_status ez_column_builder_add(ez_column_builder *builder, ezlda_context *context,
                                   const char *text, size_t n);
ezlda_status ez_column_builder_seal(ez_column_builder *builder, ezlda_context *context,
                                    ez_column *column);
void ez_column_builder_free(ez_column_builder *builder);

#endif
