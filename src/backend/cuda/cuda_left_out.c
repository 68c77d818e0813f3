/* Leaves documents out of the W of the first shard, draws their topics and scores them there; only
 * sums are read back. Arrays that are needed between `begin` and `end` alone lie in the array of D,
 * which every iteration writes again. */
#include "backend/cuda/cuda_left_out.h"

#include "backend/cuda/cuda_kernel_table.h"
#include "backend/cuda/cuda_topics.h"
#include "backend/cuda/kernels/left_out_state.h"
#include "backend/sampling.h"

#include <string.h>

/* Bytes for rows of K counts, and of K weights, that blocks of kernels have of their own: what
 * limits their grids if K is large. */
enum { EZ_COUNTS_BYTES = 64 << 20, EZ_WEIGHTS_BYTES = 32 << 20 };

/* The most bytes by which entries are found without a search. */
enum { EZ_RANK_BYTES = 64 << 20 };

/* What is gathered from a shard: topics of the documents' tokens, then of dropped ones. */
typedef struct gathering {
    ez_cuda *cuda;
    ez_gather_state state;
    ez_kernel kernel;
    uint64_t places; /* without the dropped ones */
    uint16_t *topic; /* on the host */
} gathering;

typedef struct cuda_left_out {
    ez_left_out base;
    const ez_left_out_docs *docs;
    ez_cuda *cuda; /* the first shard */
    int shards;
    gathering *gathering; /* shards */
    ez_left_out_state state;
    ez_left_out_list documents, observed;
    uint64_t *removed; /* topics, on the host */
    uint64_t *cells;   /* pinned: K * EZ_HISTOGRAM_CELLS, words, own, n */
    size_t n_cells;
    uint64_t used; /* bytes of the array of D */
    unsigned counts_rows, weight_rows;
    bool is_removed;
    ez_kernel remove, rows, rates, start, records, docs_pass, draw, tally, score;
} cuda_left_out;

/* ---- memory ---- */

/* An array that is needed between `begin` and `end` alone. */
static ezlda_status passing(cuda_left_out *l, ezlda_context *context, void *out, uint64_t n,
                            size_t size)
{
    ez_cuda *c = l->cuda;
    uint64_t bytes = (n * size + 255) / 256 * 256, room = c->chunk_groups * EZ_LANE_WIDTH * 4;
    if (l->used + bytes > room)
        return ez_device_array(&c->device, context, out, NULL, n, size, "the prior sample");
    void *at = (char *)c->state.d.rows + l->used;
    memcpy(out, &at, sizeof at);
    l->used += bytes;
    return EZLDA_OK;
}

/* An array that stays, with its content. */
static ezlda_status lasting(cuda_left_out *l, ezlda_context *context, void *out, const void *host,
                            size_t n, size_t size)
{
    return ez_device_array(&l->cuda->device, context, out, host, n, size, "the prior sample");
}

/* ---- words ---- */

/* Numbers the words of the documents; number[r] is that of relabelled word r, or UINT32_MAX. */
static ezlda_status number_words(cuda_left_out *l, ezlda_context *context, uint32_t *number)
{
    const ez_token_list *t = l->docs->tokens;
    ez_left_out_words *w = &l->state.words;
    uint32_t *run = NULL, *label = NULL;
    ezlda_status status = EZLDA_OK;
    for (uint64_t i = 0; i < t->tokens; i++)
        number[t->word[i]] = 1;
    for (uint32_t r = 0; r < t->words; r++)
        w->n += number[r];
    EZ_TRY_GOTO(ez_array(&run, context, w->n, sizeof *run, "words"));
    EZ_TRY_GOTO(ez_array(&label, context, w->n, sizeof *label, "words"));
    for (uint32_t r = 0, n = 0; r < t->words; r++) {
        if (!number[r]) {
            number[r] = UINT32_MAX;
            continue;
        }
        run[n] = t->original[r];
        label[n] = r;
        number[r] = n++;
    }
    EZ_TRY_GOTO(lasting(l, context, &w->run, run, w->n, sizeof *run));
    status = lasting(l, context, &w->label, label, w->n, sizeof *label);
done:
    ez_free(run);
    ez_free(label);
    return status;
}

