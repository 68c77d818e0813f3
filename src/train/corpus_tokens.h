/* From a corpus to the token list. */
#ifndef EZ_CORPUS_TOKENS_H
#define EZ_CORPUS_TOKENS_H

#include "backend/token_list.h"

ezlda_status ez_corpus_tokens(ez_token_list **out, ezlda_context *context, const ezlda_corpus *corpus);

#endif
