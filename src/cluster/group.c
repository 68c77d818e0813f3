/* Concatenates the buffers of all ranks, on any kind of group. */
#include "cluster/group.h"

ezlda_status ez_group_join(ezlda_group *group, ezlda_context *context, ez_buffer *buffer)
{
    void *all = NULL;
    size_t *at = NULL;
    ezlda_status status;
    if (!ez_is_distributed(group))
        return EZLDA_OK;
    EZ_TRY_GOTO(ez_array(&at, context, (size_t)group->ranks + 1, sizeof *at, "the ranks' bytes"));
    EZ_TRY_GOTO(group->ops->gather(group, context, buffer->data, buffer->used, true, &all, at));
    ez_free(buffer->data);
    *buffer = (ez_buffer){.data = all, .used = at[group->ranks], .capacity = at[group->ranks]};
done:
    ez_free(at);
    return status;
}
