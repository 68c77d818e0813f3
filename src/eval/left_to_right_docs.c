/* Chooses the documents that the left-to-right estimator scores, and runs it over them with all
 * threads. */
#include "eval/eval_set.h"
#include "eval/left_to_right.h"
#include "eval/select_key.h"
#include "model/word_map.h"
#include "sampler/arithmetic.h"
#include "tokens/corpus_tokens.h"

#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

typedef struct sampled_doc {
    uint64_t doc, key, tokens; /* tokens: of known words, those that are scored */
    bool cut;                  /* not all tokens are scored */
    double score, unigram;
} sampled_doc;

/* ---- the sample ---- */

/* What the choice needs of each document: its known tokens, and a random number that its content
 * decides. */
typedef struct doc_facts {
    uint64_t tokens, key;
} doc_facts;

static void measure_block(const ez_held_out *held, uint64_t block, ez_block_room *room,
                          doc_facts *facts)
{
    uint64_t seed = ez_mix(held->options->seed + 0x9e3779b97f4a7c15u);
    uint32_t docs = ez_corpus_decode(held->corpus, block, room->row_start, room->word, room->count);
    for (uint32_t d = 0; d < docs; d++) {
        uint32_t first = room->row_start[d], pairs = room->row_start[d + 1] - first;
        doc_facts it = {0};
        for (uint32_t i = first; i < first + pairs; i++)
            it.tokens += held->known->word[room->word[i]] == EZ_NO_WORD ? 0 : room->count[i];
        it.key = ez_mix(
            seed + ez_known_content(held->known, room->word + first, room->count + first, pairs));
        facts[block * EZ_CORPUS_BLOCK + d] = it;
    }
}

static ezlda_status measure(const ez_held_out *held, ezlda_context *context, doc_facts *facts)
{
    ezlda_status status = EZLDA_OK;
    uint64_t blocks = ez_corpus_blocks(held->corpus);
#pragma omp parallel num_threads(ez_threads(context))
    {
        ez_block_room room;
        ezlda_status mine = ez_block_room_init(&room, context, held->corpus);
#pragma omp for schedule(dynamic, 16)
        for (uint64_t b = 0; b < blocks; b++)
            if (mine == EZLDA_OK)
                measure_block(held, b, &room, facts);
        ez_block_room_free(&room);
        if (mine != EZLDA_OK) {
#pragma omp critical(ez_left_to_right_status)
            status = mine;
        }
    }
    return status;
}

/* The largest key in the sample, and how many of its documents have that key: documents with the
 * same words do. */
typedef struct key_limit {
    uint64_t key, ties;
} key_limit;

static ezlda_status find_limit(ezlda_context *context, const doc_facts *facts, uint64_t docs,
                               uint64_t wanted, key_limit *limit)
{
    uint64_t *keys = NULL;
    size_t n = 0;
    EZ_TRY(ez_array(&keys, context, docs, sizeof *keys, "the choice of documents"));
    for (uint64_t d = 0; d < docs; d++)
        if (facts[d].tokens)
            keys[n++] = facts[d].key;
    *limit = (key_limit){UINT64_MAX, n};
    if (wanted && wanted < n) {
        *limit = (key_limit){ez_select_key(keys, n, wanted - 1), wanted};
        for (size_t i = 0; i < n; i++)
            limit->ties -= keys[i] < limit->key;
    }
    ez_free(keys);
    return EZLDA_OK;
}

/* Longest first, so that no thread starts a long document at the end. */
static int by_length(const void *a, const void *b)
{
    const sampled_doc *x = a, *y = b;
    if (x->tokens != y->tokens)
        return x->tokens < y->tokens ? 1 : -1;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->doc < y->doc ? -1 : x->doc > y->doc;
}

