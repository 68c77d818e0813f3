/* The state of a chain, which its files share: chain.c has the documents, phi_draw.c has phi. */
#ifndef EZ_CHAIN_STATE_H
#define EZ_CHAIN_STATE_H

#include "posterior/chain.h"
#include "posterior/topic_line.h"

struct ez_chain {
    const ezlda_model *model;
    const ezlda_corpus *corpus;
    ezlda_corpus *restored; /* owned; NULL: the corpus is used as it is */
    bool own;
    int threads;
    uint32_t topics, padded, words; /* words of the corpus */
    uint32_t *word_of;              /* the model's number of each word of the corpus */
    uint8_t *known;                 /* words */
    uint64_t blocks;
    uint64_t *before; /* blocks+1: known tokens before each block of the corpus */
    uint16_t *topic;  /* of these tokens */
    uint32_t *counts; /* words x padded: own W; NULL: the model's stays */
    float *phi;       /* words x padded: p(word | topic) */
    double beta;
    double *alpha; /* topics; 0: merged into another topic */
    ez_chain_prior_fn prior;
    const void *prior_user;
    uint64_t seed, step;
    ez_topic_lines_fn draw_topics;
};

/* phi as the model has it (drawn false), or drawn from its posterior given the counts. */
ezlda_status ez_chain_draw_phi(ez_chain *chain, ezlda_context *context, bool drawn);

#endif
