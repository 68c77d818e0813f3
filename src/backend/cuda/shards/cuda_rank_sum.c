/* Sums W and n over the ranks of an MPI job. The first shard of each rank does it, once the shards
 * of the rank have summed theirs, and the other shards copy the result.
 *
 * n and dense rows are summed in place. Sparse rows travel as lists of entries, which the device
 * makes (kernels/rank_lists.cu): the lists of all ranks together have no more entries than the rows
 * have room, which is the number of tokens of the word. Words are ordered by frequency, and the
 * dense rows from some word on travel as lists too, if the entries of all ranks are smaller than a
 * sum of whole rows. With NCCL all of this stays on the devices, and dense rows travel while lists
 * are made; otherwise it goes through the host. */
#include "backend/cuda/shards/cuda_rank_sum.h"

#include "backend/cuda/cuda_hybrid_w.h"
#include "backend/cuda/cuda_kernel_table.h"
#include "backend/cuda/shards/cuda_shard_sum.h"
#include "backend/cuda/shards/nccl_agree.h"
#include "base/os/os_process.h"

/* Messages are aligned to 16 bytes; in elements. */
enum { EZ_MESSAGE_ALIGN = 4 };

struct ez_rank_sum {
    ez_nccl *nccl;     /* NULL: through the host */
    ez_stream between; /* NCCL's */
    ez_event ev_counted, ev_gathered;
    ez_kernel count_lists, place_lists, write_lists, sum_lists;
    uint32_t first;     /* the first word whose row can travel as a list */
    uint32_t listed;    /* the first word whose row does */
    uint32_t *length;   /* lengths of the lists of dense rows from `first` on, summed over ranks */
    uint32_t *host;     /* host memory through which sums go without NCCL */
    size_t *bytes;      /* bytes of each rank's message */
    size_t *n;          /* the same in elements */
    uint32_t **message; /* where each rank's message is on the device */
};

/* Counts of entries have 16 bits, so the row of a word must not add up to more. */
static uint32_t first_listable(const ez_cuda *c)
{
    uint32_t v = c->state.w.dense_words;
    while (v > 0 && ez_cuda_row_counts(c, v - 1) <= EZ_ENTRY_MAX)
        v--;
    return v;
}

/* The most entries of dense rows, of all ranks together; rows with more travel whole. */
static uint64_t dense_room(const ez_cuda *c, uint32_t first)
{
    return (uint64_t)(c->state.w.dense_words - first) * c->state.w.stride / 2;
}

uint64_t ez_cuda_messages_room(const ez_cuda *c)
{
    const ezlda_group *group = c->settings->group;
    if (!ez_is_distributed(group) || c->role.slice > 0)
        return 0;
    uint32_t first = first_listable(c);
    uint64_t starts = (uint64_t)(c->state.w.words - first) + 1 + EZ_MESSAGE_ALIGN;
    return c->sparse_room + dense_room(c, first) + (uint64_t)group->ranks * starts;
}

/* How many rows travel as lists. */
static size_t rows_of(const ez_cuda *c)
{
    return c->state.w.words - c->rank_sum->listed;
}

/* Cells of the rows that travel whole. */
static size_t whole_row_cells(const ez_cuda *c)
{
    return (size_t)c->rank_sum->listed * c->state.w.stride;
}

/* ---- opening ---- */

static ezlda_status open_kernels(ez_cuda *c, ezlda_context *context, struct ez_rank_sum *x)
{
    EZ_TRY(ez_cuda_find_kernel(c, context, &x->count_lists, EZ_KERNEL_COUNT_LISTS, 0));
    EZ_TRY(ez_cuda_find_kernel(c, context, &x->place_lists, EZ_KERNEL_PLACE_LISTS, 0));
    EZ_TRY(ez_cuda_find_kernel(c, context, &x->write_lists, EZ_KERNEL_WRITE_LISTS, 0));
    return ez_cuda_find_kernel(c, context, &x->sum_lists, EZ_KERNEL_SUM_LISTS, 0);
}

