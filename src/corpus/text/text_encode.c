/* Step three of the import of text: encodes the documents as (word, count) pairs and adds them to
 * the corpus builder, in the order of the input. */
#include "corpus/corpus.h"
#include "corpus/text/rules/text_rules.h"
#include "corpus/text/vocabulary/text_terms.h"

#include <string.h>

enum { SHORT_LIST = 48 };

typedef struct doc_size {
    size_t pairs, tokens; /* tokens: 0 if the order is not kept */
    const char *text;     /* NULL: it is not kept */
    size_t bytes, places;
} doc_size;

/* One thread with the block of documents that it encodes. */
typedef struct encoder {
    const ez_terms *terms;
    const ez_text_job *job;
    ez_token_reader reader;
    uint32_t *tally;    /* count of each word in the document at hand; zero between documents */
    ez_buffer found;    /* uint32_t: distinct words of the document, and as much room for sorting */
    ez_buffer pairs;    /* uint32_t: each document's words, then their counts */
    ez_buffer sizes;    /* doc_size of each document */
    ez_buffer tokens;   /* uint32_t: the words of the document in order, if the order is kept */
    ez_buffer order;    /* uint32_t: for each of these tokens, the pair of its document */
    ez_buffer values;   /* const char *: the fields of each document */
    ez_buffer places;   /* ez_text_place of all tokens of each document, if texts are kept */
    size_t first_place; /* of the document at hand */
    uint64_t short_docs; /* documents of at most one token */
} encoder;

static ezlda_status encoder_init(encoder *self, const ez_text_job *job, const ez_terms *terms)
{
    memset(self, 0, sizeof *self);
    self->job = job;
    self->terms = terms;
    EZ_TRY(ez_token_reader_init(&self->reader, job->context, &job->store));
    return ez_array_zero(&self->tally, job->context, terms->n_words, sizeof *self->tally,
                         "word counts");
}

static void encoder_free(encoder *self)
{
    ez_token_reader_free(&self->reader);
    ez_free(self->tally);
    ez_free(self->found.data);
    ez_free(self->pairs.data);
    ez_free(self->sizes.data);
    ez_free(self->tokens.data);
    ez_free(self->order.data);
    ez_free(self->values.data);
    ez_free(self->places.data);
}

typedef uint32_t four_words __attribute__((vector_size(16)));

/* Puts each of the distinct words at the place that the number of smaller ones gives it: no branch
 * depends on the words. The list has room for three more. */
static uint32_t *sort_by_rank(uint32_t *list, uint32_t *room, size_t n)
{
    for (size_t i = 0; i < 3; i++)
        list[n + i] = UINT32_MAX;
    for (size_t i = 0; i < n; i++) {
        uint32_t word = list[i];
        four_words smaller = {0, 0, 0, 0}, here;
        for (size_t j = 0; j < n; j += 4) {
            memcpy(&here, list + j, sizeof here);
            smaller -= (four_words)(here < word); /* true is -1 */
        }
        room[smaller[0] + smaller[1] + smaller[2] + smaller[3]] = word;
    }
    return room;
}

/* Radix sort by bytes, from the lowest, or by rank if the list is short; room has n entries.
 * Returns the array with the sorted list. */
static uint32_t *sort_words(uint32_t *list, uint32_t *room, size_t n, uint32_t limit)
{
    if (n < SHORT_LIST)
        return sort_by_rank(list, room, n);
    for (unsigned shift = 0; shift < 32 && limit >> shift; shift += 8) {
        size_t start[257] = {0};
        for (size_t i = 0; i < n; i++)
            start[(list[i] >> shift & 0xff) + 1]++;
        for (size_t i = 1; i < 257; i++)
            start[i] += start[i - 1];
        for (size_t i = 0; i < n; i++)
            room[start[list[i] >> shift & 0xff]++] = list[i];
        uint32_t *swap = list;
        list = room;
        room = swap;
    }
    return list;
}

/* Notes where a word stands, which is from token `first` to token `last` of the reader. */
static void note_place(encoder *self, uint32_t word, size_t first, size_t last)
{
    const ez_token_place *from = ez_places_of(&self->reader);
    uint64_t at = from[first].at, end = from[last].at + from[last].bytes;
    ez_text_place *to = (ez_text_place *)(void *)(self->places.data + self->places.used);
    *to = (ez_text_place){at, (uint32_t)(end - at), word};
    self->places.used += sizeof *to;
}

/* Counts a word of the document, made of the reader's tokens `first` to `last`. */
static size_t tally_word(encoder *self, uint32_t word, size_t first, size_t last, uint32_t *found,
                         size_t n)
{
    if (word == UINT32_MAX)
        return n;
    if (self->job->options->keep_order) {
        ((uint32_t *)(void *)self->tokens.data)[self->tokens.used / sizeof word] = word;
        self->tokens.used += sizeof word;
    }
    if (self->job->keep_text)
        note_place(self, word, first, last);
    found[n] = word;
    return n + (self->tally[word]++ == 0);
}

