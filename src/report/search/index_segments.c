/* Makes the postings of the index: for each word the documents that have it, with its count and,
 * if the corpus has texts or an order of words, its positions among the words of the document. A
 * segment is made by one thread; the file has them in their order. */
#include "corpus/bags/doc_code.h"
#include "corpus/corpus.h"
#include "report/search/doc_index.h"

#include <string.h>

/* One thread with the segment that it makes. A token is a word of a document; without positions it
 * is a pair, and its position is the count. */
typedef struct segment_maker {
    const ezlda_corpus *corpus;
    ezlda_context *context;
    ez_corpus_sizes sizes;
    bool text, order;
    ez_doc_texts texts;
    uint32_t start[EZ_CORPUS_BLOCK + 1];
    uint64_t token_start[EZ_CORPUS_BLOCK + 1];
    uint32_t *word, *count, *pair_of, *spare;
    ez_buffer places;
    ez_buffer tokens; /* token: all of the segment */
    ez_buffer sorted; /* sorted_token: by word, then as in `tokens` */
    uint32_t *next;   /* for each word, its tokens before; then where the next goes */
    ez_buffer postings, positions, words, marks;
    ez_buffer out;
} segment_maker;

typedef struct token {
    uint32_t word, doc, position;
} token;

typedef struct sorted_token {
    uint32_t doc, position;
} sorted_token;

static ezlda_status maker_init(segment_maker *self, ezlda_context *context,
                               const ezlda_corpus *corpus)
{
    uint64_t pairs, tokens;
    *self = (segment_maker){.corpus = corpus, .context = context};
    ez_corpus_sizes_of(corpus, &self->sizes);
    self->text = ez_corpus_has_text(corpus);
    self->order = !self->text && ez_corpus_has_order(corpus);
    ez_corpus_largest_block(corpus, &pairs, &tokens);
    EZ_TRY(ez_array(&self->word, context, (size_t)pairs, sizeof *self->word, "documents"));
    EZ_TRY(ez_array(&self->count, context, (size_t)pairs, sizeof *self->count, "documents"));
    EZ_TRY(ez_array(&self->spare, context, (size_t)pairs, sizeof *self->spare, "documents"));
    if (self->order)
        EZ_TRY(
            ez_array(&self->pair_of, context, (size_t)tokens, sizeof *self->pair_of, "documents"));
    return ez_array(&self->next, context, (size_t)self->sizes.words + 1, sizeof *self->next,
                    "word counts");
}

static void maker_free(segment_maker *self)
{
    ez_doc_texts_free(&self->texts);
    ez_free(self->word);
    ez_free(self->count);
    ez_free(self->spare);
    ez_free(self->pair_of);
    ez_free(self->next);
    ez_buffer *const all[] = {&self->places,    &self->tokens, &self->sorted, &self->postings,
                              &self->positions, &self->words,  &self->marks,  &self->out};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        ez_free(all[i]->data);
}

static void add_token(segment_maker *self, uint32_t word, uint64_t doc, size_t position)
{
    token *to = (token *)(void *)(self->tokens.data + self->tokens.used);
    *to = (token){word, (uint32_t)doc, (uint32_t)position};
    self->tokens.used += sizeof *to;
    self->next[word + 1]++;
}

/* The pairs of a document are [from, to) of the block. doc: in the segment. */
static ezlda_status add_document(segment_maker *self, uint64_t number, uint64_t doc, uint32_t d)
{
    uint32_t from = self->start[d], n = self->start[d + 1] - from;
    const uint32_t *word = self->word + from, *count = self->count + from;
    size_t tokens = n;
    const ez_text_place *place = NULL;
    if (self->text) {
        memcpy(self->spare, count, n * sizeof *count);
        self->places.used = 0;
        EZ_TRY(ez_text_read(&self->texts, self->context, self->corpus, number));
        EZ_TRY(ez_text_places(&self->texts, self->context, self->corpus, self->spare, n,
                              &self->places));
        place = (const ez_text_place *)(const void *)self->places.data;
        tokens = self->places.used / sizeof *place;
    } else if (self->order) {
        tokens = (size_t)(self->token_start[d + 1] - self->token_start[d]);
    }
    EZ_TRY(ez_buffer_reserve(&self->tokens, self->context, ez_product(tokens, sizeof(token))));
    const uint32_t *pair_of = self->order ? self->pair_of + self->token_start[d] : NULL;
    for (size_t i = 0; i < tokens; i++)
        if (self->text || self->order)
            add_token(self, word[self->text ? place[i].pair : pair_of[i]], doc, i);
        else
            add_token(self, word[i], doc, count[i]);
    return EZLDA_OK;
}

