/* The documents of a chain: opens it, draws the topics of their tokens and visits them. */
#include "posterior/chain.h"

#include "model/trained_on.h"
#include "model/word_map.h"
#include "numeric/draws.h"
#include "posterior/chain_state.h"

#include <string.h>

/* The start of the next row of p(word | topic) is fetched early; processors find the rest. */
enum { EZ_STREAM_TOPICS_OF = 23, EZ_PREFETCHED = 256 };

/* A document whose topics are being drawn. */
typedef struct drawing {
    ez_chain_doc doc;
    uint64_t key, at;     /* at: the number of the token */
    size_t pair;          /* of this token */
    uint32_t left;        /* tokens of the pair that are left, this one among them */
    uint16_t *topic;      /* of the tokens */
    uint16_t *old;        /* the same, as they were */
    uint32_t *count;      /* by topic */
    float *weight, *line; /* count + alpha; room of ez_line */
    float *alpha;
} drawing;

/* What a thread needs for one block of the corpus. */
typedef struct block_room {
    uint32_t *doc_start, *word, *count, *by_topic;
    double *prior;
    drawing two[2];
} block_room;

static void room_free(block_room *room)
{
    ez_free(room->doc_start);
    ez_free(room->word);
    ez_free(room->count);
    ez_free(room->by_topic);
    ez_free(room->prior);
    for (int i = 0; i < 2; i++) {
        ez_free(room->two[i].old);
        ez_free(room->two[i].count);
        ez_free(room->two[i].weight);
        ez_free(room->two[i].line);
        ez_free(room->two[i].alpha);
    }
}

static ezlda_status room_make(block_room *room, ezlda_context *context, const ez_chain *chain)
{
    static const char what[] = "the documents of a block";
    uint64_t pairs, tokens;
    ez_corpus_largest_block(chain->corpus, &pairs, &tokens);
    *room = (block_room){0};
    EZ_TRY(ez_array(&room->doc_start, context, EZ_CORPUS_BLOCK + 1, sizeof(uint32_t), what));
    EZ_TRY(ez_array(&room->word, context, pairs, sizeof(uint32_t), what));
    EZ_TRY(ez_array(&room->count, context, pairs, sizeof(uint32_t), what));
    EZ_TRY(ez_array_zero(&room->by_topic, context, chain->padded, sizeof(uint32_t), what));
    EZ_TRY(ez_array(&room->prior, context, chain->topics, sizeof(double), what));
    for (drawing *d = room->two; d < room->two + 2; d++) {
        EZ_TRY(ez_array(&d->old, context, tokens, sizeof *d->old, what));
        EZ_TRY(ez_array(&d->count, context, chain->padded, sizeof *d->count, what));
        EZ_TRY(ez_array_zero(&d->weight, context, chain->padded, sizeof(float), what));
        EZ_TRY(ez_array_zero(&d->alpha, context, chain->padded, sizeof(float), what));
        EZ_TRY(ez_array(&d->line, context, chain->padded, sizeof(float), what));
    }
    return EZLDA_OK;
}

/* Works on a decoded block. */
typedef void (*block_fn)(void *user, const ez_chain *chain, uint32_t span, block_room *room,
                         uint64_t block, uint32_t docs);

/* Document i of the block; its topics follow those of the one before. */
static ez_chain_doc doc_of(const ez_chain *chain, const block_room *room, uint64_t block,
                           uint32_t i, const ez_chain_doc *last)
{
    uint32_t first = room->doc_start[i];
    ez_chain_doc doc = {.doc = block * EZ_CORPUS_BLOCK + i,
                        .word = room->word + first,
                        .count = room->count + first,
                        .pairs = room->doc_start[i + 1] - first,
                        .known = chain->known,
                        .topic =
                            i ? last->topic + last->tokens : chain->topic + chain->before[block],
                        .by_topic = room->by_topic};
    for (size_t p = 0; p < doc.pairs; p++)
        doc.tokens += chain->known[doc.word[p]] ? doc.count[p] : 0;
    return doc;
}

/* Calls `work` for every block on all threads. Blocks of a span are in order on one thread if
 * spans is set. */
static ezlda_status each_block(const ez_chain *chain, ezlda_context *context, bool spans,
                               block_fn work, void *user)
{
    ezlda_status status = EZLDA_OK;
    uint64_t items = spans ? EZ_CHAIN_SPANS : chain->blocks;
#pragma omp parallel num_threads(chain->threads)
    {
        block_room room;
        ezlda_status mine = room_make(&room, context, chain);
#pragma omp for schedule(dynamic)
        for (uint64_t i = 0; i < items; i++) {
            uint64_t first = spans ? i * chain->blocks / EZ_CHAIN_SPANS : i;
            uint64_t end = spans ? (i + 1) * chain->blocks / EZ_CHAIN_SPANS : i + 1;
            for (uint64_t block = first; block < end && mine == EZLDA_OK; block++)
                work(user, chain, spans ? (uint32_t)i : 0, &room, block,
                     ez_corpus_decode(chain->corpus, block, room.doc_start, room.word, room.count));
        }
        room_free(&room);
        if (mine != EZLDA_OK) {
#pragma omp critical(ez_chain_status)
            status = mine;
        }
    }
    return status;
}

