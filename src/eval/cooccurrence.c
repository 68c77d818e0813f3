#include "eval/cooccurrence.h"

#include "base/memory.h"
#include "corpus/corpus.h"

/* A word of the document at hand that some topic lists. */
typedef struct held_word {
    uint32_t number; /* among the distinct words */
    size_t first;    /* of its tokens' positions, then of its spans */
    size_t n;        /* ... how many */
} held_word;

/* One topic's words in the document at hand. */
typedef struct topic_entry {
    uint32_t position, held; /* in the topic; among the held words */
} topic_entry;

typedef struct counter {
    const ez_word_lists *lists;
    const ezlda_corpus *corpus;
    ez_cooccurrence *counts;
    uint32_t window;
    bool whole;
    uint64_t windows; /* so far */

    uint32_t row_start[EZ_CORPUS_BLOCK + 1]; /* the block, decoded */
    uint32_t *word, *count;
    uint64_t token_start[EZ_CORPUS_BLOCK + 1];
    uint32_t *place;

    held_word *held; /* the document */
    size_t n_held;
    uint32_t *held_of; /* of each pair; UINT32_MAX: in no topic */
    uint64_t *position;
    ez_window_span *span;
    topic_entry *entry; /* topic t's from lists->start[t] on */
    uint32_t *entries;  /* of each topic; zero between documents */
    uint32_t *touched;  /* topics that have some */
    size_t n_touched;
} counter;

static ezlda_status counter_init(counter *self, ezlda_context *context)
{
    const ez_word_lists *lists = self->lists;
    uint64_t pairs, tokens;
    ez_corpus_sizes sizes;
    ez_corpus_largest_block(self->corpus, &pairs, &tokens);
    ez_corpus_sizes_of(self->corpus, &sizes);
    size_t row = sizes.words < pairs ? sizes.words : (size_t)pairs, longest = self->window ? (size_t)sizes.longest : 0;
    EZ_TRY(ez_array(&self->word, context, (size_t)pairs, sizeof *self->word, "documents"));
    EZ_TRY(ez_array(&self->count, context, (size_t)pairs, sizeof *self->count, "documents"));
    EZ_TRY(ez_array(&self->place, context, self->window ? (size_t)tokens : 0, sizeof *self->place, "documents"));
    EZ_TRY(ez_array(&self->held, context, row, sizeof *self->held, "a document's words"));
    EZ_TRY(ez_array(&self->held_of, context, row, sizeof *self->held_of, "a document's words"));
    EZ_TRY(ez_array(&self->position, context, longest, sizeof *self->position, "a document's tokens"));
    EZ_TRY(ez_array(&self->span, context, longest, sizeof *self->span, "a document's windows"));
    EZ_TRY(ez_array(&self->entry, context, lists->start[lists->topics], sizeof *self->entry, "topics' words"));
    EZ_TRY(ez_array_zero(&self->entries, context, lists->topics, sizeof *self->entries, "topics' words"));
    return ez_array(&self->touched, context, lists->topics, sizeof *self->touched, "topics' words");
}

static void counter_free(counter *self)
{
    ez_free(self->word);
    ez_free(self->count);
    ez_free(self->place);
    ez_free(self->held);
    ez_free(self->held_of);
    ez_free(self->position);
    ez_free(self->span);
    ez_free(self->entry);
    ez_free(self->entries);
    ez_free(self->touched);
}

/* Which of a row's words some topic lists. */
static void find_held(counter *self, size_t from, size_t to)
{
    size_t tokens = 0;
    self->n_held = 0;
    for (size_t i = from; i < to; i++) {
        uint32_t number = self->lists->number[self->word[i]];
        self->held_of[i - from] = number == UINT32_MAX ? UINT32_MAX : (uint32_t)self->n_held;
        if (number == UINT32_MAX)
            continue;
        self->held[self->n_held++] = (held_word){number, tokens, 0};
        tokens += self->window ? self->count[i] : 0;
    }
}

/* Positions of the held words' tokens, then the windows they are in. */
static void find_spans(counter *self, const uint32_t *place, uint64_t tokens)
{
    uint64_t last = tokens > self->window ? tokens - self->window : 0;
    for (uint64_t i = 0; i < tokens; i++) {
        uint32_t held = self->held_of[place[i]];
        if (held == UINT32_MAX)
            continue;
        held_word *word = &self->held[held];
        self->position[word->first + word->n++] = i;
    }
    for (size_t i = 0; i < self->n_held; i++) {
        held_word *word = &self->held[i];
        word->n = ez_window_spans(self->position + word->first, word->n, self->window, last, self->whole,
                                  self->span + word->first);
    }
}

