/* A Markov chain whose states are draws from the posterior of a model: the topics of all tokens of
 * a corpus, and p(word | topic), which is phi.
 *
 * A step draws phi from its Dirichlet distribution given the topics, and then the topics of each
 * document one token after the other, each from its exact conditional given phi and the other
 * tokens of the document. That is Gibbs sampling, so its samples have the exact posterior, unlike
 * those of the synchronous trainer (docs/arithmetic.md); and given phi documents do not depend on
 * each other, so all threads work on them. Draws are counters keyed by seed, step and document:
 * the chain has the same bits for any number of threads.
 *
 * On the corpus that the model was trained on, phi follows the topics. On other documents the
 * model's counts stay, and phi varies as they allow. */
#ifndef EZ_CHAIN_H
#define EZ_CHAIN_H

#include "base/memory.h"
#include "corpus/corpus.h"
#include "model/model_layout.h"

/* Documents are summed in this many spans, whose sums are added in order: one value for any number
 * of threads. */
enum { EZ_CHAIN_SPANS = 64 };

typedef struct ez_chain ez_chain;

/* Fills the prior of a document: one value per topic, 0 for topics that do not exist. Called on any
 * thread. */
typedef void (*ez_chain_prior_fn)(const void *user, uint64_t doc, double *alpha);

/* A document as the chain sees it. Its tokens are those of the pairs whose `known` is set, as many
 * as `count` says, in order. */
typedef struct ez_chain_doc {
    uint64_t doc;
    const uint32_t *word, *count;
    size_t pairs;
    const uint8_t *known;     /* by word of the corpus: it has tokens in the model */
    const uint16_t *topic;    /* of the tokens */
    const uint32_t *by_topic; /* counts of these */
    uint64_t tokens;
} ez_chain_doc;

/* Visits a document. Documents of a span come in order and on one thread. */
typedef void (*ez_chain_visit_fn)(void *user, uint32_t span, const ez_chain_doc *doc);

/* Opens a chain at the topics of the model, or if it does not keep them, at topics drawn from its
 * counts. Both must outlive the chain. prior may be NULL: the model's alpha. */
ezlda_status ez_chain_open(ez_chain **out, ezlda_context *context, const ezlda_model *model,
                           const ezlda_corpus *corpus, uint64_t seed);
void ez_chain_set_prior(ez_chain *chain, ez_chain_prior_fn prior, const void *user);
/* Makes n steps; `progress` after each of them, any value but 0 stops (EZLDA_ERROR_STOPPED). */
ezlda_status ez_chain_steps(ez_chain *chain, ezlda_context *context, uint32_t n,
                            int (*progress)(void *user), void *user);
/* Moves alpha and beta one step towards those that suit the present state, on the corpus that the
 * model was trained on; on others the model's stay. Alpha is left alone if documents have priors of
 * their own. */
ezlda_status ez_chain_fit_priors(ez_chain *chain, ezlda_context *context);
const double *ez_chain_alpha(const ez_chain *chain);
/* Visits all documents, also those without tokens. */
ezlda_status ez_chain_visit(const ez_chain *chain, ezlda_context *context, ez_chain_visit_fn visit,
                            void *user);
void ez_chain_close(ez_chain *chain);

/* Whether the corpus is the one that the model was trained on. */
bool ez_chain_is_own(const ez_chain *chain);
/* The model's number of each word of the corpus; meant for words that are `known`. */
const uint32_t *ez_chain_words(const ez_chain *chain);

#endif
