/* Documents in chunks that are loaded one after another, for a corpus that is larger than memory.
 */
#ifndef EZ_TOKEN_SOURCE_H
#define EZ_TOKEN_SOURCE_H

#include "tokens/token_list.h"

typedef struct ez_token_source ez_token_source;
struct ez_token_source {
    uint32_t chunks;
    const uint64_t *first_token; /* chunks+1: tokens before the chunk */
    uint16_t *
        topic; /* of all tokens in document order: where they are while their chunk is not loaded */
    /* A chunk of documents, with what all chunks share (ez_token_subset); freed by the caller. */
    ezlda_status (*load)(ez_token_source *source, ezlda_context *context, uint32_t chunk,
                         ez_token_list **out);
    /* A chunk will be loaded soon; the topics of a chunk will not be used for a while. */
    void (*ahead)(ez_token_source *source, uint32_t chunk);
    void (*behind)(ez_token_source *source, uint32_t chunk);
};

static inline uint64_t ez_source_tokens(const ez_token_source *source)
{
    return source->first_token[source->chunks];
}

/* Calls `work` with the token list that has all documents, or with each chunk of a source, which
 * follows on so many tokens. */
typedef ezlda_status (*ez_list_fn)(ez_token_list *list, uint64_t before, void *user);
ezlda_status ez_each_list(ez_token_list *tokens, ez_token_source *source, ezlda_context *context,
                          ez_list_fn work, void *user);

#endif
