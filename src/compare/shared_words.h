/* Counts the words that two topics have in common among their first ones. */
#ifndef EZ_SHARED_WORDS_H
#define EZ_SHARED_WORDS_H

#include "compare/topic_similarity.h"

/* Two models, and room for the first words of one topic of each. */
typedef struct ez_word_sharing {
    const ezlda_model *a, *b;
    const ez_common_words *common;
    size_t words;
    ezlda_scored *first[2];
    uint32_t *mark; /* for each word of b: the last call, from 1, that marked it */
    uint32_t marks;
} ez_word_sharing;

ezlda_status ez_word_sharing_init(ez_word_sharing *sharing, ezlda_context *context,
                                  const ezlda_model *a, const ezlda_model *b,
                                  const ez_common_words *common, size_t words);
void ez_word_sharing_free(ez_word_sharing *sharing);

/* *both: words among the first of both topics; *either: words among the first of at least one. */
ezlda_status ez_share_words(ez_word_sharing *sharing, ezlda_context *context, uint32_t topic_a,
                            uint32_t topic_b, uint32_t *both, uint32_t *either);

#endif
