/* Reads `document word count` lines, the body of UCI and Matrix Market files. */
#ifndef EZ_TRIPLE_READER_H
#define EZ_TRIPLE_READER_H

#include "corpus/corpus.h"
#include "corpus/input/input.h"

typedef enum ez_triple_kind { EZ_TRIPLE_INTEGER, EZ_TRIPLE_REAL, EZ_TRIPLE_PATTERN } ez_triple_kind;

/* The header of a file of triples. */
typedef struct ez_triple_header {
    uint64_t docs, words, triples;
    uint64_t docs_line, words_line, triples_line; /* the lines of these numbers */
    ez_triple_kind kind;
    bool by_column; /* lines are `word document count` */
} ez_triple_header;

struct ez_vocabulary;
/* Names that are known besides the header. words NULL: looked for as in vocabulary_file.h; docs
 * NULL: documents have no names. */
typedef struct ez_triple_names {
    const struct ez_vocabulary *words, *docs;
} ez_triple_names;

/* Reads the rest of the input. Documents and words may come in any order; documents in order are
 * faster. Counts of the same pair add up; documents without a triple are empty. */
ezlda_status ez_read_triples(ezlda_corpus **out, ezlda_context *context, ez_input *input,
                             const ez_triple_header *header, const ezlda_import_options *options,
                             const ez_triple_names *names);

/* Fails if the numbers of a header are too large. */
ezlda_status ez_check_triple_header(ezlda_context *context, const ez_input *input,
                                    const ez_triple_header *header);

#endif
