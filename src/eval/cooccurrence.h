/* In how many documents, or windows of them, the words of topics occur, alone and two of a topic
 * together. Only what is asked for is counted: memory goes with the topics' pairs of words, not
 * with the vocabulary's. */
#ifndef EZ_COOCCURRENCE_H
#define EZ_COOCCURRENCE_H

#include "eval/coherence.h"

/* The words of topics that the corpus has, and their pairs: what two topics list is one word, and
 * one pair. Zero-initialise; free with ez_word_lists_free. */
typedef struct ez_word_lists {
    size_t topics;
    size_t *start;      /* topics+1: words of the topics before */
    size_t *pair_start; /* topics+1: ... and pairs, as ez_pair_of numbers them */
    uint32_t *word;     /* of each topic's positions: which of the distinct words */
    size_t *pair;       /* of each topic's pairs: which of the distinct pairs */
    uint32_t n_words;   /* distinct ones */
    size_t n_pairs;
    uint32_t *number;   /* of each word of the corpus: which of the distinct ones; UINT32_MAX: in no
                           topic */
    size_t *first_pair; /* n_words+1: distinct pairs whose larger word comes before */
    uint32_t *pair_with; /* n_pairs: the smaller word */
} ez_word_lists;

/* topics[t].words and .missing are set; a word without a token counts as left out. */
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
    uint64_t *word; /* of each distinct word: windows that hold it */
    uint64_t *pair; /* of each distinct pair: windows that hold both */
} ez_cooccurrence;

/* Counts in one pass, by all threads. window: tokens, 0: documents; else the corpus has its order.
 * Of the options whole_windows and watch are looked at. Zero-initialise; free with
 * ez_cooccurrence_free. */
ezlda_status ez_cooccurrence_count(ez_cooccurrence *out, ezlda_context *context,
                                   const ez_word_lists *lists, const ezlda_corpus *corpus,
                                   uint32_t window, const ez_quality_options *options);
void ez_cooccurrence_free(ez_cooccurrence *counts);

/* Windows are numbered by their first token, so a word is in spans of them. */
typedef struct ez_window_span {
    uint32_t from, to; /* both included */
} ez_window_span;

/* The spans of a word at n ascending positions; `last`: the document's last window. Writes at most
 * n, disjoint and ascending; returns how many. */
size_t ez_window_spans(const uint32_t *position, size_t n, uint32_t window, uint32_t last,
                       bool whole, ez_window_span *span);
/* Windows in the spans; windows in both of two. */
uint64_t ez_spans_length(const ez_window_span *span, size_t n);
uint64_t ez_spans_overlap(const ez_window_span *a, size_t n_a, const ez_window_span *b, size_t n_b);

#endif