static ezlda_status collect(segment_maker *self, uint64_t segment)
{
    uint64_t first = segment * (EZ_SEGMENT_DOCS / EZ_CORPUS_BLOCK),
             end = first + EZ_SEGMENT_DOCS / EZ_CORPUS_BLOCK,
             blocks = ez_corpus_blocks(self->corpus);
    self->tokens.used = 0;
    memset(self->next, 0, ((size_t)self->sizes.words + 1) * sizeof *self->next);
    for (uint64_t b = first; b < end && b < blocks; b++) {
        uint32_t docs = ez_corpus_decode(self->corpus, b, self->start, self->word, self->count);
        if (self->order)
            ez_corpus_order(self->corpus, b, self->start, self->count, self->token_start,
                            self->pair_of);
        for (uint32_t d = 0; d < docs; d++)
            EZ_TRY(
                add_document(self, b * EZ_CORPUS_BLOCK + d, (b - first) * EZ_CORPUS_BLOCK + d, d));
    }
    return self->tokens.used / sizeof(token) < UINT32_MAX
               ? EZLDA_OK
               : ez_fail(self->context, EZLDA_ERROR_UNSUPPORTED,
                         "documents %llu to %llu have more than %u tokens, too many for an index",
                         (unsigned long long)segment * EZ_SEGMENT_DOCS,
                         ((unsigned long long)segment + 1) * EZ_SEGMENT_DOCS - 1, UINT32_MAX);
}

/* Counting sort by word. */
static ezlda_status sort_tokens(segment_maker *self)
{
    size_t n = self->tokens.used / sizeof(token);
    const token *from = (const token *)(const void *)self->tokens.data;
    self->sorted.used = 0;
    EZ_TRY(ez_buffer_reserve(&self->sorted, self->context, ez_product(n, sizeof(sorted_token))));
    sorted_token *to = (sorted_token *)(void *)self->sorted.data;
    for (uint32_t w = 0; w < self->sizes.words; w++)
        self->next[w + 1] += self->next[w];
    for (size_t i = 0; i < n; i++)
        to[self->next[from[i].word]++] = (sorted_token){from[i].doc, from[i].position};
    return EZLDA_OK;
}

/* Writes the postings of a word, which has tokens [from, to). A posting is as a pair of a document
 * in a corpus file: twice the gap to the document before, plus 1 if a count follows. */
static ezlda_status put_postings(segment_maker *self, const sorted_token *from,
                                 const sorted_token *to)
{
    bool positions = self->text || self->order;
    size_t room = (size_t)(to - from) * EZ_PAIR_BYTES;
    EZ_TRY(ez_buffer_reserve(&self->postings, self->context, room));
    if (positions)
        EZ_TRY(ez_buffer_reserve(&self->positions, self->context, room));
    unsigned char *posting = self->postings.data + self->postings.used,
                  *position =
                      self->positions.data ? self->positions.data + self->positions.used : NULL,
                  *first = position, *begin = posting;
    uint64_t next = 0;
    while (from < to) {
        const sorted_token *same = from;
        uint32_t before = 0, count = positions ? 0 : from->position;
        for (; same < to && same->doc == from->doc; same++)
            if (positions) {
                position = ez_put_varint(position, same->position - before);
                before = same->position;
                count++;
            }
        posting = ez_put_pair(posting, from->doc - next, count);
        next = (uint64_t)from->doc + 1;
        from = same;
    }
    self->postings.used += (size_t)(posting - begin);
    self->positions.used += (size_t)(position - first);
    return EZLDA_OK;
}

