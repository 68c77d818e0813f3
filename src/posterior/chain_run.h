/* Runs a chain as the sampling options say: steps that are dropped, then kept samples some steps
 * apart. */
#ifndef EZ_CHAIN_RUN_H
#define EZ_CHAIN_RUN_H

#include "posterior/chain.h"

ezlda_status ez_sampling_read(ezlda_sampling_options *options, ezlda_context *context,
                              const ezlda_sampling_options *given);

/* Called after each step of the burn-in and after each kept sample; rounds count from 1. */
typedef ezlda_status (*ez_round_fn)(void *user, ezlda_context *context, const ez_chain *chain,
                                    uint32_t round, bool keep);

ezlda_status ez_sampling_run(ez_chain *chain, ezlda_context *context,
                             const ezlda_sampling_options *options, ez_round_fn round, void *user);

#endif