/* Room for the rows that are copied: a word has at most as many entries as tokens. */
static ezlda_status place_rows(cuda_left_out *l, ezlda_context *context, const uint32_t *number)
{
    const ez_token_list *t = l->docs->tokens;
    ez_left_out_words *w = &l->state.words;
    uint32_t *start = NULL, *total = NULL;
    uint64_t room = 0;
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&total, context, w->n, sizeof *total, "rows of W"));
    EZ_TRY_GOTO(ez_array_zero(&start, context, (size_t)w->n + 1, sizeof *start, "rows of W"));
    for (uint32_t r = 0; r < t->words; r++) {
        uint32_t v = t->original[r], n = number[r];
        uint64_t rest = l->docs->rest[v];
        if (n == UINT32_MAX)
            continue;
        total[n] = (uint32_t)rest;
        start[n] = (uint32_t)room;
        if (v >= l->cuda->state.w.dense_words)
            room += rest < l->state.topics ? rest : l->state.topics;
    }
    if (room >= UINT32_MAX) {
        status = ez_fail(context, EZLDA_ERROR_MEMORY, "the prior sample has too many counts");
        goto done;
    }
    start[w->n] = (uint32_t)room;
    EZ_TRY_GOTO(lasting(l, context, &w->row_start, start, (size_t)w->n + 1, sizeof *start));
    EZ_TRY_GOTO(lasting(l, context, &w->total, total, w->n, sizeof *total));
    EZ_TRY_GOTO(passing(l, context, &w->entries, w->n, sizeof *w->entries));
    EZ_TRY_GOTO(passing(l, context, &w->row_topic, room, sizeof *w->row_topic));
    EZ_TRY_GOTO(passing(l, context, &w->row_count, room, sizeof *w->row_count));
    EZ_TRY_GOTO(passing(l, context, &w->record, w->n, sizeof *w->record));
    w->groups = (l->state.topics + 31) / 32;
    if ((uint64_t)w->n * w->groups * sizeof *w->rank <= EZ_RANK_BYTES)
        EZ_TRY_GOTO(passing(l, context, &w->rank, (uint64_t)w->n * w->groups, sizeof *w->rank));
    w->steps = (l->state.topics + EZ_LEFT_OUT_STEP - 1) / EZ_LEFT_OUT_STEP;
    status = passing(l, context, &w->q_through, (uint64_t)w->n * w->steps, sizeof *w->q_through);
done:
    ez_free(start);
    ez_free(total);
    return status;
}

/* The documents' tokens by word. */
static ezlda_status index_words(cuda_left_out *l, ezlda_context *context, const uint32_t *number)
{
    const ez_token_list *t = l->docs->tokens;
    ez_left_out_words *w = &l->state.words;
    uint32_t *start = NULL, *token = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(ez_array_zero(&start, context, (size_t)w->n + 2, sizeof *start, "words"));
    EZ_TRY_GOTO(ez_array(&token, context, t->tokens, sizeof *token, "words"));
    for (uint64_t i = 0; i < t->tokens; i++)
        start[number[t->word[i]] + 2]++;
    for (uint32_t n = 0; n < w->n; n++)
        start[n + 2] += start[n + 1];
    for (uint64_t i = 0; i < t->tokens; i++)
        token[start[number[t->word[i]] + 1]++] = (uint32_t)i;
    EZ_TRY_GOTO(lasting(l, context, &w->own_start, start, (size_t)w->n + 1, sizeof *start));
    status = lasting(l, context, &w->own_token, token, t->tokens, sizeof *token);
done:
    ez_free(start);
    ez_free(token);
    return status;
}

/* ---- documents ---- */

