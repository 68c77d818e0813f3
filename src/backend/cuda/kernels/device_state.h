/* The state of the CUDA backend as host and kernels share it: every array on the device, grouped by
 * what it holds, and the formats of documents, rows of D, tasks and records. Pointers are device
 * pointers. */
#ifndef EZ_DEVICE_STATE_H
#define EZ_DEVICE_STATE_H

#include "sampler/d_row.h"
#include "sampler/three_branch.h"

/* A document. The device orders documents by falling length, so that neighbours have rows of
 * similar length. */
typedef struct ez_device_doc {
    uint32_t begin;  /* first token, in the device's document order */
    uint32_t row;    /* where its row of D lies, in groups of 16 bytes */
    uint32_t groups; /* length of the row as it was last written, and flags: see below */
    uint32_t number; /* in the corpus; draws are keyed by it */
} ez_device_doc;

/* Rows of D have one of two formats. Wide: entries as in sampler/d_row.h, four per group of 16
 * bytes. Narrow, if K is at most EZ_NARROW_TOPICS: entries of 16 bits (topic << 6 | count), eight
 * per group; a narrow count of EZ_NARROW_MAX means "at least that", and the exact counts follow the
 * row (ez_escape). Rows are padded to whole sectors of 32 bytes, the unit of memory transfers, with
 * count 0 of the topic that the sector begins with. */
enum {
    EZ_NARROW_TOPICS = 1024,
    EZ_NARROW_BITS = 6,
    EZ_NARROW_MAX = (1 << EZ_NARROW_BITS) - 1,
    EZ_SECTOR_GROUPS = 2
};

/* ez_device_doc.groups holds the number of groups, the number of escaped counts, and EZ_ROW_SHARED
 * if eight lanes sum the row. Such a row is never narrow: it is long, or a topic may have several
 * entries in it. */
enum { EZ_ESCAPES_SHIFT = 16, EZ_ESCAPES_MASK = 0x7fff, EZ_GROUPS_MASK = 0xffff };
#define EZ_ROW_SHARED 0x80000000u

/* The most groups that the row of a document needs. */
EZ_INLINE uint64_t ez_row_room(uint64_t length, uint32_t topics, int narrow)
{
    uint64_t entries = ez_entries_most(length, topics),
             escapes = narrow ? length / EZ_NARROW_MAX : 0;
    uint64_t sectors = (entries + (narrow ? 15 : 7)) / (narrow ? 16 : 8) + (escapes + 7) / 8;
    return sectors * EZ_SECTOR_GROUPS;
}

/* A task of the words pass: a word, or a region of it. */
typedef struct ez_device_task {
    uint32_t word, begin, tokens;
    uint32_t split; /* the word has several tasks, so its row of W is added to */
} ez_device_task;

/* The record of a word for early decisions, one cache line. Floats are exact enough for bounds that
 * keep a margin. */
typedef struct ez_decide_record {
    uint16_t topic[EZ_TOP];
    float weight[EZ_TOP + 1];
    float q_rest; /* Q'' without its fractional bits */
    uint64_t word_key;
} ez_decide_record;

/* The same record, for study, with every field in an array of its own, 32 bits each: topics,
 * weights, q_rest, word_key. */
enum {
    EZ_LOOSE_WEIGHT = EZ_TOP,
    EZ_LOOSE_Q = 2 * EZ_TOP + 1,
    EZ_LOOSE_KEY,
    EZ_LOOSE_FIELDS = EZ_LOOSE_KEY + 2
};

/* Weights of count 0 are tabulated by the exponent of the row: slot 0 is exponent 1, slot 1 is
 * exponent 0, slot 2 is exponent -1, and so on. */
enum { EZ_ZERO_SLOTS = 64, EZ_ZERO_STEP = 32 };

/* Warps per block of the documents pass and of the kernels of the words pass. ez_words_wide has
 * more, because its table leaves room for only one block per multiprocessor. */
enum {
    EZ_DOCUMENT_WARPS = 4,
    EZ_WORD_WARPS = 4,
    EZ_WIDE_WARPS = 32,
    EZ_PATCHED_WARPS = 4,
    EZ_WARP_WORD_WARPS = 4
};

/* Bytes of shared memory for each warp of the words pass (ez_warp_room), and for the word that is
 * worked on (ez_word_head). */
enum { EZ_WARP_ROOM = 32 * 16 + 64 * 4, EZ_HEAD_ROOM = 160 };

/* Bytes of shared memory for a warp that works on a word alone (words_by_warp.cu): head, room, sums
 * of alpha parts every 32 topics, and the table. */
