/* Cuts a token list: into shards, one for each device of a process, or by the lengths of documents.
 */
#ifndef EZ_TOKEN_SHARD_H
#define EZ_TOKEN_SHARD_H

#include "tokens/token_list.h"

/* Cuts between documents into shards of similar token counts: shard i is documents
 * [first[i], first[i + 1]). */
void ez_token_list_cut(const ez_token_list *tokens, int shards, uint64_t *first);

/* Documents [first, last) as a list of their own, with words numbered as in the whole list. */
ezlda_status ez_token_list_shard(ez_token_list **out, ezlda_context *context,
                                 const ez_token_list *tokens, uint64_t first, uint64_t last);

/* All documents, with words numbered as in the whole list; those whose length is outside [least,
 * most] are empty. */
ezlda_status ez_token_list_of_lengths(ez_token_list **out, ezlda_context *context,
                                      const ez_token_list *tokens, uint64_t least, uint64_t most);

#endif
