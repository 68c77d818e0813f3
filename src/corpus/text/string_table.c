/* An open-addressing table over XXH3 hashes; it is at most half full. */
#include "corpus/text/string_table.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { FIRST_SLOTS = 1024 };

static const uint64_t *offsets_of(const ez_strings *table)
{
    return (const uint64_t *)(const void *)table->offsets.data;
}

const char *ez_strings_get(const ez_strings *table, uint32_t id, size_t *n)
{
    const uint64_t *offset = offsets_of(table) + id;
    if (n)
        *n = (size_t)(offset[1] - offset[0]) - 1;
    return (const char *)table->bytes.data + offset[0];
}

void ez_strings_free(ez_strings *table)
{
    ez_free(table->slots);
    ez_free(table->bytes.data);
    ez_free(table->offsets.data);
    memset(table, 0, sizeof *table);
}

static bool equal(const ez_strings *table, uint32_t id, const void *bytes, size_t n)
{
    size_t length;
    const char *found = ez_strings_get(table, id, &length);
    return length == n && memcmp(found, bytes, n) == 0;
}

/* The slot of a string, or the free one where it belongs. The table is never full. */
static ez_string_slot *slot_of(const ez_strings *table, uint64_t hash, const void *bytes, size_t n)
{
    size_t at = (size_t)hash & table->mask;
    for (;; at = (at + 1) & table->mask) {
        ez_string_slot *slot = &table->slots[at];
        if (slot->id == EZ_NO_STRING || (slot->hash == hash && equal(table, slot->id, bytes, n)))
            return slot;
    }
}

static ezlda_status grow(ez_strings *table, ezlda_context *context)
{
    size_t count = table->slots ? (table->mask + 1) * 2 : FIRST_SLOTS;
    ez_string_slot *slots;
    EZ_TRY(ez_array(&slots, context, count, sizeof *slots, "a table of words"));
    memset(slots, 0xff, count * sizeof *slots);
    size_t old = table->slots ? table->mask + 1 : 0;
    for (size_t i = 0; i < old; i++) {
        const ez_string_slot *slot = &table->slots[i];
        if (slot->id == EZ_NO_STRING)
            continue;
        size_t at = (size_t)slot->hash & (count - 1);
        while (slots[at].id != EZ_NO_STRING)
            at = (at + 1) & (count - 1);
        slots[at] = *slot;
    }
    ez_free(table->slots);
    table->slots = slots;
    table->mask = count - 1;
    return EZLDA_OK;
}

static ezlda_status append(ez_strings *table, ezlda_context *context, const void *bytes, size_t n)
{
    uint64_t start = table->bytes.used, end = start + n + 1;
    if (table->n == EZ_NO_STRING - 1)
        return ez_fail(context, EZLDA_ERROR_UNSUPPORTED, "more than %u distinct words or phrases",
                       EZ_NO_STRING - 1);
    EZ_TRY(ez_buffer_reserve(&table->bytes, context, n + 1));
    if (!table->n)
        EZ_TRY(ez_buffer_append(&table->offsets, context, &start, sizeof start));
    EZ_TRY(ez_buffer_append(&table->offsets, context, &end, sizeof end));
    memcpy(table->bytes.data + start, bytes, n);
    table->bytes.data[start + n] = '\0';
    table->bytes.used = (size_t)end;
    return EZLDA_OK;
}

ezlda_status ez_strings_add(ez_strings *table, ezlda_context *context, const void *bytes, size_t n,
                            uint32_t *id, bool *added)
{
    if (!table->slots || table->n >= (table->mask + 1) / 2)
        EZ_TRY(grow(table, context));
    uint64_t hash = XXH3_64bits(bytes, n);
    ez_string_slot *slot = slot_of(table, hash, bytes, n);
    *added = slot->id == EZ_NO_STRING;
    if (*added) {
        EZ_TRY(append(table, context, bytes, n));
        slot->hash = hash;
        slot->id = table->n++;
    }
    *id = slot->id;
    return EZLDA_OK;
}

uint32_t ez_strings_find(const ez_strings *table, const void *bytes, size_t n)
{
    return table->slots ? slot_of(table, XXH3_64bits(bytes, n), bytes, n)->id : EZ_NO_STRING;
}
