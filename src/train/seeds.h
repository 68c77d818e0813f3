/* Seeds: words that topics start with and lean to, as base counts and as topics to start from. */
#ifndef EZ_SEEDS_H
#define EZ_SEEDS_H

#include "backend/backend.h"

typedef struct ez_seeds {
    ez_base_counts counts;
    uint64_t *start;
    uint16_t *topic;
    uint32_t *count;
} ez_seeds;

/* Zero-initialise before; free also on failure. Seeds that are no words of the corpus, nor become
 * some by the rules of its text, are left out with a note; that none is there, or a topic that is
 * not below K, is an error. */
ezlda_status ez_seeds_make(ez_seeds *seeds, ezlda_context *context, const ezlda_corpus *corpus,
                           const ez_token_list *tokens, const ezlda_train_options *options);
void ez_seeds_free(ez_seeds *seeds);

/* The start that the settings ask for, in document order, but that tokens of seeds begin in their
 * topics. The token list must be indexed. */
ezlda_status ez_seeds_start(const ez_seeds *seeds, ezlda_context *context,
                            const ez_token_list *tokens, const ez_settings *settings,
                            uint16_t *topic);

#endif