static ezlda_status choose(ez_buffer *sample, ezlda_context *context, const ez_held_out *held,
                           uint64_t *eligible)
{
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(held->corpus, &sizes);
    doc_facts *facts = NULL;
    key_limit limit;
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&facts, context, sizes.docs, sizeof *facts, "the lengths of documents"));
    EZ_TRY_GOTO(measure(held, context, facts));
    EZ_TRY_GOTO(find_limit(context, facts, sizes.docs, held->options->docs, &limit));
    uint64_t most = held->options->doc_tokens ? held->options->doc_tokens : UINT64_MAX;
    for (uint64_t d = 0; d < sizes.docs; d++) {
        uint64_t tokens = facts[d].tokens, key = facts[d].key;
        sampled_doc one = {
            .doc = d, .key = key, .tokens = tokens < most ? tokens : most, .cut = tokens > most};
        *eligible += tokens > 0;
        if (!tokens || key > limit.key || (key == limit.key && limit.ties == 0))
            continue;
        limit.ties -= key == limit.key;
        EZ_TRY_GOTO(ez_buffer_append(sample, context, &one, sizeof one));
    }
    if (sample->used)
        qsort(sample->data, sample->used / sizeof(sampled_doc), sizeof(sampled_doc), by_length);
done:
    ez_free(facts);
    return status;
}

/* ---- one document ---- */

/* Arrays of one thread to turn a document into tokens in random order. */
typedef struct order_room {
    ez_ltr_room *particles;
    ez_buffer pairs, tokens; /* uint32_t: words, then counts; positions of words */
    ez_buffer sorted;        /* uint64_t: word << 32 | count */
} order_room;

static void shuffle(uint32_t *token, size_t n, uint64_t key)
{
    for (size_t i = n; i > 1; i--) {
        size_t j = (size_t)ez_mulhi(ez_mix(key + i), i);
        uint32_t swap = token[i - 1];
        token[i - 1] = token[j];
        token[j] = swap;
    }
}

/* No document has more than `longest` tokens. */
static ezlda_status expand(order_room *room, ezlda_context *context, const uint32_t *count,
                           size_t n, uint64_t longest)
{
    room->tokens.used = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t c = 0; c < count[i] && room->tokens.used / sizeof i < longest; c++)
            EZ_TRY(ez_buffer_append(&room->tokens, context, &i, sizeof i));
    return EZLDA_OK;
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Orders pairs by the model's numbers of words: those of the corpus may be in any order. */
static ezlda_status sort_pairs(order_room *room, ezlda_context *context, uint32_t *word,
                               uint32_t *count, size_t n)
{
    room->sorted.used = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t pair = (uint64_t)word[i] << 32 | count[i];
        EZ_TRY(ez_buffer_append(&room->sorted, context, &pair, sizeof pair));
    }
    uint64_t *pair = (uint64_t *)(void *)room->sorted.data;
    if (n > 1)
        qsort(pair, n, sizeof *pair, by_number);
    for (size_t i = 0; i < n; i++) {
        word[i] = (uint32_t)(pair[i] >> 32);
        count[i] = (uint32_t)pair[i];
    }
    return EZLDA_OK;
}

static ezlda_status score_doc(order_room *room, ezlda_context *context, const ez_held_out *held,
                              sampled_doc *doc)
{
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(held->corpus, &sizes);
    size_t room_for = ezlda_corpus_document(held->corpus, doc->doc, NULL, NULL, 0);
    room->pairs.used = 0;
    EZ_TRY(ez_buffer_reserve(&room->pairs, context, 2 * (room_for + 1) * sizeof(uint32_t)));
    uint32_t *word = (uint32_t *)(void *)room->pairs.data, *count = word + room_for;
    size_t n = ezlda_corpus_document(held->corpus, doc->doc, word, count, room_for);
    n = ez_known_pairs(held->known, word, count,
                       n < room_for ? n : room_for); /* the file may have changed */
    for (size_t i = 0; i < n; i++)
        word[i] = held->known->word[word[i]];
    EZ_TRY(sort_pairs(room, context, word, count, n));
    for (size_t i = 0; i < n; i++)
        doc->unigram += doc->cut ? 0 : count[i] * held->weights->unigram[word[i]];
    EZ_TRY(expand(room, context, count, n, sizes.longest));
    uint32_t *token = (uint32_t *)(void *)room->tokens.data;
    uint64_t key = ez_mix(doc->key);
    size_t tokens = room->tokens.used / sizeof *token;
    if (tokens < doc->tokens) /* the file was written to */
        return ez_corpus_unchanged(held->corpus, context);
    shuffle(token, tokens, key);
    for (uint64_t i = 0; doc->cut && i < doc->tokens; i++)
        doc->unigram += held->weights->unigram[word[token[i]]];
    return ez_ltr_score(room->particles, context, ez_mix(key), word, n, token, (size_t)doc->tokens,
                        &doc->score);
}

