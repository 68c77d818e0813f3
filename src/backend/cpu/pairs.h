/* The pair path of the CPU backend, for small K: topics lie in document order, and an iteration is
 * one walk over the documents, which draws the tokens of each pair (a word in a document) together.
 * It replaces the documents pass and the words pass. */
#ifndef EZ_PAIRS_H
#define EZ_PAIRS_H

#include "backend/backend.h"
#include "backend/cpu/kernels/pair_kernels.h"

struct ez_cpu;
struct ez_cpu_thread;

typedef struct ez_pairs {
    bool on;              /* this run uses the pair path */
    size_t word_bytes;    /* bytes of a word, see kernels/pair_kernels.h */
    unsigned char *words; /* their weights */
    float *scale;         /* words: 2^(B-e) */
    float *alpha;         /* topics, padded */
} ez_pairs;

/* The memory of one thread. */
typedef struct ez_pair_scratch {
    uint32_t *count; /* topics of a document */
    float *count_f;
    uint32_t *row, *entry, *entry_of; /* its row of D: see ez_pair_job */
    uint64_t *entry_end;
    ez_pair_run *run; /* its slots: see ez_pair_job */
    float *slot_count;
    uint16_t *slot_name, *group;
    uint32_t *slot_of;
    uint32_t *next_w; /* words rows; thread 0 counts into W itself */
} ez_pair_scratch;

/* pair_words.c: whether the pair path is used; its memory; the weights of all words. */
bool ez_pairs_suit(const struct ez_cpu *cpu);
ezlda_status ez_pairs_init(struct ez_cpu *cpu, ezlda_context *context);
ezlda_status ez_pairs_thread_init(struct ez_cpu *cpu, ezlda_context *context,
                                  struct ez_cpu_thread *thread);
void ez_pairs_free(struct ez_cpu *cpu);
void ez_pairs_prepare(struct ez_cpu *cpu);

/* pair_pass.c: counts begin before the first chunk, with W empty, and end after the last. */
void ez_pairs_counts_begin(struct ez_cpu *cpu);
void ez_pairs_count(struct ez_cpu *cpu);
void ez_pairs_draw(struct ez_cpu *cpu, uint32_t iteration);
void ez_pairs_counts_end(struct ez_cpu *cpu);
int64_t ez_pairs_score(struct ez_cpu *cpu);

#endif
