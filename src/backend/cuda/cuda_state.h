/* The CUDA backend's handle, shared by its files. */
#ifndef EZ_CUDA_STATE_H
#define EZ_CUDA_STATE_H

#include "backend/backend.h"
#include "backend/cuda/driver/device.h"
#include "backend/cuda/kernels/index_state.h"

/* A launch: a kernel and the part of the documents, words or tasks that it covers. */
typedef struct ez_launch {
    ez_kernel kernel;
    unsigned blocks;
    uint32_t first, last;
    int counter; /* of work taken */
} ez_launch;

enum { EZ_LAUNCHES_MAX = 5 };

/* A pass: its launches. */
typedef struct ez_pass {
    ez_launch launch[EZ_LAUNCHES_MAX];
    int launches;
} ez_pass;

/* Documents that lie on the device together: all of them, or a part that is streamed through. */
typedef struct ez_chunk {
    uint32_t first_doc, docs; /* in the device's order */
    uint32_t tokens, tasks;
    uint32_t single_docs; /* of the last launch over documents */
    uint32_t *word_start; /* words + 1, as is the rest of these on the device */
    ez_device_doc *doc_of;
    ez_device_task *task;
    ez_pass documents, words, count;
    /* Pinned memory of the host, where the chunk waits for its turn; NULL where it stays on the
     * device. */
    uint32_t *word, *place, *doc;
    uint16_t *topic;
} ez_chunk;

/* Room on the device for a chunk's tokens. */
typedef struct ez_chunk_room {
    uint32_t *word, *place, *doc;
    uint16_t *topic;
    ez_event ready, done, empty; /* filled; worked on; read back */
} ez_chunk_room;

typedef struct ez_cuda {
    ez_backend base;
    const ez_token_list *tokens;
    const ez_settings *settings;
    ez_priors priors;
    int device_number;        /* N of cuda:N */
    unsigned memory_halvings; /* see ez_gpus */
    ez_device device;
    ez_device_state state; /* what all chunks share */
    ez_index_state index;
    uint32_t chunks;
    ez_chunk *chunk;
    uint32_t chunk_tokens; /* of the largest chunk */
    uint64_t chunk_groups; /* room for D of any chunk */
    uint64_t free_bytes;   /* of device memory, before anything was taken */
    uint64_t sparse_room;  /* entries of sparse rows of W */
    uint64_t counts_bytes; /* of what is allocated once the corpus is indexed */
    uint32_t rooms;        /* 1, or 2 where chunks are streamed */
    ez_chunk_room room[2];
    ez_stream up, down;
    int launches; /* of all passes of a chunk */
    ez_pass rates, prepare, clear, base_counts;
    uint32_t host_docs; /* documents that start on the host: the first of the device's order */
    int members; /* that the documents are dealt out to, on this machine and others; 1: all are here
                  */
    int slice, slices; /* of W: members on this machine prepare and sum one each */
    uint32_t slice_word[EZ_DEVICES_MAX + 1];  /* first word of each */
    uint64_t slice_entry[EZ_DEVICES_MAX + 1]; /* sparse entries before it */
    bool gathers;            /* rows of the own slice are counted of all members' topics */
    uint32_t first_gathered; /* word: those before it are counted by every member, and summed */
    uint32_t gather_token[EZ_DEVICES_MAX +
                          1]; /* place in T of the first word of each slice that is gathered */
    uint64_t gather_kept;     /* elements of `added` that stay: word starts of other members */
    ez_pass gather;
    bool adds_base;      /* base counts are added here, and by no other member */
    bool reaches_others; /* kernels here read what lies on the devices of the members on this
                            machine */
    bool shares_device;  /* with another member: passes leave room for its own */
    unsigned to_come;    /* members on this device, this one the first of them, that have taken no
                            memory yet */
    ez_event prepared, counted, summed, taken; /* see cuda_shard_sum.c */
    ez_kernel sum_members, take_counts, take_records, key_records;
    struct ez_group_sum *group_sum; /* of the first member of a rank: see cuda_rank_sum.c */
    unsigned long long *told; /* EZ_TALLIES, pinned: those of the iteration that was started last */
    ez_event asked;           /* they are there */
    bool rates_made;          /* of the counts and priors as they are, and counters are zero */
    uint32_t records_for; /* the iteration that records are prepared for, of the counts as they are;
                             0: none */
    bool no_decisions;    /* early decisions were found not to pay */
    double seconds;       /* of the last iteration that was no trial */
} ez_cuda;

/* Rows of W add up from several chunks or members: sparse ones are hash tables. */
static inline bool ez_cuda_adds_up(const ez_cuda *c)
{
    return (c->chunks > 1 || c->members > 1) && !c->settings->fixed && !c->gathers;
}

/* Where n of what a member counts itself is counted: apart from n of all, where rows are gathered.
 */
