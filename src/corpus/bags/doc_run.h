/* Encoded documents in sequence: a thread prepares them, and the corpus builder appends them in
 * order. */
#ifndef EZ_DOC_RUN_H
#define EZ_DOC_RUN_H

#include "base/memory.h"

typedef struct ez_doc_entry {
    uint64_t bytes, pairs, tokens;
    uint64_t order_bytes;
} ez_doc_entry;

/* Zero-initialise; ez_doc_run_clear to use it again, ez_doc_run_free at the end. */
typedef struct ez_doc_run {
    ez_buffer bytes;   /* documents as in doc_code.h */
    ez_buffer entries; /* ez_doc_entry each */
    ez_buffer order;   /* order of the tokens (docs/formats.md); empty if it is not kept */
    ez_buffer values;  /* by document, the values of all fields, each ended by NUL; empty: all "" */
} ez_doc_run;

/* Adds a document: n pairs, words strictly ascending, counts at least 1. */
ezlda_status ez_doc_run_add(ez_doc_run *run, ezlda_context *context, const uint32_t *word,
                            const uint32_t *count, size_t n);
/* Adds n empty documents. */
ezlda_status ez_doc_run_add_empty(ez_doc_run *run, ezlda_context *context, uint64_t n);
/* Adds the order of the tokens of the last document: the index of the pair of each token. */
ezlda_status ez_doc_run_add_order(ez_doc_run *run, ezlda_context *context, const uint32_t *pair_of,
                                  size_t tokens);
/* Adds the next value of the last document. Each document gets as many as the builder has fields,
 * or no document has any. */
ezlda_status ez_doc_run_add_value(ez_doc_run *run, ezlda_context *context, const char *text,
                                  size_t n);
size_t ez_doc_run_docs(const ez_doc_run *run);
void ez_doc_run_clear(ez_doc_run *run);
void ez_doc_run_free(ez_doc_run *run);

/* Sorts *n pairs by word, adds up counts of the same word and removes counts of 0, in place; *n
 * becomes the number that remains. A count over 2^32-1 is an error: "PATH: UNIT NUMBER: ...".
 * scratch: zero-initialised, freed by the caller. */
ezlda_status ez_pairs_tidy(ezlda_context *context, uint32_t *word, uint32_t *count, size_t *n,
                           ez_buffer *scratch, const char *path, const char *unit, uint64_t number);

#endif