/* Copies a list of documents to the device. */
static ezlda_status open_list(cuda_left_out *l, ezlda_context *context, const ez_token_list *t,
                              const uint32_t *number, ez_left_out_list *out)
{
    uint32_t *start = NULL, *doc = NULL, *word = NULL, *occurrence = NULL;
    ezlda_status status;
    *out = (ez_left_out_list){.docs = (uint32_t)t->docs, .tokens = (uint32_t)t->tokens};
    EZ_TRY_GOTO(ez_array(&start, context, t->docs + 1, sizeof *start, "documents"));
    EZ_TRY_GOTO(ez_array(&word, context, t->tokens, sizeof *word, "words"));
    EZ_TRY_GOTO(ez_array(&doc, context, t->tokens, sizeof *doc, "documents"));
    EZ_TRY_GOTO(ez_array(&occurrence, context, t->tokens, sizeof *occurrence, "words"));
    for (uint64_t d = 0; d <= t->docs; d++)
        start[d] = (uint32_t)t->doc_start[d];
    for (uint64_t d = 0; d < t->docs; d++)
        for (uint64_t i = t->doc_start[d]; i < t->doc_start[d + 1]; i++) {
            bool again = i > t->doc_start[d] && t->word[i] == t->word[i - 1];
            doc[i] = (uint32_t)d;
            word[i] = number[t->word[i]];
            occurrence[i] = again ? occurrence[i - 1] + 1 : 0;
        }
    EZ_TRY_GOTO(lasting(l, context, &out->start, start, t->docs + 1, sizeof *start));
    EZ_TRY_GOTO(lasting(l, context, &out->doc, doc, t->tokens, sizeof *doc));
    EZ_TRY_GOTO(lasting(l, context, &out->word, word, t->tokens, sizeof *word));
    EZ_TRY_GOTO(lasting(l, context, &out->occurrence, occurrence, t->tokens, sizeof *occurrence));
    EZ_TRY_GOTO(passing(l, context, &out->topic, t->tokens, sizeof *out->topic));
    EZ_TRY_GOTO(passing(l, context, &out->entries, t->docs, sizeof *out->entries));
    status = passing(l, context, &out->row, t->tokens, sizeof *out->row);
done:
    ez_free(start);
    ez_free(doc);
    ez_free(word);
    ez_free(occurrence);
    return status;
}

/* The half of the tokens that is scored. */
static ezlda_status open_scored(cuda_left_out *l, ezlda_context *context, const uint32_t *number)
{
    const ez_left_out_docs *docs = l->docs;
    uint64_t n_docs = docs->observed->docs, n = docs->scored_start[n_docs];
    ez_left_out_state *s = &l->state;
    uint32_t *start = NULL, *word = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&start, context, n_docs + 1, sizeof *start, "documents"));
    EZ_TRY_GOTO(ez_array(&word, context, n, sizeof *word, "words"));
    for (uint64_t d = 0; d <= n_docs; d++)
        start[d] = (uint32_t)docs->scored_start[d];
    for (uint64_t i = 0; i < n; i++)
        word[i] = number[docs->scored[i]];
    EZ_TRY_GOTO(lasting(l, context, &s->scored_start, start, n_docs + 1, sizeof *start));
    EZ_TRY_GOTO(lasting(l, context, &s->scored, word, n, sizeof *word));
    EZ_TRY_GOTO(open_list(l, context, docs->observed, number, &l->observed));
    EZ_TRY_GOTO(passing(l, context, &s->sample, (uint64_t)l->observed.tokens * EZ_SCORE_SAMPLES,
                        sizeof *s->sample));
    EZ_TRY_GOTO(
        passing(l, context, &s->weight, (uint64_t)l->weight_rows * s->topics, sizeof *s->weight));
    status = passing(l, context, &s->score_sum, 1, sizeof *s->score_sum);
done:
    ez_free(start);
    ez_free(word);
    return status;
}

/* ---- kernels, cells and what is gathered ---- */

/* Fewer threads wait for each other less often, but each has more topics. */
static unsigned record_threads(uint32_t topics)
{
    return topics <= 256 ? 32 : topics <= 2048 ? 128 : EZ_LEFT_OUT_WORD_THREADS;
}

