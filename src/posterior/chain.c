/* The documents of a chain: opens it, draws the topics of their tokens and visits them. */
#include "posterior/chain.h"

#include "model/trained_on.h"
#include "model/word_map.h"
#include "numeric/draws.h"
#include "posterior/chain_state.h"

#include <string.h>

enum { EZ_STREAM_TOPICS_OF = 23 };

typedef float lanes __attribute__((vector_size(EZ_CHAIN_LANES * sizeof(float))));

/* What a thread needs for one block of the corpus. */
typedef struct block_room {
    uint32_t *doc_start, *word, *count, *by_topic;
    double *prior;
    float *weight; /* (count + alpha) of each topic */
    lanes *line;   /* running sums of weight * phi, lane by lane */
    float *alpha;
} block_room;

static void room_free(block_room *room)
{
    ez_free(room->doc_start);
    ez_free(room->word);
    ez_free(room->count);
    ez_free(room->by_topic);
    ez_free(room->prior);
    ez_free(room->weight);
    ez_free(room->line);
    ez_free(room->alpha);
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
    EZ_TRY(ez_array_zero(&room->weight, context, chain->padded, sizeof(float), what));
    EZ_TRY(ez_array_zero(&room->alpha, context, chain->padded, sizeof(float), what));
    return ez_array(&room->line, context, chain->padded / EZ_CHAIN_LANES, sizeof(lanes), what);
}

/* Calls `work` for every document on all threads. Blocks of a span are in order on one thread if
 * spans is set. */
typedef void (*doc_fn)(void *user, const ez_chain *chain, uint32_t span, block_room *room,
                       ez_chain_doc *doc, uint16_t *topic);

static void do_block(const ez_chain *chain, uint64_t block, uint32_t span, block_room *room,
                     doc_fn work, void *user)
{
    uint32_t docs =
        ez_corpus_decode(chain->corpus, block, room->doc_start, room->word, room->count);
    uint16_t *topic = chain->topic + chain->before[block];
    for (uint32_t i = 0; i < docs; i++) {
        uint32_t first = room->doc_start[i];
        ez_chain_doc doc = {.doc = block * EZ_CORPUS_BLOCK + i,
                            .word = room->word + first,
                            .count = room->count + first,
                            .pairs = room->doc_start[i + 1] - first,
                            .known = chain->known,
                            .topic = topic,
                            .by_topic = room->by_topic};
        for (size_t p = 0; p < doc.pairs; p++)
            doc.tokens += chain->known[doc.word[p]] ? doc.count[p] : 0;
        work(user, chain, span, room, &doc, topic);
        topic += doc.tokens;
    }
}

static ezlda_status each_document(const ez_chain *chain, ezlda_context *context, bool spans,
                                  doc_fn work, void *user)
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
                do_block(chain, block, spans ? (uint32_t)i : 0, &room, work, user);
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

static void load_prior(const ez_chain *chain, block_room *room, uint64_t doc)
{
    const double *alpha = chain->alpha;
    if (chain->prior) {
        chain->prior(chain->prior_user, doc, room->prior);
        alpha = room->prior;
    }
    for (uint32_t k = 0; k < chain->topics; k++)
        room->alpha[k] = (float)alpha[k];
}

/* The topic at share u of the line of weights; `topics` if all weights are 0. The line runs by
 * lane, so that sums are made for all lanes at once. */
static uint32_t find_topic(const ez_chain *chain, block_room *room, const float *phi, double u)
{
    size_t n = chain->padded / EZ_CHAIN_LANES;
    lanes sum = {0};
    for (size_t i = 0; i < n; i++) {
        lanes weight, word;
        memcpy(&weight, room->weight + i * EZ_CHAIN_LANES, sizeof weight);
        memcpy(&word, phi + i * EZ_CHAIN_LANES, sizeof word);
        sum += weight * word;
        room->line[i] = sum;
    }
    double all = 0;
    for (int lane = 0; lane < EZ_CHAIN_LANES; lane++)
        all += (double)sum[lane];
    double at = u * all;
    int lane = 0;
    while (lane < EZ_CHAIN_LANES - 1 && at >= (double)sum[lane])
        at -= (double)sum[lane++];
    if (!((double)sum[lane] > at)) /* only rounding, or a line of zeros, leads past the last lane */
        return chain->topics;
    size_t i = 0;
    while ((double)room->line[i][lane] <= at)
        i++;
    return (uint32_t)(i * EZ_CHAIN_LANES + (size_t)lane);
}