/* ---- a step ---- */

static void add_row(const ez_rows *rows, uint64_t row, uint32_t *count)
{
    for (uint64_t e = rows->start[row]; e < rows->start[row + 1]; e++)
        count[rows->topic[e]] = ez_rows_count(rows, e);
}

static void load_prior(const ez_chain *chain, block_room *room, uint64_t doc, float *to)
{
    const double *alpha = chain->alpha;
    if (chain->prior) {
        chain->prior(chain->prior_user, doc, room->prior);
        alpha = room->prior;
    }
    for (uint32_t k = 0; k < chain->topics; k++)
        to[k] = (float)alpha[k];
}

/* Goes to the first token of the next pair whose word is known, if this one is at its end. */
static bool next_token(const ez_chain *chain, drawing *d)
{
    if (d->at == d->doc.tokens)
        return false;
    for (; !d->left; d->pair++)
        d->left = chain->known[d->doc.word[d->pair]] ? d->doc.count[d->pair] : 0;
    return true;
}

/* `first`: the tokens have no topics yet; they are drawn with the counts of the model's row. */
static void begin(const ez_chain *chain, block_room *room, drawing *d, bool first)
{
    d->key = ez_stream_key(ez_mix64(chain->seed) + chain->step, EZ_STREAM_TOPICS_OF, d->doc.doc);
    d->at = 0;
    d->pair = d->left = 0;
    d->topic = chain->topic + (d->doc.topic - chain->topic);
    memset(d->count, 0, chain->topics * sizeof *d->count);
    load_prior(chain, room, d->doc.doc, d->alpha);
    if (first && chain->own)
        add_row(&chain->model->doc_rows, d->doc.doc, d->count);
    if (!first)
        memcpy(d->old, d->topic, d->doc.tokens * sizeof *d->old);
    for (uint64_t i = 0; i < d->doc.tokens && !first; i++)
        d->count[d->topic[i]]++;
    for (uint32_t k = 0; k < chain->topics; k++)
        d->weight[k] = (float)d->count[k] + d->alpha[k];
}

static uint32_t word_of_token(const drawing *d)
{
    return d->doc.word[d->pair - 1];
}

static ez_line take_token(const ez_chain *chain, drawing *d, bool first)
{
    if (!first) {
        uint32_t old = d->topic[d->at];
        d->weight[old] = (float)--d->count[old] + d->alpha[old];
    }
    if (d->pair < d->doc.pairs) {
        const float *next = chain->phi + (size_t)d->doc.word[d->pair] * chain->padded;
        for (uint32_t k = 0; k < chain->padded && k < EZ_PREFETCHED; k += EZ_CHAIN_LANES)
            __builtin_prefetch(next + k);
    }
    return (ez_line){d->weight, chain->phi + (size_t)word_of_token(d) * chain->padded, d->line,
                     ez_unit(ez_stream_draw(d->key, d->at))};
}

static void put_token(const ez_chain *chain, drawing *d, int32_t drawn, bool first)
{
    uint32_t now = drawn != EZ_NO_TOPIC ? (uint32_t)drawn : first ? 0 : d->topic[d->at];
    d->topic[d->at++] = (uint16_t)now;
    d->left--;
    if (!first)
        d->weight[now] = (float)++d->count[now] + d->alpha[now];
    if (chain->counts)
        __builtin_prefetch(&chain->counts[(size_t)word_of_token(d) * chain->padded + now], 1);
}

/* Counts the document's words by their new topics; once for the whole document, since atomic
 * operations would wait for the draws and the draws for them. */
static void count_words(const ez_chain *chain, const drawing *d, bool first)
{
    if (!chain->counts)
        return;
    size_t at = 0;
    for (size_t p = 0; p < d->doc.pairs; p++) {
        uint32_t *row = chain->counts + (size_t)d->doc.word[p] * chain->padded;
        uint32_t tokens = chain->known[d->doc.word[p]] ? d->doc.count[p] : 0;
        for (uint32_t c = 0; c < tokens; c++, at++) {
            if (!first && d->topic[at] == d->old[at])
                continue;
            if (!first) {
#pragma omp atomic
                row[d->old[at]]--;
            }
#pragma omp atomic
            row[d->topic[at]]++;
        }
    }
}

