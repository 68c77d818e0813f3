/* The arithmetic contract, part two: a word's record and the decision by interval (paper: three-branch sampling).
 *
 * The topic of a token is found at x = mulhi(u, T) on the line  m1 | m2 | ... | m8 | S'' << 14 | Q''.
 *   a1 >= a2 >= ...  weights of the word's top topics K1, K2, ...;  Ci = D[d][Ki]
 *   mi  = (ai * Ci << 14) + q[Ki]          m1 is the paper's M
 *   S'' = sum of count * w[k] over the document's row of D, outside the top eight
 *   Q'' = sum of q[k] over all topics outside the top eight
 * Leave-one-out takes the token's own topic o once out of the counts: Ci - 1 where Ki = o, else w[o] less in S''.
 *
 * What is not looked up (S'' and the counts of K(g+1) .. K8) lies between 0 and a(g+1) * rest, rest being the tokens
 * outside K1 .. Kg: that bounds T from both sides in exact integers, and mulhi is monotone. If both ends fall on the
 * same branch, so does x. Deciding early only tells x earlier, it never changes it. */
#ifndef EZ_WORD_RECORD_H
#define EZ_WORD_RECORD_H

#include "sampler/arithmetic.h"

/* One cache line. K below nine leaves slots empty: topic K (whose counts are always 0), weight 0. */
typedef struct ez_word_record {
    uint16_t topic[EZ_TOP];      /* K1 .. K8 */
    uint32_t weight[EZ_TOP + 1]; /* a1 .. a9 */
    float scale;                 /* 2^(B-e) of the row */
    uint64_t q_rest;             /* Q'' */
} ez_word_record;

/* m_i: alpha_part is q[Ki]. */
EZ_INLINE uint64_t ez_branch(uint32_t weight, uint32_t count, uint64_t alpha_part)
{
    return ((uint64_t)weight * count << EZ_ALPHA_BITS) + alpha_part;
}

enum { EZ_UNDECIDED = -1 };

/* The branch (0 .. g-1) on which x certainly falls, or EZ_UNDECIDED.
 * count[i] = Ci (leave-one-out applied) and alpha_part[i] = q[Ki], i < 8; rest = the document's tokens outside K1..Kg
 * (leave-one-out applied). three_branch: only the first branch is tested, as in the paper. */
EZ_INLINE int ez_decide(const ez_word_record *record, const uint32_t *count, const uint64_t *alpha_part, int g,
                        uint64_t rest, uint64_t u, int three_branch)
{
    uint64_t end[EZ_TOP], known = 0;
    for (int i = 0; i < g; i++) {
        known += ez_branch(record->weight[i], count[i], alpha_part[i]);
        end[i] = known;
    }
    uint64_t low = known + record->q_rest;
    for (int i = g; i < EZ_TOP; i++)
        low += alpha_part[i];
    uint64_t high = low + (record->weight[g] * rest << EZ_ALPHA_BITS);
    uint64_t x_low = ez_mulhi(u, low), x_high = ez_mulhi(u, high);
    if (three_branch)
        return x_high < end[0] ? 0 : EZ_UNDECIDED;
    for (int i = 0; i < g; i++)
        if (x_low < end[i])
            return x_high < end[i] ? i : EZ_UNDECIDED;
    return EZ_UNDECIDED;
}

/* Rows of D: (topic << 16 | count), topics ascending, padded with zeros to a multiple of EZ_ROW_STEP; a count above
 * 65,535 takes several entries. S'' is walked in lanes: entry j lies in lane (j / 4) % 8, lane 0 first, ascending j
 * inside a lane, so that eight lanes of a GPU (or two vectors of a CPU) find it with one short scan. */
enum { EZ_ROW_STEP = 16, EZ_LANES = 8, EZ_LANE_WIDTH = 4, EZ_ENTRY_MAX = 65535 };

/* The most entries that n tokens over so many topics can take, padding left out. */
EZ_INLINE uint64_t ez_entries_most(uint64_t n, uint32_t topics)
{
    return (n < topics ? n : topics) + n / EZ_ENTRY_MAX;
}

EZ_INLINE uint32_t ez_entry(uint32_t topic, uint32_t count)
{
    return topic << 16 | count;
}

EZ_INLINE uint32_t ez_entry_topic(uint32_t entry)
{
    return entry >> 16;
}

EZ_INLINE uint32_t ez_entry_count(uint32_t entry)
{
    return entry & 0xffff;
}

/* Where a topic starts: uniform in [0, K) from a draw. */
EZ_INLINE uint32_t ez_uniform_topic(uint64_t u, uint32_t topics)
{
    return (uint32_t)ez_mulhi(u, topics);
}

#endif
