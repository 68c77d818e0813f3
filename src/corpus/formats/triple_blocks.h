/* A block of triples, parsed by one thread: its whole documents are encoded; the first and the last
 * one stay open, because they may continue in the neighbouring blocks. If documents are out of
 * order, the block holds plain triples instead. */
#ifndef EZ_TRIPLE_BLOCKS_H
#define EZ_TRIPLE_BLOCKS_H

#include "corpus/formats/triple_reader.h"

typedef struct ez_triple {
    uint32_t doc; /* counted from 0 */
    uint32_t word;
    uint32_t count;
} ez_triple;

/* The pairs of a document that may continue in the next block. */
typedef struct ez_open_doc {
    uint64_t doc;
    ez_buffer words, counts; /* uint32_t each */
} ez_open_doc;

typedef struct ez_triple_block {
    uint64_t n; /* triples */
    bool ordered;
    ez_open_doc first, last; /* ordered: last.doc = first.doc if there is only one document */
    ez_doc_run between;      /* ordered: the documents between first and last */
    ez_buffer triples;       /* not ordered */
    ez_buffer scratch;
} ez_triple_block;

/* Parses a block as ordered if it is, else as ez_parse_triples does. `block` is reused. */
ezlda_status ez_parse_ordered(ez_triple_block *block, ezlda_context *context,
                              const ez_triple_header *header, const char *path,
                              const ez_lines *lines);
/* Parses a block as plain triples. */
ezlda_status ez_parse_triples(ez_triple_block *block, ezlda_context *context,
                              const ez_triple_header *header, const char *path,
                              const ez_lines *lines);
void ez_triple_block_free(void *result);

/* Appends the pairs of another open document; sorts the pairs and adds the document to a run. */
ezlda_status ez_open_doc_add(ez_open_doc *open, ezlda_context *context, const ez_open_doc *more);
ezlda_status ez_open_doc_close(ez_open_doc *open, ezlda_context *context, const char *path,
                               ez_doc_run *run, ez_buffer *scratch);

/* Number of the line that holds triple i of a block. */
uint64_t ez_triple_line(const ez_lines *lines, uint64_t i);

/* Appends the pairs of a corpus as triples. */
ezlda_status ez_triples_of_corpus(ez_buffer *triples, ezlda_context *context,
                                  const ezlda_corpus *corpus);

/* Sorts triples by document and adds the documents, up to the last one that has a triple; frees the
 * triples. */
ezlda_status ez_build_from_triples(ez_corpus_builder *builder, ezlda_context *context,
                                   ez_buffer *triples, const char *path);

#endif
