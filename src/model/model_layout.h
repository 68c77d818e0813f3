/* The sections of the model file (docs/formats.md), and the model as a view of them: mapped from
 * a file, or the same image built in memory from the trainer's parts. */
#ifndef EZ_MODEL_LAYOUT_H
#define EZ_MODEL_LAYOUT_H

#include "base/files/container.h"
#include "corpus/string_column.h"
#include "model/doc_samples.h"
#include "model/model.h"
#include "model/phi.h"

#define EZ_MODEL_MAGIC "EZLDAMDL"
/* An updated model has version 2, because its D counts fewer tokens than its W. */
enum { EZ_MODEL_VERSION = 1, EZ_MODEL_VERSION_UPDATED = 2 };

#define EZ_MODEL_META EZ_TAG('M', 'E', 'T', 'A')         /* ez_model_meta */
#define EZ_MODEL_ALPHA EZ_TAG('A', 'L', 'P', 'H')        /* f64, topics */
#define EZ_MODEL_TOPIC_TOKENS EZ_TAG('N', 'T', 'O', 'K') /* u64, topics */
#define EZ_MODEL_W_START EZ_TAG('W', 'S', 'T', 'A')      /* rows of W and D: see model_rows.h */
#define EZ_MODEL_W_TOPIC EZ_TAG('W', 'T', 'O', 'P')
#define EZ_MODEL_W_COUNT EZ_TAG('W', 'C', 'N', 'T')
#define EZ_MODEL_W_LARGE EZ_TAG('W', 'B', 'I', 'G')
#define EZ_MODEL_D_START EZ_TAG('D', 'S', 'T', 'A')
#define EZ_MODEL_D_TOPIC EZ_TAG('D', 'T', 'O', 'P')
#define EZ_MODEL_D_COUNT EZ_TAG('D', 'C', 'N', 'T')
#define EZ_MODEL_D_LARGE EZ_TAG('D', 'B', 'I', 'G')
/* What the words of topics are estimated from: phi.h. All six are absent if that is W. */
#define EZ_MODEL_PHI_META EZ_TAG('P', 'M', 'E', 'T')   /* ez_phi_meta */
#define EZ_MODEL_PHI_TOKENS EZ_TAG('P', 'T', 'O', 'K') /* u64, topics */
#define EZ_MODEL_PHI_START EZ_TAG('P', 'S', 'T', 'A')
#define EZ_MODEL_PHI_TOPIC EZ_TAG('P', 'T', 'O', 'P')
#define EZ_MODEL_PHI_COUNT EZ_TAG('P', 'C', 'N', 'T')
#define EZ_MODEL_PHI_LARGE EZ_TAG('P', 'B', 'I', 'G')
#define EZ_MODEL_PHI_TAGS                                                              \
    {                                                                                  \
        EZ_MODEL_PHI_START, EZ_MODEL_PHI_TOPIC, EZ_MODEL_PHI_COUNT, EZ_MODEL_PHI_LARGE \
    }
#define EZ_MODEL_W_TAGS                                                        \
    {                                                                          \
        EZ_MODEL_W_START, EZ_MODEL_W_TOPIC, EZ_MODEL_W_COUNT, EZ_MODEL_W_LARGE \
    }
#define EZ_MODEL_D_TAGS                                                        \
    {                                                                          \
        EZ_MODEL_D_START, EZ_MODEL_D_TOPIC, EZ_MODEL_D_COUNT, EZ_MODEL_D_LARGE \
    }
#define EZ_MODEL_DOC_START                                                 \
    EZ_TAG('D', 'L', 'E', 'N') /* u64, docs+1: tokens before each document \
                                */
#define EZ_MODEL_WORDS                                                         \
    EZ_TAG('V', 'O', 'C', 'B') /* strings and their index: see string_column.h \
                                */
