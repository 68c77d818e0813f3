/* An open-addressing table of pairs; it is at most half full. */
#include "corpus/text/phrases/pair_table.h"

#include <string.h>

enum { FIRST_SLOTS = 256 };

/* The slot of a pair, or the free one where it belongs. The table is never full. */
static ez_pair_slot *slot_of(const ez_pair_table *pairs, uint64_t key)
{
    for (size_t at = (size_t)ez_pair_hash(key) & pairs->mask;; at = (at + 1) & pairs->mask) {
        ez_pair_slot *slot = &pairs->slots[at];
        if (slot->key == key || slot->key == UINT64_MAX)
            return slot;
    }
}

static ezlda_status grow(ez_pair_table *pairs, ezlda_context *context)
{
    size_t old = pairs->slots ? pairs->mask + 1 : 0;
    ez_pair_table grown = {NULL, (old ? old * 2 : FIRST_SLOTS) - 1, pairs->n};
    EZ_TRY(
        ez_array(&grown.slots, context, grown.mask + 1, sizeof *grown.slots, "a table of pairs"));
    memset(grown.slots, 0xff, (grown.mask + 1) * sizeof *grown.slots);
    for (size_t i = 0; i < old; i++)
        if (pairs->slots[i].key != UINT64_MAX)
            *slot_of(&grown, pairs->slots[i].key) = pairs->slots[i];
    ez_free(pairs->slots);
    *pairs = grown;
    return EZLDA_OK;
}

ezlda_status ez_pair_table_add(ez_pair_table *pairs, ezlda_context *context, uint64_t key,
                               uint32_t *id, bool *added)
{
    if (!pairs->slots || pairs->n >= (pairs->mask + 1) / 2)
        EZ_TRY(grow(pairs, context));
    ez_pair_slot *slot = slot_of(pairs, key);
    *added = slot->key == UINT64_MAX;
    if (*added) {
        if (pairs->n == EZ_NO_PAIR)
            return ez_fail(context, EZLDA_ERROR_UNSUPPORTED, "more than %u pairs of words",
                           EZ_NO_PAIR);
        *slot = (ez_pair_slot){key, pairs->n++};
    }
    *id = slot->id;
    return EZLDA_OK;
}

uint32_t ez_pair_table_find(const ez_pair_table *pairs, uint64_t key)
{
    if (!pairs->slots)
        return EZ_NO_PAIR;
    const ez_pair_slot *slot = slot_of(pairs, key);
    return slot->key == key ? slot->id : EZ_NO_PAIR;
}

void ez_pair_table_free(ez_pair_table *pairs)
{
    ez_free(pairs->slots);
    memset(pairs, 0, sizeof *pairs);
}
