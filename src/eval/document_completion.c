/* Document completion: topics are inferred from one half of each document's tokens, and the other
 * half is scored with them. The observed halves form a corpus of their own (its builder moves to a
 * file when it grows large). Which tokens are in which half is computed again whenever it is
 * needed, so nothing else of the size of the corpus is kept. */
#include "corpus/corpus.h"
#include "eval/eval_set.h"
#include "eval/token_split.h"

#include <string.h>

/* ---- halves ---- */

/* Arrays of one thread for a block of documents. */
typedef struct halves_room {
    uint32_t row_start[EZ_CORPUS_BLOCK + 1], *word, *count;
    ez_token_split split;
} halves_room;

/* For blocks [first, end). */
static ezlda_status halves_room_init(halves_room *room, ezlda_context *context,
                                     const ez_held_out *held, uint64_t first, uint64_t end)
{
    uint64_t most = 0;
    *room = (halves_room){0};
    for (uint64_t b = first; b < end; b++) {
        uint64_t pairs =
            ez_corpus_pairs_before(held->corpus, b + 1) - ez_corpus_pairs_before(held->corpus, b);
        most = pairs > most ? pairs : most;
    }
    EZ_TRY(ez_array(&room->word, context, most, sizeof *room->word, "a block of documents"));
    return ez_array(&room->count, context, most, sizeof *room->count, "a block of documents");
}

static void halves_room_free(halves_room *room)
{
    ez_free(room->word);
    ez_free(room->count);
    ez_token_split_free(&room->split);
}

/* A document's pairs of known words, by the corpus' numbers. */
typedef struct halves {
    uint32_t *word, *count;
    const uint32_t *observed;
    size_t n;
} halves;

/* The halves of document i of the decoded block. */
static ezlda_status find_halves(halves *out, halves_room *room, ezlda_context *context,
                                const ez_held_out *held, uint32_t i)
{
    uint32_t first = room->row_start[i], n = room->row_start[i + 1] - first;
    out->word = room->word + first;
    out->count = room->count + first;
    out->n = ez_known_pairs(held->known, out->word, out->count, n);
    uint64_t content = ez_known_content(held->known, out->word, out->count, out->n);
    return ez_split_tokens(&room->split, context, held->options->seed, content, held->known->key,
                           out->word, out->count, out->n, &out->observed);
}

/* ---- the observed ones ---- */

static ezlda_status add_observed(ez_doc_run *run, ezlda_context *context, halves *doc)
{
    size_t kept = 0;
    for (size_t i = 0; i < doc->n; i++)
        if (doc->observed[i]) {
            doc->word[kept] = doc->word[i];
            doc->count[kept++] = doc->observed[i];
        }
    return ez_doc_run_add(run, context, doc->word, doc->count, kept);
}

/* The builder's runs are the corpus' blocks. */
static ezlda_status make_run(void *user, ezlda_context *context, uint64_t block, ez_doc_run *run)
{
    const ez_held_out *held = user;
    halves_room room;
    ezlda_status status = halves_room_init(&room, context, held, block, block + 1);
    uint32_t docs = 0;
    if (status == EZLDA_OK)
        docs = ez_corpus_decode(held->corpus, block, room.row_start, room.word, room.count);
    for (uint32_t i = 0; i < docs && status == EZLDA_OK; i++) {
        halves doc;
        status = find_halves(&doc, &room, context, held, i);
        if (status == EZLDA_OK)
            status = add_observed(run, context, &doc);
    }
    halves_room_free(&room);
    return status;
}

static ezlda_status make_observed(ezlda_corpus **out, ezlda_context *context,
                                  const ez_held_out *held)
{
    ez_corpus_builder *builder = NULL;
    const char **words = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&words, context, held->known->words, sizeof *words, "words"));
    for (uint32_t w = 0; w < held->known->words; w++)
        words[w] = ezlda_corpus_word(held->corpus, w);
    EZ_TRY_GOTO(ez_corpus_builder_create(&builder, context, NULL, 0));
    EZ_TRY_GOTO(ez_corpus_builder_add_runs(builder, context, ez_corpus_blocks(held->corpus),
                                           make_run, (void *)held));
    status = ez_corpus_builder_finish(builder, out, context, words, held->known->words);
    builder = NULL;
done:
    ez_corpus_builder_abandon(builder);
    ez_free(words);
    return status;
}

/* ---- scores ---- */

/* Rows from inference wait until there are enough of them for all threads. */
enum { WAITING_DOCS = 1 << 14, WAITING_BYTES = 1 << 26 };

typedef struct waiting_doc {
    size_t first, n; /* range of the document's topics in `topic` and `weight` */
    double beta_part, total;
    uint64_t tokens; /* scored tokens, and their log-likelihoods */
    double score, unigram;
} waiting_doc;

typedef struct completion {
    ezlda_context *context;
    const ez_held_out *held;
    uint64_t first_doc;
    ez_buffer docs, topic, weight; /* waiting_doc; then uint32_t and double: the topics of all
                                      documents one after the other */
    ez_held_out_sums *out;
    ezlda_status status;
    double begin;
} completion;

static void score_doc(const completion *c, const halves *pairs, waiting_doc *doc)
{
    const ez_topic_weights *weights = c->held->weights;
    ez_doc_weights row = {.n = doc->n,
                          .topic = (const uint32_t *)(const void *)c->topic.data + doc->first,
                          .weight = (const double *)(const void *)c->weight.data + doc->first,
                          .beta_part = doc->beta_part,
                          .total = doc->total};
    for (size_t i = 0; i < pairs->n; i++) {
        uint32_t scored = pairs->count[i] - pairs->observed[i],
                 word = c->held->known->word[pairs->word[i]];
        if (!scored)
            continue;
        doc->tokens += scored;
        doc->score += scored * log(ez_word_probability(weights, &row, word));
        doc->unigram += scored * weights->unigram[word];
    }
}

