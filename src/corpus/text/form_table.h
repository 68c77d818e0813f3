/* Short byte strings (1 to 15 bytes) to numbers, each in one slot of its own: the look-up of almost
 * every token of a text is one cache line. */
#ifndef EZ_FORM_TABLE_H
#define EZ_FORM_TABLE_H

#include "base/memory.h"

#include <string.h>

enum { EZ_SHORT_FORM = 15 };

/* The bytes, zeros after them, the length in the last byte: never all zero. */
typedef struct ez_form_key {
    uint64_t low, high;
} ez_form_key;

typedef struct ez_form_slot {
    ez_form_key key; /* all zero: free */
    uint32_t value;
} ez_form_slot;

/* Zero-initialise; ez_free(slots) at the end. */
typedef struct ez_forms {
    ez_form_slot *slots;
    size_t mask, n;
} ez_forms;

/* The key of a form of n bytes, 1 to 15, in a text that ends at `end`. */
static inline ez_form_key ez_form_key_of(const char *form, size_t n, const char *end)
{
    ez_form_key key = {0, 0};
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if ((size_t)(end - form) >= sizeof key) {
        memcpy(&key, form, sizeof key);
        if (n < 8) {
            key.low &= ((uint64_t)1 << 8 * n) - 1;
            key.high = 0;
        } else {
            key.high &= ((uint64_t)1 << 8 * (n - 8)) - 1;
        }
    } else {
        memcpy(&key, form, n);
    }
    key.high |= (uint64_t)n << 56;
#else
    (void)end;
    memcpy(&key, form, n);
    ((unsigned char *)&key)[15] = (unsigned char)n;
#endif
    return key;
}

static inline size_t ez_form_hash(ez_form_key key)
{
    __extension__ typedef unsigned __int128 wide;
    wide x = (wide)(key.low ^ 0xa0761d6478bd642fu) * (key.high ^ 0xe7037ed1a0b428dbu);
    return (size_t)((uint64_t)x ^ (uint64_t)(x >> 64));
}

/* The form's slot, or the free one where it belongs (ez_forms_reserve saw to it); hash is
 * ez_form_hash(key). */
static inline ez_form_slot *ez_forms_slot(const ez_forms *forms, ez_form_key key, size_t hash)
{
    for (size_t at = hash & forms->mask;; at = (at + 1) & forms->mask) {
        ez_form_slot *slot = &forms->slots[at];
        if ((slot->key.low == key.low && slot->key.high == key.high) || !slot->key.high)
            return slot;
    }
}

/* Makes sure that one more form finds a free slot; slots found before are no longer valid. */
ezlda_status ez_forms_reserve(ez_forms *forms, ezlda_context *context);

#endif