static ezlda_status find_kernels(cuda_left_out *l, ezlda_context *context)
{
    ez_cuda *c = l->cuda;
    size_t seen = ((size_t)l->state.topics + 31) / 32 * sizeof(uint32_t);
    uint64_t counts = EZ_COUNTS_BYTES / ((uint64_t)l->state.topics * sizeof(uint32_t)),
             weights = EZ_WEIGHTS_BYTES / ((uint64_t)l->state.topics * sizeof(double));
    EZ_TRY(ez_cuda_find_kernel(c, context, &l->remove, EZ_KERNEL_LEFT_OUT_REMOVE, 0));
    EZ_TRY(ez_cuda_find_kernel(c, context, &l->rows, EZ_KERNEL_LEFT_OUT_ROWS, 0));
    EZ_TRY(ez_cuda_find_kernel(c, context, &l->rates, EZ_KERNEL_LEFT_OUT_RATES, 0));
    EZ_TRY(ez_cuda_find_kernel(c, context, &l->start, EZ_KERNEL_LEFT_OUT_START, 0));
    EZ_TRY(ez_device_kernel(&c->device, context, &l->records, EZ_IMAGE_LEFT_OUT_WORDS,
                            "ez_left_out_records", record_threads(l->state.topics), 0));
    EZ_TRY(ez_cuda_find_kernel(c, context, &l->docs_pass, EZ_KERNEL_LEFT_OUT_DOCS, seen));
    EZ_TRY(ez_cuda_find_kernel(c, context, &l->draw, EZ_KERNEL_LEFT_OUT_DRAW, 0));
    EZ_TRY(ez_cuda_find_kernel(c, context, &l->tally, EZ_KERNEL_LEFT_OUT_TALLY, seen));
    EZ_TRY(ez_cuda_find_kernel(c, context, &l->score, EZ_KERNEL_LEFT_OUT_SCORE, 0));
    unsigned most = l->docs_pass.blocks;
    most = l->rows.blocks > most ? l->rows.blocks : most;
    most = l->records.blocks > most ? l->records.blocks : most;
    l->counts_rows = counts < most ? (unsigned)counts : most;
    l->weight_rows = weights < l->score.blocks ? (unsigned)weights : l->score.blocks;
    l->weight_rows = l->weight_rows < l->counts_rows ? l->weight_rows : l->counts_rows;
    return EZLDA_OK;
}

/* The cells that are read back, in one array. */
static ezlda_status open_cells(cuda_left_out *l, ezlda_context *context)
{
    ez_left_out_state *s = &l->state;
    size_t docs = (size_t)s->topics * EZ_HISTOGRAM_CELLS;
    unsigned long long *cells;
    l->n_cells = docs + EZ_COUNT_CELLS + 1 + 2 * (size_t)s->topics;
    EZ_TRY(ez_device_host_array(&l->cuda->device, context, &l->cells, l->n_cells, sizeof *l->cells,
                                "the prior sample"));
    EZ_TRY(passing(l, context, &cells, l->n_cells, sizeof *cells));
    s->histograms.docs = cells;
    s->histograms.words = cells + docs;
    s->own = s->histograms.words + EZ_COUNT_CELLS + 1;
    s->topic_tokens = s->own + s->topics;
    return passing(l, context, &s->histograms.more,
                   (uint64_t)l->documents.tokens / EZ_HISTOGRAM_CELLS + 1,
                   sizeof *s->histograms.more);
}

static ezlda_status open_topics(cuda_left_out *l, ezlda_context *context)
{
    ez_left_out_state *s = &l->state;
    s->own_tokens = (uint32_t)l->docs->tokens->tokens;
    EZ_TRY(ez_array(&l->removed, context, s->topics, sizeof *l->removed, "topic sums"));
    EZ_TRY(passing(l, context, &s->own_topic, s->own_tokens, sizeof *s->own_topic));
    EZ_TRY(passing(l, context, &s->removed, s->topics, sizeof *s->removed));
    EZ_TRY(passing(l, context, &s->alpha, s->topics, sizeof *s->alpha));
    EZ_TRY(passing(l, context, &s->rate, s->topics, sizeof *s->rate));
    return passing(l, context, &s->counts, (uint64_t)l->counts_rows * s->topics, sizeof *s->counts);
}

