/* Seeds: words that are assigned to topics before training, as base counts and as topics before the
 * first iteration. */
#ifndef EZ_SEEDS_H
#define EZ_SEEDS_H

#include "backend/backend.h"

typedef struct ez_seeds {
    ez_base_counts counts;
    uint64_t *start;
    uint16_t *topic;
    uint32_t *count;
} ez_seeds;

/* Zero-initialise before; free also on failure. Seeds that are not words of the corpus, and do not
 * become words by the rules of its text, are ignored with a note. It is an error if none remains,
 * or if a topic is not below K. */
ezlda_status ez_seeds_make(ez_seeds *seeds, ezlda_context *context, const ezlda_corpus *corpus,
                           const ez_token_list *tokens, const ezlda_train_options *options);
void ez_seeds_free(ez_seeds *seeds);

/* Sets the topics that the settings ask for, in document order, except that tokens of seeds begin
 * in the topics of the seeds. The token list must be indexed. */
ezlda_status ez_seeds_start(const ez_seeds *seeds, ezlda_context *context,
                            const ez_token_list *tokens, const ez_settings *settings,
                            uint16_t *topic);

#endif
