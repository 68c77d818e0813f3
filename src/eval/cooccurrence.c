/* Counts documents and windows with the words and pairs of topics. Documents are processed in slabs
 * of two corpus blocks. A slab has one bit per document for each word of a topic, so that the
 * documents with two words come from an AND. For windows it has, for each document of a word, the
 * spans of windows that hold the word, in the order of the bits. */
#include "eval/cooccurrence.h"

#include "base/memory.h"
#include "corpus/corpus.h"

#ifdef _OPENMP
#include <omp.h>
#endif
#include <string.h>

enum { SLAB_BLOCKS = 2, SLAB_DOCS = SLAB_BLOCKS * EZ_CORPUS_BLOCK, ROW = SLAB_DOCS / 64 };

/* A word's spans in a document. Mostly there is only one, which is stored here. */
typedef struct span_list {
    ez_window_span only; /* the span, if there is only one */
    uint32_t n;
    uint32_t first; /* index in counter.spans of the first span */
} span_list;

typedef struct counter {
    const ez_word_lists *lists;
    const ezlda_corpus *corpus;
    ezlda_context *context;
    ez_cooccurrence *counts;
    uint32_t window;
    bool whole;
    uint64_t windows; /* so far */

    uint32_t row_start[EZ_CORPUS_BLOCK + 1]; /* a decoded block, up to `place` */
    uint32_t *word, *count;
    uint64_t token_start[EZ_CORPUS_BLOCK + 1];
    uint32_t *place;

    uint64_t *bits;  /* a slab: ROW numbers per word */
    uint16_t *rank;  /* documents of the word before each number of `bits` */
    uint32_t *docs;  /* documents of each word in the slab */
    size_t *list_at; /* n_words+1: start of the word's span lists; while they are made, the next */
    ez_buffer lists_of_spans;
    ez_buffer spans;

    uint32_t *held; /* for each pair of a document: number of its word; UINT32_MAX: in no topic */
    size_t *next_position; /* next position of each pair, while positions are filled in */
    uint32_t *position;    /* positions of the document's tokens, by pair */
} counter;

static ezlda_status counter_init(counter *self)
{
    ezlda_context *context = self->context;
    size_t words = self->lists->n_words, bits;
    uint64_t pairs, tokens;
    ez_corpus_sizes sizes;
    ez_corpus_largest_block(self->corpus, &pairs, &tokens);
    ez_corpus_sizes_of(self->corpus, &sizes);
    size_t row = sizes.words < pairs ? sizes.words : (size_t)pairs,
           longest = self->window ? (size_t)sizes.longest : 0;
    if (!ez_mul_size(words, ROW, &bits))
        return ez_fail(context, EZLDA_ERROR_MEMORY, "not enough memory for documents' words");
    EZ_TRY(ez_array(&self->word, context, (size_t)pairs, sizeof *self->word, "documents"));
    EZ_TRY(ez_array(&self->count, context, (size_t)pairs, sizeof *self->count, "documents"));
    EZ_TRY(ez_array(&self->place, context, self->window ? (size_t)tokens : 0, sizeof *self->place,
                    "documents"));
    EZ_TRY(ez_array(&self->bits, context, bits, sizeof *self->bits, "documents' words"));
    EZ_TRY(ez_array(&self->rank, context, self->window ? bits : 0, sizeof *self->rank,
                    "documents' words"));
    EZ_TRY(ez_array(&self->docs, context, words, sizeof *self->docs, "documents' words"));
    EZ_TRY(ez_array(&self->list_at, context, words + 1, sizeof *self->list_at, "documents' words"));
    EZ_TRY(ez_array(&self->held, context, row, sizeof *self->held, "a document's words"));
    EZ_TRY(ez_array(&self->next_position, context, row, sizeof *self->next_position,
                    "a document's words"));
    return ez_array(&self->position, context, longest, sizeof *self->position,
                    "a document's tokens");
}

