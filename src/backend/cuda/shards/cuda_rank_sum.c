/* W and n summed over a group whose other members are beyond this process: ranks of an MPI job. The
 * first of the GPUs here speaks for its rank, whose GPUs hold the same sums already, and gives the
 * others what comes of it.
 *
 * n and dense rows are summed in place. Sparse rows travel as lists, which the device makes
 * (kernels/list.cu): all ranks' lists together have no more entries than the rows have room, which
 * is what a word has tokens. So do dense rows from some word on, words being ordered by frequency:
 * where all ranks' entries are less than what a sum of whole rows costs. With NCCL all of this
 * stays on the devices, and dense rows travel while lists are made; else it goes through the host.
 */
#include "backend/cuda/cuda_state.h"
#include "backend/cuda/shards/nccl_agree.h"

#include <time.h>

/* Messages begin at whole 16 bytes, in elements. */
enum { EZ_MESSAGE_ALIGN = 4 };

struct ez_group_sum {
    ez_nccl *nccl;     /* NULL: through the host */
    ez_stream between; /* NCCL's */
    ez_event counted, gathered;
    ez_kernel count_lists, place_lists, write_lists, sum_lists;
    uint32_t first;   /* word whose row may travel as a list, whatever it holds */
    uint32_t listed;  /* ... and does */
    uint32_t *length; /* of all ranks' lists: of dense rows from the first on */
    uint32_t *host;   /* through which all goes without NCCL */
    size_t *bytes;    /* of each rank's message */
    size_t *n;        /* ... in elements */
    uint32_t **part;  /* ... where it lies on the device */
};

/* Counts of a list's entries have 16 bits; what a word has of tokens is nowhere more. */
static uint32_t first_listable(const ez_cuda *c)
{
    uint32_t v = c->state.dense_words;
    while (v > 0 && ez_cuda_row_counts(c, v - 1) <= EZ_ENTRY_MAX)
        v--;
    return v;
}

/* Entries of dense rows, of all ranks, that there is room for: rows that hold more travel whole. */
static uint64_t dense_room(const ez_cuda *c, uint32_t first)
{
    return (uint64_t)(c->state.dense_words - first) * c->state.w_stride / 2;
}

uint64_t ez_cuda_messages_room(const ez_cuda *c)
{
    const ezlda_group *group = c->settings->group;
    if (!ez_is_distributed(group) || c->slice > 0)
        return 0;
    uint32_t first = first_listable(c);
    uint64_t starts = (uint64_t)(c->state.words - first) + 1 + EZ_MESSAGE_ALIGN;
    return c->sparse_room + dense_room(c, first) + (uint64_t)group->ranks * starts;
}

/* Words whose rows travel as lists. */
static size_t rows_of(const ez_cuda *c)
{
    return c->state.words - c->group_sum->listed;
}

/* Cells of the rows that travel whole. */
static size_t infer_cells(const ez_cuda *c)
{
    return (size_t)c->group_sum->listed * c->state.w_stride;
}

/* ---- opening
 * -----------------------------------------------------------------------------------------------------
 */

static ezlda_status open_kernels(ez_cuda *c, ezlda_context *context, struct ez_group_sum *x)
{
    ez_device *device = &c->device;
    EZ_TRY(ez_device_kernel(device, context, &x->count_lists, EZ_IMAGE_RANK_LISTS, "ez_count_lists",
                            256, 0));
    EZ_TRY(ez_device_kernel(device, context, &x->place_lists, EZ_IMAGE_RANK_LISTS, "ez_place_lists",
                            1024, 0));
    EZ_TRY(ez_device_kernel(device, context, &x->write_lists, EZ_IMAGE_RANK_LISTS, "ez_write_lists",
                            256, 0));
    return ez_device_kernel(device, context, &x->sum_lists, EZ_IMAGE_RANK_LISTS, "ez_sum_lists",
                            256, 0);
}

static ezlda_status open_nccl(ez_cuda *c, ezlda_context *context, ezlda_group *group,
                              struct ez_group_sum *x)
{
    EZ_TRY(ez_device_stream_open(&c->device, context, &x->between));
    EZ_TRY(ez_device_event_open(&c->device, context, &x->counted));
    EZ_TRY(ez_device_event_open(&c->device, context, &x->gathered));
    return ez_nccl_open(&x->nccl, context, group);
}

/* Room for the largest of what goes through the host: pages that are not needed are not touched. */
static ezlda_status open_host(ez_cuda *c, ezlda_context *context, struct ez_group_sum *x)
{
    size_t room = 2 * (size_t)c->state.topics, messages = ez_cuda_messages_room(c);
    size_t dense = (size_t)c->state.dense_words * c->state.w_stride;
    room = room > dense ? room : dense;
    room = room > messages ? room : messages;
    return ez_array(&x->host, context, room, sizeof *x->host, "rows of W of all ranks");
}

