/* Held-out scores: the documents to score, and two estimators of their probability. */
#ifndef EZ_EVAL_SET_H
#define EZ_EVAL_SET_H

#include "eval/known_words.h"
#include "eval/perplexity.h"
#include "eval/topic_weights.h"

/* The documents to score, with the model and the options. */
typedef struct ez_held_out {
    const ezlda_model *model;
    const ezlda_corpus *corpus;
    const ez_topic_weights *weights;
    const ez_known_words *known;
    const ezlda_eval_options *options;
    ez_buffer *docs; /* receives one ez_doc_score per document that completion scores, in order;
                        NULL: not kept */
} ez_held_out;

/* The results, all over the same tokens. */
typedef struct ez_held_out_sums {
    ez_score_sums model, unigram;
    uint64_t docs; /* scored documents */
    uint64_t cut;  /* scored documents of which only some tokens were used */
} ez_held_out_sums;

/* Document completion: scores half of a document's tokens given the other half, for documents with
 * at least two known tokens. device: the device that inferred the topics. */
ezlda_status ez_document_completion(ez_held_out_sums *out, ezlda_context *context,
                                    const ez_held_out *held, char device[64]);

/* Left-to-right: scores a random sample of the documents with at least one known token. */
ezlda_status ez_left_to_right_docs(ez_held_out_sums *out, ezlda_context *context,
                                   const ez_held_out *held);

/* The inference options that all measures share; `progress` is used if the caller asked for
 * progress. */
void ez_eval_infer_options(ezlda_infer_options *out, const ezlda_eval_options *options,
                           int (*progress)(const ezlda_infer_progress *progress, void *user),
                           void *user);

/* Seconds on a monotonic clock. */
double ez_eval_seconds(void);

#endif