/* ---- all of the sample ---- */

typedef struct ltr_run {
    const ez_held_out *held;
    const ez_left_to_right *estimator;
    sampled_doc *doc;
    size_t n, done;
    double begin, reported; /* seconds */
    ezlda_status status;
} ltr_run;

/* Reports the progress of all threads a few times per second, on the caller's thread only. */
static ezlda_status report_progress(ltr_run *run, ezlda_context *context, size_t done)
{
    const ezlda_eval_options *options = run->held->options;
    double now = ez_eval_seconds();
    bool mine = true;
#ifdef _OPENMP
    mine = omp_get_thread_num() == 0;
#endif
    if (!mine || !options->progress || now - run->reported < 0.1)
        return EZLDA_OK;
    run->reported = now;
    ezlda_eval_progress progress = {EZLDA_MEASURE_LEFT_TO_RIGHT, run->n, done, now - run->begin};
    if (options->progress(&progress, options->user))
        return ez_fail(context, EZLDA_ERROR_STOPPED, "stopped by the caller");
    return EZLDA_OK;
}

static void set_status(ltr_run *run, ezlda_status status)
{
    if (status == EZLDA_OK)
        return;
#pragma omp atomic write
    run->status = status;
}

static void score_all(ltr_run *run, ezlda_context *context)
{
#pragma omp parallel num_threads(ez_threads(context))
    {
        order_room room = {0};
        set_status(run, ez_ltr_room_create(&room.particles, context, run->estimator));
#pragma omp for schedule(dynamic, 1)
        for (size_t i = 0; i < run->n; i++) {
            ezlda_status before;
            size_t done;
#pragma omp atomic read
            before = run->status;
            if (before != EZLDA_OK || !room.particles)
                continue;
            set_status(run, score_doc(&room, context, run->held, &run->doc[i]));
#pragma omp atomic capture
            done = ++run->done;
            set_status(run, report_progress(run, context, done));
        }
        ez_ltr_room_free(room.particles);
        ez_free(room.pairs.data);
        ez_free(room.tokens.data);
        ez_free(room.sorted.data);
    }
}

ezlda_status ez_left_to_right_docs(ez_held_out_sums *out, ezlda_context *context,
                                   const ez_held_out *held)
{
    const ezlda_eval_options *options = held->options;
    ez_left_to_right estimator = {0};
    ez_buffer sample = {0};
    ezlda_status status;
    *out = (ez_held_out_sums){0};
    EZ_TRY_GOTO(choose(&sample, context, held, &out->docs));
    EZ_TRY_GOTO(ez_left_to_right_make(&estimator, context, held->weights, options->particles,
                                      options->resample));
    ltr_run run = {held,
                   &estimator,
                   (sampled_doc *)(void *)sample.data,
                   sample.used / sizeof(sampled_doc),
                   0,
                   0,
                   0,
                   0};
    run.begin = ez_eval_seconds();
    EZ_TRY_GOTO(report_progress(&run, context, 0));
    score_all(&run, context);
    EZ_TRY_GOTO(run.status);
    for (size_t i = 0; i < run.n; i++) {
        out->cut += run.doc[i].cut;
        ez_score_add(&out->model, run.doc[i].tokens, run.doc[i].score);
        ez_score_add(&out->unigram, run.doc[i].tokens, run.doc[i].unigram);
    }
done:
    ez_left_to_right_free(&estimator);
    ez_free(sample.data);
    return status;
}
