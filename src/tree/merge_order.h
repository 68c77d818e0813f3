/* The order in which topics are merged into a tree. */
#ifndef EZ_MERGE_ORDER_H
#define EZ_MERGE_ORDER_H

#include "tree/bundles.h"

/* One merge: bundle b goes into bundle a, a < b. */
typedef struct ez_merge {
    uint32_t a, b;
    int64_t loss; /* of the logarithm of the likelihood, times 2^EZ_GAMMA_BITS */
} ez_merge;

/* Called before each merge, while both bundles are there. */
typedef ezlda_status (*ez_merge_fn)(const ez_bundles *bundles, ezlda_context *context,
                                    const ez_merge *merge, void *user);

/* Merges bundles until one is left, always the two that lose least (ties: the smaller a, then the
 * smaller b). merges: topics-1 of them, in order. */
ezlda_status ez_merge_all(ez_merge *merges, ezlda_context *context, ez_bundles *bundles,
                          ez_merge_fn before, void *user);

#endif