static ezlda_status open_sum(ez_cuda *c, ezlda_context *context, ezlda_group *group)
{
    size_t ranks = (size_t)group->ranks;
    bool use;
    EZ_TRY(ez_array_zero(&c->group_sum, context, 1, sizeof *c->group_sum, "sums between ranks"));
    struct ez_group_sum *x = c->group_sum;
    EZ_TRY(ez_array(&x->bytes, context, ranks, sizeof *x->bytes, "sums between ranks"));
    EZ_TRY(ez_array(&x->n, context, ranks, sizeof *x->n, "sums between ranks"));
    EZ_TRY(ez_array(&x->part, context, ranks, sizeof *x->part, "sums between ranks"));
    x->first = first_listable(c);
    x->listed = c->state.dense_words;
    EZ_TRY(ez_array(&x->length, context, x->listed - x->first, sizeof *x->length,
                    "sums between ranks"));
    EZ_TRY(open_kernels(c, context, x));
    EZ_TRY(ez_nccl_agree(&use, context, group, &c->device));
    return use ? open_nccl(c, context, group, x) : open_host(c, context, x);
}

void ez_cuda_close_group_sum(ez_cuda *c)
{
    struct ez_group_sum *x = c->group_sum;
    if (!x)
        return;
    ez_nccl_close(x->nccl);
    ez_device_stream_close(&c->device, &x->between);
    ez_device_event_close(&c->device, &x->counted);
    ez_device_event_close(&c->device, &x->gathered);
    ez_free(x->host);
    ez_free(x->length);
    ez_free(x->bytes);
    ez_free(x->n);
    ez_free(x->part);
    ez_free(x);
    c->group_sum = NULL;
}

/* ---- lists of rows
 * -----------------------------------------------------------------------------------------------
 */

/* The state for a kernel that makes or adds the lists of a message. */
static ez_device_state state_of(const ez_cuda *c, uint32_t *message)
{
    ez_device_state s = c->state;
    s.first_word = c->group_sum->listed;
    s.last_word = s.words;
    s.added_start = message;
    s.added = message + rows_of(c) + 1;
    return s;
}

/* Lengths of the lists of dense rows, from added[1] on. */
static ezlda_status count_dense(ez_cuda *c, ezlda_context *context)
{
    struct ez_group_sum *x = c->group_sum;
    ez_device_state s = state_of(c, c->state.added);
    s.first_word = x->first;
    s.last_word = s.dense_words;
    if (s.first_word == s.last_word)
        return EZLDA_OK;
    return ez_device_launch(&c->device, context, &x->count_lists, x->count_lists.blocks, &s);
}

/* From which word on lists are less, where each row costs two of K counts if it travels whole. All
 * ranks know the same lengths. */
static uint32_t choose_listed(const ez_cuda *c)
{
    const struct ez_group_sum *x = c->group_sum;
    uint64_t used = 0, room = dense_room(c, x->first);
    int64_t gain = 0, most = 0;
    uint32_t listed = c->state.dense_words;
    for (uint32_t v = listed; v-- > x->first;) {
        uint32_t length = x->length[v - x->first];
        used += length;
        if (used > room)
            break;
        gain += 2 * (int64_t)c->state.topics - length;
        if (gain > most) {
            most = gain;
            listed = v;
        }
    }
    return listed;
}

/* The own message, at the beginning of `added`. */
static ezlda_status make_lists(ez_cuda *c, ezlda_context *context)
{
    struct ez_group_sum *x = c->group_sum;
    ez_device_state s = state_of(c, c->state.added);
    if (rows_of(c) == 0)
        return EZLDA_OK;
    EZ_TRY(ez_device_launch(&c->device, context, &x->count_lists, x->count_lists.blocks, &s));
    EZ_TRY(ez_device_launch(&c->device, context, &x->place_lists, 1, &s));
    return ez_device_launch(&c->device, context, &x->write_lists, x->write_lists.blocks, &s);
}

/* How long each rank's message is. */
static ezlda_status share_sizes(ez_cuda *c, ezlda_context *context, ezlda_group *group)
{
    struct ez_group_sum *x = c->group_sum;
    uint32_t entries;
    EZ_TRY(
        ez_device_read(&c->device, context, &entries, c->state.added + rows_of(c), sizeof entries));
    EZ_TRY(
        group->ops->sizes(group, context, (rows_of(c) + 1 + entries) * sizeof entries, x->bytes));
    for (int i = 0; i < group->ranks; i++)
        x->n[i] = x->bytes[i] / sizeof entries;
    return EZLDA_OK;
}