static void counter_free(counter *self)
{
    ez_free(self->word);
    ez_free(self->count);
    ez_free(self->place);
    ez_free(self->bits);
    ez_free(self->rank);
    ez_free(self->docs);
    ez_free(self->list_at);
    ez_free(self->lists_of_spans.data);
    ez_free(self->spans.data);
    ez_free(self->held);
    ez_free(self->next_position);
    ez_free(self->position);
}

/* ---- documents ---- */

static void mark_block(counter *self, uint64_t block, uint32_t first_doc)
{
    uint32_t docs = ez_corpus_decode(self->corpus, block, self->row_start, self->word, self->count);
    for (uint32_t d = 0; d < docs; d++) {
        uint32_t doc = first_doc + d;
        for (uint32_t i = self->row_start[d]; i < self->row_start[d + 1]; i++) {
            uint32_t word = self->lists->number[self->word[i]];
            if (word == UINT32_MAX)
                continue;
            self->bits[(size_t)word * ROW + doc / 64] |= (uint64_t)1 << doc % 64;
            self->docs[word]++;
        }
    }
    self->windows += self->window ? 0 : docs;
}

static unsigned ones(uint64_t x)
{
    x -= x >> 1 & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (unsigned)(x * 0x0101010101010101u >> 56);
}

static uint64_t documents_of_both(const counter *self, uint32_t a, uint32_t b)
{
    const uint64_t *x = self->bits + (size_t)a * ROW, *y = self->bits + (size_t)b * ROW;
    uint64_t sum = 0;
    for (size_t i = 0; i < ROW; i++)
        sum += ones(x[i] & y[i]);
    return sum;
}

/* ---- windows ---- */

static void place_lists(counter *self)
{
    self->list_at[0] = 0;
    for (size_t w = 0; w < self->lists->n_words; w++) {
        uint32_t before = 0;
        for (size_t i = 0; i < ROW; i++) {
            self->rank[w * ROW + i] = (uint16_t)before;
            before += ones(self->bits[w * ROW + i]);
        }
        self->list_at[w + 1] = self->list_at[w] + self->docs[w];
    }
}

/* Finds the positions of the topics' words among a document's tokens, grouped by word. */
static void find_positions(counter *self, const uint32_t *word, const uint32_t *count, size_t n,
                           const uint32_t *place, uint64_t tokens)
{
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        self->held[i] = self->lists->number[word[i]];
        self->next_position[i] = at;
        at += self->held[i] == UINT32_MAX ? 0 : count[i];
    }
    for (uint64_t i = 0; i < tokens; i++)
        if (self->held[place[i]] != UINT32_MAX)
            self->position[self->next_position[place[i]]++] = (uint32_t)i;
}

/* Appends the spans of one word. */
static ezlda_status add_spans(counter *self, const uint32_t *position, size_t n, uint32_t last,
                              span_list *list)
{
    size_t first = self->spans.used / sizeof(ez_window_span), bytes;
    if (!ez_mul_size(n, sizeof(ez_window_span), &bytes) || first + n > UINT32_MAX)
        return ez_fail(self->context, EZLDA_ERROR_MEMORY,
                       "not enough memory for documents' windows");
    EZ_TRY(ez_buffer_reserve(&self->spans, self->context, bytes));
    ez_window_span *span = (ez_window_span *)(void *)self->spans.data + first;
    size_t made = ez_window_spans(position, n, self->window, last, self->whole, span);
    *list = (span_list){span[0], (uint32_t)made, (uint32_t)first};
    self->spans.used += made * sizeof *span;
    return EZLDA_OK;
}