/* Brings the held words to the topics that list them. */
static void find_entries(counter *self)
{
    const ez_word_lists *lists = self->lists;
    self->n_touched = 0;
    for (uint32_t i = 0; i < self->n_held; i++)
        for (size_t p = lists->posted[self->held[i].number]; p < lists->posted[self->held[i].number + 1]; p++) {
            uint32_t topic = lists->posting[p].topic, n = self->entries[topic]++;
            if (!n)
                self->touched[self->n_touched++] = topic;
            self->entry[lists->start[topic] + n] = (topic_entry){lists->posting[p].position, i};
        }
}

static void add(uint64_t *to, uint64_t amount)
{
#pragma omp atomic
    *to += amount;
}

static uint64_t together(const counter *self, uint32_t a, uint32_t b)
{
    if (!self->window)
        return 1;
    const held_word *x = &self->held[a], *y = &self->held[b];
    return ez_spans_overlap(self->span + x->first, x->n, self->span + y->first, y->n);
}

static void count_pairs(counter *self, uint32_t topic)
{
    const topic_entry *entry = self->entry + self->lists->start[topic];
    uint64_t *pairs = self->counts->pair + self->lists->pair_start[topic];
    for (uint32_t i = 1; i < self->entries[topic]; i++)
        for (uint32_t j = 0; j < i; j++) {
            uint32_t a = entry[i].position, b = entry[j].position;
            uint64_t amount = together(self, entry[i].held, entry[j].held);
            if (amount)
                add(&pairs[a < b ? ez_pair_of(a, b) : ez_pair_of(b, a)], amount);
        }
}

static void count_document(counter *self, uint32_t doc)
{
    uint64_t tokens = 0;
    find_held(self, self->row_start[doc], self->row_start[doc + 1]);
    if (self->window) {
        tokens = self->token_start[doc + 1] - self->token_start[doc];
        find_spans(self, self->place + self->token_start[doc], tokens);
    }
    self->windows += tokens > self->window ? tokens - self->window + 1 : 1;
    for (size_t i = 0; i < self->n_held; i++) {
        const held_word *word = &self->held[i];
        add(&self->counts->word[word->number],
            self->window ? ez_spans_length(self->span + word->first, word->n) : 1);
    }
    find_entries(self);
    for (size_t i = 0; i < self->n_touched; i++) {
        count_pairs(self, self->touched[i]);
        self->entries[self->touched[i]] = 0;
    }
}

static void count_block(counter *self, uint64_t block)
{
    uint32_t docs = ez_corpus_decode(self->corpus, block, self->row_start, self->word, self->count);
    if (self->window)
        ez_corpus_order(self->corpus, block, self->row_start, self->count, self->token_start, self->place);
    for (uint32_t doc = 0; doc < docs; doc++)
        count_document(self, doc);
}

ezlda_status ez_cooccurrence_count(ez_cooccurrence *out, ezlda_context *context, const ez_word_lists *lists,
                                   const ezlda_corpus *corpus, uint32_t window, bool whole)
{
    EZ_TRY(ez_array_zero(&out->word, context, lists->distinct, sizeof *out->word, "counts of words"));
    EZ_TRY(ez_array_zero(&out->pair, context, lists->pair_start[lists->topics], sizeof *out->pair, "counts of pairs"));
    int64_t blocks = (int64_t)ez_corpus_blocks(corpus);
    uint64_t windows = 0;
    ezlda_status failed = EZLDA_OK;
#pragma omp parallel num_threads(ez_threads(context)) reduction(+ : windows)
    {
        counter self = {.lists = lists, .corpus = corpus, .counts = out, .window = window, .whole = whole};
        ezlda_status status = counter_init(&self, context);
#pragma omp for schedule(dynamic, 4)
        for (int64_t block = 0; block < blocks; block++)
            if (status == EZLDA_OK)
                count_block(&self, (uint64_t)block);
        windows += self.windows;
        if (status != EZLDA_OK) {
#pragma omp atomic write
            failed = status;
        }
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
