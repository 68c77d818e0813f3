/* What lies on the device, as kernels and host see it, passed to every kernel by value: pointers
 * are the device's. */
#ifndef EZ_DEVICE_STATE_H
#define EZ_DEVICE_STATE_H

#include "sampler/d_row.h"
#include "sampler/three_branch.h"

/* A document. The device orders documents by falling length, so that neighbours have rows of
 * similar length; `number` is the corpus' one, by which draws are keyed. */
typedef struct ez_device_doc {
    uint32_t begin;  /* first token, in the device's document order */
    uint32_t row;    /* where its row of D lies, in groups of 16 bytes */
    uint32_t groups; /* of the row as it stands, see below */
    uint32_t number;
} ez_device_doc;

/* Rows of D: entries as the contract has them, four to a group; or narrow ones (topic << 6 |
 * count), eight to a group, where K is at most EZ_NARROW_TOPICS. A narrow count of EZ_NARROW_MAX
 * stands for one of at least that; the counts themselves follow the row (ez_escape). Rows are
 * filled up to whole sectors of 32 bytes, what memory moves at once, with count 0 of the topic that
 * the sector begins with. */
enum {
    EZ_NARROW_TOPICS = 1024,
    EZ_NARROW_BITS = 6,
    EZ_NARROW_MAX = (1 << EZ_NARROW_BITS) - 1,
    EZ_SECTOR_GROUPS = 2
};

/* What `groups` of a document holds besides their number: how many counts are escaped, and whether
 * eight lanes sum the row. Such a row is never narrow: it is long, or a topic may have several
 * entries in it. */
enum { EZ_ESCAPES_SHIFT = 16, EZ_ESCAPES_MASK = 0x7fff, EZ_GROUPS_MASK = 0xffff };
#define EZ_ROW_SHARED 0x80000000u

/* The most groups that a document's row takes. */
EZ_INLINE uint64_t ez_row_room(uint64_t length, uint32_t topics, int narrow)
{
    uint64_t entries = ez_entries_most(length, topics),
             escapes = narrow ? length / EZ_NARROW_MAX : 0;
    uint64_t sectors = (entries + (narrow ? 15 : 7)) / (narrow ? 16 : 8) + (escapes + 7) / 8;
    return sectors * EZ_SECTOR_GROUPS;
}

/* A part of the words pass: a word, or a region of it. */
typedef struct ez_device_task {
    uint32_t word, begin, tokens;
    uint32_t split; /* whether the word has several tasks */
} ez_device_task;

/* What early decisions need of a word, one cache line: floats are enough for bounds that keep a
 * margin. */
typedef struct ez_decide_record {
    uint16_t topic[EZ_TOP];
    float weight[EZ_TOP + 1];
    float q_rest; /* Q'' without its fractional bits */
    uint64_t word_key;
} ez_decide_record;

/* For study, the same with every field in an array of its own, 32 bits each: topics, weights,
 * q_rest, word_key. */
enum {
    EZ_LOOSE_WEIGHT = EZ_TOP,
    EZ_LOOSE_Q = 2 * EZ_TOP + 1,
    EZ_LOOSE_KEY,
    EZ_LOOSE_FIELDS = EZ_LOOSE_KEY + 2
};

/* Weights of count 0 are tabulated by the exponent of the row: slot 0 is exponent 1, slot 1
 * exponent 0, ... */
enum { EZ_ZERO_SLOTS = 64, EZ_ZERO_STEP = 32 };

/* Warps of a block of the documents pass, and of the words pass: more where a table leaves room for
 * one block a multiprocessor only. */
enum {
    EZ_DOCUMENT_WARPS = 4,
    EZ_WORD_WARPS = 4,
    EZ_WIDE_WARPS = 32,
    EZ_PATCHED_WARPS = 4,
    EZ_WARP_WORD_WARPS = 4
};

/* On chip, a warp of the words pass has so many bytes of its own, and a word so many. */
enum { EZ_WARP_ROOM = 32 * 16 + 64 * 4, EZ_HEAD_ROOM = 160 };

/* ... and where a warp takes a word alone (words_by_warp.cu), so many: also sums of alpha parts
 * every 32 topics, and the table. */
EZ_INLINE uint32_t ez_warp_word_bytes(uint32_t topics)
{
    return EZ_HEAD_ROOM + EZ_WARP_ROOM + ((topics + 31) / 32 + 1) / 2 * 16 + (topics / 4 + 1) * 16;
}

/* Up to so many topics a warp keeps a dense row of W in registers. */
enum { EZ_REGISTER_TOPICS = 1024 };

/* Hash tables of counts (counts.cuh): slots, and the most tokens that one takes. */
enum { EZ_HASH_BITS = 10, EZ_HASH_SLOTS = 1 << EZ_HASH_BITS, EZ_HASH_TOKENS = 640 };

/* Words of up to so many tokens need no table of all weights. */
enum { EZ_PATCHED_TOKENS = 240 };

/* Sparse rows of up to so many tokens are counted by a warp, up to so many topics. */
enum { EZ_WARP_COUNT_TOKENS = 256, EZ_WARP_COUNT_TOPICS = 2048, EZ_WARP_COUNT_WARPS = 8 };

/* Words of up to so many tokens on a device at a time are a warp's, up to so many topics. */
enum { EZ_WARP_WORD_TOKENS = 192, EZ_WARP_WORD_TOPICS = 1536 };