static ezlda_status open_nccl(ez_cuda *c, ezlda_context *context, ezlda_group *group,
                              struct ez_rank_sum *x)
{
    EZ_TRY(ez_device_stream_open(&c->device, context, &x->between));
    EZ_TRY(ez_device_event_open(&c->device, context, &x->ev_counted));
    EZ_TRY(ez_device_event_open(&c->device, context, &x->ev_gathered));
    return ez_nccl_open(&x->nccl, context, group);
}

/* Host memory for the largest of the arrays that go through it. Pages that are not needed are not
 * touched. */
static ezlda_status open_host(ez_cuda *c, ezlda_context *context, struct ez_rank_sum *x)
{
    size_t room = 2 * (size_t)c->state.w.topics, messages = ez_cuda_messages_room(c);
    size_t dense = (size_t)c->state.w.dense_words * c->state.w.stride;
    room = room > dense ? room : dense;
    room = room > messages ? room : messages;
    return ez_array(&x->host, context, room, sizeof *x->host, "rows of W of all ranks");
}

static ezlda_status open_sum(ez_cuda *c, ezlda_context *context, ezlda_group *group)
{
    size_t ranks = (size_t)group->ranks;
    bool use;
    EZ_TRY(ez_array_zero(&c->rank_sum, context, 1, sizeof *c->rank_sum, "sums between ranks"));
    struct ez_rank_sum *x = c->rank_sum;
    EZ_TRY(ez_array(&x->bytes, context, ranks, sizeof *x->bytes, "sums between ranks"));
    EZ_TRY(ez_array(&x->n, context, ranks, sizeof *x->n, "sums between ranks"));
    EZ_TRY(ez_array(&x->message, context, ranks, sizeof *x->message, "sums between ranks"));
    x->first = first_listable(c);
    x->listed = c->state.w.dense_words;
    EZ_TRY(ez_array(&x->length, context, x->listed - x->first, sizeof *x->length,
                    "sums between ranks"));
    EZ_TRY(open_kernels(c, context, x));
    EZ_TRY(ez_nccl_agree(&use, context, group, &c->device));
    return use ? open_nccl(c, context, group, x) : open_host(c, context, x);
}

void ez_cuda_close_rank_sum(ez_cuda *c)
{
    struct ez_rank_sum *x = c->rank_sum;
    if (!x)
        return;
    ez_nccl_close(x->nccl);
    ez_device_stream_close(&c->device, &x->between);
    ez_device_event_close(&c->device, &x->ev_counted);
    ez_device_event_close(&c->device, &x->ev_gathered);
    ez_free(x->host);
    ez_free(x->length);
    ez_free(x->bytes);
    ez_free(x->n);
    ez_free(x->message);
    ez_free(x);
    c->rank_sum = NULL;
}

/* ---- lists of rows ---- */

/* The state for a kernel that makes the lists of a message, or adds them. */
static ez_device_state state_of(const ez_cuda *c, uint32_t *message)
{
    ez_device_state s = c->state;
    s.range.first = c->rank_sum->listed;
    s.range.last = s.w.words;
    s.shards.added_start = message;
    s.shards.added = message + rows_of(c) + 1;
    return s;
}

/* Counts the lengths of the lists of dense rows, from shards.added[1] on. */
static ezlda_status count_dense(ez_cuda *c, ezlda_context *context)
{
    struct ez_rank_sum *x = c->rank_sum;
    ez_device_state s = state_of(c, c->state.shards.added);
    s.range.first = x->first;
    s.range.last = s.w.dense_words;
    if (s.range.first == s.range.last)
        return EZLDA_OK;
    return ez_device_launch(&c->device, context, &x->count_lists, x->count_lists.blocks, &s);
}

/* The first word from which lists are smaller. A row that travels whole costs 2 K counts. All ranks
 * know the same lengths. */
