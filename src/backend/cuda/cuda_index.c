/* The corpus on the device: documents ordered by length, tokens sorted by word there, topics started and read back. */
#include "backend/cuda/cuda_state.h"
#include "backend/start.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((int)EZ_DEVICE_PIECE == (int)EZ_START_PIECE, "the start is one definition");

/* Ranges of documents that are sorted at once, and the bytes that their cursors may take. */
enum { EZ_RANGES_MAX = 2048, EZ_RANGE_THREADS = 64 };
static const uint64_t EZ_CURSOR_BYTES = 256u << 20;

static uint64_t doc_length(const ez_token_list *t, uint64_t d)
{
    return t->doc_start[d + 1] - t->doc_start[d];
}

/* Lengths from here on share a bucket: these documents are few. */
enum { EZ_LENGTH_BUCKETS = 1 << 16 };

static uint32_t bucket_of(uint64_t length)
{
    return length < EZ_LENGTH_BUCKETS - 1 ? (uint32_t)(EZ_LENGTH_BUCKETS - 1 - length) : 0;
}

static int by_falling_length(const void *a, const void *b)
{
    const ez_device_doc *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin > y->begin ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* Documents by falling length: a counting sort, and a plain one for those that are longer than it has buckets. */
static ezlda_status order_documents(ez_cuda *c, ezlda_context *context, ez_device_doc *doc)
{
    const ez_token_list *t = c->tokens;
    uint32_t *next = NULL;
    EZ_TRY(ez_array_zero(&next, context, EZ_LENGTH_BUCKETS + 1, sizeof *next, "document lengths"));
    for (uint64_t d = 0; d < t->docs; d++)
        next[bucket_of(doc_length(t, d)) + 1]++;
    for (uint32_t b = 0; b < EZ_LENGTH_BUCKETS; b++)
        next[b + 1] += next[b];
    for (uint64_t d = 0; d < t->docs; d++)
        doc[next[bucket_of(doc_length(t, d))]++] =
            (ez_device_doc){.number = (uint32_t)d, .begin = (uint32_t)doc_length(t, d)};
    qsort(doc, next[0], sizeof *doc, by_falling_length);
    ez_free(next);
    uint64_t begin = 0, row = 0;
    for (uint64_t i = 0; i < t->docs; i++) {
        uint64_t length = doc_length(t, doc[i].number);
        doc[i].begin = (uint32_t)begin;
        doc[i].row = (uint32_t)row;
        begin += length;
        row += ez_cuda_row_room(c, length);
    }
    doc[t->docs] = (ez_device_doc){.begin = (uint32_t)begin, .row = (uint32_t)row};
    return EZLDA_OK;
}

/* Ranges of similar token counts, cut between documents. */
static ezlda_status upload_ranges(ez_cuda *c, ezlda_context *context, const ez_device_doc *doc)
{
    ez_index_state *x = &c->index;
    uint64_t fit = EZ_CURSOR_BYTES / (sizeof *x->cursor * x->words + 1) + 1, d = 0;
    x->ranges = fit < EZ_RANGES_MAX ? (uint32_t)fit : EZ_RANGES_MAX;
    uint32_t *first = NULL;
    EZ_TRY(ez_array(&first, context, (size_t)x->ranges + 1, sizeof *first, "ranges of documents"));
    for (uint32_t r = 0; r < x->ranges; r++) {
        uint64_t want = (uint64_t)x->tokens * r / x->ranges;
        while (d < x->docs && doc[d].begin < want)
            d++;
        first[r] = (uint32_t)d;
    }
    first[0] = 0;
    first[x->ranges] = x->docs;
    ezlda_status status = ez_device_array(&c->device, context, &x->range_doc, first, (size_t)x->ranges + 1,
                                          sizeof *first, "ranges of documents");
    ez_free(first);
    return status;
}

/* Narrows starts to 32 bits, as the device keeps them. */
static ezlda_status upload_starts(ez_cuda *c, ezlda_context *context, uint32_t **out, const uint64_t *start, uint64_t n,
                                  const char *what)
{
    uint32_t *narrow = NULL;
    EZ_TRY(ez_array(&narrow, context, n + 1, sizeof *narrow, what));
    for (uint64_t i = 0; i <= n; i++)
        narrow[i] = (uint32_t)start[i];
    ezlda_status status = ez_device_array(&c->device, context, out, narrow, n + 1, sizeof *narrow, what);
    ez_free(narrow);
    return status;
}

static ezlda_status upload(ez_cuda *c, ezlda_context *context)
{
    const ez_token_list *t = c->tokens;
    ez_index_state *x = &c->index;
    ez_device *device = &c->device;
    ez_device_doc *doc = NULL;
    EZ_TRY(ez_array(&doc, context, t->docs + 1, sizeof *doc, "the order of documents"));
    ezlda_status status = order_documents(c, context, doc);
    if (status == EZLDA_OK)
        status = ez_device_array(device, context, &x->doc_of, doc, t->docs + 1, sizeof *doc, "documents");
    if (status == EZLDA_OK)
        status = upload_ranges(c, context, doc);
    while (x->first_doc < x->docs && doc[x->first_doc + 1].begin - doc[x->first_doc].begin > EZ_DEVICE_START_MAX)
        x->first_doc++;
    c->long_doc_tokens = doc[x->first_doc].begin;
    ez_free(doc);
    EZ_TRY(status);
    EZ_TRY(upload_starts(c, context, &x->start, t->doc_start, t->docs, "document starts"));
    EZ_TRY(upload_starts(c, context, &x->word_start, t->word_start, t->words, "word starts"));
    return ez_device_array(device, context, &x->corpus_word, t->word, t->tokens, sizeof *t->word, "words");
}

static ezlda_status launch_index(ez_cuda *c, ezlda_context *context, const char *name, unsigned threads,
                                 unsigned blocks)
{
    ez_kernel kernel;
    EZ_TRY(ez_device_kernel(&c->device, context, &kernel, EZ_IMAGE_INDEX, name, threads, 0));
    return ez_device_launch(&c->device, context, &kernel, blocks ? blocks : kernel.blocks, &c->index);
}

static ezlda_status sort_tokens(ez_cuda *c, ezlda_context *context)
{
    ez_index_state *x = &c->index;
    ez_device *device = &c->device;
    size_t cells = (size_t)x->ranges * x->words;
    unsigned warps = EZ_RANGE_THREADS / 32, range_blocks = (x->ranges + warps - 1) / warps;
    EZ_TRY(ez_device_array(device, context, &x->word, NULL, x->tokens, sizeof *x->word, "words of the tokens"));
    EZ_TRY(launch_index(c, context, "ez_lay_words", 256, 0));
    EZ_TRY(ez_device_finish(device, context, "the order of documents"));
    ez_device_free(device, x->corpus_word, 0);
    ez_device_free(device, x->start, 0);
    EZ_TRY(ez_device_array(device, context, &x->cursor, NULL, cells, sizeof *x->cursor, "word cursors"));
    EZ_TRY(ez_device_array(device, context, &x->place, NULL, x->tokens, sizeof *x->place, "the inverted index"));
    EZ_TRY(ez_device_array(device, context, &x->doc, NULL, x->tokens, sizeof *x->doc, "documents of the tokens"));
    EZ_TRY(ez_device_array(device, context, &x->topic, NULL, x->tokens, sizeof *x->topic, "topics"));
    EZ_TRY(ez_device_array(device, context, &x->doc_frequency, NULL, x->words, sizeof *x->doc_frequency, "words"));
    EZ_TRY(ez_device_zero(device, context, x->cursor, cells * sizeof *x->cursor));
    EZ_TRY(ez_device_zero(device, context, x->doc_frequency, x->words * sizeof *x->doc_frequency));
    EZ_TRY(launch_index(c, context, "ez_tally_ranges", EZ_RANGE_THREADS, range_blocks));
    EZ_TRY(launch_index(c, context, "ez_place_ranges", 256, 0));
    EZ_TRY(launch_index(c, context, "ez_place_tokens", EZ_RANGE_THREADS, range_blocks));
    EZ_TRY(ez_device_finish(device, context, "sorting the tokens"));
    ez_device_free(device, x->cursor, 0);
    ez_device_free(device, x->range_doc, 0);
    return EZLDA_OK;
}

ezlda_status ez_cuda_index(ez_cuda *c, ezlda_context *context)
{
    ez_index_state *x = &c->index;
    ez_device_state *s = &c->state;
    *x = (ez_index_state){
        .docs = s->docs,
        .words = s->words,
        .tokens = s->tokens,
        .topics = s->topics,
        .keyword = c->settings->start == EZLDA_START_KEYWORD,
        .key = ez_iteration_key(c->settings->seed, 0),
    };
    EZ_TRY(upload(c, context));
    EZ_TRY(sort_tokens(c, context));
    s->doc_of = x->doc_of;
    s->word = x->word;
    s->place = x->place;
    s->doc = x->doc;
    s->topic = x->topic;
    s->word_start = x->word_start;
    return EZLDA_OK;
}

/* Where each of the first n documents lies, in the device's order. */
static ezlda_status read_documents(ez_cuda *c, ezlda_context *context, ez_device_doc **out, size_t n)
{
    *out = NULL;
    EZ_TRY(ez_array(out, context, n + 1, sizeof **out, "the order of documents"));
    return ez_device_read(&c->device, context, *out, c->state.doc_of, (n + 1) * sizeof **out);
}

/* Topics of the longest documents, made on the host in the device's document order. */
static ezlda_status start_long_documents(ez_cuda *c, ezlda_context *context, uint16_t *topic)
{
    ez_device_doc *doc = NULL;
    ez_token_list tokens = *c->tokens; /* with the frequencies that the device has counted */
    tokens.doc_frequency = NULL;
    ezlda_status status = read_documents(c, context, &doc, c->index.first_doc);
    if (status == EZLDA_OK)
        status = ez_array(&tokens.doc_frequency, context, tokens.words, sizeof(uint32_t), "document frequencies");
    if (status == EZLDA_OK)
        status = ez_device_read(&c->device, context, tokens.doc_frequency, c->index.doc_frequency,
                                tokens.words * sizeof(uint32_t));
    bool ready = status == EZLDA_OK;
#pragma omp parallel num_threads(ez_threads(context))
    {
        ez_start_scratch scratch;
        ezlda_status mine = ez_start_scratch_init(&scratch, context, c->tokens);
#pragma omp for schedule(dynamic, 1)
        for (uint32_t i = 0; i < c->index.first_doc; i++)
            if (mine == EZLDA_OK && ready)
                ez_start_document(&tokens, c->settings, doc[i].number, topic + doc[i].begin, &scratch);
        ez_start_scratch_free(&scratch);
        if (mine != EZLDA_OK) {
#pragma omp critical(ez_cuda_status)
            status = mine;
        }
    }
    ez_free(doc);
    ez_free(tokens.doc_frequency);
    return status;
}

/* ... and taken there through the room of D, which is not in use yet. */
static ezlda_status scatter_long_documents(ez_cuda *c, ezlda_context *context)
{
    ez_index_state x = c->index;
    uint16_t *topic = NULL;
    EZ_TRY(ez_array(&topic, context, c->long_doc_tokens, sizeof *topic, "topics"));
    ezlda_status status = start_long_documents(c, context, topic);
    x.tokens = (uint32_t)c->long_doc_tokens;
    x.doc_topic = (uint16_t *)c->state.row;
    if (status == EZLDA_OK)
        status = ez_device_write(&c->device, context, x.doc_topic, topic, x.tokens * sizeof *topic);
    ez_free(topic);
    EZ_TRY(status);
    ez_kernel kernel;
    EZ_TRY(ez_device_kernel(&c->device, context, &kernel, EZ_IMAGE_INDEX, "ez_scatter_topics", 256, 0));
    return ez_device_launch(&c->device, context, &kernel, kernel.blocks, &x);
}

ezlda_status ez_cuda_start_topics(ez_cuda *c, ezlda_context *context)
{
    ez_index_state *x = &c->index;
    ez_device *device = &c->device;
    ez_kernel rarity, start;
    if (c->long_doc_tokens > 0)
        EZ_TRY(scatter_long_documents(c, context));
    EZ_TRY(ez_device_array(device, context, &x->rarity, NULL, x->words, sizeof *x->rarity, "word rarities"));
    EZ_TRY(ez_device_kernel(device, context, &rarity, EZ_IMAGE_START, "ez_rarity", 256, 0));
    EZ_TRY(ez_device_kernel(device, context, &start, EZ_IMAGE_START, "ez_start", 128, 0));
    EZ_TRY(ez_device_launch(device, context, &rarity, rarity.blocks, x));
    EZ_TRY(ez_device_launch(device, context, &start, start.blocks, x));
    EZ_TRY(ez_device_finish(device, context, "the start"));
    ez_device_free(device, x->rarity, 0);
    return EZLDA_OK;
}

/* The topics, gathered into the room of D, which is rebuilt in every iteration. */
ezlda_status ez_cuda_read_topics(ez_cuda *c, ezlda_context *context, uint16_t *out)
{
    const ez_token_list *t = c->tokens;
    ez_index_state x = c->index;
    uint16_t *topic = NULL;
    ez_device_doc *doc = NULL;
    ez_kernel gather;
    ezlda_status status;
    x.doc_topic = (uint16_t *)c->state.row;
    EZ_TRY(ez_device_kernel(&c->device, context, &gather, EZ_IMAGE_INDEX, "ez_gather_topics", 256, 0));
    EZ_TRY(ez_device_launch(&c->device, context, &gather, gather.blocks, &x));
    EZ_TRY_GOTO(ez_array(&topic, context, t->tokens, sizeof *topic, "topics"));
    EZ_TRY_GOTO(read_documents(c, context, &doc, t->docs));
    EZ_TRY_GOTO(ez_device_read(&c->device, context, topic, x.doc_topic, t->tokens * sizeof *topic));
#pragma omp parallel for schedule(static) num_threads(ez_threads(context))
    for (uint64_t i = 0; i < t->docs; i++)
        memcpy(out + t->doc_start[doc[i].number], topic + doc[i].begin,
               (doc[i + 1].begin - doc[i].begin) * sizeof *topic);
done:
    ez_free(topic);
    ez_free(doc);
    return status;
}
