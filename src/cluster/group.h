/* A group of ranks that train one model together, each with a shard of the documents
 * (docs/scale.md). All ranks make the same calls in the same order. Only integers are summed, so
 * the order of the sums does not matter. */
#ifndef EZ_GROUP_H
#define EZ_GROUP_H

#include "base/memory.h"

typedef struct ez_group_ops {
    /* Sums over the ranks, in place. */
    ezlda_status (*sum32)(ezlda_group *group, ezlda_context *context, uint32_t *data, size_t n);
    ezlda_status (*sum64)(ezlda_group *group, ezlda_context *context, uint64_t *data, size_t n);
    /* Concatenates what the ranks pass, in their order, for all ranks or for the root alone (the
     * others get NULL). The caller frees *out; at (ranks + 1 values) gets the byte where the data
     * of each rank begins. */
    ezlda_status (*gather)(ezlda_group *group, ezlda_context *context, const void *data,
                           size_t bytes, bool to_all, void **out, size_t *at);
    /* bytes[i]: how much rank i passes. Then gather_into concatenates it in `out`, which may hold
     * the data of this rank in its place already. */
    ezlda_status (*sizes)(ezlda_group *group, ezlda_context *context, size_t own, size_t *bytes);
    ezlda_status (*gather_into)(ezlda_group *group, ezlda_context *context, const void *data,
                                const size_t *bytes, bool to_all, void *out);
    /* The bytes of the root become those of all ranks. */
    ezlda_status (*share)(ezlda_group *group, ezlda_context *context, void *data, size_t bytes);
    /* Ends all ranks with a failure; does not return if the ranks are processes. */
    void (*fail)(ezlda_group *group);
    void (*close)(ezlda_group *group);
} ez_group_ops;

struct ezlda_group {
    const ez_group_ops *ops;
    int rank, ranks;
    bool failed; /* this rank is about to end the others */
};

/* Whether there are several ranks. */
static inline bool ez_is_distributed(const ezlda_group *group)
{
    return group && group->ranks > 1;
}

/* Whether this is rank 0, or the only process. */
static inline bool ez_is_root(const ezlda_group *group)
{
    return !group || group->rank == 0;
}

static inline ezlda_status ez_group_sum32(ezlda_group *group, ezlda_context *context,
                                          uint32_t *data, size_t n)
{
    return ez_is_distributed(group) ? group->ops->sum32(group, context, data, n) : EZLDA_OK;
}

static inline ezlda_status ez_group_sum64(ezlda_group *group, ezlda_context *context,
                                          uint64_t *data, size_t n)
{
    return ez_is_distributed(group) ? group->ops->sum64(group, context, data, n) : EZLDA_OK;
}

static inline ezlda_status ez_group_share(ezlda_group *group, ezlda_context *context, void *data,
                                          size_t bytes)
{
    return ez_is_distributed(group) ? group->ops->share(group, context, data, bytes) : EZLDA_OK;
}

/* The buffer becomes the concatenation of the buffers of all ranks. */
ezlda_status ez_group_join(ezlda_group *group, ezlda_context *context, ez_buffer *buffer);

#endif
