/* How similar the topics of two models are.
 *
 * The similarity of two topics is the Bhattacharyya coefficient of their words: the sum over all
 * words of sqrt(p(word | a) * p(word | b)), where p are shares of the topic's tokens. It is 1 for
 * the same distribution, 0 if the topics have no word in common, and 1 minus the square of the
 * Hellinger distance. Only words with tokens in both topics add to it, so that the table of all
 * pairs is a product of two sparse tables. bench/notes/quality.md says why this measure was chosen.
 *
 * All sums are of integers, so they do not depend on the number of threads or on the order of the
 * models. */
#ifndef EZ_TOPIC_SIMILARITY_H
#define EZ_TOPIC_SIMILARITY_H

#include "compare/assignment.h"
#include "model/word_map.h"

#define EZ_SAME EZ_VALUE_MOST /* the similarity 1 */

/* Words of two models matched by their text. */
typedef struct ez_common_words {
    uint32_t *in_b; /* for each word of a its number in b, or EZ_NO_WORD */
    uint32_t n;     /* words of both */
    uint32_t only_a, only_b;
    uint64_t tokens_only_a, tokens_only_b;
} ez_common_words;

/* Zero-initialise; in_b is freed with ez_free, also after an error. EZLDA_ERROR_ARGUMENT if there
 * is no common word. */
ezlda_status ez_common_words_find(ez_common_words *common, ezlda_context *context,
                                  const ezlda_model *a, const ezlda_model *b);

/* table[i * topics of b + j]: the similarity of topic i of a and topic j of b, with EZ_SAME for 1.
 * Topics without tokens have the similarity 1 with each other and 0 with all others. */
ezlda_status ez_topic_similarities(uint32_t *table, ezlda_context *context, const ezlda_model *a,
                                   const ezlda_model *b, const ez_common_words *common);

#endif
