/* Three-branch and many-branch decisions: the topic of a token, found from the bounds of its line
 * alone.
 *
 * A token's topic lies at x = mulhi(u, T) on the line  m1 | m2 | ... | m8 | S'' << 14 | Q'':
 *   a1 >= a2 >= ...  weights of the word's top topics K1, K2, ...;  Ci = D[d][Ki]
 *   mi  = (ai * Ci << 14) + q[Ki]          m1 is the paper's M
 *   S'' = sum of count * w[k] over the document's row of D, outside the top eight
 *   Q'' = sum of q[k] over all topics outside the top eight
 * Leave-one-out removes the token's own topic o once from the counts: Ci - 1 if Ki = o, else w[o]
 * less in S''.
 *
 * The terms that are not looked up (S'' and the counts of K(g+1) .. K8) lie between 0 and a(g+1) *
 * rest, where rest is the number of the document's tokens outside K1 .. Kg. That bounds T from both
 * sides in exact integers, and mulhi is monotone. If both bounds put x on the same branch, x is on
 * that branch. An early decision finds x sooner; it never changes it. docs/arithmetic.md has the
 * proof.
 *
 * ez_decide defines the result. Five implementations repeat it by hand for speed and must agree
 * with it bit for bit: backend/cpu/kernels/kernels_avx2.c, kernels_avx512.c and kernels_neon.c
 * (integers), backend/cuda/kernels/three_branch.cuh (floats with a margin), and
 * backend/reference/reference.c, which checks every early decision against the whole line. */
#ifndef EZ_THREE_BRANCH_H
#define EZ_THREE_BRANCH_H

#include "sampler/word_record.h"

/* m_i: alpha_part is q[Ki]. */
EZ_INLINE uint64_t ez_branch(uint32_t weight, uint32_t count, uint64_t alpha_part)
{
    return ((uint64_t)weight * count << EZ_ALPHA_BITS) + alpha_part;
}

enum { EZ_UNDECIDED = -1 };

/* A bit above every topic and weight. It marks a token that stays open (EZ_MARK | its old topic),
 * and in a word's table of weights a top topic (EZ_MARK and its branch instead of the weight). */
#define EZ_MARK 0x80000000u

/* The branch (0 .. g-1) on which x certainly falls, or EZ_UNDECIDED.
 * count[i] = Ci (leave-one-out applied) and alpha_part[i] = q[Ki], i < 8; rest = the document's
 * tokens outside K1..Kg (leave-one-out applied). three_branch: only the first branch is tested, as
 * in the paper. */
EZ_INLINE int ez_decide(const ez_word_record *record, const uint32_t *count,
                        const uint64_t *alpha_part, int g, uint64_t rest, uint64_t u,
                        int three_branch)
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

#endif
