/* Decides whether further iterations are worth it: from the curve of LLPT and the share of tokens
 * that move, or from the held-out score. */
#ifndef EZ_CONVERGE_H
#define EZ_CONVERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Iterations between two scores, unless the caller sets eval_every. */
enum { EZ_CONVERGE_EVERY = 10 };

/* The gain and the iterations between scores if LLPT stands in for the held-out score. */
enum { EZ_CONVERGE_LLPT_EVERY = 50 };
static const double EZ_CONVERGE_GAIN = 0.005;

typedef struct ez_converge {
    double gain;              /* LLPT that is still worth it; 0: LLPT never ends the run */
    double llpt[3], moved[3]; /* values of the last scores (of either kind), the newest first */
    uint32_t iteration[3];
    int scores;
    int low; /* scores in a row whose expected gain was below the limit */
} ez_converge;

/* Adds a score. Returns whether the run has converged, with the reason in `why` (n bytes). */
bool ez_converge_score(ez_converge *c, uint32_t iteration, double llpt, double moved, char *why,
                       size_t n);

/* Adds a held-out score (log2 p per token) of a check; at each second check the iterations have
 * doubled. Returns whether the last doubling gained too little. `least`: a run does not converge
 * before this iteration. */
bool ez_converge_held_out(ez_converge *c, uint32_t iteration, double score, uint32_t least,
                          char *why, size_t n);

#endif
