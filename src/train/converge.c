/* Extrapolates the curve of LLPT from its last three scores, and compares held-out scores. */
#include "train/converge.h"

#include <math.h>
#include <stdio.h>

/* Consecutive scores that must agree, and the relative change of the share of moving tokens that is
 * still allowed. */
enum { EZ_CONVERGE_AGREE = 2 };
static const double EZ_MOVED_CHANGE = 0.03;

/* The held-out score, in bits per token, that twice the iterations must gain: 0.7 % of perplexity.
 * Each further doubling gains less, so that all of them together would gain about as much again. */
static const double EZ_HELD_OUT_GAIN = 0.01;

/* The LLPT that infinitely many iterations would add. Gains that fall by a constant factor from
 * score to score are a geometric series; gains that hardly fall are expected to continue for nine
 * more scores. */
static double expected_gain(const ez_converge *c)
{
    double last = (c->llpt[0] - c->llpt[1]) / (c->iteration[0] - c->iteration[1]);
    double before = (c->llpt[1] - c->llpt[2]) / (c->iteration[1] - c->iteration[2]);
    double apart = c->iteration[0] - c->iteration[1];
    if (last <= 0)
        return 0;
    double factor = before > last ? last / before : 1;
    double rest = factor < 0.9 ? factor / (1 - factor) : 9;
    return last * apart * rest;
}

static void push(ez_converge *c, uint32_t iteration, double llpt, double moved)
{
    for (int i = 2; i > 0; i--) {
        c->llpt[i] = c->llpt[i - 1];
        c->moved[i] = c->moved[i - 1];
        c->iteration[i] = c->iteration[i - 1];
    }
    c->llpt[0] = llpt;
    c->moved[0] = moved;
    c->iteration[0] = iteration;
    c->scores++;
}

bool ez_converge_score(ez_converge *c, uint32_t iteration, double llpt, double moved, char *why,
                       size_t n)
{
    if (c->gain <= 0)
        return false;
    push(c, iteration, llpt, moved);
    if (c->scores < 3)
        return false;
    double more = expected_gain(c), change = fabs(c->moved[0] - c->moved[1]);
    bool still = change <= EZ_MOVED_CHANGE * (c->moved[1] > 0.001 ? c->moved[1] : 0.001);
    c->low = more < c->gain && still ? c->low + 1 : 0;
    if (c->low < EZ_CONVERGE_AGREE)
        return false;
    snprintf(why, n,
             "converged after iteration %u: further iterations are expected to gain %.4f of LLPT, "
             "less than %g, and the share of tokens that move has settled at %.1f %%",
             iteration, more, c->gain, 100 * moved);
    return true;
}

/* The fall of perplexity in per cent that a gain in bits per token makes. */
static double percent_of(double bits)
{
    return 100 * (1 - exp2(-bits));
}

bool ez_converge_held_out(ez_converge *c, uint32_t iteration, double score, uint32_t least,
                          char *why, size_t n)
{
    push(c, iteration, score, 0);
    if (c->scores < 3 || iteration < least)
        return false;
    double gained = c->llpt[0] - c->llpt[2];
    if (gained >= EZ_HELD_OUT_GAIN)
        return false;
    snprintf(why, n,
             "converged after iteration %u: the perplexity of held-out documents fell by %.1f %% "
             "since iteration %u",
             iteration, gained > 0 ? percent_of(gained) : 0.0, c->iteration[2]);
    return true;
}