static ezlda_status span_document(counter *self, uint32_t d)
{
    size_t from = self->row_start[d], n = self->row_start[d + 1] - from;
    uint64_t tokens = self->token_start[d + 1] - self->token_start[d];
    uint32_t last = tokens > self->window ? (uint32_t)(tokens - self->window) : 0;
    find_positions(self, self->word + from, self->count + from, n,
                   self->place + self->token_start[d], tokens);
    self->windows += (uint64_t)last + 1;
    span_list *lists = (span_list *)(void *)self->lists_of_spans.data;
    for (size_t i = 0; i < n; i++)
        if (self->held[i] != UINT32_MAX) {
            size_t count = self->count[from + i];
            EZ_TRY(add_spans(self, self->position + self->next_position[i] - count, count, last,
                             &lists[self->list_at[self->held[i]]++]));
        }
    return EZLDA_OK;
}

/* Afterwards list_at holds the end of each word's lists, which is the start of the next word's. */
static ezlda_status span_blocks(counter *self, uint64_t block, uint64_t end)
{
    size_t bytes, lists;
    place_lists(self);
    lists = self->list_at[self->lists->n_words];
    self->spans.used = 0;
    if (!ez_mul_size(lists, sizeof(span_list), &bytes))
        return ez_fail(self->context, EZLDA_ERROR_MEMORY,
                       "not enough memory for documents' windows");
    EZ_TRY(ez_buffer_reserve(&self->lists_of_spans, self->context, bytes));
    for (; block < end; block++) {
        uint32_t docs =
            ez_corpus_decode(self->corpus, block, self->row_start, self->word, self->count);
        ez_corpus_order(self->corpus, block, self->row_start, self->count, self->token_start,
                        self->place);
        for (uint32_t d = 0; d < docs; d++)
            EZ_TRY(span_document(self, d));
    }
    return EZLDA_OK;
}

static const span_list *lists_of(const counter *self, uint32_t word)
{
    return (const span_list *)(const void *)self->lists_of_spans.data + self->list_at[word] -
           self->docs[word];
}

static uint64_t windows_of_one(const counter *self, uint32_t word)
{
    const ez_window_span *span = (const ez_window_span *)(const void *)self->spans.data;
    const span_list *list = lists_of(self, word);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < self->docs[word]; i++)
        sum += ez_spans_length(span + list[i].first, list[i].n);
    return sum;
}

static uint64_t overlap(const ez_window_span *span, const span_list *a, const span_list *b)
{
    if ((a->n | b->n) != 1)
        return ez_spans_overlap(span + a->first, a->n, span + b->first, b->n);
    int64_t from = a->only.from > b->only.from ? a->only.from : b->only.from;
    int64_t to = a->only.to < b->only.to ? a->only.to : b->only.to;
    return (uint64_t)(to >= from ? to - from + 1 : 0);
}

static uint64_t windows_of_both(const counter *self, uint32_t a, uint32_t b)
{
    const ez_window_span *span = (const ez_window_span *)(const void *)self->spans.data;
    const span_list *list_a = lists_of(self, a), *list_b = lists_of(self, b);
    uint64_t sum = 0;
    for (size_t i = 0; i < ROW; i++) {
        uint64_t x = self->bits[(size_t)a * ROW + i], y = self->bits[(size_t)b * ROW + i];
        for (uint64_t both = x & y; both; both &= both - 1) {
            uint64_t below = (both & -both) - 1;
            const span_list *p = list_a + self->rank[(size_t)a * ROW + i] + ones(x & below);
            const span_list *q = list_b + self->rank[(size_t)b * ROW + i] + ones(y & below);
            sum += overlap(span, p, q);
        }
    }
    return sum;
}

/* ---- all ---- */

static void add(uint64_t *to, uint64_t amount)
{
    if (amount) {
#pragma omp atomic
        *to += amount;
    }
}

static void add_slab(const counter *self)
{
    const ez_word_lists *lists = self->lists;
    for (uint32_t w = 0; w < lists->n_words; w++) {
        if (!self->docs[w])
            continue;
        add(&self->counts->word[w], self->window ? windows_of_one(self, w) : self->docs[w]);
        for (size_t p = lists->first_pair[w]; p < lists->first_pair[w + 1]; p++) {
            uint32_t other = lists->pair_with[p];
            if (self->docs[other])
                add(&self->counts->pair[p], self->window ? windows_of_both(self, w, other)
                                                         : documents_of_both(self, w, other));
        }
    }
}

