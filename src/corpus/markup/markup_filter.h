/* Removes from the text of a record what is not prose: tags, URLs, e-mail addresses and encoded
 * files (uuencode, base64, PGP). Character entities become the characters that they name. Text
 * without any of these costs one quick scan. */
#ifndef EZ_MARKUP_FILTER_H
#define EZ_MARKUP_FILTER_H

#include "base/context.h"

/* What a filter removed so far. Counts of several filters add up. */
typedef struct ez_markup_counts {
    uint64_t docs; /* records that were changed */
    uint64_t tags, entities, urls, addresses;
    uint64_t lines; /* lines of encoded files and keys */
} ez_markup_counts;

/* Cleans n bytes of valid UTF-8 in place and returns how many are left, which are valid UTF-8. */
size_t ez_markup_clean(char *text, size_t n, ez_markup_counts *counts);

void ez_markup_counts_add(ez_markup_counts *to, const ez_markup_counts *from);
/* Reports in one note what was removed; nothing if nothing was. docs: number of all records. */
void ez_markup_note(ezlda_context *context, const ez_markup_counts *counts, uint64_t docs);

#endif