static uint32_t choose_listed(const ez_cuda *c)
{
    const struct ez_rank_sum *x = c->rank_sum;
    uint64_t used = 0, room = dense_room(c, x->first);
    int64_t gain = 0, most = 0;
    uint32_t listed = c->state.w.dense_words;
    for (uint32_t v = listed; v-- > x->first;) {
        uint32_t length = x->length[v - x->first];
        used += length;
        if (used > room)
            break;
        gain += 2 * (int64_t)c->state.w.topics - length;
        if (gain > most) {
            most = gain;
            listed = v;
        }
    }
    return listed;
}

/* Makes the own message, at the beginning of shards.added. */
static ezlda_status make_lists(ez_cuda *c, ezlda_context *context)
{
    struct ez_rank_sum *x = c->rank_sum;
    ez_device_state s = state_of(c, c->state.shards.added);
    if (rows_of(c) == 0)
        return EZLDA_OK;
    EZ_TRY(ez_device_launch(&c->device, context, &x->count_lists, x->count_lists.blocks, &s));
    EZ_TRY(ez_device_launch(&c->device, context, &x->place_lists, 1, &s));
    return ez_device_launch(&c->device, context, &x->write_lists, x->write_lists.blocks, &s);
}

/* Tells every rank how long each message is. */
static ezlda_status share_sizes(ez_cuda *c, ezlda_context *context, ezlda_group *group)
{
    struct ez_rank_sum *x = c->rank_sum;
    uint32_t entries;
    EZ_TRY(ez_device_read(&c->device, context, &entries, c->state.shards.added + rows_of(c),
                          sizeof entries));
    EZ_TRY(
        group->ops->sizes(group, context, (rows_of(c) + 1 + entries) * sizeof entries, x->bytes));
    for (int i = 0; i < group->ranks; i++)
        x->n[i] = x->bytes[i] / sizeof entries;
    return EZLDA_OK;
}

/* Decides where the messages are: the own one first, or in the order of the ranks. */
static void place_messages(ez_cuda *c, const ezlda_group *group, bool own_first)
{
    struct ez_rank_sum *x = c->rank_sum;
    uint32_t *at = c->state.shards.added;
    if (own_first) {
        x->message[group->rank] = at;
        at += (x->n[group->rank] + EZ_MESSAGE_ALIGN - 1) / EZ_MESSAGE_ALIGN * EZ_MESSAGE_ALIGN;
    }
    for (int i = 0; i < group->ranks; i++) {
        if (own_first && i == group->rank)
            continue;
        x->message[i] = at;
        at += own_first ? (x->n[i] + EZ_MESSAGE_ALIGN - 1) / EZ_MESSAGE_ALIGN * EZ_MESSAGE_ALIGN
                        : x->n[i];
    }
}

static ezlda_status add_lists(ez_cuda *c, ezlda_context *context, const ezlda_group *group)
{
    struct ez_rank_sum *x = c->rank_sum;
    for (int from = 0; from < group->ranks && rows_of(c) > 0; from++) {
        ez_device_state s = state_of(c, x->message[from]);
        if (from != group->rank)
            EZ_TRY(ez_device_launch(&c->device, context, &x->sum_lists, x->sum_lists.blocks, &s));
    }
    return EZLDA_OK;
}

/* ---- by NCCL ---- */

/* Waits for NCCL. If a rank is lost, the others would wait for ever, so NCCL is asked for errors.
 */
static ezlda_status watch_nccl(ez_cuda *c, ezlda_context *context)
{
    struct ez_rank_sum *x = c->rank_sum;
    for (bool done = false;;) {
        EZ_TRY(ez_device_stream_done(&c->device, context, &x->between, &done));
        if (done)
            return ez_nccl_check(x->nccl, context);
        EZ_TRY(ez_nccl_check(x->nccl, context));
        ez_os_pause(20000);
    }
}

/* Makes the kernels wait for what NCCL was given. */
static ezlda_status wait_for_nccl(ez_cuda *c, ezlda_context *context)
{
    struct ez_rank_sum *x = c->rank_sum;
    EZ_TRY(ez_device_stream_mark(&c->device, context, &x->between, &x->ev_gathered));
    return ez_device_stream_wait(&c->device, context, NULL, &x->ev_gathered);
}

