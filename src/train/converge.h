/* Decides whether further iterations are worth it, from the curve of LLPT and the share of tokens
 * that move. */
#ifndef EZ_CONVERGE_H
#define EZ_CONVERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Iterations between two scores, unless the caller sets eval_every. */
enum { EZ_CONVERGE_EVERY = 10 };

typedef struct ez_converge {
    double gain; /* LLPT that is still worth it; 0: the run never counts as converged */
    double llpt[3], moved[3]; /* values of the last scores, the newest first */
    uint32_t iteration[3];
    int scores;
    int low; /* scores in a row that promised less than the gain */
} ez_converge;

/* Adds a score. Returns whether the run has converged, with the reason in `why` (n bytes). */
bool ez_converge_score(ez_converge *c, uint32_t iteration, double llpt, double moved, char *why,
                       size_t n);

#endif
