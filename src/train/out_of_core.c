/* Chooses the chunks of a corpus that is larger than memory, and loads them from its mapped file.
 */
#include "train/out_of_core.h"
#include "train/train_options.h"

#include "base/files/scratch.h"
#include "base/os/host_memory.h"
#include "cluster/group.h"
#include "cluster/launcher.h"
#include "sampler/d_row.h"
#include "tokens/corpus_cut.h"
#include "tokens/corpus_tokens.h"

#include <string.h>

/* Bytes of a chunk while it is worked on. A token: its word, document, topic, entry of D and share
 * of the cursors. A document: its start, and the place and padding of its row of D. */
enum { EZ_TOKEN_BYTES = 16, EZ_DOC_BYTES = 24 + EZ_ROW_STEP / 2 * 4 };

/* The most chunks, and the share by which the largest may exceed the mean. */
enum { EZ_CHUNKS_MOST = 65536, EZ_CHUNK_MARGIN = 16 };

/* ---- how many chunks ---- */

/* The most bytes that the rows of W can need. */
static uint64_t w_bytes(const ez_out_of_core *o, const ezlda_train_options *options)
{
    ez_corpus_sizes sizes;
    uint64_t cells = 0;
    ez_corpus_sizes_of(o->corpus, &sizes);
    bool sparse = ez_study_of(options).w_format != EZLDA_W_DENSE;
    for (uint32_t v = 0; v < sizes.words; v++) {
        bool short_row = sparse && o->shared.frequency[v] < options->topics;
        cells += short_row ? o->shared.frequency[v] : options->topics;
    }
    return sizeof(uint32_t) * cells;
}

/* The memory that does not depend on the chunks: W and the next W, records and numbers of words,
 * tables of topics. */
static uint64_t fixed_bytes(const ez_out_of_core *o, ezlda_context *context,
                            const ezlda_train_options *options, bool checked)
{
    enum { WORD = 160, WORD_THREAD = 4, TOPIC = 400, TOPIC_THREAD = 200, DOCUMENT_THREAD = 32 };
    ez_corpus_sizes sizes;
    uint64_t threads = (uint64_t)ez_threads(context);
    ez_corpus_sizes_of(o->corpus, &sizes);
    uint64_t copies = checked ? 4 : 2; /* a check copies W twice */
    return copies * w_bytes(o, options) + sizes.words * (WORD + WORD_THREAD * threads) +
           options->topics * (TOPIC + TOPIC_THREAD * threads) +
           sizes.longest * DOCUMENT_THREAD * threads;
}

static uint64_t chunk_bytes(uint64_t docs, uint64_t tokens, uint32_t topics)
{
    uint64_t flags = topics > 32768 ? tokens : 0;
    return tokens * EZ_TOKEN_BYTES + flags + docs * EZ_DOC_BYTES;
}

static ezlda_status choose_chunks(uint32_t *chunks, const ez_out_of_core *o, ezlda_context *context,
                                  uint64_t docs, uint64_t tokens,
                                  const ezlda_train_options *options, bool checked)
{
    uint64_t sharing = ez_is_distributed(options->group) ? (uint64_t)ez_launcher_local_ranks() : 1;
    uint64_t memory = options->memory ? options->memory : ez_available_memory() / 2 / sharing;
    uint64_t fixed = fixed_bytes(o, context, options, checked),
             all = chunk_bytes(docs, tokens, options->topics);
    all += all / EZ_CHUNK_MARGIN;
    uint64_t least = chunk_bytes(1, o->shared.longest, options->topics),
             most = docs < EZ_CHUNKS_MOST ? docs : EZ_CHUNKS_MOST;
    least = most && all / most > least ? all / most : least;
    if (memory <= fixed || memory - fixed < least)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "memory is %llu bytes: out of core, %u topics of this corpus take at least "
                       "%llu (%llu of them for "
                       "W and what else is not in chunks)",
                       (unsigned long long)memory, options->topics,
                       (unsigned long long)fixed + least + 1, (unsigned long long)fixed);
    uint64_t n = all / (memory - fixed) + 1, by_number = tokens / INT32_MAX + 1;
    n = n > by_number ? n : by_number;
    *chunks = (uint32_t)(n < most ? n : most);
    *chunks = *chunks ? *chunks : 1;
    return EZLDA_OK;
}

/* ---- the source ---- */

static ezlda_status load(ez_token_source *source, ezlda_context *context, uint32_t chunk,
                         ez_token_list **out)
{
    const ez_out_of_core *o = (const ez_out_of_core *)source;
    EZ_TRY(ez_corpus_unchanged(o->corpus, context)); /* a truncated file must not be read */
    return ez_corpus_tokens_range(out, context, o->corpus, o->first_doc[chunk],
                                  o->first_doc[chunk + 1], &o->shared);
}

