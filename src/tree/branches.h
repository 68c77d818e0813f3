/* The topics that are still apart while a tree grows: their counts by word, and by topic. */
#ifndef EZ_BRANCHES_H
#define EZ_BRANCHES_H

#include "model/model_layout.h"
#include "tree/log_gamma.h"

/* A word of a branch, or a branch of a word, and its tokens. */
typedef struct ez_branch_count {
    uint32_t id, count;
} ez_branch_count;

/* Branches have the numbers of topics: a merged branch has that of its smallest topic. */
typedef struct ez_branches {
    uint32_t topics, words;
    uint64_t *row_start;      /* words: where a word's row begins in `row` */
    uint32_t *row_length;     /* words */
    ez_branch_count *row;     /* branches of a word, in no order */
    ez_branch_count **list;   /* topics: words of a branch, ascending; NULL: merged into another */
    uint32_t *length;         /* topics: words in the list */
    uint64_t *tokens;         /* topics */
    ez_log_gamma word, topic; /* of a count of a word, and of all tokens of a branch */
    int64_t *sums;            /* threads * stride: one number per branch */
    size_t stride;
    int threads;
} ez_branches;

/* Zero-initialise before; free also after an error. Counts are those of W. */
ezlda_status ez_branches_init(ez_branches *b, ezlda_context *context, const ezlda_model *model);
void ez_branches_free(ez_branches *b);

/* loss[j], for every other branch j: what the logarithm of the likelihood of all words loses if
 * branch i and j are merged, times 2^EZ_GAMMA_BITS. Other elements are undefined. Made by all
 * threads (whole) or by the calling one, whose number is `thread`. */
void ez_branch_losses(const ez_branches *b, uint32_t i, int64_t *loss);
void ez_branch_losses_in_thread(const ez_branches *b, uint32_t i, int64_t *loss);

/* Terms that the losses of a branch are sums of. Fewer than EZ_WORTH_THREADS are added before
 * several threads have met. */
enum { EZ_WORTH_THREADS = 1 << 20 };
uint64_t ez_branch_terms(const ez_branches *b, uint32_t i);

/* Merges branch j into branch i, i < j. */
ezlda_status ez_branches_merge(ez_branches *b, ezlda_context *context, uint32_t i, uint32_t j);

#endif