#define EZ_MODEL_WORDS_INDEX EZ_TAG('V', 'O', 'C', 'X')
#define EZ_MODEL_NAMES EZ_TAG('N', 'A', 'M', 'B') /* absent if the corpus has no names */
#define EZ_MODEL_NAMES_INDEX EZ_TAG('N', 'A', 'M', 'X')
#define EZ_MODEL_LLPT EZ_TAG('L', 'L', 'P', 'T') /* ez_model_score, in order of iterations */
#define EZ_MODEL_TOKEN_TOPICS EZ_TAG('T', 'T', 'O', 'P') /* u16, tokens; absent if not kept */
/* f64, 1+topics: beta and alpha to continue training with; absent if they are the model's */
#define EZ_MODEL_TRAINING EZ_TAG('T', 'P', 'R', 'I')
#define EZ_MODEL_PAST EZ_TAG('P', 'A', 'S', 'T') /* ez_model_past; absent if never updated */
#define EZ_MODEL_RULES \
    EZ_TAG('R', 'U', 'L', 'E') /* text_rules.h; absent if the words do not come from text */
#define EZ_MODEL_EDITS EZ_TAG('E', 'D', 'I', 'T') /* edit_text.h, ended by NUL; absent if none */
#define EZ_MODEL_FOUND \
    EZ_TAG('F', 'O', 'U', 'N') /* ez_model_ensemble, then u32 per topic; absent if no consensus */
/* Samples of the posterior: doc_samples.h. All three are absent if there are none. */
#define EZ_MODEL_SAMPLES EZ_TAG('S', 'M', 'P', 'L')       /* ez_samples_meta, f64 by topic */
#define EZ_MODEL_SAMPLES_START EZ_TAG('S', 'S', 'T', 'A') /* u64, samples x groups + 1 */
#define EZ_MODEL_SAMPLES_ROWS EZ_TAG('S', 'R', 'O', 'W')
#define EZ_MODEL_RUN EZ_TAG('R', 'U', 'N', ' ') /* ez_model_run, then f64 seconds of each score */

/* All sections in the order of a model file, except RUN, which is the last. */
#define EZ_MODEL_TAGS_BEFORE_RUN                                                               \
    {                                                                                          \
        EZ_MODEL_META, EZ_MODEL_PAST, EZ_MODEL_ALPHA, EZ_MODEL_TOPIC_TOKENS, EZ_MODEL_W_START, \
            EZ_MODEL_W_TOPIC, EZ_MODEL_W_COUNT, EZ_MODEL_W_LARGE, EZ_MODEL_D_START,            \
            EZ_MODEL_D_TOPIC, EZ_MODEL_D_COUNT, EZ_MODEL_D_LARGE, EZ_MODEL_PHI_META,           \
            EZ_MODEL_PHI_TOKENS, EZ_MODEL_PHI_START, EZ_MODEL_PHI_TOPIC, EZ_MODEL_PHI_COUNT,   \
            EZ_MODEL_PHI_LARGE, EZ_MODEL_DOC_START, EZ_MODEL_WORDS, EZ_MODEL_WORDS_INDEX,      \
            EZ_MODEL_NAMES, EZ_MODEL_NAMES_INDEX, EZ_MODEL_RULES, EZ_MODEL_LLPT,               \
            EZ_MODEL_TRAINING, EZ_MODEL_TOKEN_TOPICS, EZ_MODEL_EDITS, EZ_MODEL_FOUND,          \
            EZ_MODEL_SAMPLES, EZ_MODEL_SAMPLES_START, EZ_MODEL_SAMPLES_ROWS                    \
    }

typedef struct ez_model_meta {
    uint32_t topics, words;
    uint64_t docs, tokens, seed;
    double beta, moved;
    uint64_t topics_hash, corpus_hash;
    uint32_t iterations, estimator;
} ez_model_meta;

typedef struct ez_model_score {
    uint32_t iteration, zero;
    double llpt;
} ez_model_score;

/* Everything that may differ if the same run is repeated, and nothing else. */
typedef struct ez_model_run {
    double seconds_sampling, skipped;
    char device[64];
    uint32_t threads, zero;
} ez_model_run;

typedef struct ez_phi_meta {
    uint32_t samples, zero;
} ez_phi_meta;

_Static_assert(sizeof(ez_model_ensemble) == 16, "layout of FOUN");
_Static_assert(sizeof(ez_model_past) == 24, "layout of PAST");
_Static_assert(sizeof(ez_model_meta) == 72, "layout of META");
_Static_assert(sizeof(ez_model_score) == 16, "layout of LLPT");
_Static_assert(sizeof(ez_model_run) == 88, "layout of RUN");

typedef struct ez_model_lazy ez_model_lazy; /* indexes by topic, made on first use: topic_index.h */