/* Draws the topics of a document. `first`: its tokens have none yet; they are drawn with the counts
 * of the model's row. */
static void draw_document(const ez_chain *chain, block_room *room, const ez_chain_doc *doc,
                          uint16_t *topic, bool first)
{
    uint64_t key =
        ez_stream_key(ez_mix64(chain->seed) + chain->step, EZ_STREAM_TOPICS_OF, doc->doc);
    uint32_t *count = room->by_topic;
    memset(count, 0, chain->topics * sizeof *count);
    load_prior(chain, room, doc->doc);
    if (first && chain->own)
        add_row(&chain->model->doc_rows, doc->doc, count);
    for (uint64_t i = 0; i < doc->tokens && !first; i++)
        count[topic[i]]++;
    for (uint32_t k = 0; k < chain->topics; k++)
        room->weight[k] = (float)count[k] + room->alpha[k];
    uint64_t at = 0;
    for (size_t p = 0; p < doc->pairs; p++) {
        if (!chain->known[doc->word[p]])
            continue;
        const float *phi = chain->phi + (size_t)doc->word[p] * chain->padded;
        uint32_t *row = chain->counts ? chain->counts + (size_t)doc->word[p] * chain->padded : NULL;
        for (uint32_t c = 0; c < doc->count[p]; c++, at++) {
            uint32_t old = topic[at];
            if (!first)
                room->weight[old] = (float)--count[old] + room->alpha[old];
            uint32_t now = find_topic(chain, room, phi, ez_unit(ez_stream_draw(key, at)));
            now = now < chain->topics ? now : first ? 0 : old;
            topic[at] = (uint16_t)now;
            if (!first)
                room->weight[now] = (float)++count[now] + room->alpha[now];
            if (!row || (now == old && !first))
                continue;
            if (!first) {
#pragma omp atomic
                row[old]--;
            }
#pragma omp atomic
            row[now]++;
        }
    }
}

static void step_document(void *user, const ez_chain *chain, uint32_t span, block_room *room,
                          ez_chain_doc *doc, uint16_t *topic)
{
    (void)user;
    (void)span;
    draw_document(chain, room, doc, topic, false);
}

static void start_document(void *user, const ez_chain *chain, uint32_t span, block_room *room,
                           ez_chain_doc *doc, uint16_t *topic)
{
    (void)user;
    (void)span;
    draw_document(chain, room, doc, topic, true);
}

ezlda_status ez_chain_steps(ez_chain *chain, ezlda_context *context, uint32_t n,
                            int (*progress)(void *user), void *user)
{
    for (uint32_t i = 0; i < n; i++) {
        chain->step++;
        EZ_TRY(ez_chain_draw_phi(chain, context, true));
        EZ_TRY(each_document(chain, context, false, step_document, NULL));
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

static void visit_document(void *user, const ez_chain *chain, uint32_t span, block_room *room,
                           ez_chain_doc *doc, uint16_t *topic)
{
    const visiting *v = user;
    memset(room->by_topic, 0, chain->topics * sizeof *room->by_topic);
    for (uint64_t i = 0; i < doc->tokens; i++)
        room->by_topic[topic[i]]++;
    v->visit(v->user, span, doc);
}

ezlda_status ez_chain_visit(const ez_chain *chain, ezlda_context *context, ez_chain_visit_fn visit,
                            void *user)
{
    visiting v = {visit, user};
    return each_document(chain, context, true, visit_document, &v);
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

static void keep_start(void *user, const ez_chain *chain, uint32_t span, block_room *room,
                       ez_chain_doc *doc, uint16_t *topic)
{
    (void)user;
    (void)span;
    (void)room;
    memcpy(topic, chain->model->token_topics + chain->model->doc_start[doc->doc],
           doc->tokens * sizeof *topic);
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
    EZ_TRY(ez_array(&chain->topic, context, chain->before[chain->blocks], sizeof *chain->topic,
                    "the topics of the tokens"));
    if (chain->own)
        EZ_TRY(ez_array_zero(&counts, context, cells, sizeof *counts, "counts of all words"));
    if (chain->own && model->token_topics) {
        chain->counts = counts;
        return each_document(chain, context, false, keep_start, NULL);
    }
    ezlda_status status = ez_chain_draw_phi(chain, context, false); /* by the model's counts */
    chain->counts = counts;
    return status != EZLDA_OK ? status : each_document(chain, context, false, start_document, NULL);
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
