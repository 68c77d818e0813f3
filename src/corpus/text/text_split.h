/* Cuts long texts into pieces, each of which becomes a document. */
#ifndef EZ_TEXT_SPLIT_H
#define EZ_TEXT_SPLIT_H

#include "base/context.h"

#include <stdbool.h>

/* words: about how many words a piece has; 0: pieces end at empty lines. */
typedef struct ez_split {
    bool used;
    uint32_t words;
} ez_split;

/* Reads "blank" or a number of words; NULL: texts stay whole. */
ezlda_status ez_split_parse(ez_split *split, ezlda_context *context, const char *text);

/* What is left of a text. */
typedef struct ez_pieces {
    const ez_split *split;
    char *at, *end;
    uint64_t weight, done; /* weight of the whole text, and of the text before `at` */
    uint64_t n, next;      /* number of pieces, and the next one (words only) */
} ez_pieces;

void ez_pieces_begin(ez_pieces *pieces, const ez_split *split, char *text, size_t n);
/* The next piece; false at the end. A text of spaces has no piece. */
bool ez_pieces_next(ez_pieces *pieces, char **text, size_t *n);

#endif
