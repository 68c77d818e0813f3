/* Draws the topics that a run starts from, and reads the topics at its end, chunk by chunk. */
#include "backend/cuda/cuda_topics.h"

#include "backend/cuda/cuda_chunks.h"
#include "backend/cuda/cuda_kernel_table.h"
#include "backend/start.h"

#include <string.h>

/* Reads the first n documents of a chunk, with their numbers, and where they end. */
static ezlda_status read_documents(ez_cuda *c, ezlda_context *context, const ez_chunk *chunk,
                                   ez_device_doc **out, size_t n)
{
    *out = NULL;
    EZ_TRY(ez_array(out, context, n + 1, sizeof **out, "the order of documents"));
    EZ_TRY(ez_device_read(&c->device, context, *out, chunk->doc_of, (n + 1) * sizeof **out));
    for (size_t i = 0; c->doc_number && i < n; i++)
        (*out)[i].number = c->doc_number[chunk->first_doc + i];
    return EZLDA_OK;
}

/* Documents of the chunk whose topics start on the host. */
static uint32_t host_docs_of(const ez_cuda *c, const ez_chunk *chunk)
{
    if (c->host_docs <= chunk->first_doc)
        return 0;
    uint32_t n = c->host_docs - chunk->first_doc;
    return n < chunk->docs ? n : chunk->docs;
}

/* Draws the topics of the first `docs` documents of a chunk. */
static ezlda_status start_on_host(ez_cuda *c, ezlda_context *context, const ez_token_list *tokens,
                                  const ez_device_doc *doc, uint32_t docs, uint16_t *topic)
{
    ezlda_status status = EZLDA_OK;
#pragma omp parallel num_threads(ez_threads(context))
    {
        ez_start_scratch scratch;
        ezlda_status mine = ez_start_scratch_init(&scratch, context, tokens);
#pragma omp for schedule(dynamic, 1)
        for (uint32_t i = 0; i < docs; i++)
            if (mine == EZLDA_OK)
                ez_start_document(tokens, c->settings, doc[i].number, topic + doc[i].begin,
                                  &scratch);
        ez_start_scratch_free(&scratch);
        if (mine != EZLDA_OK) {
#pragma omp critical(ez_cuda_status)
            status = mine;
        }
    }
    return status;
}

/* Draws the topics of the longest documents on the host and uploads them through the array of D,
 * which is not in use yet. */
static ezlda_status start_long_documents(ez_cuda *c, ezlda_context *context, const ez_chunk *chunk,
                                         ez_index_state *x)
{
    uint32_t docs = host_docs_of(c, chunk);
    ez_token_list tokens =
        *c->tokens; /* with the document frequencies that the device has counted */
    ez_device_doc *doc = NULL;
    uint16_t *topic = NULL;
    ez_kernel to_t;
    ezlda_status status;
    tokens.doc_frequency = NULL;
    EZ_TRY_GOTO(read_documents(c, context, chunk, &doc, docs));
    x->tokens = doc[docs].begin;
    x->doc_topic = (uint16_t *)c->state.d.rows;
    EZ_TRY_GOTO(ez_array(&tokens.doc_frequency, context, tokens.words, sizeof(uint32_t),
                         "document frequencies"));
    EZ_TRY_GOTO(ez_device_read(&c->device, context, tokens.doc_frequency, x->doc_frequency,
                               tokens.words * sizeof(uint32_t)));
    EZ_TRY_GOTO(ez_array(&topic, context, x->tokens, sizeof *topic, "topics"));
    EZ_TRY_GOTO(start_on_host(c, context, &tokens, doc, docs, topic));
    EZ_TRY_GOTO(
        ez_device_write(&c->device, context, x->doc_topic, topic, x->tokens * sizeof *topic));
    EZ_TRY_GOTO(ez_cuda_find_kernel(c, context, &to_t, EZ_KERNEL_TOPICS_BY_WORD, 0));
    EZ_TRY_GOTO(ez_device_launch(&c->device, context, &to_t, to_t.blocks, x));
    EZ_TRY_GOTO(ez_device_finish(&c->device, context, "the start"));
done:
    ez_free(doc);
    ez_free(tokens.doc_frequency);
    ez_free(topic);
    return status;
}

static ezlda_status start_chunk(ez_cuda *c, ezlda_context *context, const ez_chunk *chunk,
                                const ez_device_state *s)
{
    ez_index_state x = c->index;
    ez_kernel start;
    x.word = s->tokens.word;
    x.place = s->tokens.place;
    x.doc = s->tokens.doc;
    x.topic = s->tokens.topic;
    x.doc_of = s->tokens.doc_of;
    x.docs = chunk->docs;
    x.tokens = chunk->tokens;
    x.first_doc = host_docs_of(c, chunk);
    if (x.first_doc > 0)
        EZ_TRY(start_long_documents(c, context, chunk, &x));
    EZ_TRY(ez_cuda_find_kernel(c, context, &start, EZ_KERNEL_START, 0));
    return ez_device_launch(&c->device, context, &start, start.blocks, &x);
}

