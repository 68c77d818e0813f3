/* The state of a run seen from outside: topics, counts and lines of tokens, for the
 * experiments of the paper. */
#ifndef PAPER_STATE_H
#define PAPER_STATE_H

#include "backend/backend.h"
#include "backend/reference/line.h"

typedef struct paper_state {
    ezlda_context *context;
    ezlda_corpus *corpus;
    ez_token_list *tokens;
    ez_settings settings;
    float *alpha;
    int weight_bits;
    uint16_t *topic; /* tokens, in T */
    uint64_t *topic_tokens;
    float *rate;
    uint64_t stride;     /* rows of D are made for every so-many-th document */
    uint32_t *row;       /* padded, as a line needs them */
    uint64_t *row_start; /* one for each of these documents, and the end */
} paper_state;

/* Everything of one word for one thread. */
typedef struct paper_word {
    ez_word_weights weights;
    uint8_t *branch; /* topics: the place among K1 .. K8, or EZ_TOP */
    uint32_t *count; /* topics: the row of W */
    float *f;
} paper_word;

/* "key=value" among the arguments; the fallback if it is missing. */
const char *paper_text(char **arguments, const char *key, const char *fallback);
double paper_number(char **arguments, const char *key, double fallback);
/* Ends the program with a message if status is a failure. */
void paper_check(ezlda_context *context, ezlda_status status);

/* Reads corpus=FILE, of which at most most= tokens are used, and the settings k=, seed=,
 * estimator=esca|leave-one-out, start=, device=, sampler=, g= and threads=. Also returns the
 * options of the run. */
void paper_open(paper_state *state, char **arguments, ezlda_train_options *options);
void paper_close(paper_state *state);

/* Topics in T from those in document order, and the sums and rates of the topics. */
void paper_take_topics(paper_state *state, const uint16_t *by_document);
/* Sums and rates from the topics in T. */
void paper_count(paper_state *state);
/* Rows of D of every stride-th document. */
void paper_make_rows(paper_state *state);

void paper_word_open(paper_word *word, const paper_state *state);
void paper_word_close(paper_word *word);
/* The weights of a word. */
void paper_weigh(paper_word *word, const paper_state *state, uint32_t v);
/* The line of a token; own: its topic, if it does not count itself, or -1. The row is that of its
 * document (doc / stride). */
void paper_line(ez_line *line, const paper_word *word, const uint32_t *row, size_t entries,
                int64_t own);

/* log2 p(word | document) of a line that counts all tokens, by length of the document. */
double paper_score(const ez_line *line, const paper_word *word, uint64_t length, double alpha_sum);

#endif