/* tally_document for words that are joined to phrases. */
static size_t tally_joined(encoder *self, uint32_t *found)
{
    uint32_t *tokens = ez_tokens_of(&self->reader);
    size_t n = 0, count = ez_phrases_join(&self->terms->joined, tokens, self->reader.n);
    uint32_t terms[2 * EZ_PHRASE_WORDS];
    for (size_t i = 0, from = 0, next; i < count; i++, from = next) {
        next = from +
               (tokens[i] == EZ_GAP ? 1 : ez_unit_terms(&self->terms->joined, tokens[i], terms));
        if (tokens[i] != EZ_GAP)
            n = tally_word(self, self->terms->number[tokens[i]], from, next - 1, found, n);
    }
    return n;
}

/* Counts the words of the document at hand and lists the distinct ones. Without phrases, the
 * reader's map has given the final numbers already. */
static size_t tally_document(encoder *self, uint32_t *found)
{
    if (self->job->join)
        return tally_joined(self, found);
    const uint32_t *tokens = ez_tokens_of(&self->reader), *number = self->terms->number;
    const ez_terms *terms = self->terms;
    size_t n = 0, count = self->reader.n, longest = self->job->options->ngrams;
    for (size_t i = 0; i < count; i++) {
        n = tally_word(self, longest > 1 ? number[tokens[i]] : tokens[i], i, i, found, n);
        for (size_t length = 2; length <= longest && i + length <= count; length++) {
            uint32_t phrase = ez_terms_phrase(terms, tokens + i, length);
            if (phrase == EZ_NO_STRING)
                break; /* longer phrases contain this one, so they were not counted either */
            n = tally_word(self, number[terms->terms.n + phrase], i, i + length - 1, found, n);
        }
    }
    return n;
}

/* Writes the order of the document at hand; `tally` is used to map its words to their pairs. */
static ezlda_status encode_order(encoder *self, const uint32_t *word, size_t n, size_t *tokens)
{
    EZ_TRY(ez_buffer_reserve(&self->order, self->job->context, self->tokens.used));
    const uint32_t *from = (const uint32_t *)(const void *)self->tokens.data;
    uint32_t *to = (uint32_t *)(void *)(self->order.data + self->order.used);
    *tokens = self->tokens.used / sizeof *from;
    for (size_t i = 0; i < n; i++)
        self->tally[word[i]] = (uint32_t)i;
    for (size_t i = 0; i < *tokens; i++)
        to[i] = self->tally[from[i]];
    self->order.used += self->tokens.used;
    return EZLDA_OK;
}

/* Replaces the words of the places of the document at hand by its pairs, as encode_order does. */
static void encode_places(encoder *self, const uint32_t *word, size_t n, doc_size *size)
{
    ez_text_place *place = (ez_text_place *)(void *)self->places.data + self->first_place;
    size->places = self->places.used / sizeof *place - self->first_place;
    size->text = self->reader.text;
    size->bytes = self->reader.bytes;
    for (size_t i = 0; i < n; i++)
        self->tally[word[i]] = (uint32_t)i;
    for (size_t i = 0; i < size->places; i++)
        place[i].pair = self->tally[place[i].pair];
}

static ezlda_status encode_document(encoder *self)
{
    ezlda_context *context = self->job->context;
    size_t most = self->reader.n * self->job->options->ngrams;
    doc_size size = {0};
    self->found.used = self->tokens.used = 0;
    most += 4; /* room for sorting, and for a word that is not new */
    EZ_TRY(ez_buffer_reserve(&self->found, context, 2 * most * sizeof(uint32_t)));
    if (self->job->options->keep_order)
        EZ_TRY(ez_buffer_reserve(&self->tokens, context, most * sizeof(uint32_t)));
    self->first_place = self->places.used / sizeof(ez_text_place);
    if (self->job->keep_text)
        EZ_TRY(ez_buffer_reserve(&self->places, context, ez_product(most, sizeof(ez_text_place))));
    uint32_t *found = (uint32_t *)(void *)self->found.data;
    size_t n = size.pairs = tally_document(self, found);
    found = sort_words(found, found + most, n, self->terms->n_words);
    EZ_TRY(ez_buffer_reserve(&self->pairs, context, (2 * n + 1) * sizeof(uint32_t)));
    uint32_t *word = (uint32_t *)(void *)(self->pairs.data + self->pairs.used), *count = word + n;
    for (size_t i = 0; i < n; i++) {
        word[i] = found[i];
        count[i] = self->tally[found[i]];
    }
    self->pairs.used += 2 * n * sizeof(uint32_t);
    self->short_docs += n == 0 || (n == 1 && count[0] == 1);
    if (self->tokens.used)
        EZ_TRY(encode_order(self, word, n, &size.tokens));
    if (self->job->keep_text)
        encode_places(self, word, n, &size);
    for (size_t i = 0; i < n; i++)
        self->tally[word[i]] = 0;
    EZ_TRY(ez_buffer_append(&self->sizes, context, &size, sizeof size));
    return ez_buffer_append(&self->values, context, self->reader.values,
                            self->job->store.fields * sizeof(char *));
}