ezlda_status ez_cuda_start_topics(ez_cuda *c, ezlda_context *context)
{
    ez_index_state *x = &c->index;
    ez_device *device = &c->device;
    ez_kernel rarity;
    c->rates_made = false; /* what was prepared ahead is of an earlier run */
    c->records_for = 0;
    x->all_docs = c->tokens->all_docs;
    if (c->tokens->doc_frequency)
        EZ_TRY(ez_device_write(device, context, x->doc_frequency, c->tokens->doc_frequency,
                               x->words * sizeof *x->doc_frequency));
    EZ_TRY(ez_device_array(device, context, &x->rarity, NULL, x->words, sizeof *x->rarity,
                           "word rarities"));
    EZ_TRY(ez_cuda_find_kernel(c, context, &rarity, EZ_KERNEL_RARITY, 0));
    EZ_TRY(ez_device_launch(device, context, &rarity, rarity.blocks, x));
    EZ_TRY(ez_cuda_each_chunk(c, context, EZ_CHUNK_TOKENS, true, start_chunk));
    EZ_TRY(ez_device_finish(device, context, "the start"));
    ez_device_free(device, x->rarity);
    x->rarity = NULL;
    return EZLDA_OK;
}

/* Reads the chunk's topics in document order. The device orders them in the array of D, which is
 * rebuilt in every iteration; the host does if they are there. */
static ezlda_status order_topics(ez_cuda *c, ezlda_context *context, const ez_chunk *chunk,
                                 uint16_t *topic)
{
    if (chunk->topic) {
#pragma omp parallel for schedule(static) num_threads(ez_threads(context))
        for (uint32_t i = 0; i < chunk->tokens; i++)
            topic[i] = chunk->topic[chunk->place[i]];
        return EZLDA_OK;
    }
    ez_index_state x = c->index;
    ez_kernel to_documents;
    x.tokens = chunk->tokens;
    x.doc_topic = (uint16_t *)c->state.d.rows;
    EZ_TRY(ez_cuda_find_kernel(c, context, &to_documents, EZ_KERNEL_TOPICS_BY_DOCUMENT, 0));
    EZ_TRY(ez_device_launch(&c->device, context, &to_documents, to_documents.blocks, &x));
    return ez_device_read(&c->device, context, topic, x.doc_topic, chunk->tokens * sizeof *topic);
}

static ezlda_status read_chunk(ez_cuda *c, ezlda_context *context, const ez_chunk *chunk,
                               uint16_t *topic, uint16_t *out)
{
    const ez_token_list *t = c->tokens;
    ez_device_doc *doc = NULL;
    ezlda_status status = order_topics(c, context, chunk, topic);
    if (status == EZLDA_OK)
        status = read_documents(c, context, chunk, &doc, chunk->docs);
    if (status == EZLDA_OK) {
#pragma omp parallel for schedule(static) num_threads(ez_threads(context))
        for (uint32_t i = 0; i < chunk->docs; i++)
            memcpy(out + t->doc_start[doc[i].number], topic + doc[i].begin,
                   (doc[i + 1].begin - doc[i].begin) * sizeof *topic);
    }
    ez_free(doc);
    return status;
}

ezlda_status ez_cuda_read_topics(ez_cuda *c, ezlda_context *context, uint16_t *out)
{
    uint16_t *topic = NULL;
    EZ_TRY(ez_array(&topic, context, c->chunk_tokens, sizeof *topic, "topics"));
    ezlda_status status = EZLDA_OK;
    for (uint32_t i = 0; i < c->chunks && status == EZLDA_OK; i++)
        status = read_chunk(c, context, &c->chunk[i], topic, out);
    ez_free(topic);
    return status;
}

ezlda_status ez_cuda_find_tokens(ez_cuda *c, ezlda_context *context, const uint64_t *place,
                                 uint64_t n, uint32_t *token)
{
    const ez_token_list *t = c->tokens;
    ez_device_doc *doc = NULL;
    uint32_t *begin = NULL;
    uint64_t d = 0;
    EZ_TRY(read_documents(c, context, &c->chunk[0], &doc, c->chunk[0].docs));
    ezlda_status status =
        ez_array(&begin, context, t->docs, sizeof *begin, "the order of documents");
    for (uint64_t i = 0; status == EZLDA_OK && i < t->docs; i++)
        begin[doc[i].number] = doc[i].begin;
    for (uint64_t i = 0; status == EZLDA_OK && i < n; i++) {
        while (t->doc_start[d + 1] <= place[i])
            d++;
        token[i] = begin[d] + (uint32_t)(place[i] - t->doc_start[d]);
    }
    ez_free(doc);
    ez_free(begin);
    return status;
}
