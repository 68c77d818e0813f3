/* What pyLDAvis computes from a model before it draws: topics by size, expected counts, salient and
 * relevant words.
 *
 * The same figures as pyLDAvis.prepare gives for p(word | topic), the documents' shares and
 * lengths; but from the counts that are there, never from dense matrices. */
#ifndef EZ_VIS_TERMS_H
#define EZ_VIS_TERMS_H

#include "model/topic_index.h"

/* The words of a topic that come among the first for some lambda, in the order in which they first
 * do. */
typedef struct ez_vis_topic {
    uint32_t *word;
    double *log_p, *log_lift; /* log p(word | topic); less log p(word) */
    double *tokens;           /* expected tokens of the word in the topic */
    uint32_t n;
} ez_vis_topic;

typedef struct ez_vis {
    const ezlda_model *model;
    const ez_topic_index *index;
    uint32_t words; /* R: words shown of a topic */
    double lambda_step;
    double *topic_tokens; /* expected tokens of each topic, by the model's numbers, as are: */
    double *topic_share;  /* ... their share */
    double *none;         /* p(word | topic) of a word without a token */
    uint32_t *order;      /* topics by falling share */
    double *word_tokens;  /* expected tokens of each word */
    double all_tokens;
    uint32_t *rare;      /* words by rising expected tokens */
    uint32_t *salient;   /* the R most salient words */
    ez_vis_topic *topic; /* by the model's numbers */
} ez_vis;

/* Fills all of it; freed in any case with ez_vis_free. */
ezlda_status ez_vis_make(ez_vis *vis, ezlda_context *context, const ezlda_model *model,
                         uint32_t words, double lambda_step);
void ez_vis_free(ez_vis *vis);

/* The parts that vis_relevance.c does: fills vis->topic[topic]. */
ezlda_status ez_vis_relevance(const ez_vis *vis, ezlda_context *context, uint32_t topic,
                              ez_vis_topic *out);

#endif
