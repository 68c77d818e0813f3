/* A hash table of byte strings, numbered 0, 1, ... in the order of their first appearance: words,
 * forms, phrases, names of fields. */
#ifndef EZ_STRING_TABLE_H
#define EZ_STRING_TABLE_H

#include "base/memory.h"

typedef struct ez_string_slot {
    uint64_t hash;
    uint32_t id; /* EZ_NO_STRING: the slot is free */
} ez_string_slot;

/* Zero-initialise; free with ez_strings_free. A filled table may be searched by several threads. */
typedef struct ez_strings {
    ez_string_slot *slots;
    size_t mask; /* number of slots - 1; that number is a power of two */
    uint32_t n;
    ez_buffer bytes;   /* all strings, each followed by a NUL that is not part of it */
    ez_buffer offsets; /* n+1 uint64_t: offsets into bytes */
} ez_strings;

#define EZ_NO_STRING UINT32_MAX

/* Finds the number of a string, or adds it with the next number (*added). */
ezlda_status ez_strings_add(ez_strings *table, ezlda_context *context, const void *bytes, size_t n,
                            uint32_t *id, bool *added);
/* The number of a string; EZ_NO_STRING if it is not in the table. */
uint32_t ez_strings_find(const ez_strings *table, const void *bytes, size_t n);
const char *ez_strings_get(const ez_strings *table, uint32_t id, size_t *n);
void ez_strings_free(ez_strings *table);

#endif