static ezlda_status choose_by_nccl(ez_cuda *c, ezlda_context *context)
{
    struct ez_rank_sum *x = c->rank_sum;
    size_t n = c->state.w.dense_words - x->first;
    uint32_t *length = c->state.shards.added + 1;
    if (n == 0)
        return EZLDA_OK;
    EZ_TRY(ez_nccl_sum32(x->nccl, context, &x->between, length, n, "lengths of rows of W"));
    EZ_TRY(watch_nccl(c, context));
    EZ_TRY(ez_device_read(&c->device, context, x->length, length, n * sizeof *length));
    x->listed = choose_listed(c);
    return EZLDA_OK;
}

static ezlda_status gather_by_nccl(ez_cuda *c, ezlda_context *context, ezlda_group *group)
{
    struct ez_rank_sum *x = c->rank_sum;
    if (rows_of(c) == 0)
        return EZLDA_OK;
    EZ_TRY(share_sizes(c, context, group));
    place_messages(c, group, true);
    return ez_nccl_gather(x->nccl, context, &x->between, x->message, x->n, "lists of rows of W");
}

/* NCCL's stream waits for the counts. Lists are made meanwhile, and are complete when their sizes
 * are known. */
static ezlda_status sum_by_nccl(ez_cuda *c, ezlda_context *context, ezlda_group *group)
{
    struct ez_rank_sum *x = c->rank_sum;
    const ez_device_state *s = &c->state;
    EZ_TRY(count_dense(c, context));
    EZ_TRY(ez_device_stream_mark(&c->device, context, NULL, &x->ev_counted));
    EZ_TRY(ez_device_stream_wait(&c->device, context, &x->between, &x->ev_counted));
    EZ_TRY(choose_by_nccl(c, context));
    EZ_TRY(make_lists(c, context));
    EZ_TRY(ez_nccl_sum64(x->nccl, context, &x->between, s->w.topic_tokens, s->w.topics, "n"));
    EZ_TRY(ez_nccl_sum32(x->nccl, context, &x->between, s->w.dense, whole_row_cells(c),
                         "dense rows of W"));
    EZ_TRY(gather_by_nccl(c, context, group));
    EZ_TRY(wait_for_nccl(c, context));
    return add_lists(c, context, group);
}

/* ---- through the host ---- */

static ezlda_status sum_topics(ez_cuda *c, ezlda_context *context, ezlda_group *group)
{
    const ez_device_state *s = &c->state;
    uint64_t *n = (uint64_t *)(void *)c->rank_sum->host;
    size_t bytes = s->w.topics * sizeof *n;
    EZ_TRY(ez_device_read(&c->device, context, n, s->w.topic_tokens, bytes));
    EZ_TRY(group->ops->sum64(group, context, n, s->w.topics));
    return ez_device_write(&c->device, context, s->w.topic_tokens, n, bytes);
}

static ezlda_status sum_dense(ez_cuda *c, ezlda_context *context, ezlda_group *group)
{
    const ez_device_state *s = &c->state;
    uint32_t *dense = c->rank_sum->host;
    size_t bytes = whole_row_cells(c) * sizeof *dense;
    if (bytes == 0)
        return EZLDA_OK;
    EZ_TRY(ez_device_read(&c->device, context, dense, s->w.dense, bytes));
    EZ_TRY(group->ops->sum32(group, context, dense, whole_row_cells(c)));
    return ez_device_write(&c->device, context, s->w.dense, dense, bytes);
}

static ezlda_status choose_by_host(ez_cuda *c, ezlda_context *context, ezlda_group *group)
{
    struct ez_rank_sum *x = c->rank_sum;
    size_t n = c->state.w.dense_words - x->first;
    if (n == 0)
        return EZLDA_OK;
    EZ_TRY(ez_device_read(&c->device, context, x->length, c->state.shards.added + 1,
                          n * sizeof *x->length));
    EZ_TRY(group->ops->sum32(group, context, x->length, n));
    x->listed = choose_listed(c);
    return EZLDA_OK;
}

