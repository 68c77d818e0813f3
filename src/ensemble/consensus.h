/* The consensus of several models of one corpus: the state shared by the files of this room. */
#ifndef EZ_CONSENSUS_H
#define EZ_CONSENSUS_H

#include "model/model_layout.h"
#include "tokens/token_list.h"

typedef struct ez_consensus {
    ezlda_context *context;
    const ezlda_corpus *corpus;
    const ezlda_model *const *models;
    uint32_t members, topics;
    double threshold;
    uint32_t *label;       /* members * topics: the topic of the consensus that a topic became */
    ez_token_list *tokens; /* of the corpus */
} ez_consensus;

/* member_labels.c: gives the topics of all members the numbers of their partners in the member that
 * is most like the others. */
ezlda_status ez_consensus_begin(ez_consensus *c);
/* member_labels.c: matches all members with a model again; *changed: whether a topic got another
 * number. */
ezlda_status ez_consensus_match(ez_consensus *c, const ezlda_model *with, bool *changed);

/* consensus_votes.c: each token's topic, in document order, by the votes of the members. */
ezlda_status ez_consensus_vote(const ez_consensus *c, uint16_t *topic);

/* consensus_words.c: the sum of the members' words of topics, and over how many samples it is. */
ezlda_status ez_consensus_words(const ez_consensus *c, ez_count_rows *rows, uint32_t *samples);
/* consensus_words.c: found[k]: in how many members topic k is at least as similar to the consensus
 * of the others as the threshold says. */
ezlda_status ez_consensus_found(const ez_consensus *c, const ezlda_model *consensus,
                                uint32_t *found);

#endif
