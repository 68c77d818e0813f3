/* Which words groups of documents use differently within a topic: log odds of a word in a group
 * against all other groups, with an informative Dirichlet prior (the topic's own words) and a
 * standard error, averaged over the samples of a chain. */
#ifndef EZ_GROUP_WORDS_H
#define EZ_GROUP_WORDS_H

#include "posterior/chain.h"

/* EZ_WORD_CANDIDATES: the most frequent words of each topic are compared. EZ_WORD_PRIOR: the prior
 * is worth this many tokens. */
enum { EZ_WORD_CANDIDATES = 1000, EZ_WORD_PRIOR = 500 };

typedef struct ez_group_words {
    const ezlda_model *model;
    uint32_t groups, topics, n_words; /* n_words: of the model */
    const uint32_t *topic;            /* topics */
    const uint16_t *group;            /* documents; UINT16_MAX: none */
    uint32_t *place;     /* by the model's topics: position among `topic`, or UINT32_MAX */
    uint32_t *start;     /* topics+1: candidates of each topic */
    uint32_t *word;      /* candidates: the model's numbers */
    uint16_t *candidate; /* topics x n_words: position among a topic's candidates, or UINT16_MAX */
    uint32_t *count;     /* groups x candidates: of the present sample */
    uint64_t *tokens;    /* groups x topics: the same for all words */
    double *mean, *square, *variance, *tokens_mean; /* over samples */
    double *counts_mean;
    uint32_t samples;
} ez_group_words;

/* group and topic must outlive it. Zero-initialise; free also after an error. */
ezlda_status ez_group_words_open(ez_group_words *g, ezlda_context *context,
                                 const ezlda_model *model, const uint32_t *topic, uint32_t topics,
                                 const uint16_t *group, uint32_t groups);
ezlda_status ez_group_words_add(ez_group_words *g, ezlda_context *context, const ez_chain *chain);
void ez_group_words_free(ez_group_words *g);

/* The n words that a group uses more than the others, by falling log odds / error; returns how many
 * there are with at least one token. */
size_t ez_group_words_top(const ez_group_words *g, uint32_t topic, uint32_t group,
                          ezlda_group_word *out, size_t n);

#endif
