#include "tokens/token_source.h"

ezlda_status ez_each_list(ez_token_list *tokens, ez_token_source *source, ezlda_context *context,
                          ez_list_fn work, void *user)
{
    if (!source)
        return work(tokens, 0, user);
    for (uint32_t p = 0; p < source->parts; p++) {
        ez_token_list *list = NULL;
        ezlda_status status = source->load(source, context, p, &list);
        if (status == EZLDA_OK && p + 1 < source->parts)
            source->ahead(source, p + 1);
        if (status == EZLDA_OK)
            status = work(list, source->first_token[p], user);
        ez_token_list_free(list);
        EZ_TRY(status);
    }
    return EZLDA_OK;
}
