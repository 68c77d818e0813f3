/* Rows of counts as the model file keeps them: 3 bytes per entry, usable as mapped. Row r is
 * entries start[r] .. start[r+1]-1, topics ascending. A count of 1 to 255 is its byte. A byte of 0
 * stands for a larger count, which is found by the entry's number among the large counts (16 bytes
 * each, entries ascending). */
#ifndef EZ_MODEL_ROWS_H
#define EZ_MODEL_ROWS_H

#include <stddef.h>
#include <stdint.h>

enum { EZ_SMALL_COUNT_MAX = 255 };

typedef struct ez_large_count {
    uint64_t entry;
    uint64_t count; /* 256 to 2^32-1 */
} ez_large_count;

typedef struct ez_rows {
    uint64_t rows, entries;
    const uint64_t *start;
    const uint16_t *topic;
    const uint8_t *count;
    const ez_large_count *large;
    size_t n_large;
} ez_rows;

/* The count of an entry whose byte is 0. */
uint32_t ez_rows_large_count(const ez_rows *rows, uint64_t entry);

static inline uint32_t ez_rows_count(const ez_rows *rows, uint64_t entry)
{
    uint8_t count = rows->count[entry];
    return count ? count : ez_rows_large_count(rows, entry);
}

/* The count of a topic in a row; 0 if it has none. */
uint32_t ez_rows_find(const ez_rows *rows, uint64_t row, uint32_t topic);

/* Copies at most `capacity` entries of a row; returns how many the row has. */
size_t ez_rows_copy(const ez_rows *rows, uint64_t row, uint32_t *topic, uint32_t *count,
                    size_t capacity);

#endif
