/* Counts that rows of W have besides the tokens', for tests of the backends. */
#ifndef BASE_ROWS_H
#define BASE_ROWS_H

#include "check.h"

#include "backend/backend.h"
#include "sampler/arithmetic.h"

/* Base rows of random topics and counts for some of the words (all of them if `every` is 1). */
typedef struct base_rows {
    ez_base_counts counts;
    uint64_t *start;
    uint16_t *topic;
    uint32_t *count;
} base_rows;

static inline base_rows make_base(uint32_t words, uint32_t topics, uint32_t every, uint32_t entries,
                                  uint32_t most)
{
    base_rows base = {.start = calloc((size_t)words + 1, sizeof(uint64_t)),
                      .topic = calloc((size_t)words * entries + 1, sizeof(uint16_t)),
                      .count = calloc((size_t)words * entries + 1, sizeof(uint32_t))};
    for (uint32_t v = 0; v < words; v++) {
        uint64_t at = base.start[v];
        for (uint32_t j = 0; j < entries && j < topics && v % every == 0; j++) {
            base.topic[at] = (uint16_t)((ez_mix(v + 5) % topics +
                                         j * (topics / entries ? topics / entries : 1)) %
                                        topics);
            bool there = false;
            for (uint64_t i = base.start[v]; i < at; i++)
                there = there || base.topic[i] == base.topic[at];
            if (!there)
                base.count[at++] = 1 + (uint32_t)ez_mulhi(ez_mix(v * 31 + j), most);
        }
        base.start[v + 1] = at;
    }
    base.counts = (ez_base_counts){base.start, base.topic, base.count, NULL};
    return base;
}

static inline void free_base(base_rows *base)
{
    free(base->start);
    free(base->topic);
    free(base->count);
}

#endif
