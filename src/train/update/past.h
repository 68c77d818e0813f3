/* The past of an update: what is left of a model's counts of words, to which the topics of new
 * documents are sampled. No document of the past is read again. */
#ifndef EZ_PAST_H
#define EZ_PAST_H

#include "backend/backend.h"
#include "model/model_layout.h"

typedef struct ez_past {
    const ezlda_model *model; /* that is updated */
    ez_model_past facts;      /* of the model to come */
    uint64_t most_frequent; /* tokens of the most frequent word, with those of the new documents */
    uint64_t key;           /* what the new model depends on, besides the corpus and the options */
    bool whole_rows;        /* the rows of words without new tokens are used: beta is fitted */
    uint64_t draws;         /* key of the random numbers that round counts */

    uint64_t *left; /* words of the model: tokens that are left of each */
    uint32_t words; /* of the new documents' corpus: those of the model that stay, then new ones */
    uint32_t *from; /* words: the model's number of each; EZ_NO_WORD: it is new */
    ez_count_rows rows; /* words: what is left of W */

    ez_base_counts base; /* of the last call of ez_past_base */
    uint64_t *base_start;
    uint16_t *base_topic;
    uint32_t *base_count;
} ez_past;

/* Decides how many tokens of each word are left: decay times as many, rounded up or down at random.
 * Zero-initialise before; ez_past_free also on failure. decay: above 0, at most 1. */
ezlda_status ez_past_forget(ez_past *past, ezlda_context *context, const ezlda_model *model,
                            double decay, uint64_t seed);
/* Makes the rows of the past, once `words` and `from` are known. */
ezlda_status ez_past_rows(ez_past *past, ezlda_context *context);
/* Makes the base counts of a run on these tokens; they live as long as the past. Words without a
 * token in the new documents are drawn by no token: only the sums of their rows by topic matter, so
 * a few of them get the sums, and an iteration costs what the new documents cost. */
ezlda_status ez_past_base(ez_past *past, ezlda_context *context, const ez_token_list *tokens,
                          const ez_base_counts **base);
/* Adds the past to the W, n and sampled words of the new documents. */
ezlda_status ez_past_add(ez_past *past, ezlda_context *context, ez_model_parts *parts);
void ez_past_free(ez_past *past);

#endif