/* Draws the topics of the documents of a block, each token from its conditional. Documents do not
 * depend on each other, so two of them go side by side: a processor then has something to do while
 * it waits for the sums of the other. */
static void draw_block(const ez_chain *chain, block_room *room, uint64_t block, uint32_t docs,
                       bool first)
{
    drawing *a = room->two, *b = room->two + 1;
    ez_chain_doc last = {0};
    size_t groups = chain->padded / EZ_CHAIN_LANES;
    for (uint32_t i = 0; i < docs; i += 2) {
        a->doc = last = doc_of(chain, room, block, i, &last);
        begin(chain, room, a, first);
        b->doc = (ez_chain_doc){.topic = chain->topic};
        if (i + 1 < docs) {
            b->doc = last = doc_of(chain, room, block, i + 1, &last);
            begin(chain, room, b, first);
        } else {
            b->at = 0;
        }
        int32_t drawn[2];
        bool more_a = next_token(chain, a), more_b = next_token(chain, b);
        while (more_a && more_b) {
            ez_line lines[2] = {take_token(chain, a, first), take_token(chain, b, first)};
            chain->draw_topics(lines, 2, groups, drawn);
            put_token(chain, a, drawn[0], first);
            put_token(chain, b, drawn[1], first);
            more_a = next_token(chain, a);
            more_b = next_token(chain, b);
        }
        for (drawing *d = more_a ? a : b; more_a || more_b;
             more_a = more_b = next_token(chain, d)) {
            ez_line line = take_token(chain, d, first);
            chain->draw_topics(&line, 1, groups, drawn);
            put_token(chain, d, drawn[0], first);
        }
        count_words(chain, a, first);
        count_words(chain, b, first);
    }
}

static void step_block(void *user, const ez_chain *chain, uint32_t span, block_room *room,
                       uint64_t block, uint32_t docs)
{
    (void)user;
    (void)span;
    draw_block(chain, room, block, docs, false);
}

static void start_block(void *user, const ez_chain *chain, uint32_t span, block_room *room,
                        uint64_t block, uint32_t docs)
{
    (void)user;
    (void)span;
    draw_block(chain, room, block, docs, true);
}

ezlda_status ez_chain_steps(ez_chain *chain, ezlda_context *context, uint32_t n,
                            int (*progress)(void *user), void *user)
{
    for (uint32_t i = 0; i < n; i++) {
        chain->step++;
        EZ_TRY(ez_chain_draw_phi(chain, context, true));
        EZ_TRY(each_block(chain, context, false, step_block, NULL));
        if (progress && progress(user))
            return ez_fail(context, EZLDA_ERROR_STOPPED, "stopped");
    }
    return EZLDA_OK;
}

/* ---- visits ---- */

typedef struct visiting {
    ez_chain_visit_fn visit;
    void *user;
} visiting;

static void visit_block(void *user, const ez_chain *chain, uint32_t span, block_room *room,
                        uint64_t block, uint32_t docs)
{
    const visiting *v = user;
    ez_chain_doc doc = {0};
    for (uint32_t i = 0; i < docs; i++) {
        doc = doc_of(chain, room, block, i, &doc);
        memset(room->by_topic, 0, chain->topics * sizeof *room->by_topic);
        for (uint64_t t = 0; t < doc.tokens; t++)
            room->by_topic[doc.topic[t]]++;
        v->visit(v->user, span, &doc);
    }
}

ezlda_status ez_chain_visit(const ez_chain *chain, ezlda_context *context, ez_chain_visit_fn visit,
                            void *user)
{
    visiting v = {visit, user};
    return each_block(chain, context, true, visit_block, &v);
}

/* ---- opening ---- */

/* Counts the tokens of known words before each block. */
static ezlda_status count_tokens(ez_chain *chain, ezlda_context *context)
{
    block_room room;
    ezlda_status status = room_make(&room, context, chain);
    for (uint64_t b = 0; b < chain->blocks && status == EZLDA_OK; b++) {
        uint32_t docs = ez_corpus_decode(chain->corpus, b, room.doc_start, room.word, room.count);
        uint64_t tokens = 0;
        for (uint32_t p = 0; p < room.doc_start[docs]; p++)
            tokens += chain->known[room.word[p]] ? room.count[p] : 0;
        chain->before[b + 1] = chain->before[b] + tokens;
    }
    room_free(&room);
    return status;
}

static ezlda_status map_words(ez_chain *chain, ezlda_context *context)
{
    uint32_t unknown;
    EZ_TRY(ez_word_map(&chain->word_of, context, chain->corpus, chain->model, &unknown));
    EZ_TRY(ez_array_zero(&chain->known, context, chain->words, 1, "the words of a corpus"));
    ez_word_map_mark_unseen(chain->word_of, chain->words, chain->model);
    for (uint32_t v = 0; v < chain->words; v++)
        chain->known[v] = chain->word_of[v] < EZ_UNSEEN_WORD;
    return EZLDA_OK;
}

