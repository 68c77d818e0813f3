/* Counts over topics that remember which topics they touched, so that walking them in topic order
 * and clearing them costs what was touched and not K. */
#ifndef EZ_TOPIC_COUNTER_H
#define EZ_TOPIC_COUNTER_H

#include "base/memory.h"
#include "sampler/d_row.h"

#include <stdbool.h>

typedef struct ez_topic_counter {
    uint32_t *count;   /* topics + 1 (the last stays 0: empty slots of a word record point at it) */
    uint16_t *touched; /* topics, in order of first touch */
    uint32_t n_touched;
    uint64_t *seen;   /* one bit per topic, while entries are made */
    uint64_t *groups; /* one bit for each 64 bits of `seen` */
    uint32_t topics;
} ez_topic_counter;

static inline ezlda_status ez_topic_counter_init(ez_topic_counter *c, ezlda_context *context,
                                                 uint32_t topics)
{
    *c = (ez_topic_counter){.topics = topics};
    EZ_TRY(ez_array_zero(&c->count, context, (size_t)topics + 16, sizeof *c->count, "a histogram"));
    EZ_TRY(ez_array(&c->touched, context, (size_t)topics + 1, sizeof *c->touched, "a histogram"));
    EZ_TRY(ez_array_zero(&c->seen, context, topics / 64 + 1, sizeof *c->seen, "a histogram"));
    return ez_array_zero(&c->groups, context, topics / 4096 + 1, sizeof *c->groups, "a histogram");
}

static inline void ez_topic_counter_free(ez_topic_counter *c)
{
    ez_free(c->count);
    ez_free(c->touched);
    ez_free(c->seen);
    ez_free(c->groups);
}

/* Has no branch: most tokens fall on few topics, but not predictably. */
static inline void ez_topic_counter_add(ez_topic_counter *c, uint32_t topic)
{
    uint32_t before = c->count[topic];
    c->count[topic] = before + 1;
    c->touched[c->n_touched] = (uint16_t)topic;
    c->n_touched += before == 0;
}

/* Adds `count` of a topic; count > 0. */
static inline void ez_topic_counter_add_many(ez_topic_counter *c, uint32_t topic, uint32_t count)
{
    ez_topic_counter_add(c, topic);
    c->count[topic] += count - 1;
}

static inline uint32_t ez_emit_entries(uint32_t *out, uint32_t topic, uint32_t count)
{
    uint32_t n = 0;
    for (; count > EZ_ENTRY_MAX; count -= EZ_ENTRY_MAX)
        out[n++] = ez_entry(topic, EZ_ENTRY_MAX);
    out[n++] = ez_entry(topic, count);
    return n;
}

/* Writes what was touched, topics ascending, as entries or as topics; returns how many. The counts
 * do not change. */
static inline uint32_t ez_topic_counter_walk(ez_topic_counter *c, uint32_t *out, bool entries)
{
    for (uint32_t i = 0; i < c->n_touched; i++) {
        uint32_t k = c->touched[i];
        c->seen[k / 64] |= (uint64_t)1 << k % 64;
        c->groups[k / 4096] |= (uint64_t)1 << k / 64 % 64;
    }
    uint32_t n = 0;
    for (uint32_t top = 0; top <= c->topics / 4096; top++) {
        for (uint64_t groups = c->groups[top]; groups; groups &= groups - 1) {
            uint32_t group = top * 64 + (uint32_t)__builtin_ctzll(groups);
            for (uint64_t bits = c->seen[group]; bits; bits &= bits - 1) {
                uint32_t k = group * 64 + (uint32_t)__builtin_ctzll(bits);
                if (entries)
                    n += ez_emit_entries(out + n, k, c->count[k]);
                else
                    out[n++] = k;
            }
            c->seen[group] = 0;
        }
        c->groups[top] = 0;
    }
    return n;
}

static inline uint32_t ez_topic_counter_entries(ez_topic_counter *c, uint32_t *out)
{
    return ez_topic_counter_walk(c, out, true);
}

static inline uint32_t ez_topic_counter_topics(ez_topic_counter *c, uint32_t *out)
{
    return ez_topic_counter_walk(c, out, false);
}

static inline void ez_topic_counter_clear(ez_topic_counter *c)
{
    for (uint32_t i = 0; i < c->n_touched; i++)
        c->count[c->touched[i]] = 0;
    c->n_touched = 0;
}

#endif
