/* A model before it is a model: the arrays that training makes, and ez_model_create, which writes
 * them into the layout of the model file. */
#ifndef EZ_MODEL_H
#define EZ_MODEL_H

#include "base/context.h"

typedef struct ez_llpt_entry {
    uint32_t iteration;
    uint32_t reserved;
    double seconds;
    double llpt;
} ez_llpt_entry;

/* Documents of which a model has the counts of words alone: those of the model that it was updated
 * from, and of all models before that one. W and n have their tokens, D does not. Also the layout
 * of the section PAST. */
typedef struct ez_model_past {
    uint32_t updates; /* 0: there are none */
    uint32_t zero;
    uint64_t docs;   /* seen before the last update */
    uint64_t tokens; /* of W that are not of the model's documents */
} ez_model_past;

/* The models that a consensus was made of; followed by a u32 per topic, the members that have it,
 * this is the layout of the section FOUN. */
typedef struct ez_model_ensemble {
    uint32_t members; /* 0: the model is no consensus */
    uint32_t zero;
    double threshold; /* least similarity at which a member has a topic */
} ez_model_ensemble;

/* Sparse rows of counts: row r is entries[start[r]] .. entries[start[r+1]], topics ascending,
 * counts not 0. */
typedef struct ez_count_rows {
    uint64_t rows;
    uint64_t *start; /* rows+1 */
    uint16_t *topic;
    uint32_t *count;
} ez_count_rows;

/* What training hands over. The struct owns its arrays (ez_array); ez_model_parts_free frees them.
 * Words and documents are numbered as in the corpus. */
typedef struct ez_model_parts {
    uint32_t topics, words;
    uint64_t docs, tokens;
    uint32_t iterations;
    uint64_t seed;
    double beta;
    ezlda_estimator estimator;
    double seconds_sampling, skipped, moved;
    uint64_t topics_hash, corpus_hash;
    char device[64];
    int threads;
    uint64_t device_memory_peak; /* bytes; the file does not keep this nor the next five lines */
    double seconds_tokens, seconds_open, seconds_setup, seconds_checks;
    char stopped[192];
    uint32_t iterations_run, chunks;
    ezlda_start start;
    double *alpha;           /* topics */
    double *training;        /* 1+topics: beta and alpha to continue with; NULL: the same */
    uint64_t *topic_tokens;  /* topics: n[k] */
    ez_count_rows word_rows; /* W */
    ez_count_rows doc_rows;  /* D */
    ez_count_rows phi_rows;  /* W summed over `samples` samples; without rows if samples is 0 */
    uint32_t samples;        /* 0 or at least 2 */
    uint16_t *token_topics;  /* tokens, in document order, words ascending; NULL: not kept */
    uint64_t *doc_start;     /* docs+1 offsets of documents in token order */
    ez_llpt_entry *llpt;
    size_t llpt_count;
    ez_model_past
        past; /* word_rows, phi_rows and topic_tokens count its tokens; `tokens` does not */
    const ezlda_text_rules *past_rules; /* with a past: the model's rules, not owned; or NULL */
    ez_model_ensemble ensemble;
    uint32_t *found;     /* topics: members that have it; NULL: no consensus */
    char *edits;         /* of the topics (edit_text.h); NULL: none */
    const char *scratch; /* folder for the model until it is saved, not owned; NULL: memory */
} ez_model_parts;

void ez_model_parts_free(ez_model_parts *parts);

/* Makes a model of the parts and of the corpus' vocabulary and document names. The parts are
 * emptied, also after an error. They are checked as the content of a file would be; an
 * inconsistency is EZLDA_ERROR_INTERNAL. */
ezlda_status ez_model_create(ezlda_model **out, ezlda_context *context, ez_model_parts *parts,
                             const ezlda_corpus *corpus);

/* The model's identity: settings, priors, counts, vocabulary and document names. It is the same for
 * the same run on any device, whether or not the model was scored or the topics of its tokens were
 * kept. */
uint64_t ez_model_hash(const ezlda_model *model);

#endif