static ezlda_status count_slab(counter *self, uint64_t slab, uint64_t blocks)
{
    uint64_t first = slab * SLAB_BLOCKS,
             end = blocks - first < SLAB_BLOCKS ? blocks : first + SLAB_BLOCKS;
    memset(self->bits, 0, (size_t)self->lists->n_words * ROW * sizeof *self->bits);
    memset(self->docs, 0, self->lists->n_words * sizeof *self->docs);
    for (uint64_t block = first; block < end; block++)
        mark_block(self, block, (uint32_t)(block - first) * EZ_CORPUS_BLOCK);
    if (self->window)
        EZ_TRY(span_blocks(self, first, end));
    add_slab(self);
    return EZLDA_OK;
}

static void set_status(ezlda_status *failed, ezlda_status status)
{
    if (status == EZLDA_OK)
        return;
#pragma omp atomic write
    *failed = status;
}

/* Reports the progress of all threads, on the caller's thread only. */
static ezlda_status report_progress(ezlda_context *context, const ez_quality_options *options,
                                    int64_t slabs_done, uint64_t docs)
{
    uint64_t done = (uint64_t)slabs_done * SLAB_DOCS;
    bool mine = true;
#ifdef _OPENMP
    mine = omp_get_thread_num() == 0;
#endif
    return mine && options->watch
               ? options->watch(context, done < docs ? done : docs, options->user)
               : EZLDA_OK;
}

ezlda_status ez_cooccurrence_count(ez_cooccurrence *out, ezlda_context *context,
                                   const ez_word_lists *lists, const ezlda_corpus *corpus,
                                   uint32_t window, const ez_quality_options *options)
{
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(corpus, &sizes);
    if (window && sizes.longest > UINT32_MAX)
        return ez_fail(context, EZLDA_ERROR_UNSUPPORTED,
                       "a document of %llu tokens: windows are counted in documents of up to %u",
                       (unsigned long long)sizes.longest, UINT32_MAX);
    EZ_TRY(
        ez_array_zero(&out->word, context, lists->n_words, sizeof *out->word, "counts of words"));
    EZ_TRY(
        ez_array_zero(&out->pair, context, lists->n_pairs, sizeof *out->pair, "counts of pairs"));
    uint64_t blocks = ez_corpus_blocks(corpus), windows = 0;
    int64_t slabs = (int64_t)(blocks / SLAB_BLOCKS + (blocks % SLAB_BLOCKS != 0));
    int64_t slabs_done = 0;
    ezlda_status failed = EZLDA_OK;
    EZ_TRY(report_progress(context, options, 0, sizes.docs));
#pragma omp parallel num_threads(ez_threads(context)) reduction(+ : windows)
    {
        counter self = {.lists = lists,
                        .corpus = corpus,
                        .context = context,
                        .counts = out,
                        .window = window,
                        .whole = options->whole_windows};
        set_status(&failed, counter_init(&self));
#pragma omp for schedule(dynamic, 1)
        for (int64_t slab = 0; slab < slabs; slab++) {
            ezlda_status before;
            int64_t done;
#pragma omp atomic read
            before = failed;
            if (before != EZLDA_OK)
                continue;
            set_status(&failed, count_slab(&self, (uint64_t)slab, blocks));
#pragma omp atomic capture
            done = ++slabs_done;
            set_status(&failed, report_progress(context, options, done, sizes.docs));
        }
        windows += self.windows;
        counter_free(&self);
    }
    out->windows = windows;
    return failed;
}

void ez_cooccurrence_free(ez_cooccurrence *counts)
{
    ez_free(counts->word);
    ez_free(counts->pair);
    *counts = (ez_cooccurrence){0};
}
