/* The handle of the CUDA backend: what one device needs to train one shard. Every file of this room
 * works on it; what each file offers the others is in its own header. */
#ifndef EZ_CUDA_STATE_H
#define EZ_CUDA_STATE_H

#include "backend/backend.h"
#include "backend/cuda/driver/device.h"
#include "backend/cuda/kernels/index_state.h"

/* A launch: a kernel and the documents, words or tasks [first, last) that it covers. */
typedef struct ez_launch {
    ez_kernel kernel;
    unsigned blocks;
    uint32_t first, last;
    int counter; /* the counter that its blocks or warps take work from */
} ez_launch;

enum { EZ_LAUNCHES_MAX = 5 };

/* The launches of one pass. */
typedef struct ez_pass {
    ez_launch launch[EZ_LAUNCHES_MAX];
    int launches;
} ez_pass;

/* A chunk: documents that are on the device together. */
typedef struct ez_chunk {
    uint32_t first_doc, docs; /* in the device's order */
    uint32_t tokens, tasks;
    uint32_t single_docs; /* see ez_device_range */
    /* On the device, always. */
    uint32_t *word_start; /* words + 1 */
    ez_device_doc *doc_of;
    ez_device_task *task;
    ez_pass documents, words, count;
    /* In pinned host memory while the chunk is not on the device; NULL if it stays there. */
    uint32_t *word, *place, *doc;
    uint16_t *topic;
} ez_chunk;

/* Device memory for the tokens of a chunk. */
typedef struct ez_chunk_room {
    uint32_t *word, *place, *doc;
    uint16_t *topic;
    ez_event ev_filled; /* the chunk is uploaded */
    ez_event ev_done;   /* kernels are done with it */
    ez_event ev_empty;  /* its topics are back on the host */
} ez_chunk_room;

/* The role of a shard among the shards of this process. */
typedef struct ez_cuda_role {
    int slice, slices;   /* its number, which is also that of its slice of W; shards here */
    bool adds_base;      /* it adds the base counts, for all shards of all ranks */
    bool reaches_others; /* its kernels can read the memory of the other shards' devices */
    bool shares_device;  /* another shard is on the same device: passes leave room for its own */
    unsigned shards_to_allocate; /* shards on this device without memory yet, this one included */
    int device_number;           /* N of cuda:N */
    unsigned memory_halvings;    /* see ez_gpus */
} ez_cuda_role;

typedef struct ez_cuda {
    ez_backend base;
    const ez_token_list *tokens;
    const ez_settings *settings;
    ez_priors priors;
    ez_device device;
    ez_device_state state; /* what all chunks share */
    ez_index_state index;

    /* Chunks. */
    uint32_t chunks;
    ez_chunk *chunk;
    uint32_t chunk_tokens; /* tokens of the largest chunk */
    uint64_t chunk_groups; /* room for D of any chunk */
    uint32_t rooms;        /* 1, or 2 if chunks are streamed */
    ez_chunk_room room[2];
    ez_stream up, down;   /* copies to and from the device */
    uint32_t host_docs;   /* documents whose topics start on the host: the first in device order */
    uint32_t *doc_number; /* docs, in device order: their numbers, if ez_device_doc.number holds
                             the keys of their draws instead; or NULL */

    /* Memory. */
    uint64_t free_bytes;   /* on the device, before this backend allocated anything */
    uint64_t sparse_room;  /* entries of sparse rows of W */
    uint64_t counts_bytes; /* bytes of the arrays that are allocated once the corpus is indexed */

    /* Kernels. */
    int launches; /* in all passes of a chunk: each has its own counter */
    ez_pass rates, prepare, clear, base_counts, count_owned;
    ez_kernel sum_shards, copy_counts, copy_records, key_records;

    /* Shards. */
    ez_cuda_role role;
    int shards;                               /* shards of all ranks; 1: all documents are here */
    uint32_t slice_word[EZ_DEVICES_MAX + 1];  /* first word of each slice */
    uint64_t slice_entry[EZ_DEVICES_MAX + 1]; /* sparse entries before it */
    bool owns_rows;       /* rows of the own slice are counted from the topics of all shards */
    uint32_t first_owned; /* words before it are counted by every shard, and summed */
    uint32_t owned_token[EZ_DEVICES_MAX + 1]; /* place in T of each slice's first owned word */
    uint64_t added_kept; /* first elements of shards.added that stay: word starts of other shards */
    ez_event ev_prepared, ev_counted, ev_summed, ev_copied; /* see shards/cuda_shard_sum.c */
    struct ez_rank_sum
        *rank_sum; /* only the first shard of a rank has it: see shards/cuda_rank_sum.c */

    /* Progress. */
    unsigned long long *tallies_host; /* EZ_TALLIES, pinned: those of the last iteration */
    ez_event ev_tallies_ready;        /* tallies_host is filled */
    bool rates_made;      /* for the present counts and priors, and the counters are zero */
    uint32_t records_for; /* the iteration that the records are prepared for; 0: none */
    bool no_decisions;    /* early decisions did not pay */
    double seconds;       /* the last iteration that was not a trial */
} ez_cuda;

/* Several chunks or shards add to the rows of W, so the sparse ones are hash tables. */
static inline bool ez_cuda_w_is_hashed(const ez_cuda *c)
{
    return (c->chunks > 1 || c->shards > 1) && !c->settings->fixed && !c->owns_rows;
}

/* n of the tokens that this shard counts: separate from n of all if it owns rows. */
static inline unsigned long long *ez_cuda_counted_n(const ez_cuda *c)
{
    return c->owns_rows ? c->state.shards.summed_n : c->state.w.topic_tokens;
}

static inline uint64_t ez_doc_length(const ez_token_list *t, uint64_t d)
{
    return t->doc_start[d + 1] - t->doc_start[d];
}

#endif
