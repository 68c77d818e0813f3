/* Priors fitted to the counts: Minka's fixed point, from integer histograms. */
#ifndef EZ_PRIORS_H
#define EZ_PRIORS_H

#include "backend/backend.h"

enum { EZ_LENGTH_CELLS = 4096 };

typedef struct ez_prior_fit {
    ez_histograms histograms;
    uint64_t lengths[EZ_LENGTH_CELLS]; /* documents with so many tokens */
    ez_buffer longer;                  /* uint64_t: lengths from EZ_LENGTH_CELLS on */
    uint32_t words;
    bool symmetric;
} ez_prior_fit;

/* Zero-initialise before; free also on failure. */
ezlda_status ez_prior_fit_init(ez_prior_fit *fit, ezlda_context *context, const ez_token_list *tokens, uint32_t topics,
                               bool symmetric);
/* New priors into settings and alpha (which settings->alpha points to), and to the backend. */
ezlda_status ez_prior_fit_run(ez_prior_fit *fit, ezlda_context *context, ez_backend *backend, ez_settings *settings,
                              float *alpha);
void ez_prior_fit_free(ez_prior_fit *fit);

#endif
