#include "train/checkpoint/checkpoint.h"

#include <stdio.h>

bool ez_numbers_differ(ez_key_difference *out, const char *what, uint64_t a, uint64_t b)
{
    out->what = what;
    snprintf(out->a, sizeof out->a, "%llu", (unsigned long long)a);
    snprintf(out->b, sizeof out->b, "%llu", (unsigned long long)b);
    return a != b;
}

bool ez_reals_differ(ez_key_difference *out, const char *what, double a, double b)
{
    out->what = what;
    snprintf(out->a, sizeof out->a, "%.7g", a);
    snprintf(out->b, sizeof out->b, "%.7g", b);
    return a != b;
}

/* Content, told by its hash. */
static bool content(ez_key_difference *out, const char *what, uint64_t a, uint64_t b)
{
    out->what = what;
    snprintf(out->a, sizeof out->a, "%016llx", (unsigned long long)a);
    snprintf(out->b, sizeof out->b, "%016llx", (unsigned long long)b);
    return a != b;
}

bool ez_checkpoint_key_differs(ez_key_difference *out, const ez_checkpoint_key *a,
                               const ez_checkpoint_key *b)
{
    return content(out, "the hash of the corpus", a->corpus_hash, b->corpus_hash) ||
           ez_numbers_differ(out, "topics", a->topics, b->topics) ||
           ez_numbers_differ(out, "seed", a->seed, b->seed) ||
           ez_reals_differ(out, "the sum of alpha", a->alpha_sum, b->alpha_sum) ||
           content(out, "the hash of alpha", a->alpha_hash, b->alpha_hash) ||
           ez_reals_differ(out, "beta", a->beta, b->beta) ||
           ez_numbers_differ(out, "estimator (0: leave-one-out, 1: esca)", a->estimator,
                             b->estimator) ||
           ez_numbers_differ(out, "start (0: keyword, 1: random)", a->start, b->start) ||
           ez_numbers_differ(out, "optimize-interval", a->optimize_interval,
                             b->optimize_interval) ||
           ez_numbers_differ(out, "optimize-burn-in", a->optimize_burn_in, b->optimize_burn_in) ||
           ez_numbers_differ(out, "symmetric-alpha", a->symmetric_alpha, b->symmetric_alpha) ||
           content(out, "the hash of the seeds", a->seeds_hash, b->seeds_hash) ||
           ez_reals_differ(out, "seed-weight", a->seed_weight, b->seed_weight) ||
           content(out, "the hash of the model to continue from", a->init_hash, b->init_hash);
}
