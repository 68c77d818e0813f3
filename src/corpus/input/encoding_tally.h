/* Counts the encodings that were found, file by file, so that one note reports them all. */
#ifndef EZ_ENCODING_TALLY_H
#define EZ_ENCODING_TALLY_H

#include "base/context.h"
#include "corpus/input/encoding_guess.h"

enum { EZ_TALLY_ENCODINGS = 24 };

typedef struct ez_encoding_count {
    char name[EZ_ENCODING_NAME];
    uint64_t files;
    uint64_t lines; /* lines in this encoding of files that are UTF-8 otherwise */
} ez_encoding_count;

/* Zero-initialise. Tallies of several threads add up. */
typedef struct ez_encoding_tally {
    ez_encoding_count counts[EZ_TALLY_ENCODINGS];
    uint32_t n;
    /* The first line in another encoding: its block (for the order), file and line. */
    uint64_t first_block, first_line;
    char first_path[512];
    uint64_t misread; /* files that seem to be UTF-8, but are read in the encoding that was given */
    char misread_as[EZ_ENCODING_NAME];
} ez_encoding_tally;

void ez_encoding_tally_add(ez_encoding_tally *tally, const char *name, uint64_t files,
                           uint64_t lines);
void ez_encoding_tally_misread(ez_encoding_tally *tally, const char *encoding);
/* Says where lines in another encoding are. */
void ez_encoding_tally_place(ez_encoding_tally *tally, uint64_t block, const char *path,
                             uint64_t line);
void ez_encoding_tally_join(ez_encoding_tally *to, const ez_encoding_tally *from);
/* A note if a file is not UTF-8, a warning if lines of a file are not, or if a file was misread. */
void ez_encoding_tally_report(const ez_encoding_tally *tally, ezlda_context *context);

#endif
