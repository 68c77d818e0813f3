/* Fits the prior sample on the host (backend/prior_sample_fit.h), for backends that cannot do it
 * themselves. */
#ifndef EZ_PRIOR_SAMPLE_ON_HOST_H
#define EZ_PRIOR_SAMPLE_ON_HOST_H

#include "backend/prior_sample_fit.h"

/* tokens and settings are those of the backend; they and docs must outlive *out. */
ezlda_status ez_prior_sample_on_host(ez_prior_sample_fit **out, ezlda_context *context,
                                     ez_backend *backend, ez_token_list *tokens,
                                     const ez_settings *settings, const ez_prior_sample_docs *docs);

#endif
