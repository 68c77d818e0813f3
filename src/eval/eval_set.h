/* Held-out scores: documents of which nothing was known in training, by two estimators. */
#ifndef EZ_EVAL_SET_H
#define EZ_EVAL_SET_H

#include "eval/known_words.h"
#include "eval/perplexity.h"
#include "eval/topic_weights.h"

/* What is scored. */
typedef struct ez_held_out {
    const ezlda_model *model;
    const ezlda_corpus *corpus;
    const ez_topic_weights *weights;
    const ez_known_words *known;
    const ezlda_eval_options *options;
    ez_buffer *docs; /* gets an ez_doc_score of each document that completion scores, in their
                        order; NULL: not kept */
} ez_held_out;

/* What came out, over the same tokens. */
typedef struct ez_held_out_sums {
    ez_score_sums model, unigram;
    uint64_t docs; /* that could be scored */
    uint64_t cut;  /* scored ones of which some tokens were left out */
} ez_held_out_sums;

/* Document completion: half of a document's tokens given the other half, documents of two known
 * tokens and more. device: where the topics were inferred. */
ezlda_status ez_document_completion(ez_held_out_sums *out, ezlda_context *context,
                                    const ez_held_out *held, char device[64]);

/* Left-to-right, a random sample of the documents of one known token and more. */
ezlda_status ez_left_to_right_docs(ez_held_out_sums *out, ezlda_context *context,
                                   const ez_held_out *held);

/* What the evaluation's inferences have in common; `progress` is used where the caller asked for
 * some. */
void ez_eval_infer_options(ezlda_infer_options *out, const ezlda_eval_options *options,
                           int (*progress)(const ezlda_infer_progress *progress, void *user),
                           void *user);

/* Seconds of a clock that only goes forward. */
double ez_eval_seconds(void);

#endif