EZ_INLINE uint32_t ez_warp_word_bytes(uint32_t topics)
{
    return EZ_HEAD_ROOM + EZ_WARP_ROOM + ((topics + 31) / 32 + 1) / 2 * 16 + (topics / 4 + 1) * 16;
}

/* Up to this K a warp keeps a dense row of W in registers. */
enum { EZ_REGISTER_TOPICS = 1024 };

/* Hash tables of counts (counts.cuh): slots, and the most tokens that one may count. */
enum { EZ_HASH_BITS = 10, EZ_HASH_SLOTS = 1 << EZ_HASH_BITS, EZ_HASH_TOKENS = 640 };

/* Words of at most this many tokens need no table of all weights (words_patched.cu). */
enum { EZ_PATCHED_TOKENS = 240 };

/* Up to EZ_WARP_COUNT_TOPICS topics, a warp counts the sparse rows of words with at most
 * EZ_WARP_COUNT_TOKENS tokens. */
enum { EZ_WARP_COUNT_TOKENS = 256, EZ_WARP_COUNT_TOPICS = 2048, EZ_WARP_COUNT_WARPS = 8 };

/* Up to EZ_WARP_WORD_TOPICS topics, a warp draws the tokens of words with at most
 * EZ_WARP_WORD_TOKENS tokens per chunk and shard. */
enum { EZ_WARP_WORD_TOKENS = 192, EZ_WARP_WORD_TOPICS = 1536 };

/* What a kernel of one shard sees of another shard on this machine: the rows of W (dense, sparse,
 * and how many entries each sparse row has) and n that it counted, the topics of its tokens in T,
 * and the records that it prepared. All arrays have the same layout as the kernel's own. Then the
 * other shard's slice: its words, its cells of dense rows and its entries of sparse rows. */
typedef struct ez_shard_counts {
    const uint32_t *dense, *sparse, *entries;
    const unsigned long long *n;
    const uint16_t *topic;
    const uint32_t *word_start;
    const ez_word_record *record;
    const ez_decide_record *decide_record;
    uint32_t first_word, last_word;
    uint64_t first_cell, last_cell, first_entry, last_entry;
} ez_shard_counts;

/* The most shards that one launch reads. */
enum { EZ_OTHERS = 8 };

/* Up to this K, n is counted on chip first. */
enum { EZ_CHIP_SUMS = 8192 };

/* ---- the parts of the state ---- */

/* What a launch covers, and how its blocks share it. */
typedef struct ez_device_range {
    uint32_t first, last; /* documents, words or tasks */
    uint32_t dealt;       /* tasks are dealt out to blocks beforehand, not taken from a counter */
    uint32_t single_docs; /* first documents of the launch: long, so a warp takes one at a time */
    uint32_t *next;       /* the counter that work is taken from */
} ez_device_range;

/* How tokens are drawn. */
typedef struct ez_draw_rules {
    int g;                  /* branches that early decisions look up */
    uint32_t leave_one_out; /* the token's own topic is removed from the counts */
    uint32_t score;         /* measure every token's line and draw nothing */
    uint32_t decide;        /* decide tokens early, in the documents pass */
    uint32_t three_branch;  /* decide on the first branch only, as in the paper */
} ez_draw_rules;

/* Tokens of the chunk that is on the device: its documents, T, the inverted index and tasks. */
typedef struct ez_device_tokens {
    uint32_t docs;
    ez_device_doc *doc_of; /* docs + 1 */
    uint32_t *word;        /* tokens, in the device's document order */
    uint32_t *place;       /* tokens, in the device's document order: place in T */
    uint32_t *doc;         /* tokens, in T */
    uint16_t *topic;       /* tokens, in T */
    uint8_t *open;         /* tokens, in T: the topic is open; NULL unless K is above 32,768 */
    uint32_t *word_start;  /* words + 1: in T */
    ez_device_task *task;
} ez_device_tokens;

/* Hybrid W, and n. Words [0, dense_words) have a dense row of `stride` counts, the others a sparse
 * row. A sparse row has entries like those of D, in any order, with room for as many as the word
 * has tokens and base counts. An entry of count 0 is empty. */
typedef struct ez_device_w {
    uint32_t hashed; /* sparse rows are hash tables, to which several launches add */
    uint32_t words, topics;
    uint32_t dense_words, stride;
    uint32_t sparse_base; /* start of the first sparse row: word v's is at start[v] - sparse_base */
    uint32_t *start;      /* words + 1: room before the word; a word without room has no row */
    uint32_t *dense;
    uint32_t *sparse;
    uint32_t *entries;                /* words - dense_words: entries of a sparse row to look at */
    unsigned long long *topic_tokens; /* topics: n */
} ez_device_w;

