/* Counts in how many documents, or windows of documents, the words of topics occur, alone and in
 * pairs of one topic. Only these words and pairs are counted, so memory grows with the pairs of
 * words in topics, not with the vocabulary. */
#ifndef EZ_COOCCURRENCE_H
#define EZ_COOCCURRENCE_H

#include "eval/coherence.h"

/* The words of topics that are in the corpus, and their pairs. A word or pair of several topics is
 * counted once. Zero-initialise; free with ez_word_lists_free. */
typedef struct ez_word_lists {
    size_t topics;
    size_t *start;      /* topics+1: words of all topics before */
    size_t *pair_start; /* topics+1: pairs of all topics before, numbered by ez_pair_of */
    uint32_t *word;     /* for each topic's positions: the number of the distinct word */
    size_t *pair;       /* for each topic's pairs: the number of the distinct pair */
    uint32_t n_words;   /* distinct words */
    size_t n_pairs;
    uint32_t *number;    /* for each word of the corpus: its number among the distinct words;
                            UINT32_MAX: in no topic */
    size_t *first_pair;  /* n_words+1: distinct pairs whose larger word comes before */
    uint32_t *pair_with; /* n_pairs: the smaller word */
} ez_word_lists;

/* Sets topics[t].words and .missing; a word without a token in the corpus counts as missing. */
ezlda_status ez_word_lists_build(ez_word_lists *lists, ezlda_context *context,
                                 const ez_topic_words *words, size_t n_topics, uint32_t most,
                                 const ezlda_corpus *corpus, ez_topic_quality *topics);
void ez_word_lists_free(ez_word_lists *lists);

/* The pair of positions i < j among a topic's pairs. */
static inline size_t ez_pair_of(size_t i, size_t j)
{
    return j * (j - 1) / 2 + i;
}

typedef struct ez_cooccurrence {
    uint64_t windows;
    uint64_t *word; /* for each distinct word: windows that hold it */
    uint64_t *pair; /* for each distinct pair: windows that hold both */
} ez_cooccurrence;

/* Counts in one pass, with all threads. window: in tokens; 0: documents. For windows the corpus
 * must have kept the order of its tokens. Only the options whole_windows and watch are used.
 * Zero-initialise; free with ez_cooccurrence_free. */
ezlda_status ez_cooccurrence_count(ez_cooccurrence *out, ezlda_context *context,
                                   const ez_word_lists *lists, const ezlda_corpus *corpus,
                                   uint32_t window, const ez_quality_options *options);
void ez_cooccurrence_free(ez_cooccurrence *counts);

/* Windows are numbered by their first token, so a word is in spans of consecutive windows. */
typedef struct ez_window_span {
    uint32_t from, to; /* both included */
} ez_window_span;

/* The spans of a word at n ascending positions; `last`: the document's last window. Writes at most
 * n, disjoint and ascending; returns how many. */
size_t ez_window_spans(const uint32_t *position, size_t n, uint32_t window, uint32_t last,
                       bool whole, ez_window_span *span);
/* The number of windows in the spans, and in both of two lists of spans. */
uint64_t ez_spans_length(const ez_window_span *span, size_t n);
uint64_t ez_spans_overlap(const ez_window_span *a, size_t n_a, const ez_window_span *b, size_t n_b);

#endif
