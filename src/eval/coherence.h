/* The quality of topics, judged by their top words: coherence (UMass, NPMI, C_V), diversity,
 * exclusivity. docs/quality.md has the definitions. The coherence measures are those of gensim's
 * CoherenceModel, so that values can be compared. */
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
    uint32_t words;       /* top words of a topic to use, 2 to EZ_QUALITY_MAX_WORDS */
    uint32_t npmi_window; /* in tokens; 0: documents. If the corpus did not keep the order of its
                             tokens, documents are used. */
    uint32_t c_v_window;
    bool whole_windows; /* a word counts in every window that holds it; otherwise as in gensim, see
                           quality.md */
    /* Called from time to time on the caller's thread with the number of documents counted in this
     * pass; an error ends the measurement. May be NULL. */
    ezlda_status (*watch)(ezlda_context *context, uint64_t docs_done, void *user);
    void *user;
} ez_quality_options;

void ez_quality_options_init(ez_quality_options *options);

/* A value is NaN if fewer than two of the topic's words are in the corpus (exclusivity: if it has
 * no words, or if words were given without a model). */
typedef struct ez_topic_quality {
    double u_mass, npmi, c_v, exclusivity;
    /* NPMI over the pairs that would meet five times by chance alone and are not in all windows.
     * NPMI says little about other pairs: it is far below 0 if they never meet, and -1 if they
     * always do. NaN: there are no such pairs. */
    double npmi_sure;
    uint32_t sure_pairs; /* number of these pairs */
    uint32_t words;      /* used */
    uint32_t missing;    /* how many of these words have no token in the corpus */
} ez_topic_quality;

typedef struct ez_quality {
    ez_topic_quality *topics;
    size_t n_topics;
    double u_mass, npmi, c_v,
        exclusivity;                  /* means over the topics that have a value; NaN if none has */
    double diversity;                 /* distinct words / words, over the top words of all topics */
    uint32_t npmi_window, c_v_window; /* as used, in tokens; 0: documents */
    uint64_t docs; /* documents of the corpus, with empty ones; UMass counts in these */
    uint64_t npmi_windows, c_v_windows; /* number of windows (or documents) */
    uint64_t missing;                   /* sum over topics */
    size_t unscored;                    /* topics without coherence values */
} ez_quality;

typedef struct ez_topic_words {
    const uint32_t *word; /* numbers in the corpus, best first; UINT32_MAX: not in the corpus */
    uint32_t n;
} ez_topic_words;

/* Measures topics given as words. If a word occurs twice in a topic, this is EZLDA_ERROR_ARGUMENT.
 * Zero-initialise `out`; ez_quality_free afterwards, also after an error. Only the first
 * options->words words of a list are used. The result does not depend on the number of threads. */
ezlda_status ez_quality_measure(ez_quality *out, ezlda_context *context,
                                const ez_topic_words *topics, size_t n_topics,
                                const ezlda_corpus *corpus, const ez_quality_options *options);

/* The same for a model's topics: their most probable words are matched with the corpus' words by
 * text. */
ezlda_status ez_quality_of_model(ez_quality *out, ezlda_context *context, const ezlda_model *model,
                                 const ezlda_corpus *corpus, const ez_quality_options *options);

/* Distinct words / words over the first `most` words of all topics, UINT32_MAX ignored; NaN if
 * there are none. */
ezlda_status ez_topic_diversity(double *out, ezlda_context *context, const ez_topic_words *topics,
                                size_t n_topics, uint32_t most);

void ez_quality_free(ez_quality *quality); /* accepts NULL */

#endif