/* Priors, and what follows from them alone. */
typedef struct ez_device_priors {
    int weight_bits;
    float margin; /* relative error that early decisions allow for */
    float beta;
    float alpha_one;     /* alpha of every topic; 0 if topics differ */
    float *alpha;        /* topics + 1 */
    float *alpha_scaled; /* topics + 4 */
    double alpha_sum;    /* for scores */
} ez_device_priors;

/* Weights of count 0, tabulated by the exponent of a row (ez_zero_slot in warp.cuh): most topics of
 * a sparse row have no token of its word. */
typedef struct ez_zero_weights {
    uint16_t *order;             /* topics by falling weight of count 0 */
    unsigned long long *q;       /* slots: sum of all alpha parts */
    uint32_t *weight;            /* slots * stride, or NULL if no kernel reads them */
    unsigned long long *through; /* slots * blocks of EZ_ZERO_STEP topics: alpha parts up to and
                                    with the block */
    uint32_t stride;
} ez_zero_weights;

/* What follows from n and the priors (rates.cu). */
typedef struct ez_device_rates {
    float *rate; /* topics + 4 */
    ez_zero_weights zeros;
} ez_device_rates;

/* The records of all words, and the keys of this iteration that they hold. */
typedef struct ez_word_records {
    ez_word_record *word;     /* words: exact, for the words pass */
    ez_decide_record *decide; /* words: floats, for early decisions */
    uint32_t *loose;          /* EZ_LOOSE_FIELDS * words, or NULL: records are packed */
    uint64_t iteration_key;
    uint64_t doc_base; /* number of the shard's first document; ez_device_doc.number adds to it */
} ez_word_records;

/* D: ez_device_doc.row says where each row begins. */
typedef struct ez_device_d {
    uint32_t *rows;
    uint32_t narrow;      /* rows are narrow, except those of documents above lane_tokens */
    uint32_t lane_tokens; /* rows of longer documents are summed by eight lanes */
} ez_device_d;

/* What launches share: counters, scratch and results. */
typedef struct ez_work {
    uint32_t *barrier;         /* written between passes: side streams wait for it */
    uint32_t *counters;        /* next task of each launch: EZ_COUNTERS, zeroed before the passes */
    uint32_t *scratch;         /* tables and counts of blocks that do not fit on chip */
    unsigned long long *tally; /* EZ_TALLIES */
    long long *score_sum;
} ez_work;

/* Counts that rows of W have besides those of the tokens. */
typedef struct ez_base_rows {
    uint32_t words;
    uint32_t *word;  /* words */
    uint32_t *start; /* words + 1 */
    uint32_t *entry; /* topic << 16 | count */
} ez_base_rows;

/* Histograms of counts (backend/histograms.h). */
typedef struct ez_histogram_arrays {
    unsigned long long *docs;  /* topics * EZ_HISTOGRAM_CELLS */
    unsigned long long *words; /* EZ_COUNT_CELLS, then the length of the list */
    unsigned long long *more;  /* list of the counts of D that have no cell */
} ez_histogram_arrays;

/* Counts of other shards and ranks, and where sums with them go (shards/). */
typedef struct ez_shard_sums {
    ez_shard_counts other[EZ_OTHERS];
    uint32_t others, others_before; /* shards in `other`; shards that earlier launches added */
    uint64_t first_cell, last_cell; /* dense cells to sum; sparse rows: the range's words */
    unsigned long long *summed_n;   /* n while it is summed; with owned rows, n that this shard
                                       counted */
    uint32_t *added;                /* lists of entries */
    uint32_t *added_start;          /* words - dense_words + 1: where each begins */
} ez_shard_sums;

/* All of it. A kernel takes the members that it reads or writes through (cuda_kernel_table.c lists
 * them). Only the kernels of the documents pass and of the words pass take the whole state: a draw
 * joins what the other kernels have made, so they need eight and nine of the members. The order
 * inside the structs is measured, because nvcc joins loads of neighbours: with hashed or
 * three_branch elsewhere ez_words_patched needs 72 registers instead of 64, and with beta beside
 * weight_bits ez_prepare_dense is longer. */
typedef struct ez_device_state {
    ez_device_range range;
    ez_draw_rules rules;
    ez_device_tokens tokens;
    ez_device_w w;
    ez_device_priors priors;
    ez_device_rates rates;
    ez_word_records records;
    ez_device_d d;
    ez_work work;
    ez_base_rows base;
    ez_histogram_arrays histograms;
    ez_shard_sums shards;
} ez_device_state;

enum { EZ_COUNTERS = 32 };
/* Tallies of an iteration: open tokens, and tokens whose topic changed. */
enum { EZ_TALLY_OPEN, EZ_TALLY_MOVED, EZ_TALLIES };

#endif