/* The places in [first, last) of an ascending list: sets *from and returns their number. */
static uint64_t find_places(const uint64_t *place, uint64_t n, uint64_t first, uint64_t last,
                            uint64_t *from)
{
    uint64_t end;
    for (*from = 0; *from < n && place[*from] < first;)
        ++*from;
    for (end = *from; end < n && place[end] < last;)
        end++;
    return end - *from;
}

/* Lists the tokens whose topics are gathered from a shard: [first, last) of this rank. */
static ezlda_status open_gathering(gathering *g, ezlda_context *context,
                                   const ez_left_out_docs *docs, uint64_t first, uint64_t last)
{
    ez_cuda *c = g->cuda;
    ez_gather_state *s = &g->state;
    uint64_t from, from_dropped, *place = NULL;
    uint32_t *token = NULL;
    ezlda_status status;
    g->places = find_places(docs->place, docs->places, first, last, &from);
    uint64_t n =
        g->places + find_places(docs->dropped, docs->n_dropped, first, last, &from_dropped);
    EZ_TRY_GOTO(ez_array(&place, context, n, sizeof *place, "the prior sample"));
    EZ_TRY_GOTO(ez_array(&token, context, n, sizeof *token, "the prior sample"));
    for (uint64_t i = 0; i < n; i++)
        place[i] =
            (i < g->places ? docs->place[from + i] : docs->dropped[from_dropped + i - g->places]) -
            first;
    EZ_TRY_GOTO(ez_device_enter(&c->device, context));
    EZ_TRY_GOTO(ez_cuda_find_tokens(c, context, place, g->places, token));
    EZ_TRY_GOTO(
        ez_cuda_find_tokens(c, context, place + g->places, n - g->places, token + g->places));
    EZ_TRY_GOTO(ez_cuda_find_kernel(c, context, &g->kernel, EZ_KERNEL_LEFT_OUT_GATHER, 0));
    *s = (ez_gather_state){.n = (uint32_t)n,
                           .place = c->room[0].place,
                           .topic = c->room[0].topic,
                           .mask = c->state.w.topics > 32768 ? 0xffff : 0x7fff};
    EZ_TRY_GOTO(ez_array(&g->topic, context, n, sizeof *g->topic, "the prior sample"));
    EZ_TRY_GOTO(ez_device_array(&c->device, context, &s->token, token, n, sizeof *token,
                                "the prior sample"));
    status =
        ez_device_array(&c->device, context, &s->out, NULL, n, sizeof *s->out, "the prior sample");
done:
    ez_free(place);
    ez_free(token);
    return status;
}

/* ---- the operations ---- */

static ezlda_status launch(cuda_left_out *l, ezlda_context *context, const ez_kernel *kernel,
                           unsigned work, unsigned most)
{
    unsigned blocks = kernel->blocks < most ? kernel->blocks : most;
    blocks = work < blocks ? work : blocks;
    return ez_device_launch(&l->cuda->device, context, kernel, blocks > 0 ? blocks : 1, &l->state);
}

/* Reads the topics of the tokens of a shard, and waits for it: other shards may still read W. */
static ezlda_status gather(gathering *g, ezlda_context *context)
{
    ez_device *device = &g->cuda->device;
    EZ_TRY(ez_device_enter(device, context));
    if (g->state.n > 0)
        EZ_TRY(ez_device_launch(device, context, &g->kernel, g->kernel.blocks, &g->state));
    EZ_TRY(ez_device_finish(device, context, "the prior sample"));
    return g->state.n > 0 ? ez_device_read(device, context, g->topic, g->state.out,
                                           g->state.n * sizeof *g->topic)
                          : EZLDA_OK;
}

/* Joins the documents' topics of all shards and ranks, and counts by topic what is removed from n.
 */
