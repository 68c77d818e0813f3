/* Triples whose documents come in any order. */
#ifndef EZ_TRIPLE_ORDER_H
#define EZ_TRIPLE_ORDER_H

#include "corpus/formats/triple_parse.h"

/* Appends a corpus' pairs. */
ezlda_status ez_triples_of_corpus(ez_buffer *triples, ezlda_context *context,
                                  const ezlda_corpus *corpus);

/* Sorts triples by document and adds the documents, up to the last one that has any; frees the
 * triples' memory. */
ezlda_status ez_build_from_triples(ez_corpus_builder *builder, ezlda_context *context,
                                   ez_buffer *triples, const char *path);

#endif