static inline unsigned long long *ez_cuda_counted_n(const ez_cuda *c)
{
    return c->gathers ? c->state.summed_n : c->state.topic_tokens;
}

static inline uint64_t ez_doc_length(const ez_token_list *t, uint64_t d)
{
    return t->doc_start[d + 1] - t->doc_start[d];
}

/* ---- cuda_memory.c: how much of each array ---- */

/* Sizes and chunks for the memory that there is; fails, before anything is allocated, where that
 * cannot do. `order`: the documents in the device's order. */
ezlda_status ez_cuda_plan_memory(ez_cuda *c, ezlda_context *context, const ez_device_doc *order);
/* Groups that the row of a document of this length may take. */
uint64_t ez_cuda_row_room(const ez_cuda *c, uint64_t length);
/* Room for the counts, the priors uploaded. */
ezlda_status ez_cuda_allocate(ez_cuda *c, ezlda_context *context);

ezlda_status ez_cuda_upload_priors(ez_cuda *c, ezlda_context *context);

/* ---- cuda_hybrid_w.c: dense and sparse rows of W ---- */

/* Words [0, n) whose rows are dense. */
uint32_t ez_cuda_dense_words(const ez_cuda *c);
/* The first word, from `from` on, after which no row's counts add up to more than `counts`. */
uint32_t ez_cuda_first_row_within(const ez_cuda *c, uint32_t from, uint64_t counts);

/* Sizes of the rows, once it is known which are dense. */
void ez_cuda_measure_rows(ez_cuda *c);
/* Their places; their content where W is fixed, and else what is added to it. */
ezlda_status ez_cuda_upload_rows(ez_cuda *c, ezlda_context *context);
/* Cuts the words into slices whose rows take about as much, one for each member on this machine. */
void ez_cuda_cut_slices(ez_cuda *c);
/* Counts in the rows of a slice, and n, at most. */
uint64_t ez_cuda_slice_room(const ez_cuda *c);
/* What the counts of a word's row add up to. */
uint64_t ez_cuda_row_counts(const ez_cuda *c, uint32_t v);
/* Entries of the base counts, where these are added. */
uint64_t ez_cuda_based_entries(const ez_cuda *c);

/* ---- cuda_histograms.c ---- */

ezlda_status ez_cuda_histograms(ez_backend *backend, ezlda_context *context, ez_histograms *out);
/* Counts that may have to be listed. */
uint64_t ez_cuda_histogram_room(const ez_cuda *c);

/* ---- cuda_backend.c ---- */

/* The launches of a pass do not depend on each other, unless they are to run in order: several run
 * side by side, after all that was started before. */
ezlda_status ez_cuda_run_pass(ez_cuda *c, ezlda_context *context, const ez_pass *pass,
                              const ez_device_state *state, bool in_order);

/* A backend for one of several members on this machine, which sum together (`slices` of them). */
typedef struct ez_cuda_role {
    int slice, slices;
    bool adds_base, reaches_others, shares_device;
    unsigned to_come;
    int device_number;
    unsigned memory_halvings;
} ez_cuda_role;
ezlda_status ez_cuda_create_member(ez_cuda **out, ezlda_context *context, ez_token_list *tokens,
                                   const ez_settings *settings, const ez_cuda_role *place);
/* An iteration, or a score (iteration 0): records of the own slice of words, where they are not
 * there already; then, once all are there, tokens drawn or scored. */
bool ez_cuda_has_records(const ez_cuda *c, uint32_t iteration);
ezlda_status ez_cuda_prepare(ez_cuda *c, ezlda_context *context, uint32_t iteration);
ezlda_status ez_cuda_sample(ez_cuda *c, ezlda_context *context);
/* W and n of the own tokens; where rows are gathered, only those of frequent words, and n apart. */
ezlda_status ez_cuda_count(ez_cuda *c, ezlda_context *context);
/* Tallies of the iteration, asked for and then waited for. What is started between the two is not
 * waited for: the next iteration is prepared while the host does what lies between them. */
ezlda_status ez_cuda_ask_tallies(ez_cuda *c, ezlda_context *context);
ezlda_status ez_cuda_take_tallies(ez_cuda *c, ezlda_context *context, ez_iteration *done);
ezlda_status ez_cuda_take_score(ez_cuda *c, ezlda_context *context, int64_t *sum);
/* How long the iteration took. */
void ez_cuda_note_time(ez_cuda *c, uint32_t iteration, double seconds);

/* ---- cuda_shard_sum.c ---- */

/* W and n of all members: those on this machine, and where `group` is one, those of its other
 * members. */
ezlda_status ez_cuda_sum_members(ez_cuda **member, int members, ezlda_context *context,
                                 ezlda_group *group);
/* The records of all words, of which each member on this machine has prepared a slice. */
ezlda_status ez_cuda_share_records(ez_cuda **member, int members, ezlda_context *context);
ezlda_status ez_cuda_open_sums(ez_cuda *c, ezlda_context *context);
void ez_cuda_close_sums(ez_cuda *c);

