/* Bursts of a topic: Kleinberg's automaton of two states over the documents of periods. */
#ifndef EZ_BURSTS_H
#define EZ_BURSTS_H

#include "base/memory.h"

/* A burst has twice the usual share, and begins if that is likelier by a factor of the number of
 * periods. */
static const double EZ_BURST_RATE = 2;

/* share, error and documents of n periods; a share is NAN if there are no documents. The documents
 * of a period count as many independent tokens as give the usual share that error. Appends
 * ezlda_burst of `topic` to `bursts`.
 */
ezlda_status ez_bursts_find(ez_buffer *bursts, ezlda_context *context, uint32_t topic,
                            const double *share, const double *error, const uint64_t *docs,
                            uint32_t n);

#endif