static ezlda_status encode_block(encoder *self, uint64_t block, uint32_t *const *maps)
{
    self->pairs.used = self->sizes.used = self->order.used = self->values.used = 0;
    self->places.used = 0;
    EZ_TRY(ez_token_reader_open(&self->reader, self->job->context, &self->job->store, block, maps));
    while (ez_token_reader_next(&self->reader, &self->job->store))
        EZ_TRY(encode_document(self));
    return EZLDA_OK;
}

/* Adds the documents of a block to the corpus. Field 1 is the label, which is omitted if no
 * document has one. */
static ezlda_status add_block(const encoder *self, ez_corpus_builder *builder, bool labels,
                              const char **row)
{
    const doc_size *sizes = (const doc_size *)(const void *)self->sizes.data;
    const uint32_t *pairs = (const uint32_t *)(const void *)self->pairs.data;
    const uint32_t *order = (const uint32_t *)(const void *)self->order.data;
    const char *const *values = (const char *const *)(const void *)self->values.data;
    const ez_text_place *places = (const ez_text_place *)(const void *)self->places.data;
    uint32_t fields = self->job->store.fields;
    for (size_t d = 0; d < self->sizes.used / sizeof *sizes; d++) {
        uint32_t kept = 0;
        for (uint32_t f = 0; f < fields; f++)
            if (f != 1 || labels)
                row[kept++] = values[d * fields + f];
        size_t n = sizes[d].pairs, tokens = sizes[d].tokens;
        EZ_TRY(ez_corpus_builder_add_ordered(builder, self->job->context, pairs, pairs + n, n,
                                             order, tokens, row));
        if (self->job->keep_text)
            EZ_TRY(ez_corpus_builder_add_text(builder, self->job->context, sizes[d].text,
                                              sizes[d].bytes, places, sizes[d].places));
        places = places ? places + sizes[d].places : NULL;
        pairs += 2 * n;
        order = tokens ? order + tokens : order;
    }
    return EZLDA_OK;
}

static ezlda_status encode_all(ez_text_job *job, const ez_terms *terms, ez_corpus_builder *builder,
                               bool labels, const char **row)
{
    ezlda_status failed = EZLDA_OK;
#pragma omp parallel num_threads(job->workers)
    {
        encoder self;
        ezlda_status status = encoder_init(&self, job, terms);
#pragma omp for ordered schedule(dynamic, 1)
        for (uint64_t i = 0; i < job->store.n_blocks; i++) {
            if (status == EZLDA_OK)
                status = encode_block(&self, i, terms->maps);
#pragma omp ordered
            {
                if (status == EZLDA_OK && failed == EZLDA_OK)
                    status = add_block(&self, builder, labels, row);
                if (status != EZLDA_OK)
                    failed = status;
            }
        }
#pragma omp atomic
        job->short_docs += self.short_docs;
        encoder_free(&self);
    }
    return failed;
}

/* Lists the names of the fields. The array is used again for the values of a document. */
static uint32_t name_fields(const ez_text_job *job, bool labels, const char **names)
{
    const ez_field_plan *plan = job->source->plan;
    uint32_t n = 0;
    names[n++] = "name";
    if (labels)
        names[n++] = "label";
    for (uint32_t i = EZ_SLOT_KEPT; i < plan->text_parts; i++)
        names[n++] = plan->names[i];
    return n;
}

ezlda_status ez_text_encode(ezlda_corpus **out, ez_text_job *job, const ez_terms *terms)
{
    ez_corpus_builder *builder = NULL;
    ez_buffer rules = {0};
    const char **names;
    bool labels = job->labels > 0 || job->source->plan->label_given;
    EZ_TRY(ez_array(&names, job->context, job->store.fields, sizeof *names, "field names"));
    ezlda_status status;
    EZ_TRY_GOTO(
        ez_corpus_builder_create(&builder, job->context, names, name_fields(job, labels, names)));
    if (job->options->keep_order)
        ez_corpus_builder_keep_order(builder);
    if (job->keep_text)
        ez_corpus_builder_keep_text(builder);
    EZ_TRY_GOTO(ez_text_rules_write(&rules, job->context, job->options, &job->stopwords,
                                    &job->unstemmed, &job->settings));
    EZ_TRY_GOTO(ez_corpus_builder_keep_rules(builder, job->context, (const void *)rules.data));
    if (job->options->ngrams <= 1 && !job->join)
        ez_terms_remap(terms, terms->number);
    EZ_TRY_GOTO(encode_all(job, terms, builder, labels, names));
    status = ez_corpus_builder_finish(builder, out, job->context, terms->words, terms->n_words);
    builder = NULL;
done:
    ez_corpus_builder_abandon(builder);
    ez_free(rules.data);
    ez_free(names);
    return status;
}