/* A member as the kernels of another see it. */
ez_member_counts ez_cuda_view_of(const ez_cuda *c);
/* Brings n elements of another member's array here. */
ezlda_status ez_cuda_take(ez_cuda *c, ezlda_context *context, void *to, const ez_cuda *other,
                          const void *from, size_t n, size_t size);

/* ---- cuda_owned_rows.c: rows counted by the member whose slice they are in ---- */

/* The first word whose row is gathered, where rows are. */
uint32_t ez_cuda_first_gathered(const ez_cuda *c);
/* Whether this member could; it does where all can. */
bool ez_cuda_may_gather(const ez_cuda *c);
/* Elements of `added` that it takes. */
uint64_t ez_cuda_gather_room(const ez_cuda *c);
/* All members gather from now on, or none. */
ezlda_status ez_cuda_agree_to_gather(ez_cuda **member, int members, ezlda_context *context);
/* The first word of a slice that is gathered; slices + 1 of them. */
uint32_t ez_cuda_gather_word(const ez_cuda *c, int slice);
/* Gathers the own slice, once all have drawn their topics. */
ezlda_status ez_cuda_gather_slice(ez_cuda **member, int members, ezlda_context *context, int m);
/* n, once all have counted theirs: where devices do not reach each other. */
ezlda_status ez_cuda_gather_n(ez_cuda **member, int members, ezlda_context *context, int m);

/* ---- cuda_rank_sum.c ---- */

/* W and n of the members beyond this process, once those here have summed theirs. */
ezlda_status ez_cuda_sum_group(ez_cuda **member, int members, ezlda_context *context,
                               ezlda_group *group);
void ez_cuda_close_group_sum(ez_cuda *c);
/* Elements that the lists of all ranks take at most. */
uint64_t ez_cuda_messages_room(const ez_cuda *c);

/* ---- cuda_inverted_index.c: the corpus on the device ---- */

/* Documents by falling length: number and length (in `begin`). */
ezlda_status ez_cuda_order_documents(ez_cuda *c, ezlda_context *context, ez_device_doc *order);
/* The chunks' documents, T and inverted index. */
ezlda_status ez_cuda_index(ez_cuda *c, ezlda_context *context, const ez_device_doc *order);

/* ---- cuda_topics.c ---- */

/* The topics before the first iteration. */
ezlda_status ez_cuda_start_topics(ez_cuda *c, ezlda_context *context);
/* The topics in the corpus' document order. */
ezlda_status ez_cuda_read_topics(ez_cuda *c, ezlda_context *context, uint16_t *out);

/* ---- cuda_word_regions.c: large words dissected ---- */

/* Tokens of a region. */
uint64_t ez_cuda_region(const ez_cuda *c);
/* Cuts the words before `last` into tasks, largest words first, and returns their number; with out
 * NULL only counts. */
uint32_t ez_cuda_cut_tasks(const ez_cuda *c, const uint32_t *word_start, uint32_t last,
                           ez_device_task *out);
ezlda_status ez_cuda_upload_tasks(ez_cuda *c, ezlda_context *context, ez_chunk *chunk,
                                  const uint32_t *word_start);

/* ---- cuda_kernel_choice.c: kernels ---- */

/* Tasks and kernels for this corpus and K: what fits on chip stays there. */
ezlda_status ez_cuda_plan_kernels(ez_cuda *c, ezlda_context *context, const ez_device_doc *order);
/* ... of a member that gathers: they take the place of those that count all it has. */
ezlda_status ez_cuda_plan_gather(ez_cuda *c, ezlda_context *context);
/* Whether a histogram of K counts fits on chip; threads of a block that makes one. */
bool ez_cuda_counts_fit(const ez_cuda *c);
unsigned ez_cuda_count_threads(const ez_cuda *c);
/* Words of memory for counts and tables that do not fit on chip. */
uint64_t ez_cuda_scratch(const ez_cuda *c);
/* Rare words need no table where K is large: their first. */
uint32_t ez_cuda_first_warp_word(const ez_cuda *c);

/* ---- cuda_chunks.c: chunks that come and go ---- */

enum { EZ_CHUNK_TOPICS = 1, EZ_CHUNK_TOKENS = 2 };

/* Calls `work` for every chunk while it lies on the device, in the room that its state names. `in`:
 * what is brought (topics, or topics and tokens); topics are taken back where `back` is set. Chunks
 * that stay on the device are not moved. */
typedef ezlda_status (*ez_chunk_fn)(ez_cuda *c, ezlda_context *context, const ez_chunk *chunk,
                                    const ez_device_state *state);
ezlda_status ez_cuda_each_chunk(ez_cuda *c, ezlda_context *context, int in, bool back,
                                ez_chunk_fn work);
ezlda_status ez_cuda_open_rooms(ez_cuda *c, ezlda_context *context);

#endif
