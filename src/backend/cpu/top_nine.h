/* The best nine topics of a row of What, in the order of the contract: by falling f, then ascending
 * topic. The prepare pass makes the word's record of them. */
#ifndef EZ_TOP_NINE_H
#define EZ_TOP_NINE_H

#include "sampler/word_record.h"

#include <stdbool.h>

typedef struct ez_top_nine {
    float f[EZ_TOP + 1];
    uint32_t topic[EZ_TOP + 1];
    int n;
} ez_top_nine;

static inline bool ez_comes_before(float f, uint32_t topic, float other_f, uint32_t other_topic)
{
    return f > other_f || (f == other_f && topic < other_topic);
}

static inline void ez_top_nine_offer(ez_top_nine *top, float f, uint32_t topic)
{
    int at = top->n;
    if (at == EZ_TOP + 1) {
        if (!ez_comes_before(f, topic, top->f[EZ_TOP], top->topic[EZ_TOP]))
            return;
        at = EZ_TOP;
    } else {
        top->n++;
    }
    for (; at > 0 && ez_comes_before(f, topic, top->f[at - 1], top->topic[at - 1]); at--) {
        top->f[at] = top->f[at - 1];
        top->topic[at] = top->topic[at - 1];
    }
    top->f[at] = f;
    top->topic[at] = topic;
}

static inline float ez_larger(float a, float b)
{
    return a > b ? a : b;
}

static inline float ez_largest_of_eight(const float *f)
{
    float first = ez_larger(ez_larger(f[0], f[1]), ez_larger(f[2], f[3]));
    return ez_larger(first, ez_larger(ez_larger(f[4], f[5]), ez_larger(f[6], f[7])));
}

/* The best nine of a dense row. Most topics are skipped, eight at a time. */
static inline void ez_top_nine_of_row(ez_top_nine *top, const float *f, uint32_t topics)
{
    float worst = -1;
    top->n = 0;
    for (uint32_t k = 0; k < topics; k++) {
        if (k % 8 == 0 && topics - k >= 8 && ez_largest_of_eight(f + k) <= worst)
            k += 7;
        else if (f[k] > worst) {
            ez_top_nine_offer(top, f[k], k);
            worst = top->n == EZ_TOP + 1 ? top->f[EZ_TOP] : -1;
        }
    }
}

/* Sets topics, weights and scale of a record. */
static inline void ez_top_nine_record(const ez_top_nine *top, int weight_bits, uint32_t topics,
                                      ez_word_record *record)
{
    record->scale = ez_power_of_two(weight_bits - ez_exponent(top->f[0]));
    for (int i = 0; i <= EZ_TOP; i++) {
        bool there = i < top->n;
        record->weight[i] = there ? ez_weight(top->f[i], record->scale) : 0;
        if (i < EZ_TOP)
            record->topic[i] = (uint16_t)(there ? top->topic[i] : topics);
    }
}

#endif