/* What a member has counted, dense and sparse rows, the lengths of these, and n; the topics of its
 * tokens; and the records that it has prepared. They begin where the state's own do. Its slice of
 * all these: words, dense cells, sparse entries. */
typedef struct ez_member_counts {
    const uint32_t *dense, *sparse, *entries;
    const unsigned long long *n;
    const uint16_t *topic;
    const uint32_t *word_start;
    const ez_word_record *record;
    const ez_decide_record *decide_record;
    uint32_t first_word, last_word;
    uint64_t first_cell, last_cell, first_entry, last_entry;
} ez_member_counts;

/* Members that a kernel looks at. */
enum { EZ_OTHERS = 8 };

/* Up to so many topics n is counted on chip first. */
enum { EZ_CHIP_SUMS = 8192 };

typedef struct ez_device_state {
    uint32_t docs, words, topics;
    uint32_t dealt;       /* tasks are dealt out to blocks beforehand */
    uint32_t single_docs; /* of the documents of a launch, taken one at a time: they are long */
    uint32_t first_doc, last_doc, first_word, last_word, first_task,
        last_task; /* what a launch covers */
    int weight_bits, g;
    uint32_t leave_one_out, three_branch, decide, score;
    float beta;
    float alpha_one; /* alpha of every topic, or 0 where they differ */
    float margin;    /* relative error that early decisions allow for */
    uint32_t narrow; /* rows of D are narrow, but those of documents of more than lane_tokens */
    uint32_t lane_tokens; /* rows of longer documents are summed by eight lanes */
    uint64_t iteration_key;
    uint64_t doc_base;     /* number of the corpus' first document, to which `number` adds */
    ez_device_doc *doc_of; /* docs + 1 */
    uint32_t *word;        /* tokens, in the device's document order */
    uint32_t *place;       /* tokens, in the device's document order: place in T */
    uint32_t *doc;         /* tokens, in T */
    uint16_t *topic;       /* tokens, in T */
    uint8_t *open;         /* tokens, in T: the topic is still open (K above 32,768 only) */
    uint32_t *word_start;  /* words + 1: in T */
    /* W: words [0, dense_words) have a dense row of w_stride counts, the others a sparse one:
     * entries as those of D in any order, with room for as many as the word has tokens and base
     * counts. Entries of count 0 are none. */
    uint32_t *w_start; /* words + 1: room for entries before the word; no row where that is none */
    uint32_t dense_words, w_stride, sparse_base;
    uint32_t *w_dense;
    uint32_t *w_sparse;  /* of word v from w_start[v] - sparse_base */
    uint32_t *w_entries; /* words - dense_words: entries to look at */
    unsigned long long *topic_tokens;
    float *rate;                /* topics + 4 */
    float *alpha;               /* topics + 1 */
    float *alpha_scaled;        /* topics + 4 */
    uint16_t *zero_order;       /* topics by falling weight of count 0 */
    unsigned long long *zero_q; /* slots: alpha parts of count 0, summed */
    uint32_t *zero_weight;      /* slots * zero_stride: weights of count 0 */
    unsigned long long
        *zero_through; /* slots * blocks of EZ_ZERO_STEP topics: alpha parts through the block */
    uint32_t zero_stride;
    ez_word_record *record;          /* words */
    ez_decide_record *decide_record; /* words */
    uint32_t *loose;                 /* EZ_LOOSE_FIELDS * words, or NULL: records are packed */
    uint32_t *row;                   /* D */
    ez_device_task *task;
    uint32_t *barrier;         /* written between passes */
    uint32_t *counters;        /* of work taken, one for each launch: zeroed before the passes */
    uint32_t *next;            /* this launch's */
    uint32_t *scratch;         /* tables and histograms of blocks that do not fit on chip */
    unsigned long long *tally; /* open, moved */
    long long *score_sum;
    double alpha_sum;
    /* Counts that rows have besides those of the tokens, of based_words words. */
    uint32_t based_words;
    uint32_t *based_word;  /* based_words */
    uint32_t *based_start; /* based_words + 1 */
    uint32_t *based_entry; /* topic << 16 | count */
    uint32_t hashed; /* sparse rows are hash tables: what is counted in several places adds up */
    /* Histograms of counts (backend/histograms.h). */
    unsigned long long *histogram_docs;  /* topics * EZ_HISTOGRAM_CELLS */
    unsigned long long *histogram_words; /* EZ_HISTOGRAM_CELLS, then how many are listed */
    unsigned long long *histogram_more;  /* counts that are listed */
    /* Counts of other members (cuda_shard_sum.c). */
    ez_member_counts other[EZ_OTHERS];
    uint32_t others, others_before; /* how many; those that were added in earlier launches */
    uint64_t first_cell, last_cell; /* of the dense rows that are summed; of the sparse ones:
                                       first_word, last_word */
    unsigned long long
        *summed_n; /* n, where it is summed; the own part of it, where rows are gathered */
    uint32_t *added, *added_start; /* lists of entries, words - dense_words + 1: where they begin */
} ez_device_state;

enum { EZ_COUNTERS = 32 };
enum { EZ_TALLY_OPEN, EZ_TALLY_MOVED, EZ_TALLIES };

#endif
