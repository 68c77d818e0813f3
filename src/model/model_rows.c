/* Looks up single counts and copies rows of the model. */
#include "model/model_rows.h"

uint32_t ez_rows_large_count(const ez_rows *rows, uint64_t entry)
{
    size_t low = 0, high = rows->n_large;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (rows->large[middle].entry < entry)
            low = middle + 1;
        else
            high = middle;
    }
    return low < rows->n_large && rows->large[low].entry == entry ? (uint32_t)rows->large[low].count
                                                                  : 0;
}

uint32_t ez_rows_find(const ez_rows *rows, uint64_t row, uint32_t topic)
{
    uint64_t low = rows->start[row], end = rows->start[row + 1], high = end;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (rows->topic[middle] < topic)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && rows->topic[low] == topic ? ez_rows_count(rows, low) : 0;
}

size_t ez_rows_copy(const ez_rows *rows, uint64_t row, uint32_t *topic, uint32_t *count,
                    size_t capacity)
{
    uint64_t first = rows->start[row];
    size_t n = (size_t)(rows->start[row + 1] - first);
    for (size_t i = 0; i < n && i < capacity; i++) {
        topic[i] = rows->topic[first + i];
        count[i] = ez_rows_count(rows, first + i);
    }
    return n;
}
