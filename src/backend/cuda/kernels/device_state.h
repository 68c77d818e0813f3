/* What lies on the device, as kernels and host see it, passed to every kernel by value: pointers are the device's. */
#ifndef EZ_DEVICE_STATE_H
#define EZ_DEVICE_STATE_H

#include "sampler/word_record.h"

/* Where a row of D lies (in groups of EZ_LANE_WIDTH entries) and how many groups it has. */
typedef struct ez_device_row {
    uint32_t start, groups;
} ez_device_row;

/* A part of the words pass: up to a region of one word. */
typedef struct ez_device_task {
    uint32_t word, begin, tokens;
    uint32_t split; /* whether the word has several tasks */
} ez_device_task;

typedef struct ez_device_state {
    uint32_t docs, words, tokens, topics;
    uint32_t tasks;
    int weight_bits, g;
    uint32_t leave_one_out, three_branch, decide, score;
    float beta;
    uint64_t iteration_key;
    uint32_t *doc_start;    /* docs + 1 */
    uint32_t *word;         /* tokens, in document order */
    uint32_t *place;        /* tokens, in document order: place in T */
    uint32_t *doc;          /* tokens, in T */
    uint16_t *topic;        /* tokens, in T */
    uint8_t *open;          /* tokens, in T: the topic is still open (K above 32,768 only) */
    uint32_t *word_start;   /* words + 1 */
    uint32_t *w;            /* words * topics */
    unsigned long long *topic_tokens;
    float *rate;            /* topics */
    float *alpha_scaled;    /* topics + 1 */
    ez_word_record *record; /* words */
    uint32_t *row;          /* D */
    uint32_t *row_room;     /* docs: where a row's room begins, in groups */
    ez_device_row *row_of;  /* docs */
    ez_device_task *task;
    uint32_t *next;         /* work counters, zeroed before each pass */
    uint32_t *scratch;      /* tables and histograms of blocks that do not fit on chip */
    unsigned long long *tally; /* open, moved */
    long long *score_sum;
    long long *doc_log;     /* docs: log2(length + alpha sum), fixed point */
} ez_device_state;

enum { EZ_NEXT_DOCUMENT, EZ_NEXT_TASK, EZ_NEXT_WORD, EZ_NEXT_COUNTERS };
enum { EZ_TALLY_OPEN, EZ_TALLY_MOVED, EZ_TALLIES };

#endif