static void keep_start(void *user, uint32_t span, const ez_chain_doc *doc)
{
    ez_chain *chain = user;
    const ezlda_model *model = chain->model;
    uint16_t *topic = chain->topic + (doc->topic - chain->topic);
    (void)span;
    memcpy(topic, model->token_topics + model->doc_start[doc->doc], doc->tokens * sizeof *topic);
    for (size_t p = 0, at = 0; p < doc->pairs; p++)
        for (uint32_t c = 0; c < doc->count[p]; c++, at++) {
#pragma omp atomic
            chain->counts[(size_t)doc->word[p] * chain->padded + topic[at]]++;
        }
}

static ezlda_status start(ez_chain *chain, ezlda_context *context)
{
    const ezlda_model *model = chain->model;
    size_t cells = ez_product(chain->words, chain->padded);
    uint32_t *counts = NULL;
    EZ_TRY(ez_array_zero(&chain->phi, context, cells, sizeof *chain->phi,
                         "p(word | topic) of all words"));
    EZ_TRY(ez_array_zero(&chain->topic, context, chain->before[chain->blocks], sizeof *chain->topic,
                         "the topics of the tokens"));
    if (chain->own)
        EZ_TRY(ez_array_zero(&counts, context, cells, sizeof *counts, "counts of all words"));
    if (chain->own && model->token_topics) {
        chain->counts = counts;
        return ez_chain_visit(chain, context, keep_start, chain);
    }
    ezlda_status status = ez_chain_draw_phi(chain, context, false); /* by the model's counts */
    chain->counts = counts;
    return status != EZLDA_OK ? status : each_block(chain, context, false, start_block, NULL);
}

static ezlda_status open_chain(ez_chain *chain, ezlda_context *context)
{
    const ezlda_model *model = chain->model;
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(chain->corpus, &sizes);
    chain->threads = ez_threads_for(context, sizes.tokens);
    chain->own = !model->past && ez_trained_on(model, NULL, chain->corpus, NULL) == EZLDA_OK;
    chain->words = sizes.words;
    chain->blocks = ez_corpus_blocks(chain->corpus);
    chain->topics = model->meta->topics;
    chain->draw_topics = ez_choose_topic_lines();
    chain->padded = (chain->topics + EZ_CHAIN_LANES - 1) / EZ_CHAIN_LANES * EZ_CHAIN_LANES;
    EZ_TRY(ez_array(&chain->alpha, context, chain->topics, sizeof *chain->alpha, "alpha"));
    for (uint32_t k = 0; k < chain->topics; k++)
        chain->alpha[k] = ezlda_model_topic_into(model, k) == k ? model->alpha[k] : 0;
    chain->beta = model->meta->beta;
    EZ_TRY(map_words(chain, context));
    EZ_TRY(ez_array_zero(&chain->before, context, chain->blocks + 1, sizeof *chain->before,
                         "the blocks of a corpus"));
    EZ_TRY(count_tokens(chain, context));
    return start(chain, context);
}

ezlda_status ez_chain_open(ez_chain **out, ezlda_context *context, const ezlda_model *model,
                           const ezlda_corpus *corpus, uint64_t seed)
{
    ez_chain *chain = NULL;
    EZ_TRY(ez_array_zero(&chain, context, 1, sizeof *chain, "a chain"));
    chain->model = model;
    chain->corpus = corpus;
    chain->seed = seed;
    ezlda_status status = ez_restore_corpus(&chain->restored, model, context, corpus);
    if (chain->restored)
        chain->corpus = chain->restored;
    if (status == EZLDA_OK)
        status = open_chain(chain, context);
    if (status == EZLDA_OK)
        *out = chain;
    else
        ez_chain_close(chain);
    return status;
}

void ez_chain_set_prior(ez_chain *chain, ez_chain_prior_fn prior, const void *user)
{
    chain->prior = prior;
    chain->prior_user = user;
}

const double *ez_chain_alpha(const ez_chain *chain)
{
    return chain->alpha;
}

bool ez_chain_is_own(const ez_chain *chain)
{
    return chain->own;
}

const uint32_t *ez_chain_words(const ez_chain *chain)
{
    return chain->word_of;
}

void ez_chain_close(ez_chain *chain)
{
    if (!chain)
        return;
    ezlda_corpus_free(chain->restored);
    ez_free(chain->word_of);
    ez_free(chain->known);
    ez_free(chain->before);
    ez_free(chain->topic);
    ez_free(chain->counts);
    ez_free(chain->phi);
    ez_free(chain->alpha);
    ez_free(chain);
}