static ezlda_status gather_all(cuda_left_out *l, ezlda_context *context, ez_buffer *own)
{
    ezlda_group *group = l->cuda->settings->group;
    memset(l->removed, 0, l->state.topics * sizeof *l->removed);
    for (int m = 0; m < l->shards; m++) {
        gathering *g = &l->gathering[m];
        EZ_TRY(gather(g, context));
        if (g->places)
            EZ_TRY(ez_buffer_append(own, context, g->topic, g->places * sizeof *g->topic));
        for (uint64_t i = g->places; i < g->state.n; i++)
            l->removed[g->topic[i]]++;
    }
    EZ_TRY(ez_group_join(group, context, own));
    EZ_TRY(ez_group_sum64(group, context, l->removed, l->state.topics));
    const uint16_t *topic = (const uint16_t *)(const void *)own->data;
    for (size_t i = 0; i < own->used / sizeof *topic; i++)
        l->removed[topic[i]]++;
    return EZLDA_OK;
}

static ezlda_status remove_documents(cuda_left_out *l, ezlda_context *context, bool put_back)
{
    l->state.put_back = put_back;
    return launch(l, context, &l->remove, l->state.words.n, UINT32_MAX);
}

static ezlda_status draw_first_topics(cuda_left_out *l, ezlda_context *context)
{
    l->state.key = ez_iteration_key(l->state.seed, 0);
    return launch(l, context, &l->start, l->state.list.tokens, UINT32_MAX);
}

static ezlda_status cuda_begin(ez_left_out *left, ezlda_context *context)
{
    cuda_left_out *l = (cuda_left_out *)left;
    ez_left_out_state *s = &l->state;
    ez_device *device = &l->cuda->device;
    ez_buffer own = {0};
    ezlda_status status;
    EZ_TRY_GOTO(gather_all(l, context, &own));
    EZ_TRY_GOTO(ez_device_enter(device, context));
    EZ_TRY_GOTO(ez_device_write(device, context, s->own_topic, own.data, own.used));
    EZ_TRY_GOTO(
        ez_device_write(device, context, s->removed, l->removed, s->topics * sizeof *s->removed));
    EZ_TRY_GOTO(ez_device_zero(device, context, s->counts,
                               (size_t)l->counts_rows * s->topics * sizeof *s->counts));
    l->is_removed = true;
    EZ_TRY_GOTO(remove_documents(l, context, false));
    EZ_TRY_GOTO(launch(l, context, &l->rows, s->words.n, l->counts_rows));
    s->list = l->documents;
    status = draw_first_topics(l, context);
done:
    ez_free(own.data);
    return status;
}

/* Sets the priors, and makes the rates and the records for them. */
static ezlda_status set_priors(cuda_left_out *l, ezlda_context *context, const ez_priors *priors,
                               uint64_t longest)
{
    ez_left_out_state *s = &l->state;
    s->weight_bits = ez_weight_bits(longest, priors->alpha_sum);
    s->beta = priors->beta;
    s->alpha_sum = priors->alpha_sum;
    EZ_TRY(ez_device_write(&l->cuda->device, context, s->alpha, priors->alpha,
                           s->topics * sizeof *s->alpha));
    EZ_TRY(launch(l, context, &l->rates, (s->topics + l->rates.threads - 1) / l->rates.threads,
                  UINT32_MAX));
    return launch(l, context, &l->records, s->words.n, l->counts_rows);
}

/* One iteration: rows of D, then draws. */
static ezlda_status iterate(cuda_left_out *l, ezlda_context *context, uint32_t iteration,
                            uint16_t *keep)
{
    ez_left_out_state *s = &l->state;
    s->key = ez_iteration_key(s->seed, iteration);
    s->keep = keep;
    EZ_TRY(launch(l, context, &l->docs_pass, s->list.docs, l->counts_rows));
    return launch(l, context, &l->draw, (s->list.tokens + l->draw.threads - 1) / l->draw.threads,
                  UINT32_MAX);
}

