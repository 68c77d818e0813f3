/* Pairs of numbers to numbers: a hash table for neighbouring words. Beside string_table.h because a
 * pair is looked up for almost every token, and its key needs no memory of its own. */
#ifndef EZ_PAIR_TABLE_H
#define EZ_PAIR_TABLE_H

#include "base/memory.h"

#define EZ_NO_PAIR UINT32_MAX

typedef struct ez_pair_slot {
    uint64_t key; /* UINT64_MAX: the slot is free */
    uint32_t id;
} ez_pair_slot;

/* Zero-initialise; free with ez_pair_table_free. A filled table may be searched by several threads.
 */
typedef struct ez_pair_table {
    ez_pair_slot *slots;
    size_t mask; /* number of slots - 1; that number is a power of two */
    uint32_t n;
} ez_pair_table;

static inline uint64_t ez_pair_key(uint32_t left, uint32_t right)
{
    return (uint64_t)left << 32 | right;
}

static inline uint64_t ez_pair_hash(uint64_t key)
{
    key = (key ^ key >> 32) * 0xd6e8feb86659fd93u;
    key = (key ^ key >> 32) * 0xd6e8feb86659fd93u;
    return key ^ key >> 32;
}

/* Finds the number of a pair, or adds it with the next number (*added). */
ezlda_status ez_pair_table_add(ez_pair_table *pairs, ezlda_context *context, uint64_t key,
                               uint32_t *id, bool *added);
/* The number of a pair; EZ_NO_PAIR if it is not in the table. */
uint32_t ez_pair_table_find(const ez_pair_table *pairs, uint64_t key);
void ez_pair_table_free(ez_pair_table *pairs);

#endif