/* Scores the waiting documents of a block. */
static ezlda_status score_block(completion *c, halves_room *room, uint64_t block)
{
    waiting_doc *docs = (waiting_doc *)(void *)c->docs.data;
    uint64_t n = c->docs.used / sizeof *docs, first = block * EZ_CORPUS_BLOCK;
    uint32_t in_block =
        ez_corpus_decode(c->held->corpus, block, room->row_start, room->word, room->count);
    for (uint32_t i = 0; i < in_block; i++) {
        halves pairs;
        if (first + i < c->first_doc || first + i - c->first_doc >= n)
            continue;
        EZ_TRY(find_halves(&pairs, room, c->context, c->held, i));
        score_doc(c, &pairs, &docs[first + i - c->first_doc]);
    }
    return EZLDA_OK;
}

static ezlda_status score_waiting(completion *c)
{
    ezlda_status status = EZLDA_OK;
    uint64_t n = c->docs.used / sizeof(waiting_doc), first = c->first_doc / EZ_CORPUS_BLOCK;
    uint64_t end = (c->first_doc + n - 1) / EZ_CORPUS_BLOCK + 1;
#pragma omp parallel num_threads(ez_threads(c->context))
    {
        halves_room room;
        ezlda_status mine = halves_room_init(&room, c->context, c->held, first, end);
#pragma omp for schedule(dynamic, 1)
        for (uint64_t b = first; b < end; b++)
            if (mine == EZLDA_OK)
                mine = score_block(c, &room, b);
        halves_room_free(&room);
        if (mine != EZLDA_OK) {
#pragma omp critical(ez_document_completion_status)
            status = mine;
        }
    }
    return status;
}

/* Scores the waiting documents and adds the results in their order. */
static ezlda_status score_and_add(completion *c)
{
    const waiting_doc *doc = (const waiting_doc *)(const void *)c->docs.data;
    size_t n = c->docs.used / sizeof *doc;
    if (n == 0)
        return EZLDA_OK;
    EZ_TRY(score_waiting(c));
    for (size_t i = 0; i < n; i++) {
        if (!doc[i].tokens)
            continue;
        ez_score_add(&c->out->model, doc[i].tokens, doc[i].score);
        ez_score_add(&c->out->unigram, doc[i].tokens, doc[i].unigram);
        ez_doc_score kept = {doc[i].tokens, doc[i].score, doc[i].unigram};
        if (c->held->docs)
            EZ_TRY(ez_buffer_append(c->held->docs, c->context, &kept, sizeof kept));
    }
    c->first_doc += n;
    c->docs.used = c->topic.used = c->weight.used = 0;
    return EZLDA_OK;
}

static ezlda_status keep_row(completion *c, const ezlda_doc_row *row)
{
    const ez_topic_weights *weights = c->held->weights;
    waiting_doc doc = {.first = c->topic.used / sizeof *row->topic,
                       .n = row->n,
                       .total = (double)row->tokens + weights->alpha_sum};
    if (row->n)
        EZ_TRY(ez_buffer_append(&c->topic, c->context, row->topic, row->n * sizeof *row->topic));
    for (size_t i = 0; i < row->n; i++) {
        double weight = row->count[i] * weights->rate[row->topic[i]];
        EZ_TRY(ez_buffer_append(&c->weight, c->context, &weight, sizeof weight));
        doc.beta_part += weights->beta * weight;
    }
    return ez_buffer_append(&c->docs, c->context, &doc, sizeof doc);
}

static int receive_row(const ezlda_doc_row *row, void *user)
{
    completion *c = user;
    c->status = keep_row(c, row);
    if (c->status == EZLDA_OK &&
        (c->docs.used >= WAITING_DOCS * sizeof(waiting_doc) || c->weight.used >= WAITING_BYTES))
        c->status = score_and_add(c);
    return c->status != EZLDA_OK;
}

static int pass_progress(const ezlda_infer_progress *progress, void *user)
{
    const completion *c = user;
    const ezlda_eval_options *options = c->held->options;
    ezlda_eval_progress all = {EZLDA_MEASURE_COMPLETION, progress->docs, progress->docs_done,
                               ez_eval_seconds() - c->begin};
    return options->progress(&all, options->user);
}

ezlda_status ez_document_completion(ez_held_out_sums *out, ezlda_context *context,
                                    const ez_held_out *held, char device[64])
{
    completion c = {.context = context, .held = held, .out = out, .begin = ez_eval_seconds()};
    ezlda_corpus *observed = NULL;
    ezlda_infer_info info = {.size = sizeof info};
    ezlda_infer_options options;
    ezlda_status status;
    *out = (ez_held_out_sums){0};
    ez_eval_infer_options(&options, held->options, pass_progress, &c);
    EZ_TRY_GOTO(make_observed(&observed, context, held));
    EZ_TRY_GOTO(ezlda_infer(&info, context, held->model, observed, &options, receive_row, &c));
    EZ_TRY_GOTO(score_and_add(&c));
    out->docs = out->model.docs;
    memcpy(device, info.device, sizeof info.device);
done:
    ezlda_corpus_free(observed);
    ez_free(c.docs.data);
    ez_free(c.topic.data);
    ez_free(c.weight.data);
    return c.status != EZLDA_OK ? c.status : status;
}