static ezlda_status gather_by_host(ez_cuda *c, ezlda_context *context, ezlda_group *group)
{
    struct ez_rank_sum *x = c->rank_sum;
    if (rows_of(c) == 0)
        return EZLDA_OK;
    EZ_TRY(share_sizes(c, context, group));
    place_messages(c, group, false);
    uint32_t *own = x->host + (x->message[group->rank] - c->state.shards.added);
    size_t last = (size_t)group->ranks - 1,
           all = (size_t)(x->message[last] - c->state.shards.added) + x->n[last];
    EZ_TRY(ez_device_read(&c->device, context, own, c->state.shards.added, x->bytes[group->rank]));
    EZ_TRY(group->ops->gather_into(group, context, own, x->bytes, true, x->host));
    return ez_device_write(&c->device, context, c->state.shards.added, x->host,
                           all * sizeof *x->host);
}

static ezlda_status sum_by_host(ez_cuda *c, ezlda_context *context, ezlda_group *group)
{
    EZ_TRY(count_dense(c, context));
    EZ_TRY(choose_by_host(c, context, group));
    EZ_TRY(make_lists(c, context));
    EZ_TRY(sum_topics(c, context, group));
    EZ_TRY(sum_dense(c, context, group));
    EZ_TRY(gather_by_host(c, context, group));
    return add_lists(c, context, group);
}

/* ---- the rank's other GPUs ---- */

static ezlda_status copy_sums(ez_cuda *c, ezlda_context *context, const ez_cuda *first)
{
    const ez_device_state *s = &c->state, *f = &first->state;
    EZ_TRY(ez_device_enter(&c->device, context));
    EZ_TRY(ez_device_stream_wait(&c->device, context, NULL, &first->ev_summed));
    EZ_TRY(ez_cuda_copy_from(c, context, s->w.topic_tokens, first, f->w.topic_tokens, s->w.topics,
                             sizeof *s->w.topic_tokens));
    size_t cells = (size_t)s->w.dense_words * s->w.stride;
    EZ_TRY(ez_cuda_copy_from(c, context, s->w.dense, first, f->w.dense, cells, sizeof *s->w.dense));
    EZ_TRY(ez_cuda_copy_from(c, context, s->w.sparse, first, f->w.sparse, c->sparse_room,
                             sizeof *s->w.sparse));
    return ez_device_stream_mark(&c->device, context, NULL, &c->ev_copied);
}

/* The other shards copy the sums of the first, which waits for that before it changes them. */
static ezlda_status share_sums(ez_cuda **shard, int shards, ezlda_context *context)
{
    ez_cuda *first = shard[0];
    if (shards == 1)
        return EZLDA_OK;
    EZ_TRY(ez_device_stream_mark(&first->device, context, NULL, &first->ev_summed));
    for (int m = 1; m < shards; m++)
        EZ_TRY(copy_sums(shard[m], context, first));
    EZ_TRY(ez_device_enter(&first->device, context));
    for (int m = 1; m < shards; m++)
        EZ_TRY(ez_device_stream_wait(&first->device, context, NULL, &shard[m]->ev_copied));
    return EZLDA_OK;
}

ezlda_status ez_cuda_sum_ranks(ez_cuda **shard, int shards, ezlda_context *context,
                               ezlda_group *group)
{
    ez_cuda *c = shard[0];
    EZ_TRY(ez_device_enter(&c->device, context));
    if (!c->rank_sum)
        EZ_TRY(open_sum(c, context, group));
    struct ez_rank_sum *x = c->rank_sum;
    EZ_TRY(x->nccl ? sum_by_nccl(c, context, group) : sum_by_host(c, context, group));
    EZ_TRY(share_sums(shard, shards, context));
    return x->nccl ? watch_nccl(c, context) : EZLDA_OK;
}
