/* Documents of a token list dealt out to several devices. */
#ifndef EZ_TOKEN_SHARD_H
#define EZ_TOKEN_SHARD_H

#include "tokens/token_list.h"

/* Cuts between documents into contiguous parts of similar token counts: part p is documents
 * [first[p], first[p + 1]).
 */
void ez_token_list_cut(const ez_token_list *tokens, int parts, uint64_t *first);

/* Documents [first, last) as a list of its own, words numbered alike. */
ezlda_status ez_token_list_shard(ez_token_list **out, ezlda_context *context,
                                 const ez_token_list *tokens, uint64_t first, uint64_t last);

#endif
