/* The topics that are still apart while a tree grows: their counts by word, and by topic. */
#ifndef EZ_BUNDLES_H
#define EZ_BUNDLES_H

#include "model/model_layout.h"
#include "tree/log_gamma.h"

/* A word of a bundle, or a bundle of a word, and its tokens. */
typedef struct ez_bundle_count {
    uint32_t id, count;
} ez_bundle_count;

/* Bundles have the numbers of topics: a merged bundle has that of its smallest topic. */
typedef struct ez_bundles {
    uint32_t topics, words;
    uint64_t *row_start;      /* words: where a word's row begins in `row` */
    uint32_t *row_length;     /* words */
    ez_bundle_count *row;     /* bundles of a word, in no order */
    ez_bundle_count **list;   /* topics: words of a bundle, ascending; NULL: merged into another */
    uint32_t *length;         /* topics: words in the list */
    uint64_t *tokens;         /* topics */
    ez_log_gamma word, topic; /* of a count of a word, and of all tokens of a bundle */
    int64_t *sums;            /* threads * stride: one number per bundle */
    size_t stride;
    int threads;
} ez_bundles;

/* Zero-initialise before; free also after an error. Counts are those of W. */
ezlda_status ez_bundles_init(ez_bundles *b, ezlda_context *context, const ezlda_model *model);
void ez_bundles_free(ez_bundles *b);

/* loss[j], for every other bundle j: what the logarithm of the likelihood of all words loses if
 * bundle i and j are merged, times 2^EZ_GAMMA_BITS. Other elements are undefined. Made by all
 * threads (whole) or by the calling one, whose number is `thread`. */
void ez_bundle_losses(const ez_bundles *b, uint32_t i, int64_t *loss);
void ez_bundle_losses_in_thread(const ez_bundles *b, uint32_t i, int64_t *loss);

/* Terms that the losses of a bundle are sums of. Fewer than EZ_WORTH_THREADS are added before
 * several threads have met. */
enum { EZ_WORTH_THREADS = 1 << 20 };
uint64_t ez_bundle_terms(const ez_bundles *b, uint32_t i);

/* Merges bundle j into bundle i, i < j. */
ezlda_status ez_bundles_merge(ez_bundles *b, ezlda_context *context, uint32_t i, uint32_t j);

#endif