struct ez_edits;

struct ezlda_model {
    ez_container *container; /* with merged topics, an image of the merged counts */
    ez_container *unmerged;  /* the file, if container is such an image; else NULL */
    struct ez_edits *edits;  /* NULL: none */
    const ez_model_meta *meta;
    const ez_model_past *past;         /* NULL: the model was never updated */
    const ez_model_ensemble *ensemble; /* NULL: the model is no consensus */
    const uint32_t *found;             /* topics, with an ensemble */
    const ez_model_run *run;
    const double *run_seconds; /* llpt_count */
    const ez_model_score *llpt;
    size_t llpt_count;
    const double *alpha;
    const double *training; /* 1+topics: beta and alpha of the run; NULL: the model's */
    const uint64_t *topic_tokens;
    ez_rows word_rows, doc_rows; /* W and D of the last iteration */
    ez_phi phi;
    const uint64_t *doc_start;
    ez_column words, names;        /* names.index NULL: the corpus had none */
    const uint16_t *token_topics;  /* NULL: not kept */
    ezlda_samples samples;         /* samples.samples 0: none */
    const ezlda_text_rules *rules; /* NULL: none */
    ezlda_text_rules *guessed;     /* owned; rules for new text if there are none */
    uint64_t *word_tokens;         /* owned: sums of the rows of W */
    uint64_t *phi_word_tokens;     /* owned: those of phi, if it has rows of its own */
    double alpha_sum;
    /* About the run, up to `start`; 0 in a model from a file. */
    uint64_t device_memory_peak;
    double seconds_tokens, seconds_open, seconds_setup, seconds_checks;
    char stopped[192];
    uint32_t iterations_run, chunks;
    ezlda_start start;
    ez_model_lazy *lazy;
};

/* Tokens of the model's documents. W counts meta->tokens, with those of the past. */
static inline uint64_t ez_model_own_tokens(const ezlda_model *model)
{
    return model->meta->tokens - (model->past ? model->past->tokens : 0);
}

/* The model as it is saved. */
static inline const ez_container *ez_model_file(const ezlda_model *model)
{
    return model->unmerged ? model->unmerged : model->container;
}

static inline uint32_t ez_model_version(const ezlda_model *model)
{
    return model->past ? EZ_MODEL_VERSION_UPDATED : EZ_MODEL_VERSION;
}

/* Reads edits of this model (edit_text.h). */
ezlda_status ez_model_read_edits(struct ez_edits **out, ezlda_context *context,
                                 const ezlda_model *model, const char *text, const char *name,
                                 const char *earlier, ezlda_status bad);

/* Copies a section, if there is one. */
ezlda_status ez_model_copy_section(ez_container_writer *writer, ezlda_context *context,
                                   const ez_container *from, uint32_t tag);
/* Writes the sections of samples. */
ezlda_status ez_model_write_samples(ez_container_writer *writer, ezlda_context *context,
                                    const ezlda_samples *samples);
/* Copies the facts that the file does not keep. */
void ez_model_copy_facts(ezlda_model *to, const ezlda_model *from);
/* Writes rows as four sections (tags: start, topic, count, large) and frees their arrays. */
ezlda_status ez_model_move_rows(ez_container_writer *writer, ezlda_context *context,
                                const uint32_t tags[4], ez_count_rows *rows, uint64_t expected);

/* Finds and checks the sections of a container, which the model then owns (after an error it is
 * freed). `name` starts the messages, `bad` is the status if content is wrong. */
ezlda_status ez_model_open(ezlda_model **out, ezlda_context *context, ez_container *container,
                           const char *name, ezlda_status bad);

/* Writes n strings as two sections. */
typedef const char *(*ez_string_fn)(const void *user, uint64_t i);
ezlda_status ez_model_write_strings(ez_container_writer *writer, ezlda_context *context,
                                    uint32_t text_tag, uint32_t index_tag, uint64_t n,
                                    ez_string_fn string, const void *user);

/* Checks all content, so that no query can fail or read out of bounds. Fills word_tokens,
 * phi_word_tokens and alpha_sum. The sizes of sections must have been checked. */
ezlda_status ez_model_check(ezlda_model *model, ezlda_context *context, const char *name,
                            ezlda_status bad);

#endif
