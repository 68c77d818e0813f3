/* How often each count occurs in the rows of D, by topic, and in W: the priors are fitted to these
 * numbers. They are integers, so they do not depend on the device that counted them. */
#ifndef EZ_HISTOGRAMS_H
#define EZ_HISTOGRAMS_H

#include "cluster/group.h"
#include "sampler/count_cells.h"
#include "sampler/d_row.h"

typedef struct ez_histograms {
    uint32_t topics;
    uint64_t *docs; /* topics * EZ_HISTOGRAM_CELLS: how many documents have that many tokens in the
 topic; cell 0 is unused */
    ez_buffer docs_more;    /* uint64_t: topic << 32 | count, in any order */
    uint64_t *words;        /* EZ_COUNT_CELLS: pairs of word and topic by their tokens */
    uint64_t *topic_tokens; /* topics: n, with the base */
} ez_histograms;

ezlda_status ez_histograms_init(ez_histograms *h, ezlda_context *context, uint32_t topics);
void ez_histograms_clear(ez_histograms *h);
/* Adds other histograms of the same topics. */
ezlda_status ez_histograms_add(ez_histograms *h, ezlda_context *context,
                               const ez_histograms *other);
/* Sums the counts of documents over all ranks. W is that of all ranks already. */
ezlda_status ez_histograms_sum_ranks(ez_histograms *h, ezlda_context *context, ezlda_group *group);
void ez_histograms_free(ez_histograms *h);

static inline ezlda_status ez_histograms_doc(ez_histograms *h, ezlda_context *context,
                                             uint32_t topic, uint32_t count)
{
    if (count < EZ_HISTOGRAM_CELLS) {
        h->docs[(size_t)topic * EZ_HISTOGRAM_CELLS + count]++;
        return EZLDA_OK;
    }
    uint64_t more = (uint64_t)topic << 32 | count;
    return ez_buffer_append(&h->docs_more, context, &more, sizeof more);
}

static inline void ez_histograms_word(ez_histograms *h, uint32_t count)
{
    h->words[ez_count_cell(count)]++;
}

#endif
