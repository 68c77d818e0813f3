/* Gathers the topics of the prior sample's tokens from all shards and ranks. */
#include "backend/cuda/cuda_kernel_table.h"
#include "backend/cuda/cuda_prior_sample_handle.h"
#include "backend/cuda/cuda_topics.h"

#include <string.h>

/* The places in [first, last) of an ascending list: sets *from and returns their number. */
static uint64_t find_places(const uint64_t *place, uint64_t n, uint64_t first, uint64_t last,
                            uint64_t *from)
{
    uint64_t end;
    for (*from = 0; *from < n && place[*from] < first;)
        ++*from;
    for (end = *from; end < n && place[end] < last;)
        end++;
    return end - *from;
}

/* Lists the tokens whose topics are gathered from a shard: [first, last) of this rank. */
static ezlda_status open_gathering(ez_prior_gathering *g, ezlda_context *context,
                                   const ez_prior_sample_docs *docs, uint64_t first, uint64_t last)
{
    ez_cuda *c = g->cuda;
    ez_gather_state *s = &g->state;
    uint64_t from, from_dropped, *place = NULL;
    uint32_t *token = NULL;
    ezlda_status status;
    g->places = find_places(docs->place, docs->places, first, last, &from);
    uint64_t n =
        g->places + find_places(docs->dropped, docs->n_dropped, first, last, &from_dropped);
    EZ_TRY_GOTO(ez_array(&place, context, n, sizeof *place, "the prior sample"));
    EZ_TRY_GOTO(ez_array(&token, context, n, sizeof *token, "the prior sample"));
    for (uint64_t i = 0; i < n; i++)
        place[i] =
            (i < g->places ? docs->place[from + i] : docs->dropped[from_dropped + i - g->places]) -
            first;
    EZ_TRY_GOTO(ez_device_enter(&c->device, context));
    EZ_TRY_GOTO(ez_cuda_find_tokens(c, context, place, g->places, token));
    EZ_TRY_GOTO(
        ez_cuda_find_tokens(c, context, place + g->places, n - g->places, token + g->places));
    EZ_TRY_GOTO(ez_cuda_find_kernel(c, context, &g->kernel, EZ_KERNEL_PRIOR_SAMPLE_GATHER, 0));
    *s = (ez_gather_state){.n = (uint32_t)n,
                           .place = c->room[0].place,
                           .topic = c->room[0].topic,
                           .mask = c->state.w.topics > 32768 ? 0xffff : 0x7fff};
    EZ_TRY_GOTO(ez_array(&g->topic, context, n, sizeof *g->topic, "the prior sample"));
    EZ_TRY_GOTO(ez_device_array(&c->device, context, &s->token, token, n, sizeof *token,
                                "the prior sample"));
    status =
        ez_device_array(&c->device, context, &s->out, NULL, n, sizeof *s->out, "the prior sample");
done:
    ez_free(place);
    ez_free(token);
    return status;
}

ezlda_status ez_cuda_prior_sample_open_gathering(ez_cuda_prior_sample *p, ezlda_context *context,
                                                 ez_cuda **shard, const uint64_t *first_token)
{
    EZ_TRY(ez_array_zero(&p->gathering, context, (size_t)(unsigned)p->shards, sizeof *p->gathering,
                         "the prior sample"));
    for (int m = 0; m < p->shards; m++) {
        p->gathering[m].cuda = shard[m];
        EZ_TRY(
            open_gathering(&p->gathering[m], context, p->docs, first_token[m], first_token[m + 1]));
    }
    return EZLDA_OK;
}

/* Reads the topics of the tokens of a shard, and waits for it: other shards may still read W. */
static ezlda_status gather(ez_prior_gathering *g, ezlda_context *context)
{
    ez_device *device = &g->cuda->device;
    EZ_TRY(ez_device_enter(device, context));
    if (g->state.n > 0)
        EZ_TRY(ez_device_launch(device, context, &g->kernel, g->kernel.blocks, &g->state));
    EZ_TRY(ez_device_finish(device, context, "the prior sample"));
    return g->state.n > 0 ? ez_device_read(device, context, g->topic, g->state.out,
                                           g->state.n * sizeof *g->topic)
                          : EZLDA_OK;
}

ezlda_status ez_cuda_prior_sample_gather(ez_cuda_prior_sample *p, ezlda_context *context,
                                         ez_buffer *own)
{
    ezlda_group *group = p->cuda->settings->group;
    memset(p->removed, 0, p->state.topics * sizeof *p->removed);
    for (int m = 0; m < p->shards; m++) {
        ez_prior_gathering *g = &p->gathering[m];
        EZ_TRY(gather(g, context));
        if (g->places)
            EZ_TRY(ez_buffer_append(own, context, g->topic, g->places * sizeof *g->topic));
        for (uint64_t i = g->places; i < g->state.n; i++)
            p->removed[g->topic[i]]++;
    }
    EZ_TRY(ez_group_join(group, context, own));
    EZ_TRY(ez_group_sum64(group, context, p->removed, p->state.topics));
    const uint16_t *topic = (const uint16_t *)(const void *)own->data;
    for (size_t i = 0; i < own->used / sizeof *topic; i++)
        p->removed[topic[i]]++;
    return EZLDA_OK;
}
