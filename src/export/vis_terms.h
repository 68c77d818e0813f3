/* The numbers that pyLDAvis computes from a model before it draws: topics by size, expected counts,
 * salient and relevant words.
 *
 * They are the same as those that pyLDAvis.prepare computes from p(word | topic) and the documents'
 * shares and lengths, but are made from the sparse counts without dense matrices. */
#ifndef EZ_VIS_TERMS_H
#define EZ_VIS_TERMS_H

#include "model/topic_index.h"

/* The words of a topic that are among the first for some lambda, in the order in which they first
 * are. */
typedef struct ez_vis_topic {
    uint32_t *word;
    double *log_p, *log_lift; /* log p(word | topic), and that minus log p(word) */
    double *tokens;           /* expected tokens of the word in the topic */
    uint32_t n;
} ez_vis_topic;

typedef struct ez_vis {
    const ezlda_model *model;
    const ez_topic_index *index;
    uint32_t words; /* R: words shown of a topic */
    double lambda_step;
    double *topic_tokens; /* expected tokens of each topic; this and the next two by the model's
                             numbers */
    double *topic_share;  /* share of all expected tokens */
    double *none;         /* p(word | topic) of a word without a token */
    uint32_t *order;      /* topics by falling share */
    double *word_tokens;  /* expected tokens of each word */
    double all_tokens;
    uint32_t *rare;      /* words by rising expected tokens */
    uint32_t *salient;   /* the R most salient words */
    ez_vis_topic *topic; /* by the model's numbers */
} ez_vis;

/* Computes everything; ez_vis_free also after an error. */
ezlda_status ez_vis_make(ez_vis *vis, ezlda_context *context, const ezlda_model *model,
                         uint32_t words, double lambda_step);
void ez_vis_free(ez_vis *vis);

/* For vis_terms.c: fills *out with the relevant words of a topic. */
ezlda_status ez_vis_relevance(const ez_vis *vis, ezlda_context *context, uint32_t topic,
                              ez_vis_topic *out);

#endif
