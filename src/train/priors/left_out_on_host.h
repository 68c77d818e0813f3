/* Documents left out of W, on the host (backend/left_out.h), for backends that cannot do it
 * themselves. */
#ifndef EZ_LEFT_OUT_ON_HOST_H
#define EZ_LEFT_OUT_ON_HOST_H

#include "backend/left_out.h"

/* tokens and settings are those of the backend; they and docs must outlive *out. */
ezlda_status ez_left_out_on_host(ez_left_out **out, ezlda_context *context, ez_backend *backend,
                                 ez_token_list *tokens, const ez_settings *settings,
                                 const ez_left_out_docs *docs);

#endif
