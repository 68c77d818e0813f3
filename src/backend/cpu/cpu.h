/* The state of the CPU backend, and the interface of its three passes (prepare_pass.c,
 * documents_pass.c, words_pass.c). README.md follows one token through them. */
#ifndef EZ_CPU_H
#define EZ_CPU_H

#include "backend/backend.h"
#include "backend/cpu/hybrid_w.h"
#include "backend/cpu/kernels/kernels.h"
#include "backend/cpu/pairs.h"
#include "backend/topic_counter.h"

/* Exponents of rows of What; each has a zero row (zero_rows.c). */
enum { EZ_EXPONENT_MIN = -96, EZ_EXPONENTS = 104 };

/* The most tokens of a region; rare words are bundled up to EZ_BUNDLE tokens. */
enum { EZ_REGION = 16384, EZ_BUNDLE = 2048 };

/* A task of the words pass: a region of one frequent word, or several rare words. */
typedef struct ez_word_task {
    uint32_t first_word, last_word; /* [first, last) */
    uint64_t begin, end;            /* places in T */
} ez_word_task;

struct ez_cpu;

/* The memory of one thread. */
typedef struct ez_cpu_thread {
    ez_word_view view; /* the current word */
    ez_topic_counter counter;
    uint32_t *cursor;              /* words */
    uint32_t *place;               /* longest document */
    uint16_t *old;                 /* longest document: its topics */
    uint32_t *next;                /* longest document: its new topics */
    uint32_t *list;                /* open tokens of a region */
    uint32_t *dense_table;         /* weights of a dense row */
    uint64_t *dense_q;             /* alpha parts of a dense row, summed */
    float *f;                      /* float weights of a dense row */
    uint32_t *table[EZ_EXPONENTS]; /* working copies of the zero rows, patched word by word */
    uint64_t table_stamp[EZ_EXPONENTS];
    uint32_t *patch; /* topics + EZ_TOP: see ez_word_view */
    int64_t *patch_q;
    uint64_t *topic_tokens; /* what this thread has counted of n */
    ez_pair_scratch pair;
    uint64_t undecided, moved;
} ez_cpu_thread;

/* The cost and the benefit of early decisions as last measured, in seconds (documents_pass.c). */
typedef struct ez_decision_cost {
    double documents[2];  /* the documents pass without and with decisions */
    double open_token;    /* the words pass, per open token */
    double open_share;    /* share of tokens that stay open with decisions */
    uint32_t measured[2]; /* iteration of the last measurement; 0: none */
} ez_decision_cost;

/* What the arrays of a chunk have room for. */
typedef struct ez_chunk_room {
    size_t tokens, flags, docs, blocks, row, tasks;
} ez_chunk_room;

typedef struct ez_cpu {
    ez_backend base; /* first: the handle */
    const ez_token_list
        *tokens; /* all documents, or the loaded chunk; without documents if no chunk is loaded */
    const ez_token_list *given; /* what the backend was created with */
    ez_token_list *loaded;      /* owned: the chunk that is loaded, or NULL */
    uint32_t chunk;             /* the number of that chunk */
    bool changed;               /* the source does not have the topics of that chunk yet */
    bool has_topics;            /* the source has topics */
    uint64_t all_tokens;        /* tokens of all chunks */
    ez_chunk_room room;
    const ez_settings *settings;
    ez_priors priors;
    const ez_kernels *kernels;
    int threads, weight_bits;
    uint64_t stamp;  /* number of the current weights */
    uint16_t *topic; /* tokens, in T; bit 15 marks open tokens if K <= 32,768. With the pair path
                        in document order, without marks */
    uint8_t *flag;   /* marks open tokens if K > 32,768; else NULL */
    uint16_t topic_mask;
    ez_w_rows w;
    ez_w_rows next; /* with a source: W as it grows chunk by chunk, while w is that of the last
                       iteration */
    uint64_t *topic_tokens; /* n */
    float *rate;            /* topics */
    float *zero_f;          /* topics: float weight of count 0 */
    uint32_t *zero_order;   /* topics by falling zero_f, then ascending */
    float *alpha_scaled;    /* topics + 1 */
    float alpha_same;       /* the value if all are equal, else 0 */
    ez_word_record *record; /* words */
    bool prepared;          /* W is fixed and the records are made */
    ez_zero_row zero[EZ_EXPONENTS];
    uint64_t zero_stamp[EZ_EXPONENTS]; /* the weights that each zero row was made for */
    uint32_t *row;                     /* D */
    ez_row_place *row_of; /* docs: where the row of D lies; valid if there are open tokens */
    uint64_t *block_row;  /* blocks: where the rows of a block begin */
    ez_word_task *task;
    uint32_t tasks;
    ez_decision_cost decision_cost;
    ez_pairs pairs;
    ez_cpu_thread *thread;
} ez_cpu;

static inline int ez_exponent_slot(float scale, int weight_bits)
{
    return weight_bits - (ez_exponent(scale) - 1) - EZ_EXPONENT_MIN;
}

