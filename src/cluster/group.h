/* Members that train one model together, each with a part of its documents (docs/scale.md). All
 * members make the same calls in the same order; what is summed are integers, so nothing depends on
 * who adds first. */
#ifndef EZ_GROUP_H
#define EZ_GROUP_H

#include "base/memory.h"

typedef struct ez_group_ops {
    /* Sums over the members, in place. */
    ezlda_status (*sum32)(ezlda_group *group, ezlda_context *context, uint32_t *data, size_t n);
    ezlda_status (*sum64)(ezlda_group *group, ezlda_context *context, uint64_t *data, size_t n);
    /* What each member gives, one after another: *out is freed by the caller, at[i] is where member
     * i's begin (members
     * + 1, in bytes). To all of them, or to member 0 alone (the others get NULL). */
    ezlda_status (*gather)(ezlda_group *group, ezlda_context *context, const void *data,
                           size_t bytes, bool to_all, void **out, size_t *at);
    /* bytes[i]: how much member i has; then all of that in `out`, where what this member gives may
     * lie in its place. */
    ezlda_status (*sizes)(ezlda_group *group, ezlda_context *context, size_t own, size_t *bytes);
    ezlda_status (*gather_into)(ezlda_group *group, ezlda_context *context, const void *data,
                                const size_t *bytes, bool to_all, void *out);
    /* Member 0's bytes become everyone's. */
    ezlda_status (*share)(ezlda_group *group, ezlda_context *context, void *data, size_t bytes);
    /* Ends all members with a failure; does not return where the members are processes. */
    void (*fail)(ezlda_group *group);
    void (*close)(ezlda_group *group);
} ez_group_ops;

struct ezlda_group {
    const ez_group_ops *ops;
    int rank, ranks;
    bool failed; /* this member is about to end the others */
};

/* Whether there is a group of several. */
static inline bool ez_is_distributed(const ezlda_group *group)
{
    return group && group->ranks > 1;
}

/* Whether this is member 0, or alone. */
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

/* A buffer becomes all members', one after another. */
ezlda_status ez_group_join(ezlda_group *group, ezlda_context *context, ez_buffer *buffer);

#endif