/* Where the messages lie: the own one first, or in the order of the ranks. */
static void place_messages(ez_cuda *c, const ezlda_group *group, bool own_first)
{
    struct ez_group_sum *x = c->group_sum;
    uint32_t *at = c->state.added;
    if (own_first) {
        x->part[group->rank] = at;
        at += (x->n[group->rank] + EZ_MESSAGE_ALIGN - 1) / EZ_MESSAGE_ALIGN * EZ_MESSAGE_ALIGN;
    }
    for (int i = 0; i < group->ranks; i++) {
        if (own_first && i == group->rank)
            continue;
        x->part[i] = at;
        at += own_first ? (x->n[i] + EZ_MESSAGE_ALIGN - 1) / EZ_MESSAGE_ALIGN * EZ_MESSAGE_ALIGN
                        : x->n[i];
    }
}

static ezlda_status add_lists(ez_cuda *c, ezlda_context *context, const ezlda_group *group)
{
    struct ez_group_sum *x = c->group_sum;
    for (int from = 0; from < group->ranks && rows_of(c) > 0; from++) {
        ez_device_state s = state_of(c, x->part[from]);
        if (from != group->rank)
            EZ_TRY(ez_device_launch(&c->device, context, &x->sum_lists, x->sum_lists.blocks, &s));
    }
    return EZLDA_OK;
}

/* ---- by NCCL
 * -----------------------------------------------------------------------------------------------------
 */

/* A rank that is lost would keep the others waiting for ever, and NCCL tells those who ask. */
static ezlda_status watch_nccl(ez_cuda *c, ezlda_context *context)
{
    struct ez_group_sum *x = c->group_sum;
    const struct timespec pause = {.tv_nsec = 20000};
    for (bool done = false;;) {
        EZ_TRY(ez_device_stream_done(&c->device, context, &x->between, &done));
        if (done)
            return ez_nccl_check(x->nccl, context);
        EZ_TRY(ez_nccl_check(x->nccl, context));
        nanosleep(&pause, NULL);
    }
}

/* What comes next waits for what NCCL was given. */
static ezlda_status wait_for_nccl(ez_cuda *c, ezlda_context *context)
{
    struct ez_group_sum *x = c->group_sum;
    EZ_TRY(ez_device_stream_mark(&c->device, context, &x->between, &x->gathered));
    return ez_device_stream_wait(&c->device, context, NULL, &x->gathered);
}

static ezlda_status choose_by_nccl(ez_cuda *c, ezlda_context *context)
{
    struct ez_group_sum *x = c->group_sum;
    size_t n = c->state.dense_words - x->first;
    uint32_t *length = c->state.added + 1;
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
    struct ez_group_sum *x = c->group_sum;
    if (rows_of(c) == 0)
        return EZLDA_OK;
    EZ_TRY(share_sizes(c, context, group));
    place_messages(c, group, true);
    return ez_nccl_gather(x->nccl, context, &x->between, x->part, x->n, "lists of rows of W");
}

/* What NCCL is given waits for the counts; lists are made meanwhile, and are there when their sizes
 * are known. */
static ezlda_status sum_by_nccl(ez_cuda *c, ezlda_context *context, ezlda_group *group)
{
    struct ez_group_sum *x = c->group_sum;
    const ez_device_state *s = &c->state;
    EZ_TRY(count_dense(c, context));
    EZ_TRY(ez_device_stream_mark(&c->device, context, NULL, &x->counted));
    EZ_TRY(ez_device_stream_wait(&c->device, context, &x->between, &x->counted));
    EZ_TRY(choose_by_nccl(c, context));
    EZ_TRY(make_lists(c, context));
    EZ_TRY(ez_nccl_sum64(x->nccl, context, &x->between, s->topic_tokens, s->topics, "n"));
    EZ_TRY(ez_nccl_sum32(x->nccl, context, &x->between, s->w_dense, infer_cells(c),
                         "dense rows of W"));
    EZ_TRY(gather_by_nccl(c, context, group));
    EZ_TRY(wait_for_nccl(c, context));
    return add_lists(c, context, group);
}

/* ---- through the host
 * -------------------------------------------------------------------------------------------- */

