/* How good topics are, from their top words: coherence (UMass, NPMI, C_V), diversity, exclusivity.
 * docs/quality.md has the definitions; the coherence ones are those of gensim's CoherenceModel, so
 * that values can be compared. */
#ifndef EZ_COHERENCE_H
#define EZ_COHERENCE_H

#include "base/context.h"

#include <stdbool.h>

enum {
    EZ_QUALITY_WORDS = 20,
    EZ_NPMI_WINDOW = 10,
    EZ_C_V_WINDOW = 110,
    EZ_QUALITY_MAX_WORDS = 1000
};

typedef struct ez_quality_options {
    uint32_t words;       /* top words of a topic that are looked at, 2 to EZ_QUALITY_MAX_WORDS */
    uint32_t npmi_window; /* in tokens; 0: documents. A corpus that did not keep its order has
                             documents only. */
    uint32_t c_v_window;
    bool whole_windows; /* a word is in every window that holds it; else as gensim slides them: see
                           quality.md */
    /* Called now and then by the caller's thread, with the documents of a pass that were counted; a
     * failure ends all. NULL: nobody watches. */
    ezlda_status (*watch)(ezlda_context *context, uint64_t docs_done, void *user);
    void *user;
} ez_quality_options;

void ez_quality_options_init(ez_quality_options *options);

/* A value is NaN where the topic has fewer than two words that the corpus has (exclusivity: where
 * it has no words, or where only words were given and no model). */
typedef struct ez_topic_quality {
    double u_mass, npmi, c_v, exclusivity;
    /* Of the pairs that chance alone would let meet five times, and that are not in all windows. Of
     * others NPMI says little: it is far below 0 where they never meet, and -1 where they always
     * do. NaN: there are no such pairs. */
    double npmi_sure;
    uint32_t sure_pairs; /* ... how many these are */
    uint32_t words;      /* looked at */
    uint32_t missing;    /* of these, words without a token in the corpus */
} ez_topic_quality;

typedef struct ez_quality {
    ez_topic_quality *topics;
    size_t n_topics;
    double u_mass, npmi, c_v,
        exclusivity;  /* means over the topics that have a value; NaN where none has */
    double diversity; /* distinct words / words, over the top words of all topics */
    uint32_t npmi_window, c_v_window;   /* as used, in tokens; 0: documents */
    uint64_t docs;                      /* of the corpus, empty ones too: what UMass counts in */
    uint64_t npmi_windows, c_v_windows; /* how many windows (or documents) there were */
    uint64_t missing;                   /* sum over topics */
    size_t unscored;                    /* topics without coherence values */
} ez_quality;

typedef struct ez_topic_words {
    const uint32_t
        *word; /* numbers in the corpus, the first one first; UINT32_MAX: a word that it lacks */
    uint32_t n;
} ez_topic_words;

/* Measures topics given as words. A word twice in a topic is EZLDA_ERROR_ARGUMENT. Zero-initialise
 * `out`; ez_quality_free afterwards, on failure too. options->words cuts longer lists. The result
 * does not depend on the number of threads. */
ezlda_status ez_quality_measure(ez_quality *out, ezlda_context *context,
                                const ez_topic_words *topics, size_t n_topics,
                                const ezlda_corpus *corpus, const ez_quality_options *options);

/* The same of a model's topics, by their most probable words, matched with the corpus' by their
 * text. */
ezlda_status ez_quality_of_model(ez_quality *out, ezlda_context *context, const ezlda_model *model,
                                 const ezlda_corpus *corpus, const ez_quality_options *options);

/* Distinct words / words over the first `most` words of all topics, UINT32_MAX left out; NaN where
 * there are none. */
ezlda_status ez_topic_diversity(double *out, ezlda_context *context, const ez_topic_words *topics,
                                size_t n_topics, uint32_t most);

void ez_quality_free(ez_quality *quality); /* accepts NULL */

#endif
