/* Documents in chunks that are loaded one after another, for a corpus that is larger than memory.
 * train/out_of_core.c makes one. */
#ifndef EZ_TOKEN_SOURCE_H
#define EZ_TOKEN_SOURCE_H

#include "tokens/token_list.h"

typedef struct ez_token_source ez_token_source;
struct ez_token_source {
    uint32_t chunks;
    const uint64_t *first_token; /* chunks+1: tokens before the chunk */
    /* The topics of all tokens in document order, kept while their chunk is not loaded. */
    uint16_t *topic;
    /* Loads a chunk; the caller frees it. */
    ezlda_status (*load)(ez_token_source *source, ezlda_context *context, uint32_t chunk,
                         ez_token_list **out);
    /* Hints: a chunk will be loaded soon; the topics of a chunk will not be used for a while. */
    void (*ahead)(ez_token_source *source, uint32_t chunk);

    void (*behind)(ez_token_source *source, uint32_t chunk);
};

static inline uint64_t ez_source_tokens(const ez_token_source *source)
{
    return source->first_token[source->chunks];
}

/* token_list.c: calls `work` with the list that has all documents, or with each chunk of a source.
 * before: the tokens before the list. */
typedef ezlda_status (*ez_list_fn)(ez_token_list *list, uint64_t before, void *user);
ezlda_status ez_each_list(ez_token_list *tokens, ez_token_source *source, ezlda_context *context,
                          ez_list_fn work, void *user);

#endif