static ezlda_status sum_topics(ez_cuda *c, ezlda_context *context, ezlda_group *group)
{
    const ez_device_state *s = &c->state;
    uint64_t *n = (uint64_t *)(void *)c->group_sum->host;
    size_t bytes = s->topics * sizeof *n;
    EZ_TRY(ez_device_read(&c->device, context, n, s->topic_tokens, bytes));
    EZ_TRY(group->ops->sum64(group, context, n, s->topics));
    return ez_device_write(&c->device, context, s->topic_tokens, n, bytes);
}

static ezlda_status sum_dense(ez_cuda *c, ezlda_context *context, ezlda_group *group)
{
    const ez_device_state *s = &c->state;
    uint32_t *dense = c->group_sum->host;
    size_t bytes = infer_cells(c) * sizeof *dense;
    if (bytes == 0)
        return EZLDA_OK;
    EZ_TRY(ez_device_read(&c->device, context, dense, s->w_dense, bytes));
    EZ_TRY(group->ops->sum32(group, context, dense, infer_cells(c)));
    return ez_device_write(&c->device, context, s->w_dense, dense, bytes);
}

static ezlda_status choose_by_host(ez_cuda *c, ezlda_context *context, ezlda_group *group)
{
    struct ez_group_sum *x = c->group_sum;
    size_t n = c->state.dense_words - x->first;
    if (n == 0)
        return EZLDA_OK;
    EZ_TRY(
        ez_device_read(&c->device, context, x->length, c->state.added + 1, n * sizeof *x->length));
    EZ_TRY(group->ops->sum32(group, context, x->length, n));
    x->listed = choose_listed(c);
    return EZLDA_OK;
}

static ezlda_status gather_by_host(ez_cuda *c, ezlda_context *context, ezlda_group *group)
{
    struct ez_group_sum *x = c->group_sum;
    if (rows_of(c) == 0)
        return EZLDA_OK;
    EZ_TRY(share_sizes(c, context, group));
    place_messages(c, group, false);
    uint32_t *own = x->host + (x->part[group->rank] - c->state.added);
    size_t last = (size_t)group->ranks - 1,
           all = (size_t)(x->part[last] - c->state.added) + x->n[last];
    EZ_TRY(ez_device_read(&c->device, context, own, c->state.added, x->bytes[group->rank]));
    EZ_TRY(group->ops->gather_into(group, context, own, x->bytes, true, x->host));
    return ez_device_write(&c->device, context, c->state.added, x->host, all * sizeof *x->host);
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

/* ---- the rank's other GPUs
 * --------------------------------------------------------------------------------------- */

static ezlda_status take_sums(ez_cuda *c, ezlda_context *context, const ez_cuda *first)
{
    const ez_device_state *s = &c->state, *f = &first->state;
    EZ_TRY(ez_device_enter(&c->device, context));
    EZ_TRY(ez_device_stream_wait(&c->device, context, NULL, &first->summed));
    EZ_TRY(ez_cuda_take(c, context, s->topic_tokens, first, f->topic_tokens, s->topics,
                        sizeof *s->topic_tokens));
    size_t cells = (size_t)s->dense_words * s->w_stride;
    EZ_TRY(ez_cuda_take(c, context, s->w_dense, first, f->w_dense, cells, sizeof *s->w_dense));
    EZ_TRY(ez_cuda_take(c, context, s->w_sparse, first, f->w_sparse, c->sparse_room,
                        sizeof *s->w_sparse));
    return ez_device_stream_mark(&c->device, context, NULL, &c->taken);
}

/* The first waits, so as not to change what is being taken. */
static ezlda_status give(ez_cuda **member, int members, ezlda_context *context)
{
    ez_cuda *first = member[0];
    if (members == 1)
        return EZLDA_OK;
    EZ_TRY(ez_device_stream_mark(&first->device, context, NULL, &first->summed));
    for (int m = 1; m < members; m++)
        EZ_TRY(take_sums(member[m], context, first));
    EZ_TRY(ez_device_enter(&first->device, context));
    for (int m = 1; m < members; m++)
        EZ_TRY(ez_device_stream_wait(&first->device, context, NULL, &member[m]->taken));
    return EZLDA_OK;
}

/* ------------------------------------------------------------------------------------------------------------------
 */

ezlda_status ez_cuda_sum_group(ez_cuda **member, int members, ezlda_context *context,
                               ezlda_group *group)
{
    ez_cuda *c = member[0];
    EZ_TRY(ez_device_enter(&c->device, context));
    if (!c->group_sum)
        EZ_TRY(open_sum(c, context, group));
    struct ez_group_sum *x = c->group_sum;
    EZ_TRY(x->nccl ? sum_by_nccl(c, context, group) : sum_by_host(c, context, group));
    EZ_TRY(give(member, members, context));
    return x->nccl ? watch_nccl(c, context) : EZLDA_OK;
}
