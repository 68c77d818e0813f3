/* Finds the n-th smallest of random keys. */
#ifndef EZ_SELECT_KEY_H
#define EZ_SELECT_KEY_H

#include <stddef.h>
#include <stdint.h>

/* Key number n (from 0) in ascending order, n < count; the keys are reordered. Quickselect: keys
 * are hashes, so the middle one is as good a pivot as any. */
static inline uint64_t ez_select_key(uint64_t *key, size_t count, size_t n)
{
    size_t low = 0, high = count - 1;
    while (low < high) {
        uint64_t pivot = key[low + (high - low) / 2];
        size_t i = low, j = high;
        for (;; i++, j--) {
            while (key[i] < pivot)
                i++;
            while (key[j] > pivot)
                j--;
            if (i >= j)
                break;
            uint64_t swap = key[i];
            key[i] = key[j];
            key[j] = swap;
        }
        if (n <= j)
            high = j;
        else
            low = j + 1;
    }
    return key[n];
}

#endif