static ezlda_status cuda_sample(ez_left_out *left, ezlda_context *context, const ez_priors *priors,
                                uint32_t done, uint32_t iterations)
{
    cuda_left_out *l = (cuda_left_out *)left;
    ez_left_out_state *s = &l->state;
    EZ_TRY(ez_device_enter(&l->cuda->device, context));
    EZ_TRY(ez_device_zero(&l->cuda->device, context, s->histograms.docs,
                          l->n_cells * sizeof *s->histograms.docs));
    s->list = l->documents;
    EZ_TRY(set_priors(l, context, priors, l->docs->tokens->longest));
    for (uint32_t i = 1; i <= iterations; i++)
        EZ_TRY(iterate(l, context, done + i, NULL));
    return launch(l, context, &l->tally, s->list.docs, l->counts_rows);
}

/* Reads the list of counts without a cell. */
static ezlda_status read_more(cuda_left_out *l, ezlda_context *context, uint64_t n, ez_buffer *out)
{
    out->used = 0;
    if (n == 0)
        return EZLDA_OK;
    EZ_TRY(ez_buffer_reserve(out, context, n * sizeof n));
    EZ_TRY(ez_device_read(&l->cuda->device, context, out->data, l->state.histograms.more,
                          n * sizeof n));
    out->used = n * sizeof n;
    return EZLDA_OK;
}

static ezlda_status cuda_counts(ez_left_out *left, ezlda_context *context, ez_left_out_counts *out)
{
    cuda_left_out *l = (cuda_left_out *)left;
    size_t topics = l->state.topics, docs = topics * EZ_HISTOGRAM_CELLS;
    const uint64_t *met = l->cells + docs, *own = met + EZ_COUNT_CELLS + 1;
    EZ_TRY(ez_device_enter(&l->cuda->device, context));
    EZ_TRY(ez_device_read_async(&l->cuda->device, context, l->cells, l->state.histograms.docs,
                                l->n_cells * sizeof *l->cells));
    EZ_TRY(ez_device_finish(&l->cuda->device, context, "the prior sample"));
    memcpy(out->docs->docs, l->cells, docs * sizeof *l->cells);
    memcpy(out->met, met, EZ_COUNT_CELLS * sizeof *met);
    memcpy(out->own, own, topics * sizeof *own);
    memcpy(out->rest, own + topics, topics * sizeof *own);
    return read_more(l, context, met[EZ_COUNT_CELLS], &out->docs->docs_more);
}

static ezlda_status cuda_score(ez_left_out *left, ezlda_context *context, const ez_priors *priors,
                               int64_t *sum)
{
    cuda_left_out *l = (cuda_left_out *)left;
    ez_left_out_state *s = &l->state;
    ez_sampling plan = {
        .iterations = EZ_SCORE_ITERATIONS, .samples = EZ_SCORE_SAMPLES, .thin = EZ_SCORE_THIN};
    long long total;
    EZ_TRY(ez_device_enter(&l->cuda->device, context));
    s->list = l->observed;
    EZ_TRY(set_priors(l, context, priors, l->docs->observed->longest));
    EZ_TRY(draw_first_topics(l, context));
    EZ_TRY(ez_device_zero(&l->cuda->device, context, s->score_sum, sizeof *s->score_sum));
    s->samples = EZ_SCORE_SAMPLES;
    for (uint32_t i = 1; i <= EZ_SCORE_ITERATIONS; i++) {
        int64_t number = ez_sample_number(&plan, i);
        EZ_TRY(iterate(l, context, i,
                       number < 0 ? NULL : s->sample + (uint64_t)number * s->list.tokens));
    }
    EZ_TRY(launch(l, context, &l->score, s->list.docs, l->weight_rows));
    EZ_TRY(ez_device_read(&l->cuda->device, context, &total, s->score_sum, sizeof total));
    *sum = total;
    return EZLDA_OK;
}

static ezlda_status cuda_end(ez_left_out *left, ezlda_context *context)
{
    cuda_left_out *l = (cuda_left_out *)left;
    if (!l->is_removed)
        return EZLDA_OK;
    l->is_removed = false;
    EZ_TRY(ez_device_enter(&l->cuda->device, context));
    return remove_documents(l, context, true);
}