static uint16_t *topics_of(const ez_token_source *source, uint32_t chunk, size_t *bytes)
{
    *bytes = (size_t)(source->first_token[chunk + 1] - source->first_token[chunk]) *
             sizeof *source->topic;
    return source->topic ? source->topic + source->first_token[chunk]
                         : NULL; /* NULL: none are kept yet */
}

static void ahead(ez_token_source *source, uint32_t chunk)
{
    const ez_out_of_core *o = (const ez_out_of_core *)source;
    size_t bytes;
    const uint16_t *topic = topics_of(source, chunk, &bytes);
    ez_corpus_ahead(o->corpus, o->first_doc[chunk], o->first_doc[chunk + 1]);
    ez_scratch_ahead(topic, bytes);
}

static void behind(ez_token_source *source, uint32_t chunk)
{
    size_t bytes;
    const uint16_t *topic = topics_of(source, chunk, &bytes);
    ez_scratch_behind(topic, bytes);
}

/* ---- opening ---- */

static ezlda_status copy_frequencies(ez_out_of_core *o, ezlda_context *context,
                                     const ez_token_subset *shared)
{
    ez_corpus_sizes sizes;
    uint64_t *frequency = NULL;
    uint32_t *doc_frequency = NULL;
    ez_corpus_sizes_of(o->corpus, &sizes);
    EZ_TRY(ez_array(&frequency, context, sizes.words, sizeof *frequency, "word frequencies"));
    o->shared.frequency = frequency;
    EZ_TRY(ez_array(&doc_frequency, context, sizes.words, sizeof *doc_frequency,
                    "document frequencies"));
    o->shared.doc_frequency = doc_frequency;
    memcpy(frequency, shared->frequency, sizes.words * sizeof *frequency);
    memcpy(doc_frequency, shared->doc_frequency, sizes.words * sizeof *doc_frequency);
    return EZLDA_OK;
}

static ezlda_status count_tokens(const ez_out_of_core *o, ezlda_context *context, uint64_t first,
                                 uint64_t last, uint64_t *tokens)
{
    ez_block_room room;
    ezlda_status status = ez_block_room_init(&room, context, o->corpus);
    if (status == EZLDA_OK)
        *tokens = ez_corpus_tokens_before_doc(o->corpus, last, &room) -
                  ez_corpus_tokens_before_doc(o->corpus, first, &room);
    ez_block_room_free(&room);
    return status;
}

static ezlda_status cut(ez_out_of_core *o, ezlda_context *context, uint64_t first, uint64_t last,
                        const ezlda_train_options *options, bool checked)
{
    uint32_t chunks = 0;
    uint64_t tokens = 0;
    EZ_TRY(count_tokens(o, context, first, last, &tokens));
    EZ_TRY(choose_chunks(&chunks, o, context, last - first, tokens, options, checked));
    EZ_TRY(ez_array(&o->first_doc, context, (size_t)chunks + 1, sizeof *o->first_doc, "chunks"));
    EZ_TRY(
        ez_array(&o->first_token, context, (size_t)chunks + 1, sizeof *o->first_token, "chunks"));
    EZ_TRY(
        ez_corpus_cut_range(o->corpus, context, first, last, chunks, o->first_doc, o->first_token));
    for (uint32_t p = chunks + 1; p-- > 0;)
        o->first_token[p] -= o->first_token[0];
    o->source.chunks = chunks;
    o->source.first_token = o->first_token;
    return EZLDA_OK;
}

ezlda_status ez_out_of_core_open(ez_out_of_core **out, ezlda_context *context,
                                 const ezlda_corpus *corpus, uint64_t first, uint64_t last,
                                 const ez_token_subset *shared, const ezlda_train_options *options,
                                 bool checked, const char *folder)
{
    ez_out_of_core *o = NULL;
    ezlda_status status;
    *out = NULL;
    EZ_TRY(ez_array_zero(&o, context, 1, sizeof *o, "the chunks"));
    o->corpus = corpus;
    o->shared = (ez_token_subset){.all_docs = shared->all_docs, .longest = shared->longest};
    o->source = (ez_token_source){.load = load, .ahead = ahead, .behind = behind};
    EZ_TRY_GOTO(copy_frequencies(o, context, shared));
    EZ_TRY_GOTO(cut(o, context, first, last, options, checked));
    uint64_t tokens = ez_source_tokens(&o->source);
    EZ_TRY_GOTO(ez_scratch_array(&o->source.topic, context, folder, tokens, sizeof *o->source.topic,
                                 "topics"));
    *out = o;
    return EZLDA_OK;
done:
    ez_out_of_core_close(o);
    return status;
}

void ez_out_of_core_close(ez_out_of_core *o)
{
    if (!o)
        return;
    ez_free(o->source.topic);
    ez_free((void *)(uintptr_t)o->shared.frequency);
    ez_free((void *)(uintptr_t)o->shared.doc_frequency);
    ez_free(o->first_doc);
    ez_free(o->first_token);
    ez_free(o);
}
