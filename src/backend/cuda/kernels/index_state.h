/* The state of the kernels that index the corpus and start the topics. Pointers are device
 * pointers. */
#ifndef EZ_INDEX_STATE_H
#define EZ_INDEX_STATE_H

#include "backend/cuda/kernels/device_state.h"

typedef struct ez_index_state {
    uint32_t docs, words, tokens, ranges;
    uint32_t *start;         /* docs: first token in the corpus' order, by the corpus' number */
    uint32_t *corpus_word;   /* tokens, in the corpus' document order */
    uint32_t *range_doc;     /* ranges + 1: first document */
    uint32_t *cursor;        /* ranges * words */
    uint32_t *doc_frequency; /* words */
    uint16_t *doc_topic;     /* tokens, in the device's document order */
    ez_device_doc *doc_of;
    uint32_t *word, *place, *doc, *word_start;
    uint16_t *topic;
    /* For the start. */
    uint32_t topics, first_doc;
    uint32_t piece; /* tokens per topic that a document starts in (sampler/start_pieces.h); 0:
                       every token starts at random */
    uint64_t key, doc_base, all_docs;
    long long *rarity; /* words: log2(docs / documents with the word), fixed point */
} ez_index_state;

#endif