/* The device frees its arrays when it is closed. */
static void cuda_free(ez_left_out *left)
{
    cuda_left_out *l = (cuda_left_out *)left;
    if (!l)
        return;
    if (l->cells) {
        l->cuda->device.driver->cuCtxSetCurrent(l->cuda->device.cuda);
        ez_device_host_free(&l->cuda->device, l->cells);
    }
    for (int m = 0; l->gathering && m < l->shards; m++)
        ez_free(l->gathering[m].topic);
    ez_free(l->gathering);
    ez_free(l->removed);
    ez_free(l);
}

static const ez_left_out_ops ops = {
    .begin = cuda_begin,
    .sample = cuda_sample,
    .counts = cuda_counts,
    .score = cuda_score,
    .end = cuda_end,
    .free = cuda_free,
};

/* ---- opening ---- */

/* Whether the device can do it. */
static bool suits(ez_cuda **shard, int shards, const ez_left_out_docs *docs)
{
    const ez_token_list *t = docs->tokens;
    if (shard[0]->settings->base || t->tokens > UINT32_MAX / 2)
        return false;
    for (int m = 0; m < shards; m++)
        if (shard[m]->chunks > 1)
            return false;
    for (uint64_t d = 0; d < t->docs; d++)
        if (ez_doc_length(t, d) > EZ_ENTRY_MAX)
            return false;
    return true;
}

static ezlda_status open_all(cuda_left_out *l, ezlda_context *context, ez_cuda **shard,
                             const uint64_t *first_token)
{
    const ez_left_out_docs *docs = l->docs;
    uint32_t *number = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(ez_array_zero(&l->gathering, context, (size_t)(unsigned)l->shards,
                              sizeof *l->gathering, "the prior sample"));
    for (int m = 0; m < l->shards; m++) {
        l->gathering[m].cuda = shard[m];
        EZ_TRY_GOTO(
            open_gathering(&l->gathering[m], context, docs, first_token[m], first_token[m + 1]));
    }
    EZ_TRY_GOTO(ez_device_enter(&l->cuda->device, context));
    EZ_TRY_GOTO(find_kernels(l, context));
    EZ_TRY_GOTO(
        ez_array_zero(&number, context, docs->tokens->words, sizeof *number, "word numbers"));
    EZ_TRY_GOTO(number_words(l, context, number));
    EZ_TRY_GOTO(index_words(l, context, number));
    EZ_TRY_GOTO(open_list(l, context, docs->tokens, number, &l->documents));
    EZ_TRY_GOTO(open_cells(l, context));
    EZ_TRY_GOTO(open_topics(l, context));
    if (docs->observed)
        EZ_TRY_GOTO(open_scored(l, context, number));
    status = place_rows(l, context, number);
done:
    ez_free(number);
    return status;
}

ezlda_status ez_cuda_leave_out(ez_cuda **shard, int shards, const uint64_t *first_token,
                               ezlda_context *context, const ez_left_out_docs *docs,
                               ez_left_out **out)
{
    ez_cuda *c = shard[0];
    cuda_left_out *l = NULL;
    *out = NULL;
    if (!suits(shard, shards, docs))
        return EZLDA_OK;
    EZ_TRY(ez_array_zero(&l, context, 1, sizeof *l, "the prior sample"));
    *l = (cuda_left_out){.base = {&ops}, .docs = docs, .cuda = c, .shards = shards};
    l->state = (ez_left_out_state){
        .topics = c->state.w.topics,
        .all_words = c->state.w.words,
        .seed = c->settings->seed,
        .w = c->state.w,
    };
    ezlda_status status = open_all(l, context, shard, first_token);
    if (status != EZLDA_OK) {
        cuda_free(&l->base);
        l = NULL;
    }
    if (status == EZLDA_ERROR_MEMORY) { /* the host has other memory */
        ez_clear(context);
        status = EZLDA_OK;
    }
    *out = l ? &l->base : NULL;
    return status;
}
