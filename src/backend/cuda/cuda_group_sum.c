/* W and n summed over a group whose other members are beyond this process, through the host: the first of the GPUs here
 * speaks for all, which already hold the same sums. */
#include "backend/cuda/cuda_state.h"

#include <stddef.h>
#include <string.h>

/* An array of the first member, summed by the group, becomes that of all members. */
static ezlda_status write_all(ez_cuda **member, int members, ezlda_context *context, size_t pointer, const void *host,
                              size_t bytes)
{
    for (int m = 0; m < members; m++) {
        void *array;
        memcpy(&array, (const char *)&member[m]->state + pointer, sizeof array);
        EZ_TRY(ez_device_enter(&member[m]->device, context));
        EZ_TRY(ez_device_write(&member[m]->device, context, array, host, bytes));
    }
    return EZLDA_OK;
}

static ezlda_status sum_topics(ez_cuda **member, int members, ezlda_context *context, ezlda_group *group)
{
    const ez_device_state *s = &member[0]->state;
    uint64_t *n = NULL;
    size_t bytes = s->topics * sizeof *n;
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&n, context, s->topics, sizeof *n, "topic sums"));
    EZ_TRY_GOTO(ez_device_read(&member[0]->device, context, n, s->topic_tokens, bytes));
    EZ_TRY_GOTO(group->ops->sum64(group, context, n, s->topics));
    status = write_all(member, members, context, offsetof(ez_device_state, topic_tokens), n, bytes);
done:
    ez_free(n);
    return status;
}

static ezlda_status sum_dense(ez_cuda **member, int members, ezlda_context *context, ezlda_group *group)
{
    const ez_device_state *s = &member[0]->state;
    uint32_t *dense = NULL;
    size_t cells = (size_t)s->dense_words * s->w_stride;
    ezlda_status status;
    if (cells == 0)
        return EZLDA_OK;
    EZ_TRY_GOTO(ez_array(&dense, context, cells, sizeof *dense, "dense rows of W"));
    EZ_TRY_GOTO(ez_device_read(&member[0]->device, context, dense, s->w_dense, cells * sizeof *dense));
    EZ_TRY_GOTO(group->ops->sum32(group, context, dense, cells));
    status = write_all(member, members, context, offsetof(ez_device_state, w_dense), dense, cells * sizeof *dense);
done:
    ez_free(dense);
    return status;
}

/* Entries that a row's table holds, and where `out` is not NULL, these. */
static uint32_t list_row(const uint32_t *table, uint32_t slots, uint32_t *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < slots; i++) {
        if (ez_entry_count(table[i]) == 0)
            continue;
        if (out)
            out[n] = table[i];
        n++;
    }
    return n;
}

/* The sparse rows as lists: where each begins (words + 1), then the entries. */
static ezlda_status list_rows(ez_cuda *c, ezlda_context *context, uint32_t **out, size_t *n)
{
    const ez_device_state *s = &c->state;
    uint32_t rows = s->words - s->dense_words, *list = NULL, *start = NULL, *table = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&start, context, (size_t)s->words + 1, sizeof *start, "row starts of W"));
    EZ_TRY_GOTO(ez_array(&table, context, c->sparse_room, sizeof *table, "sparse rows of W"));
    EZ_TRY_GOTO(ez_array(&list, context, c->sparse_room + rows + 1, sizeof *list, "sparse rows of W"));
    EZ_TRY_GOTO(ez_device_read(&c->device, context, start, s->w_start, ((size_t)s->words + 1) * sizeof *start));
    EZ_TRY_GOTO(ez_device_read(&c->device, context, table, s->w_sparse, c->sparse_room * sizeof *table));
    const uint32_t *first = start + s->dense_words;
    list[0] = 0;
#pragma omp parallel for schedule(dynamic, 256) num_threads(ez_threads(context))
    for (uint32_t v = 0; v < rows; v++)
        list[v + 1] = list_row(table + (first[v] - s->sparse_base), first[v + 1] - first[v], NULL);
    for (uint32_t v = 0; v < rows; v++)
        list[v + 1] += list[v];
#pragma omp parallel for schedule(dynamic, 256) num_threads(ez_threads(context))
    for (uint32_t v = 0; v < rows; v++)
        list_row(table + (first[v] - s->sparse_base), first[v + 1] - first[v], list + rows + 1 + list[v]);
    *n = (size_t)rows + 1 + list[rows];
    *out = list;
    list = NULL;
done:
    ez_free(start);
    ez_free(table);
    ez_free(list);
    return status;
}

static ezlda_status add_list(ez_cuda *c, ezlda_context *context, const uint32_t *list)
{
    ez_device_state s = c->state;
    size_t rows = s.words - s.dense_words;
    EZ_TRY(ez_device_enter(&c->device, context));
    EZ_TRY(ez_device_write(&c->device, context, s.added_start, list, (rows + 1) * sizeof *list));
    EZ_TRY(ez_device_write(&c->device, context, s.added, list + rows + 1, list[rows] * sizeof *list));
    return ez_device_launch(&c->device, context, &c->sum_lists, c->sum_lists.blocks, &s);
}

static ezlda_status sum_sparse(ez_cuda **member, int members, ezlda_context *context, ezlda_group *group)
{
    uint32_t *list = NULL;
    void *all = NULL;
    size_t n, *at = NULL;
    ezlda_status status;
    if (member[0]->sparse_room == 0)
        return EZLDA_OK;
    EZ_TRY_GOTO(ez_array(&at, context, (size_t)group->members + 1, sizeof *at, "sparse rows of W"));
    EZ_TRY_GOTO(list_rows(member[0], context, &list, &n));
    EZ_TRY_GOTO(group->ops->gather(group, context, list, n * sizeof *list, true, &all, at));
    for (int from = 0; from < group->members; from++)
        for (int m = 0; m < members && from != group->member; m++)
            EZ_TRY_GOTO(add_list(member[m], context, (const uint32_t *)((const char *)all + at[from])));
done:
    ez_free(list);
    ez_free(all);
    ez_free(at);
    return status;
}

ezlda_status ez_cuda_sum_group(ez_cuda **member, int members, ezlda_context *context, ezlda_group *group)
{
    EZ_TRY(ez_device_enter(&member[0]->device, context));
    EZ_TRY(sum_topics(member, members, context, group));
    EZ_TRY(ez_device_enter(&member[0]->device, context));
    EZ_TRY(sum_dense(member, members, context, group));
    EZ_TRY(ez_device_enter(&member[0]->device, context));
    return sum_sparse(member, members, context, group);
}