/* Words without a token need no record. */
static inline bool ez_word_occurs(const ez_cpu *cpu, uint32_t v)
{
    const ez_token_list *t = cpu->tokens;
    return cpu->settings->source ? ez_word_frequency(t, v) > 0
                                 : t->word_start[v] < t->word_start[v + 1];
}

/* Sorts the branches of a word by topic, without empty ones; returns their number. */
static inline uint32_t ez_branches_by_topic(const ez_word_record *record, uint32_t topics,
                                            uint8_t *branch)
{
    uint32_t n = 0;
    for (uint8_t b = 0; b < EZ_TOP && record->topic[b] < topics; b++) {
        uint32_t at = n++;
        for (; at > 0 && record->topic[branch[at - 1]] > record->topic[b]; at--)
            branch[at] = branch[at - 1];
        branch[at] = b;
    }
    return n;
}

/* Whether a token is open; it keeps its old topic until it is drawn. */
static inline uint32_t ez_is_open(const ez_cpu *cpu, uint64_t place)
{
    return cpu->flag ? cpu->flag[place] : (uint32_t)cpu->topic[place] >> 15;
}

/* zero_rows.c: the weights of topics without a count, for an exponent; made on first use. NULL if
 * there is not enough memory. */
ezlda_status ez_zero_rows_begin(ez_cpu *cpu, ezlda_context *context);
const ez_zero_row *ez_zero_row_get(ez_cpu *cpu, ezlda_context *context, int slot);
void ez_zero_rows_free(ez_cpu *cpu);

/* prepare_pass.c: makes the rates from n, and a record for each word. */
ezlda_status ez_cpu_prepare(ez_cpu *cpu, ezlda_context *context);

/* documents_pass.c: makes rows of D. with_decisions: decides tokens early, and makes only the rows
 * that are still needed. */
void ez_cpu_documents(ez_cpu *cpu, uint32_t iteration, bool with_decisions);
ezlda_status ez_cpu_start_topics(ez_cpu *cpu, ezlda_context *context);
/* documents_pass.c: copies topics from T into document order, and back. */
void ez_cpu_copy_topics(ez_cpu *cpu, uint16_t *out);
void ez_cpu_set_topics(ez_cpu *cpu, const uint16_t *topic);

/* word_regions.c: cuts T into tasks and returns their number; with out NULL only counts them. */
uint32_t ez_cut_word_tasks(const ez_token_list *t, ez_word_task *out);

/* cpu_chunks.c: memory for the documents in cpu->tokens. */
ezlda_status ez_cpu_chunk_room(ez_cpu *cpu, ezlda_context *context);
/* A walk over all documents: `while (ez_cpu_next_chunk(...))` has cpu->tokens at each chunk of the
 * source in turn, or once at all documents if there is no source. */
typedef struct ez_chunk_walk {
    bool changes;  /* in: the body of the loop changes the topics of the chunk */
    bool down;     /* the walk goes from the last chunk to the first */
    uint32_t done; /* chunks that were reached */
    ezlda_status status;
} ez_chunk_walk;
/* Loads the next chunk. Returns false after the last one and on failure: walk->status says which.
 */
bool ez_cpu_next_chunk(ez_cpu *cpu, ezlda_context *context, ez_chunk_walk *walk);
/* cpu_chunks.c: stores the topics of the loaded chunk in the source; frees that chunk and the
 * memory. */
void ez_cpu_chunk_store(ez_cpu *cpu);
void ez_cpu_chunks_free(ez_cpu *cpu);

/* documents_pass.c: whether this iteration tries early decisions; the times that it measured. */
bool ez_decide_worthwhile(const ez_cpu *cpu, uint32_t iteration);
void ez_decide_measured(ez_cpu *cpu, uint32_t iteration, bool decided, double documents,
                        double words, uint64_t open);

/* words_pass.c: draws open tokens (or all) and counts W; scores all tokens; counts W alone. Counts
 * begin before the first chunk and end after the last. */
void ez_cpu_counts_begin(ez_cpu *cpu);
void ez_cpu_counts_end(ez_cpu *cpu);
ezlda_status ez_cpu_words(ez_cpu *cpu, ezlda_context *context, uint32_t iteration, bool all);
ezlda_status ez_cpu_score_words(ez_cpu *cpu, ezlda_context *context, int64_t *sum);
void ez_cpu_count_words(ez_cpu *cpu);

/* rank_sum.c: sums W and n over the ranks of the group. */
ezlda_status ez_cpu_sum_ranks(ez_cpu *cpu, ezlda_context *context);

/* cpu_histograms.c, cpu_counts.c */
ezlda_status ez_cpu_histograms(ez_backend *backend, ezlda_context *context, ez_histograms *out);
ezlda_status ez_cpu_counts(ez_backend *backend, ezlda_context *context, const uint32_t *word,
                           uint32_t rows, ez_w_counts *out);

/* word_table.c: makes the weights of a word by topic, in thread->view. */
ezlda_status ez_word_table_open(ez_cpu *cpu, ezlda_context *context, ez_cpu_thread *thread,
                                uint32_t v);
void ez_word_table_close(ez_cpu_thread *thread);

#endif