static ezlda_status add_mark(segment_maker *self)
{
    ez_word_mark mark = {self->postings.used, self->positions.used};
    return ez_buffer_append(&self->marks, self->context, &mark, sizeof mark);
}

static ezlda_status encode(segment_maker *self)
{
    const sorted_token *sorted = (const sorted_token *)(const void *)self->sorted.data;
    self->postings.used = self->positions.used = self->words.used = self->marks.used = 0;
    uint32_t from = 0; /* after sorting, next[w] is where the tokens of w end */
    for (uint32_t w = 0; w < self->sizes.words; w++) {
        if (self->next[w] == from)
            continue;
        EZ_TRY(ez_buffer_append(&self->words, self->context, &w, sizeof w));
        EZ_TRY(add_mark(self));
        EZ_TRY(put_postings(self, sorted + from, sorted + self->next[w]));
        from = self->next[w];
    }
    return add_mark(self);
}

static ezlda_status align(ez_buffer *out, ezlda_context *context)
{
    static const unsigned char zeros[8] = {0};
    return ez_buffer_append(out, context, zeros, -out->used % sizeof zeros);
}

static ezlda_status make_segment(segment_maker *self, uint64_t segment)
{
    ezlda_context *context = self->context;
    EZ_TRY(collect(self, segment));
    EZ_TRY(sort_tokens(self));
    EZ_TRY(encode(self));
    ez_segment_head head = {self->words.used / sizeof(uint32_t), self->postings.used,
                            self->positions.used};
    ez_buffer *out = &self->out;
    out->used = 0;
    EZ_TRY(ez_buffer_append(out, context, &head, sizeof head));
    EZ_TRY(ez_buffer_append(out, context, self->words.data, self->words.used));
    EZ_TRY(align(out, context));
    EZ_TRY(ez_buffer_append(out, context, self->marks.data, self->marks.used));
    EZ_TRY(ez_buffer_append(out, context, self->postings.data, self->postings.used));
    EZ_TRY(ez_buffer_append(out, context, self->positions.data, self->positions.used));
    return align(out, context);
}

ezlda_status ez_index_put_segments(ez_container_writer *writer, ezlda_context *context,
                                   const ezlda_corpus *corpus)
{
    ez_corpus_sizes sizes;
    ezlda_status failed = EZLDA_OK;
    ez_corpus_sizes_of(corpus, &sizes);
    int64_t segments = ez_segments_of(sizes.docs);
    uint64_t *start;
    EZ_TRY(ez_array_zero(&start, context, (size_t)segments + 1, sizeof *start, "the index"));
    failed = ez_container_begin(writer, context, EZ_INDEX_SEGMENTS);
#pragma omp parallel num_threads(ez_threads(context))
    {
        segment_maker self;
        ezlda_status status = maker_init(&self, context, corpus);
#pragma omp for ordered schedule(dynamic, 1)
        for (int64_t i = 0; i < segments; i++) {
            if (status == EZLDA_OK)
                status = make_segment(&self, (uint64_t)i);
#pragma omp ordered
            {
                if (status == EZLDA_OK && failed == EZLDA_OK)
                    status = ez_container_write(writer, context, self.out.data, self.out.used);
                start[i + 1] = start[i] + self.out.used;
                if (status != EZLDA_OK)
                    failed = status;
            }
        }
        maker_free(&self);
    }
    if (failed == EZLDA_OK)
        failed = ez_container_begin(writer, context, EZ_INDEX_SEGMENT_STARTS);
    if (failed == EZLDA_OK)
        failed = ez_container_write(writer, context, start, ((size_t)segments + 1) * sizeof *start);
    ez_free(start);
    return failed;
}
